"""Run the experiments of a paper and compare the results with its published numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bayesgrove._utils.options import OptionError
from bayesgrove.reproduce.experiment import Experiment, together
from bayesgrove.reproduce.papers import COMPARISON, find_paper
from bayesgrove.reproduce.published import published
from bayesgrove.reproduce.views.claims import Verdict, claims_table
from bayesgrove.reproduce.views.curves import Curves, Drawing

if TYPE_CHECKING:
    import os

    from bayesgrove.evaluation import Comparison, TextTable
    from bayesgrove.reproduce.paper import Paper
    from bayesgrove.reproduce.views.tables import Table, View


@dataclass(frozen=True)
class Reproduction:
    """Tables of a paper with our results next to the published ones, and verdicts on its claims.

    ``requested`` is the name or number by which the paper was requested.
    """

    requested: str
    paper: Paper
    results: Comparison
    tables: list[View]
    claims: list[Verdict]

    def text_tables(self) -> list[TextTable]:
        """Return the tables in their order, then the claims; each choice is shown only once."""
        tables: list[TextTable] = []
        shown_choices: set[str] = set()
        for view in self.tables:
            tables.append(view.text_table(shown_choices))
            shown_choices.update(view.table.choices)
        title = f"Paper {self.requested}: its conclusions on our run"
        if self.requested == COMPARISON:
            title = "Conclusions of papers on our run"
        return [*tables, *([claims_table(title, self.claims)] if self.claims else [])]


def reproduce(
    paper: str,
    table: str | None = None,
    *,
    quick: bool = False,
    folder: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Reproduction:
    """Run the experiments of the tables of a paper, each once.

    Parameters
    ----------
    paper : str
        Name of the paper, such as "hall-2006", or its number, such as "002".
    table : str or None, default=None
        Number of the only table to run. None means all tables except those on request.
    quick : bool, default=False
        Whether to run only the first splits of each data set. Claims are then not checked.
    folder : str or path-like or None, default=None
        Folder for the results, with one subfolder per experiment. None means that nothing is
        written.
    **options : object
        Options of `compare`, such as ``resume`` and ``n_jobs``.

    Returns
    -------
    Reproduction
        The tables, and the verdicts on the claims whose experiments were run.
    """
    return reproduce_tables(paper, tables_of(paper, table), quick=quick, folder=folder, **options)


def reproduce_tables(
    paper: str,
    tables: list[Table],
    *,
    quick: bool = False,
    folder: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Reproduction:
    """Run the experiments of some tables of a paper, each once; see `reproduce`."""
    chosen = find_paper(paper)
    experiments = [one.first() if quick else one for one in experiments_of(tables)]
    runs = {one.name: one.run(folder, **options) for one in experiments if one.data}
    results = together(runs.values())
    return Reproduction(
        paper,
        chosen,
        results,
        [_view(paper, one, results) for one in tables],
        [
            claim.verdict_on(number, results)
            for number, claim in enumerate(chosen.claims, 1)
            if not quick and all(needed.name in runs for needed in claim.experiments)
        ],
    )


def draw(
    paper: str,
    figure: str,
    folder: str | os.PathLike[str],
    *,
    quick: bool = False,
    **options: Any,
) -> Drawing:
    """Run the experiment of a figure of a paper, and write the picture and its numbers.

    Parameters
    ----------
    paper : str
        Name of the paper, such as "singh-1995", or its number, such as "000".
    figure : str
        Number of the figure, such as "1".
    folder : str or path-like
        Folder for the picture, its numbers and the results of the run.
    quick : bool, default=False
        Whether to run only the first trials.
    **options : object
        Options of `compare`, such as ``resume`` and ``n_jobs``.

    Returns
    -------
    Drawing
        The figure with our results.
    """
    curves = figure_of(paper, figure)
    curves = curves.quick() if quick else curves
    drawing = Drawing(paper, curves, curves.experiment.run(folder, **options))
    drawing.save(folder)
    return drawing


def tables_of(paper: str, table: str | None = None) -> list[Table]:
    """Return the table of this number; without a number, all tables except those on request."""
    tables = find_paper(paper).tables
    if table is None:
        return [one for one in tables if not one.on_request]
    chosen = [one for one in tables if one.number == table]
    if not chosen:
        known = ", ".join(one.number for one in tables)
        raise OptionError(f"table={table!r} is not a table of paper {paper}; its tables: {known}.")
    return chosen


def figure_of(paper: str, figure: str) -> Curves:
    """Return the figure of this number."""
    figures = {one.number: one for one in find_paper(paper).figures}
    if figure not in figures:
        known = ", ".join(figures) or "none"
        raise OptionError(
            f"figure={figure!r} is not a figure of paper {paper}; its figures: {known}."
        )
    return figures[figure]


def experiments_of(tables: list[Table]) -> list[Experiment]:
    """Return the experiments of the tables, each once."""
    return list({one.name: one for table in tables for one in table.experiments}.values())


def _view(paper: str, table: Table, results: Comparison) -> View:
    """Return a table with its cells filled in."""
    tables = table.printed_in or (table.number,)
    printed = [one for one in published(find_paper(paper).number) if one.table in tables]
    return table.view(paper, results, printed)
