"""Tables of papers: our results next to the published ones, with a verdict per cell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bayesgrove.evaluation import TextTable
from bayesgrove.reproduce.views.agreement import AGREES, DIFFERS, NOT_TESTABLE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from bayesgrove.evaluation import Comparison
    from bayesgrove.reproduce.experiment import Experiment
    from bayesgrove.reproduce.published import PublishedValue


@dataclass(frozen=True, kw_only=True)
class Cell(ABC):
    """Our result next to the printed number ``theirs``.

    ``failure`` is why our run failed, ``explanation`` why the cell differs, ``absent`` why it
    cannot be run, and ``untestable`` why agreement would say nothing. All are empty if they do not
    apply.
    """

    dataset: str
    method: str
    theirs: PublishedValue | None
    failure: str = ""
    explanation: str = ""
    absent: str = ""
    untestable: str = ""

    @property
    @abstractmethod
    def agrees(self) -> bool:
        """Whether our result agrees with the printed number, if there is one and the run is whole.

        It is called only for cells that have both numbers.
        """

    @property
    @abstractmethod
    def figures(self) -> list[str]:
        """Texts of the row between the method and the verdict."""

    @property
    def verdict(self) -> str:
        """The verdict.

        It is "not run", "FAILED", "ours only", "not testable", "agrees" or "differs".
        """
        if self.absent:
            return "not run"
        if self.failure:
            return "FAILED"
        if self.theirs is None:
            return "ours only"
        if self.untestable:
            return NOT_TESTABLE
        return AGREES if self.agrees else DIFFERS

    @property
    def reason(self) -> str:
        """The reason for the verdict; empty if it has none."""
        differs = self.explanation if self.verdict == DIFFERS else ""
        return self.absent or self.failure or self.untestable or differs


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
    fitted : tuple of str, default=()
        Sentences about choices that were made by looking at the numbers of this table. Agreement
        with the table is then a fit, and no independent test.
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
    fitted: tuple[str, ...] = ()
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

    def view(self, paper: str, results: Comparison, printed: Sequence[PublishedValue]) -> View:
        """Return the table with its cells filled in; see `cells`."""
        return View(paper, self, self.cells(results, printed))

    def summary(self, cells: Sequence[Cell]) -> str:
        """Return a sentence that says how many cells agree."""
        counts = Counter(cell.verdict for cell in cells)
        testable = sum(counts[verdict] for verdict in (AGREES, DIFFERS, "FAILED"))
        untestable = counts[NOT_TESTABLE]
        if not testable + untestable:
            return "The paper prints no numbers for this table."
        text = f"{counts[AGREES]} of {testable} cells agree."
        return f"{text} {untestable} more are not testable." if untestable else text

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
            *(f"Fitted to these numbers: {sentence}" for sentence in self.table.fitted),
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
