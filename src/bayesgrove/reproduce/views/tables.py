"""A table of a paper as a view of experiments: ours beside theirs, a verdict for every cell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bayesgrove.evaluation import TextTable

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from bayesgrove.evaluation import Comparison
    from bayesgrove.reproduce.experiment import Experiment
    from bayesgrove.reproduce.published import PublishedValue


@dataclass(frozen=True, kw_only=True)
class Cell(ABC):
    """Our result beside the printed one.

    ``absent`` is why there can be none of ours.
    """

    dataset: str
    method: str
    theirs: PublishedValue | None
    failure: str = ""
    explanation: str = ""
    absent: str = ""

    @property
    @abstractmethod
    def agrees(self) -> bool:
        """Whether ours agrees with theirs; False where there is no ours, or no theirs."""

    @property
    @abstractmethod
    def figures(self) -> list[str]:
        """What the row shows between the method and the verdict."""

    @property
    def verdict(self) -> str:
        """The outcome in a word."""
        if self.absent:
            return "not run"
        if self.failure:
            return "FAILED"
        if self.theirs is None:
            return "ours only"
        return "agrees" if self.agrees else "differs"

    @property
    def reason(self) -> str:
        """Why it was not run, failed, or differs."""
        return self.absent or self.failure or ("" if self.agrees else self.explanation)


@dataclass(frozen=True, kw_only=True)
class Table(ABC):
    """A table of a paper.

    Parameters
    ----------
    number, title : as printed
    experiments : whose results it shows
    choices : what the paper leaves open, and what we chose
    explanations : of cells that differ, by (data set, method); tested, not guessed
    on_request : whether it is left out unless it is asked for
    printed_in : numbers of the tables that print the figures; none is its own
    absent : why data sets that the paper used are not to be had, by name
    """

    number: str
    title: str
    experiments: tuple[Experiment, ...]
    choices: tuple[str, ...] = ()
    explanations: Mapping[tuple[str, str], str] = field(default_factory=dict)
    on_request: bool = False
    printed_in: tuple[str, ...] = ()
    absent: Mapping[str, str] = field(default_factory=dict)

    @property
    @abstractmethod
    def columns(self) -> list[str]:
        """Names of what `Cell.figures` are."""

    @property
    @abstractmethod
    def legend(self) -> str:
        """How the columns are read."""

    @abstractmethod
    def cells(self, results: Comparison, printed: Sequence[PublishedValue]) -> Sequence[Cell]:
        """Return its cells.

        Parameters
        ----------
        results : of its experiments, and perhaps of others
        printed : the figures of the table
        """

    def summary(self, cells: Sequence[Cell]) -> str:
        """Say how many of its cells agree."""
        printed = [cell for cell in cells if cell.theirs is not None and not cell.absent]
        if not printed:
            return "The paper prints no figures of this."
        return f"{sum(cell.agrees for cell in printed)} of {len(printed)} cells agree."

    def has(self, dataset: str, method: str) -> bool:
        """Return whether one of its experiments runs a method on a data set."""
        return any(dataset in one.data and method in one.methods for one in self.experiments)


@dataclass(frozen=True)
class View:
    """A table with its cells filled in."""

    paper: str
    table: Table
    cells: Sequence[Cell]

    @property
    def summary(self) -> str:
        """How many cells agree."""
        return self.table.summary(self.cells)

    def text_table(self, said: Collection[str] = ()) -> TextTable:
        """Tabulate all cells, one row each; reasons are numbered below, choices follow.

        Choices that were ``said`` of another table are left out.
        """
        reasons = list(dict.fromkeys(cell.reason for cell in self.cells if cell.reason))
        notes = (
            self.summary,
            self.table.legend,
            *(f"({number}) {reason.rstrip('.')}." for number, reason in enumerate(reasons, 1)),
            *(choice for choice in self.table.choices if choice not in said),
        )
        return TextTable(
            f"Paper {self.paper}, table {self.table.number}: {self.table.title}",
            ["data set", "method", *self.table.columns, "verdict"],
            [_row(cell, reasons) for cell in self.cells],
            notes=notes,
        )


def _row(cell: Cell, reasons: list[str]) -> list[str]:
    number = f" ({reasons.index(cell.reason) + 1})" if cell.reason else ""
    return [cell.dataset, cell.method, *cell.figures, f"{cell.verdict}{number}"]
