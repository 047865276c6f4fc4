"""Training rows in the forms that weightings and selectors ask for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np

from bayesgrove._utils.options import require_count
from bayesgrove.counts import CountSource, MemoryEngine
from bayesgrove.encoding import MDLPDiscretizer, MixedTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bayesgrove.encoding import Discretizer
    from bayesgrove.kernels import Codes, Floats


@dataclass(frozen=True)
class TrainingData:
    """Training rows: their counts, or the rows themselves. Each form is made when first used.

    Parameters
    ----------
    names : of the columns, in the order of the table
    count, mix : functions that return `counts` and `mixed`
    classes : labels of the classes, in the order of their codes
    threads : how many threads may be used; results do not depend on it

    >>> wind = np.array([0, 0, 1, 1], dtype=np.uint8)
    >>> play = np.array([1, 1, 0, 0], dtype=np.uint8)
    >>> data = TrainingData.of_columns([wind, np.array([7.0, 9.0, 8.0, 6.0])], [2, 0], play, 2)
    >>> data.mixed.cards, data.counts.cards
    ([2, 0], [2, 1, 2])
    """

    names: Sequence[str]
    count: Callable[[], CountSource]
    mix: Callable[[], MixedTable]
    classes: Sequence[Any]
    threads: int = 1

    @cached_property
    def counts(self) -> CountSource:
        """The counts of all columns, in the order of the table; numbers are cut into intervals."""
        return self.count()

    @cached_property
    def mixed(self) -> MixedTable:
        """The rows as columns of codes and of numbers, in the order of the table."""
        return self.mix()

    @classmethod
    def of_counts(cls, counts: CountSource) -> Self:
        """Return rows of which only the counts are known."""
        labels = range(counts.n_classes)
        return cls(counts.names[:-1], lambda: counts, _refuse_rows, labels, counts.threads)

    @classmethod
    def of_table(
        cls,
        table: MixedTable,
        discretizer: Discretizer | None = None,
        threads: int = 1,
        *,
        names: Sequence[str] | None = None,
        classes: Sequence[Any] | None = None,
    ) -> Self:
        """Return the rows of a table; its numbers are cut where counts are asked for.

        ``names`` are those of the columns and of the class, by default ``x0``, ``x1``, ... and
        ``class``; ``classes`` are by default the codes of the classes.
        """
        if names is None:
            names = [*(f"x{j}" for j in range(len(table.columns))), "class"]
        labels = range(table.n_classes) if classes is None else classes

        def count() -> CountSource:
            return _cut_counts(table, discretizer, threads, names)

        return cls(names[:-1], count, lambda: table, labels, threads)

    @classmethod
    def of_columns(
        cls, columns: Sequence[Codes | Floats], cards: Sequence[int], target: Codes, n_classes: int
    ) -> Self:
        """Return the rows of arrays, which are checked; the arguments are those of `MixedTable`."""
        _require_arrays(columns, cards, target, n_classes)
        return cls.of_table(MixedTable(columns, cards, target, n_classes))


def _refuse_rows() -> NoReturn:
    raise ValueError("This method needs all rows in memory, and only their counts are known.")


def _cut_counts(
    table: MixedTable, discretizer: Discretizer | None, threads: int, names: Sequence[str]
) -> CountSource:
    cut = table.encoded(MDLPDiscretizer() if discretizer is None else discretizer)
    return CountSource(MemoryEngine(cut), names, [*cut.cards, cut.n_classes], threads)


def _require_arrays(
    columns: Sequence[Codes | Floats], cards: Sequence[int], target: Codes, n_classes: int
) -> None:
    """Raise unless these are arrays of codes and numbers with classes."""
    named = {f"columns[{j}]": column for j, column in enumerate(columns)} | {"target": target}
    for name, array in named.items():
        if not isinstance(array, np.ndarray):
            raise ValueError(f"{name} must be a numpy array, not of {type(array).__name__}.")
    for j, card in enumerate(cards):
        require_count(f"cards[{j}]", card)
    require_count("n_classes", n_classes, lowest=1)
    if target.ndim != 1:
        raise ValueError(f"target has shape {target.shape}, not one class a row.")
