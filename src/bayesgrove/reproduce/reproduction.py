"""Run a paper's experiments and hold them against what it prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bayesgrove._utils.options import OptionError
from bayesgrove.reproduce.experiment import Experiment, together
from bayesgrove.reproduce.papers import find_paper
from bayesgrove.reproduce.published import published
from bayesgrove.reproduce.views.claims import Judgement, claims_table
from bayesgrove.reproduce.views.curves import Curves, Drawing
from bayesgrove.reproduce.views.tables import Table, View

if TYPE_CHECKING:
    import os

    from bayesgrove.evaluation import Comparison, TextTable
    from bayesgrove.reproduce.paper import Paper


@dataclass(frozen=True)
class Reproduction:
    """Tables of a paper, ours beside theirs, and what becomes of its conclusions.

    ``asked`` is the name or number that the paper was asked for by.
    """

    asked: str
    paper: Paper
    results: Comparison
    tables: list[View]
    claims: list[Judgement]

    def text_tables(self) -> list[TextTable]:
        """Return the tables in their order, then the conclusions; a choice is said once."""
        shown: list[TextTable] = []
        said: set[str] = set()
        for view in self.tables:
            shown.append(view.text_table(said))
            said.update(view.table.choices)
        return [*shown, *([claims_table(self.asked, self.claims)] if self.claims else [])]


def reproduce(
    paper: str,
    table: str | None = None,
    *,
    quick: bool = False,
    folder: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Reproduction:
    """Run the experiments of a paper's tables, each once.

    Parameters
    ----------
    paper : its name, such as "hall-2006", or its number, "002"
    table : only this one
    quick : only the first splits of each data set, which decide no conclusion
    folder : where results are kept; a folder of its own for each experiment
    options : as in `compare`
    """
    chosen = find_paper(paper)
    tables = tables_of(paper, table)
    runs = {
        experiment.name: (experiment.first() if quick else experiment).run(folder, **options)
        for experiment in experiments_of(tables)
    }
    results = together(runs.values())
    return Reproduction(
        paper,
        chosen,
        results,
        [_view(paper, one, results) for one in tables],
        [
            claim.judged(place, results)
            for place, claim in enumerate(chosen.claims, 1)
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
    """Run the experiment of a paper's figure; the picture and its numbers go into the folder.

    Parameters
    ----------
    paper, figure : such as "singh-1995" and "1"
    folder : where results are kept as well
    quick : only the first trials
    options : as in `compare`
    """
    curves = figure_of(paper, figure)
    curves = curves.quick() if quick else curves
    drawing = Drawing(paper, curves, curves.experiment.run(folder, **options))
    drawing.save(folder)
    return drawing


def tables_of(paper: str, table: str | None = None) -> list[Table]:
    """Return the tables of a paper that need not be asked for, or the one that is."""
    tables = find_paper(paper).tables
    if table is None:
        return [one for one in tables if not one.on_request]
    chosen = [one for one in tables if one.number == table]
    if not chosen:
        known = ", ".join(one.number for one in tables)
        raise OptionError(f"table={table!r} is none of paper {paper}'s: {known}.")
    return chosen


def figure_of(paper: str, figure: str) -> Curves:
    """Return a figure of a paper."""
    figures = {one.number: one for one in find_paper(paper).figures}
    if figure not in figures:
        known = ", ".join(figures) or "there are none"
        raise OptionError(f"figure={figure!r} is none of paper {paper}'s: {known}.")
    return figures[figure]


def experiments_of(tables: list[Table]) -> list[Experiment]:
    """Return the experiments that the tables show, each once."""
    return list({one.name: one for table in tables for one in table.experiments}.values())


def _view(paper: str, table: Table, results: Comparison) -> View:
    tables = table.printed_in or (table.number,)
    printed = [one for one in published(find_paper(paper).number) if one.table in tables]
    return View(paper, table, table.cells(results, printed))
