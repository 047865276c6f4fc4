"""Tables of papers: our results next to the published ones, with a verdict per cell."""

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
    """Our result next to the printed number ``theirs``.

    ``failure`` is why our run failed, ``explanation`` why the cell differs, and ``absent`` why it
    cannot be run. All are empty if they do not apply.
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
        """Whether our result agrees with the printed number; False if one of them is missing."""

    @property
    @abstractmethod
    def figures(self) -> list[str]:
        """Texts of the row between the method and the verdict."""

    @property
    def verdict(self) -> str:
        """The verdict: "not run", "FAILED", "ours only", "agrees" or "differs"."""
        if self.absent:
            return "not run"
        if self.failure:
            return "FAILED"
        if self.theirs is None:
            return "ours only"
        return "agrees" if self.agrees else "differs"

    @property
    def reason(self) -> str:
        """The reason why the cell was not run, failed or differs; empty if it has none."""
        return self.absent or self.failure or ("" if self.agrees else self.explanation)


@dataclass(frozen=True, kw_only=True)
class Table(ABC):
    """A table of a paper.

    Parameters
    ----------
    number : str
        Number of the table in the paper, or a name.
    title : str
        Title of the table.
    experiments : tuple of Experiment
        Experiments whose results the table shows.
    choices : tuple of str, default=()
        Sentences about what the paper leaves open, and our choices.
    explanations : dict of tuple to str, default={}
        Reasons why cells differ, by data set and method. Each was tested.
    on_request : bool, default=False
        Whether the table is shown only if it is requested by its number.
    printed_in : tuple of str, default=()
        Numbers of the tables that print the numbers. Empty means this table.
    absent : dict of str to str, default={}
        Reasons why data sets of the paper are not available, by name.
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
        """Column names of `Cell.figures`."""

    @property
    @abstractmethod
    def legend(self) -> str:
        """Sentences on how to read the columns, and when a cell agrees."""

    @abstractmethod
    def cells(self, results: Comparison, printed: Sequence[PublishedValue]) -> Sequence[Cell]:
        """Return the cells of the table.

        Parameters
        ----------
        results : Comparison
            Results of the experiments of the table, and perhaps of others.
        printed : sequence of PublishedValue
            Published numbers of the table.

        Returns
        -------
        sequence of Cell
            The cells, row by row.
        """

    def summary(self, cells: Sequence[Cell]) -> str:
        """Return a sentence that says how many cells agree."""
        printed = [cell for cell in cells if cell.theirs is not None and not cell.absent]
        if not printed:
            return "The paper prints no numbers for this table."
        return f"{sum(cell.agrees for cell in printed)} of {len(printed)} cells agree."

    def has(self, dataset: str, method: str) -> bool:
        """Return whether an experiment of the table runs a method on a data set."""
        return any(dataset in one.data and method in one.methods for one in self.experiments)


@dataclass(frozen=True)
class View:
    """A table with its cells filled in."""

    paper: str
    table: Table
    cells: Sequence[Cell]

    @property
    def summary(self) -> str:
        """A sentence that says how many cells agree."""
        return self.table.summary(self.cells)

    def text_table(self, shown_choices: Collection[str] = ()) -> TextTable:
        """Return a table with one row per cell; its notes are numbered reasons, then choices.

        Choices in ``shown_choices``, which another table has shown, are left out.
        """
        reasons = list(dict.fromkeys(cell.reason for cell in self.cells if cell.reason))
        notes = (
            self.summary,
            self.table.legend,
            *(f"({number}) {reason.rstrip('.')}." for number, reason in enumerate(reasons, 1)),
            *(choice for choice in self.table.choices if choice not in shown_choices),
        )
        return TextTable(
            f"Paper {self.paper}, table {self.table.number}: {self.table.title}",
            ["data set", "method", *self.table.columns, "verdict"],
            [_row(cell, reasons) for cell in self.cells],
            notes=notes,
        )


def _row(cell: Cell, reasons: list[str]) -> list[str]:
    """Return the texts of a row; the verdict has the number of its reason."""
    number = f" ({reasons.index(cell.reason) + 1})" if cell.reason else ""
    return [cell.dataset, cell.method, *cell.figures, f"{cell.verdict}{number}"]
