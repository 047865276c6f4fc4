"""Run a paper's experiments and hold them against what it prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bayesgrove.reproduce.experiment import Experiment, together
from bayesgrove.reproduce.papers.dash_2003 import PAPER as PAPER_001
from bayesgrove.reproduce.papers.drugan_2004 import PAPER as PAPER_004
from bayesgrove.reproduce.papers.hall_2006 import PAPER as PAPER_002
from bayesgrove.reproduce.papers.sahami_1996 import PAPER as PAPER_003
from bayesgrove.reproduce.papers.singh_1995 import PAPER as PAPER_000
from bayesgrove.reproduce.published import published
from bayesgrove.reproduce.views.claims import Judgement, claims_table
from bayesgrove.reproduce.views.curves import Curves, Drawing
from bayesgrove.reproduce.views.tables import Table, View

if TYPE_CHECKING:
    import os

    from bayesgrove.evaluation import Comparison, TextTable
    from bayesgrove.reproduce.paper import Paper

PAPERS: dict[str, Paper] = {
    paper.number: paper for paper in (PAPER_000, PAPER_001, PAPER_002, PAPER_003, PAPER_004)
}


@dataclass(frozen=True)
class Reproduction:
    """Tables of a paper, ours beside theirs, and what becomes of its conclusions."""

    paper: Paper
    results: Comparison
    tables: list[View]
    claims: list[Judgement]

    def text_tables(self) -> list[TextTable]:
        """The tables in their order, then the conclusions; what is open is said once."""
        found: list[TextTable] = []
        said: set[str] = set()
        for view in self.tables:
            found.append(view.text_table(said))
            said.update(view.table.choices)
        return [*found, *([claims_table(self.paper.number, self.claims)] if self.claims else [])]


def reproduce(
    number: str,
    table: str | None = None,
    *,
    quick: bool = False,
    folder: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Reproduction:
    """Run the experiments of a paper's tables, each once.

    Parameters
    ----------
    number : such as "003"
    table : only this one
    quick : only the first splits of each data set, which decide no conclusion
    folder : where finished results are kept; a folder of its own for each experiment
    options : as in `compare`
    """
    tables = tables_of(number, table)
    runs = {
        own.name: (own.first() if quick else own).run(folder, **options)
        for own in experiments_of(tables)
    }
    results = together(runs.values())
    paper = PAPERS[number]
    return Reproduction(
        paper,
        results,
        [_view(number, own, results) for own in tables],
        [
            claim.judged(place, results)
            for place, claim in enumerate(paper.claims, 1)
            if not quick and all(own.name in runs for own in claim.experiments)
        ],
    )


def draw(
    number: str,
    figure: str,
    folder: str | os.PathLike[str],
    *,
    quick: bool = False,
    **options: Any,
) -> Drawing:
    """Run the experiment of a paper's figure; the picture and its numbers go into the folder.

    Parameters
    ----------
    number, figure : such as "000" and "1"
    folder : where finished results are kept, too
    quick : only the first trials
    options : as in `compare`
    """
    curves = figure_of(number, figure)
    curves = curves.quick() if quick else curves
    drawing = Drawing(number, curves, curves.experiment.run(folder, **options))
    drawing.save(folder)
    return drawing


def tables_of(number: str, table: str | None = None) -> list[Table]:
    """The tables of a paper, or one of them."""
    paper = _paper(number)
    if table is None:
        return [own for own in paper.tables if not own.on_request]
    chosen = [own for own in paper.tables if own.number == table]
    if not chosen:
        known = ", ".join(own.number for own in paper.tables)
        raise ValueError(f"table={table!r} is none of paper {number}'s: {known}.")
    return chosen


def figure_of(number: str, figure: str) -> Curves:
    """A figure of a paper."""
    figures = {own.number: own for own in _paper(number).figures}
    if figure not in figures:
        known = ", ".join(figures) or "there are none"
        raise ValueError(f"figure={figure!r} is none of paper {number}'s: {known}.")
    return figures[figure]


def experiments_of(tables: list[Table]) -> list[Experiment]:
    """What the tables are views of, each once."""
    return list({own.name: own for table in tables for own in table.experiments}.values())


def _paper(number: str) -> Paper:
    if number not in PAPERS:
        raise ValueError(f"paper={number!r} must be one of {', '.join(PAPERS)}.")
    return PAPERS[number]


def _view(number: str, table: Table, results: Comparison) -> View:
    tables = table.printed_in or (table.number,)
    printed = [figure for figure in published(number) if figure.table in tables]
    return View(number, table, table.cells(results, printed))
