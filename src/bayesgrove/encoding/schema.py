"""The schema: the codings of all columns, fitted in training and applied to every later table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesgrove._utils.memory import require_memory
from bayesgrove._utils.options import OptionError
from bayesgrove._utils.warnings import warn_caller
from bayesgrove._utils.wording import counted, listed
from bayesgrove.encoding.codings import Coding, Continuous, Discrete, Nominal
from bayesgrove.encoding.encoded import Encoded, Unseen, code_type
from bayesgrove.encoding.matching import label_codes, label_numbers
from bayesgrove.encoding.mixed import MixedTable
from bayesgrove.encoding.summary import (
    ColumnSummary,
    choose_coding,
    declared_kind,
    few_whole,
    refuse_infinite,
    summarise,
)
from bayesgrove.kernels import kernels
from bayesgrove.tables import typed
from bayesgrove.tables.columns import Batch, Column, Labels, Numbers, as_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding.discretizers import Discretizer
    from bayesgrove.kernels import Codes, Floats


class UnseenValueWarning(UserWarning):
    """A warning that values which did not occur in training are treated as unknown.

    The message gives the number of such values and the first one with its column. To get an error
    instead, set ``unseen="error"`` in the classifier.
    """


@dataclass(frozen=True)
class Settings:
    """The options of the user for encoding columns.

    Parameters
    ----------
    categorical_features : None, "all" or array-like
        The nominal columns: names, indices or a boolean mask. "all" means every column, None means
        that they are inferred from the values.
    discretizer : Discretizer or None
        The discretizer of numeric columns. None means that they stay numeric.
    missing_state : bool
        Whether missing values become a state of their column, if training rows have some.
    """

    categorical_features: Any
    discretizer: Discretizer | None
    missing_state: bool

    def nominal(self, names: Sequence[str]) -> list[bool | None]:
        """Return for every column whether the user declares it nominal.

        Parameters
        ----------
        names : sequence of str
            The names of all columns.

        Returns
        -------
        list of bool or None
            True for nominal, False for numeric (a column of texts is nominal all the same), None
            for a column whose kind is inferred.
        """
        chosen = self.categorical_features
        if chosen is None:
            return [None] * len(names)
        if isinstance(chosen, str):
            if chosen == "all":
                return [True] * len(names)
            raise OptionError(
                f"categorical_features={chosen!r} must be 'all', a list of names or indices, a "
                "boolean mask, or None to infer the nominal columns."
            )
        chosen = np.asarray(chosen)
        if chosen.ndim != 1:
            raise OptionError(
                f"categorical_features={self.categorical_features!r} must be a list, 'all' or None."
            )
        if chosen.dtype == bool:
            if len(chosen) != len(names):
                raise OptionError(
                    f"categorical_features has {len(chosen)} entries for {len(names)} columns: a "
                    "boolean mask needs one entry per column."
                )
            return [bool(flag) for flag in chosen]
        indices = {_column_index(entry, names) for entry in chosen.tolist()}
        return [j in indices for j in range(len(names))]

    def coding(self, name: str, summary: ColumnSummary, nominal: bool | None) -> Coding:
        """Return the coding of a column.

        Parameters
        ----------
        name : str
            The name of the column.
        summary : ColumnSummary
            The distinct values of the column in the training rows.
        nominal : bool or None
            Whether the user declares the column nominal. None means that it is inferred.

        Returns
        -------
        Nominal, Intervals or Continuous
            The coding.
        """
        return choose_coding(name, summary, nominal, self.discretizer, self.missing_state)


@dataclass(frozen=True)
class Schema:
    """The codings of all columns of a table, without the class.

    Parameters
    ----------
    codings : tuple of Nominal, Intervals or Continuous
        One coding per column, in the order of the training table.
    named : bool
        Whether the training table had column names.
    """

    codings: tuple[Coding, ...]
    named: bool

    @cached_property
    def names(self) -> list[str]:
        """Names of the columns."""
        return [coding.name for coding in self.codings]

    @cached_property
    def discrete(self) -> list[int]:
        """Indices of the columns that become codes."""
        return [j for j, c in enumerate(self.codings) if not isinstance(c, Continuous)]

    @cached_property
    def continuous(self) -> list[int]:
        """Indices of the columns that stay numeric."""
        return [j for j, c in enumerate(self.codings) if isinstance(c, Continuous)]

    @cached_property
    def variables(self) -> list[Discrete]:
        """Codings of the columns that become codes."""
        return [c for c in self.codings if not isinstance(c, Continuous)]

    @cached_property
    def cards(self) -> list[int]:
        """Cardinality of every column that becomes codes."""
        return [variable.card for variable in self.variables]

    @cached_property
    def mixed_cards(self) -> list[int]:
        """Cardinality of every column; 0 for columns that stay numeric."""
        return [0 if isinstance(c, Continuous) else c.card for c in self.codings]

    def select(self, places: Sequence[int]) -> Schema:
        """Return the schema of some of the columns.

        Parameters
        ----------
        places : sequence of int
            The indices of the columns.

        Returns
        -------
        Schema
            The codings of these columns, in that order. A list of all columns returns this schema.
        """
        if len(places) == len(self.codings):
            return self
        return Schema(tuple(self.codings[j] for j in places), self.named)

    def encode(self, batch: Batch, threads: int = 1) -> Encoded:
        """Return the codes of a batch; unseen values are marked as missing and listed.

        Parameters
        ----------
        batch : Batch
            Rows with the columns of this schema, in its order.
        threads : int, default=1
            The number of threads of the kernel.

        Returns
        -------
        Encoded
            The codes, without classes. ``Encoded.unseen`` lists the unseen values.

        Raises
        ------
        NotNumericError
            If a column that was numeric in training holds other values.
        ValueError
            If a column holds infinity.
        MemoryLimitError
            If the codes do not fit in memory.
        """
        size = self.row_bytes * batch.rows
        if size > 1 << 28:
            require_memory(size, "The encoded table", "fit from Parquet files, or take fewer rows")
        if batch.matrix is not None and self._plan is not None:
            columns, unknown = self._encode_matrix(batch, threads)
        else:
            pairs = [self._encode_column(batch, at) for at in range(len(self.discrete))]
            columns = [codes for codes, _ in pairs]
            unknown = [count for _, count in pairs]
        unseen = self._unseen(batch, columns, unknown) if any(unknown) else []
        continuous = [self._as_floats(batch, j) for j in self.continuous]
        return Encoded(columns, self.cards, batch.rows, continuous=continuous, unseen=unseen)

    def mixed(self, encoded: Encoded) -> MixedTable:
        """Return encoded rows as a table with its columns in the order of the training table.

        Parameters
        ----------
        encoded : Encoded
            Rows that this schema encoded.

        Returns
        -------
        MixedTable
            The same rows.
        """
        columns: dict[int, Codes | Floats] = dict(zip(self.discrete, encoded.columns, strict=True))
        columns |= dict(zip(self.continuous, encoded.continuous, strict=True))
        return MixedTable(
            [columns[j] for j in range(len(self.codings))],
            self.mixed_cards,
            encoded.target,
            encoded.n_classes,
            encoded.weights,
        )

    @cached_property
    def row_bytes(self) -> int:
        """Number of bytes for the codes and numbers of one row."""
        codes = sum(int(np.dtype(code_type(card)).itemsize) for card in self.cards)
        return codes + 8 * len(self.continuous)

    @cached_property
    def _plan(self) -> _Plan | None:
        """Arguments of the kernel that encodes a matrix; None if a label is not a number."""
        return _kernel_plan(self.variables)

    @cached_property
    def _column_plans(self) -> list[_Plan | None]:
        """Arguments of the kernel for every single column; None if a label is not a number."""
        return [_kernel_plan([variable]) for variable in self.variables]

    @cached_property
    def _translations(self) -> dict[int, tuple[list[Any], Codes, bool]]:
        """The last labels of each variable and their codes, which batches often share."""
        return {}

    def _encode_matrix(self, batch: Batch, threads: int) -> tuple[list[Codes], list[int]]:
        """Return the codes of all columns of a matrix, and the number of unseen values of each."""
        X = batch.matrix
        assert X is not None
        assert self._plan is not None
        if len(self.discrete) < len(self.codings):
            X = X[:, self.discrete]
        outs = _allocate(self.cards, batch.rows)
        tally = kernels.encode_numbers(X, *self._plan, outs, threads)
        for at in np.flatnonzero(tally[:, 1]).tolist():
            if not isinstance(self.variables[at], Nominal):  # There it is an unseen label.
                refuse_infinite(X[:, at], self.variables[at].name)
        return outs, tally[:, 0].tolist()

    def _encode_column(self, batch: Batch, at: int) -> tuple[Codes, int]:
        """Return the codes of one variable, and the number of its unseen values."""
        variable, column = self.variables[at], batch.columns[self.discrete[at]]
        if isinstance(column, Labels) and not isinstance(variable, Nominal):
            column = label_numbers(column, variable.name, spelled=batch.spelled)
        plan = self._column_plans[at]
        if isinstance(column, Numbers) and plan is not None:
            out = np.empty(batch.rows, dtype=code_type(variable.card))
            tally = kernels.encode_numbers(column.values[:, None], *plan, [out], 1)
            if tally[0, 1] and not isinstance(variable, Nominal):
                refuse_infinite(column.values, variable.name)
            return out, int(tally[0, 0])
        assert isinstance(variable, Nominal)
        labels = column if isinstance(column, Labels) else as_labels(column)
        return self._encode_labels(labels, variable, at, batch.spelled)

    def _encode_labels(
        self, column: Labels, variable: Nominal, at: int, spelled: bool
    ) -> tuple[Codes, int]:
        """Return the codes of a column of labels: each label is matched once, not each row."""
        labels, table, has_unknown = self._translations.get(at, (None, None, False))
        if labels is not column.labels or table is None:
            codes = [*label_codes(column, variable, spelled=spelled), variable.missing_code]
            table = np.array(codes, dtype=code_type(variable.card))
            has_unknown = variable.card in codes[:-1]
            self._translations[at] = column.labels, table, has_unknown
        out = np.empty(len(column.codes), dtype=table.dtype)
        kernels.translate(column.codes, table, out)
        if not has_unknown:
            return out, 0
        return out, int(((out == variable.card) & (column.codes >= 0)).sum())

    def _as_floats(self, batch: Batch, j: int) -> Floats:
        """Return a column that stays numeric as floats; raise if it holds other values."""
        column, name = batch.columns[j], self.codings[j].name
        if isinstance(column, Labels):
            column = label_numbers(column, name, spelled=batch.spelled)
        refuse_infinite(column.values, name)
        return column.values.astype(np.float64)

    def _unseen(self, batch: Batch, columns: list[Codes], counts: list[int]) -> list[Unseen]:
        """Return one entry per column with unseen values, given their numbers."""
        unseen = []
        for at, count in enumerate(counts):
            if count:
                variable, column = self.variables[at], batch.columns[self.discrete[at]]
                example = _first_unseen(column, columns[at] == variable.card)
                unseen.append(Unseen(variable.name, count, example))
        return unseen


def report_unseen(unseen: Sequence[Unseen], action: str) -> None:
    """Give one warning for all unseen values or, if the action is "error", raise."""
    if not unseen:
        return
    where = f"column {unseen[0].column!r}, value {unseen[0].example!r}"
    if action == "error":
        raise ValueError(
            f"A value did not occur in training ({where}). "
            "Fit on data that has it, or set unseen='missing' to treat it as unknown."
        )
    total, columns = sum(part.times for part in unseen), len({part.column for part in unseen})
    verb = "is" if total == 1 else "are"
    warn_caller(
        f"{counted(total, 'value')} in {counted(columns, 'column')} did not occur in training "
        f"and {verb} treated as unknown (first: {where}).",
        UnseenValueWarning,
    )


def fit_schema(
    batch: Batch,
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    settings: Settings,
) -> Schema:
    """Return the schema of training rows that are all in memory."""
    names = [batch.name(j) for j in range(len(batch.columns))]
    few = _few_levels(batch) if batch.matrix is not None else {}
    codings = []
    for j, nominal in enumerate(settings.nominal(names)):
        column = declared_kind(typed(batch.columns[j]), nominal)
        summary = few.get(j)
        if summary is None or nominal is False:
            needs_table = not nominal and settings.discretizer is not None
            summary = summarise(
                column, names[j], target, n_classes, weights, needs_table=needs_table
            )
        codings.append(settings.coding(names[j], summary, nominal))
    return Schema(tuple(codings), batch.names is not None)


def extend_schema(schema: Schema, batch: Batch, *, missing_state: bool) -> Schema:
    """Return the schema extended by the labels of further rows; cut points stay the same."""
    codings: list[Coding] = []
    for j, coding in enumerate(schema.codings):
        if isinstance(coding, Continuous):
            codings.append(coding)
            continue
        column: Column = batch.columns[j]
        state = coding.missing_state or (missing_state and column.has_missing)
        if isinstance(coding, Nominal):
            if isinstance(column, Numbers) and column.values.dtype.kind == "f":
                refuse_infinite(column.values, coding.name)
            labels = as_labels(column)
            coded = zip(labels.labels, label_codes(labels, coding, spelled=False), strict=True)
            new = [label for label, code in coded if code == coding.card]
            coding = replace(coding, labels=(*coding.labels, *new))
        codings.append(replace(coding, missing_state=state))
    return Schema(tuple(codings), schema.named)


def _few_levels(batch: Batch) -> dict[int, ColumnSummary]:
    """Return summaries of the columns with few whole values, from one pass over a matrix."""
    assert batch.matrix is not None
    seen, other, missing = kernels.scan_levels(batch.matrix, 1)
    few: dict[int, ColumnSummary] = {}
    for j in range(len(seen)):
        values = None if other[j] else few_whole(np.flatnonzero(seen[j]))
        if values is not None:
            few[j] = ColumnSummary(values, None, None, bool(missing[j]))
    return few


class _Plan(NamedTuple):
    """Arguments of `kernels.encode_numbers`."""

    points: Floats
    starts: NDArray[np.int64]
    codes: NDArray[np.uint32]
    exact: NDArray[np.uint8]
    missing: NDArray[np.uint32]
    unseen: NDArray[np.uint32]


def _kernel_plan(variables: Sequence[Discrete]) -> _Plan | None:
    """Return the arguments of the kernel for some codings; None if a label is not a number."""
    points = [variable.points for variable in variables]
    if any(point is None for point in points):
        return None
    known = [point for point in points if point is not None]
    return _Plan(
        np.concatenate([np.empty(0), *(values for values, _ in known)]),
        np.concatenate([[0], np.cumsum([len(values) for values, _ in known])]).astype(np.int64),
        np.concatenate([np.empty(0, dtype=np.uint32), *(codes for _, codes in known)]),
        np.array([isinstance(variable, Nominal) for variable in variables], dtype=np.uint8),
        np.array([variable.missing_code for variable in variables], dtype=np.uint32),
        np.array([variable.card for variable in variables], dtype=np.uint32),
    )


def _allocate(cards: list[int], rows: int) -> list[Codes]:
    """Return uninitialised arrays for the codes of all columns; one block if all are bytes."""
    if max(cards, default=0) <= 0xFF:
        return list(np.empty((len(cards), rows), dtype=np.uint8))
    return [np.empty(rows, dtype=code_type(card)) for card in cards]


def _first_unseen(column: Column, unknown: NDArray[np.bool_]) -> Any:
    """Return the first value of the marked rows that is not missing."""
    if isinstance(column, Numbers):
        value = column.values[unknown & ~np.isnan(column.values)][0]
        return value.item()
    return column.labels[int(column.codes[unknown & (column.codes >= 0)][0])]


def _column_index(entry: Any, names: Sequence[str]) -> int:
    """Return the index of a column that ``categorical_features`` names or numbers."""
    if isinstance(entry, (int, np.integer)) and -len(names) <= entry < len(names):
        return int(entry) % len(names)
    if entry in names:
        return names.index(entry)
    raise OptionError(
        f"categorical_features names {entry!r}, which is not a column; the columns are "
        f"{listed(map(repr, names))}."
    )
