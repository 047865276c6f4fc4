"""Run a paper's experiments and hold them against what it prints."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bayesgrove.evaluation import Comparison, Grid, compare
from bayesgrove.reproduce.paper003 import PAPER as PAPER_003
from bayesgrove.reproduce.published import Figure, published

if TYPE_CHECKING:
    import os

    from bayesgrove.reproduce.paper import Paper, PaperTable

PAPERS: dict[str, Paper] = {paper.number: paper for paper in (PAPER_003,)}
CLOSE = 2.0
"""Standard errors within which figures agree."""


@dataclass(frozen=True)
class Cell:
    """Our figure beside the printed one.

    ``distance`` is the difference in units of the combined standard error: of our mean and, where
    a spread is printed, of theirs. A single split has the standard error of a share.
    """

    theirs: Figure
    ours: float
    spread: float
    distance: float
    failure: str = ""
    explanation: str = ""

    @property
    def agrees(self) -> bool:
        """Within two standard errors, or within the printed spread."""
        within = abs(self.ours - self.theirs.value) <= (self.theirs.spread or 0.0)
        return not self.failure and (abs(self.distance) <= CLOSE or within)

    @property
    def verdict(self) -> str:
        """In a word."""
        return "FAILED" if self.failure else "agrees" if self.agrees else "differs"

    @property
    def reason(self) -> str:
        """Why it failed, or differs."""
        return self.failure or ("" if self.agrees else self.explanation)


@dataclass(frozen=True)
class Reproduction:
    """A table of a paper, ours beside theirs."""

    paper: Paper
    table: PaperTable
    comparison: Comparison
    cells: list[Cell]

    @property
    def summary(self) -> str:
        """How many cells agree."""
        agreeing = sum(cell.agrees for cell in self.cells)
        return f"{agreeing} of {len(self.cells)} cells agree."

    def grid(self) -> Grid:
        """All cells, one row each; the reasons of verdicts are numbered below."""
        reasons = list(dict.fromkeys(cell.reason for cell in self.cells if cell.reason))
        header = ["data set", "method", "ours", "theirs", "distance", "verdict"]
        title = f"Paper {self.paper.number}, table {self.table.number}: {self.table.title}"
        notes = (
            self.summary,
            "distance: difference in units of the combined standard error.",
            *(f"({number}) {reason.rstrip('.')}." for number, reason in enumerate(reasons, 1)),
            *self.table.choices,
        )
        return Grid(title, header, [_row(cell, reasons) for cell in self.cells], notes=notes)


def _row(cell: Cell, reasons: list[str]) -> list[str]:
    number = f" ({reasons.index(cell.reason) + 1})" if cell.reason else ""
    return [
        cell.theirs.dataset,
        cell.theirs.method,
        "-" if cell.failure else _with_spread(cell.ours, cell.spread),
        _with_spread(cell.theirs.value, cell.theirs.spread),
        "-" if cell.failure else f"{cell.distance:+.1f}",
        f"{cell.verdict}{number}",
    ]


def reproduce(
    number: str,
    table: str | None = None,
    *,
    quick: bool = False,
    folder: str | os.PathLike[str] | None = None,
    **options: Any,
) -> list[Reproduction]:
    """Run the experiments of a paper.

    Parameters
    ----------
    number : such as "003"
    table : only this one
    quick : only the first splits of each data set
    folder : where finished pieces are kept; a folder of its own for each table
    options : as in `compare`
    """
    if number not in PAPERS:
        raise ValueError(f"paper={number!r} must be one of {', '.join(PAPERS)}.")
    paper = PAPERS[number]
    tables = [own for own in paper.tables if table in (None, own.number)]
    if not tables:
        known = ", ".join(own.number for own in paper.tables)
        raise ValueError(f"table={table!r} is none of paper {number}'s: {known}.")
    return [_reproduce(paper, own.quick() if quick else own, folder, options) for own in tables]


def _reproduce(
    paper: Paper, table: PaperTable, folder: Any, options: dict[str, Any]
) -> Reproduction:
    place = None if folder is None else f"{folder}/table-{table.number}"
    found = compare(table.methods, table.data, table.protocols, folder=place, **options)
    figures = [
        figure
        for figure in published(paper.number)
        if figure.table == table.number
        and figure.metric == table.printed_as
        and figure.dataset in table.data
        and figure.method in table.methods
    ]
    return Reproduction(paper, table, found, [_cell(table, found, figure) for figure in figures])


def _cell(table: PaperTable, found: Comparison, figure: Figure) -> Cell:
    values = table.factor * found.values(table.metric, figure.dataset, figure.method)
    pieces = [p for p in found.pieces if (p.dataset, p.model) == (figure.dataset, figure.method)]
    failure = next((piece.failure for piece in pieces if piece.failure), "")
    if failure:
        return Cell(figure, math.nan, math.nan, math.nan, failure)
    count = len(values)
    spread = float(values.std(ddof=1)) if count > 1 else math.nan
    ours = float(values.mean())
    error = _standard_error(ours, spread, count, pieces[0].test, table.factor)
    printed = math.nan if figure.spread is None else figure.spread
    theirs = _standard_error(
        figure.value, printed, table.printed_splits, pieces[0].test, table.factor
    )
    explanation = table.explanations.get((figure.dataset, figure.method), "")
    distance = _distance(ours - figure.value, math.hypot(error, theirs))
    return Cell(figure, ours, spread, distance, explanation=explanation)


def _standard_error(mean: float, spread: float, count: int, rows: int, factor: float) -> float:
    """Of a mean over splits; of a share of rows where there is one split."""
    if not math.isnan(spread):
        return spread / math.sqrt(count)
    share = mean / factor
    return factor * math.sqrt(share * (1.0 - share) / rows)


def _distance(difference: float, error: float) -> float:
    if abs(difference) < 0.05:  # as printed, to one digit
        return 0.0
    return difference / error if error > 0 else math.copysign(math.inf, difference)


def _with_spread(value: float, spread: float | None) -> str:
    if spread is None or math.isnan(spread):
        return f"{value:.1f}"
    return f"{value:.1f} ± {spread:.1f}"
