"""Training rows in the forms that weightings and selectors need."""

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
    """Training rows, as counts or as the rows themselves.

    `counts` has the counts of all columns, with numbers cut into intervals. `mixed` has the rows
    themselves. Each of them is made when it is first used.

    Parameters
    ----------
    names : sequence of str
        Names of the attributes, in the order of the table.
    make_counts : callable
        Function without arguments that returns `counts`.
    make_mixed : callable
        Function without arguments that returns `mixed`.
    classes : sequence
        Labels of the classes, in the order of their codes.
    threads : int, default=1
        Number of threads that may be used. Results do not depend on it.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> wind = np.array([0, 0, 1, 1], dtype=np.uint8)
    >>> play = np.array([1, 1, 0, 0], dtype=np.uint8)
    >>> data = TrainingData.of_columns([wind, np.array([7.0, 9.0, 8.0, 6.0])], [2, 0], play, 2)
    >>> data.mixed.cards, data.counts.cards
    ([2, 0], [2, 1, 2])
    """

    names: Sequence[str]
    make_counts: Callable[[], CountSource]
    make_mixed: Callable[[], MixedTable]
    classes: Sequence[Any]
    threads: int = 1

    @cached_property
    def counts(self) -> CountSource:
        """Counts of all columns in the order of the table; numbers are cut into intervals."""
        return self.make_counts()

    @cached_property
    def mixed(self) -> MixedTable:
        """The rows as columns of codes and columns of numbers, in the order of the table."""
        return self.make_mixed()

    @classmethod
    def of_counts(cls, counts: CountSource) -> Self:
        """Return training data that has counts, but no rows.

        Parameters
        ----------
        counts : CountSource
            Counts of the rows.

        Returns
        -------
        TrainingData
            Data whose attribute `counts` is the argument. Its attribute `mixed` raises ValueError.
        """
        labels = range(counts.n_classes)
        return cls(counts.names[:-1], lambda: counts, _raise_without_rows, labels, counts.threads)

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
        """Return the rows of a table as training data.

        Numeric columns are cut into intervals when counts are needed.

        Parameters
        ----------
        table : MixedTable
            The rows with their classes.
        discretizer : Discretizer or None, default=None
            How numeric columns are cut into intervals. None means `MDLPDiscretizer`.
        threads : int, default=1
            Number of threads that may be used. Results do not depend on it.
        names : sequence of str or None, default=None
            Names of the attributes, then the name of the class. None means ``x0``, ``x1``, ... and
            ``class``.
        classes : sequence or None, default=None
            Labels of the classes, in the order of their codes. None means the codes themselves.

        Returns
        -------
        TrainingData
            The rows, in both forms.
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
        """Return the rows of some arrays as training data, after checking the arrays.

        Parameters
        ----------
        columns : sequence of ndarray of shape (n_rows,)
            The attributes. Column ``j`` holds the unsigned codes ``0..cards[j]-1``, and the code
            ``cards[j]`` for a missing value. If ``cards[j]`` is 0, the column holds float64
            numbers, and NaN for a missing value.
        cards : sequence of int
            Cardinality of each attribute; 0 for a numeric column.
        target : ndarray of shape (n_rows,)
            Codes of the classes.
        n_classes : int
            Number of classes.

        Returns
        -------
        TrainingData
            The rows, in both forms.

        Raises
        ------
        ValueError
            If an argument does not have this form.
        """
        _require_arrays(columns, cards, target, n_classes)
        return cls.of_table(MixedTable(columns, cards, target, n_classes))


def _raise_without_rows() -> NoReturn:
    """Raise an error that says that the rows are not known."""
    raise ValueError(
        "This method needs all rows in memory, but only their counts are known. "
        "Make the data with TrainingData.of_table or TrainingData.of_columns."
    )


def _cut_counts(
    table: MixedTable, discretizer: Discretizer | None, threads: int, names: Sequence[str]
) -> CountSource:
    """Return the counts of a table whose numeric columns are cut into intervals."""
    cut = table.encoded(MDLPDiscretizer() if discretizer is None else discretizer)
    return CountSource(MemoryEngine(cut), names, [*cut.cards, cut.n_classes], threads)


def _require_arrays(
    columns: Sequence[Codes | Floats], cards: Sequence[int], target: Codes, n_classes: int
) -> None:
    """Raise unless the arguments are numpy arrays, cardinalities and one class per row."""
    arrays = {f"columns[{j}]": column for j, column in enumerate(columns)} | {"target": target}
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray):
            raise ValueError(f"{name} must be a numpy array, not {type(array).__name__}.")
    for j, card in enumerate(cards):
        require_count(f"cards[{j}]", card)
    require_count("n_classes", n_classes, lowest=1)
    if target.ndim != 1:
        raise ValueError(f"target has shape {target.shape}, not one class per row.")
