"""The codings of all columns: fitted once, applied to every table that follows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesgrove._utils.warnings import warn_caller
from bayesgrove.encoding.codings import Coding, Continuous, Discrete, Nominal
from bayesgrove.encoding.encoded import Encoded, Unseen, code_type
from bayesgrove.encoding.memory import require_memory
from bayesgrove.encoding.mixed import MixedTable
from bayesgrove.encoding.raw import Column, Labels, Numbers, RawTable
from bayesgrove.encoding.summary import (
    ColumnSummary,
    as_labels,
    choose_coding,
    declared_kind,
    few_whole,
    levels,
    refuse_infinite,
    summarise,
)
from bayesgrove.kernels import kernels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding.discretizers import Discretizer
    from bayesgrove.kernels import Codes, Floats


class UnseenValueWarning(UserWarning):
    """Values that did not occur in training were treated as missing."""


@dataclass(frozen=True)
class Settings:
    """How columns are to be treated: the user's say, apart from the data."""

    categorical_features: Any
    discretizer: Discretizer | None
    missing_state: bool

    def nominal(self, names: Sequence[str]) -> list[bool | None]:
        """Per column: nominal (True), not unless it must be (False), or to be inferred (None)."""
        chosen = self.categorical_features
        if chosen is None:
            return [None] * len(names)
        if isinstance(chosen, str):
            if chosen == "all":
                return [True] * len(names)
            raise ValueError(
                f"categorical_features={chosen!r} is not understood: "
                "give 'all', names, indices, a boolean mask, or None to infer."
            )
        chosen = np.asarray(chosen)
        if chosen.ndim != 1:
            raise ValueError(
                f"categorical_features={self.categorical_features!r} must be a list, 'all' or None."
            )
        if chosen.dtype == bool:
            if len(chosen) != len(names):
                raise ValueError(
                    f"categorical_features has {len(chosen)} entries for {len(names)} columns."
                )
            return [bool(flag) for flag in chosen]
        places = {_place(entry, names) for entry in chosen.tolist()}
        return [j in places for j in range(len(names))]


@dataclass(frozen=True)
class Schema:
    """One coding a column."""

    codings: tuple[Coding, ...]
    named: bool

    @cached_property
    def discrete(self) -> list[int]:
        """Places of the columns that become codes."""
        return [j for j, c in enumerate(self.codings) if not isinstance(c, Continuous)]

    @cached_property
    def continuous(self) -> list[int]:
        """Places of the columns that stay numbers."""
        return [j for j, c in enumerate(self.codings) if isinstance(c, Continuous)]

    @cached_property
    def variables(self) -> list[Discrete]:
        """Codings of the columns that become codes."""
        return [c for c in self.codings if not isinstance(c, Continuous)]

    @cached_property
    def cards(self) -> list[int]:
        """Number of states of each variable."""
        return [variable.card for variable in self.variables]

    @cached_property
    def mixed_cards(self) -> list[int]:
        """Number of states of each column, 0 where it stays a number."""
        return [0 if isinstance(c, Continuous) else c.card for c in self.codings]

    def select(self, places: Sequence[int]) -> Schema:
        """The codings of some columns."""
        if len(places) == len(self.codings):
            return self
        return Schema(tuple(self.codings[j] for j in places), self.named)

    def encode(self, table: RawTable, threads: int = 1) -> Encoded:
        """Encode a table; what training did not have is marked missing and listed."""
        size = self._row_bytes * table.rows
        if size > 1 << 28:
            require_memory(size, "The encoded table", "fit from Parquet files, or take fewer rows")
        if table.matrix is not None and self._plan is not None:
            columns, unknown = self._encode_matrix(table, threads)
        else:
            pairs = [self._encode_column(table, j) for j in self.discrete]
            columns = [codes for codes, _ in pairs]
            unknown = [count for _, count in pairs]
        unseen = self._unseen(table, columns, unknown) if any(unknown) else []
        continuous = [_as_floats(table.columns[j], self.codings[j].name) for j in self.continuous]
        return Encoded(columns, self.cards, table.rows, continuous=continuous, unseen=unseen)

    def mixed(self, encoded: Encoded) -> MixedTable:
        """Rows that this schema encoded, as columns in the order of the table."""
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
    def _row_bytes(self) -> int:
        return sum(np.dtype(code_type(card)).itemsize for card in self.cards)

    @cached_property
    def _plan(self) -> _Plan | None:
        """Arguments of the kernel that encodes a whole matrix; None where a label is no number."""
        return _kernel_plan(self.variables)

    @cached_property
    def _column_plans(self) -> list[_Plan | None]:
        return [_kernel_plan([variable]) for variable in self.variables]

    def _encode_matrix(self, table: RawTable, threads: int) -> tuple[list[Codes], list[int]]:
        X = table.matrix
        assert X is not None
        assert self._plan is not None
        if len(self.discrete) < len(self.codings):
            X = X[:, self.discrete]
        outs = _allocate(self.cards, table.rows)
        tally = kernels.encode_numbers(X, *self._plan, outs, threads)
        if tally[:, 1].any():
            at = int(np.argmax(tally[:, 1] > 0))
            refuse_infinite(X[:, at], self.variables[at].name)
        return outs, tally[:, 0].tolist()

    def _encode_column(self, table: RawTable, j: int) -> tuple[Codes, int]:
        at = self.discrete.index(j) if len(self.discrete) < len(self.codings) else j
        variable, plan, column = self.variables[at], self._column_plans[at], table.columns[j]
        if isinstance(column, Numbers) and plan is not None:
            out = np.empty(table.rows, dtype=code_type(variable.card))
            tally = kernels.encode_numbers(column.values[:, None], *plan, [out], 1)
            if tally[0, 1]:
                refuse_infinite(column.values, variable.name)
            return out, int(tally[0, 0])
        if isinstance(column, Numbers):
            column = as_labels(column, variable.name)
        return _encode_labels(column, variable)

    def _unseen(self, table: RawTable, columns: list[Codes], counts: list[int]) -> list[Unseen]:
        found = []
        for at, count in enumerate(counts):
            if count:
                variable, column = self.variables[at], table.columns[self.discrete[at]]
                example = _first_unseen(column, columns[at] == variable.card)
                found.append(Unseen(variable.name, count, example))
        return found


def report_unseen(unseen: Sequence[Unseen], action: str) -> None:
    """One warning for all values that training did not have, or, as an "error", a refusal."""
    if not unseen:
        return
    where = f"column {unseen[0].column!r}, value {unseen[0].example!r}"
    if action == "error":
        raise ValueError(
            f"Found a value that did not occur in training ({where}). "
            "Fit on data that has it, or pass unseen='missing' to treat it as missing."
        )
    total, columns = sum(part.times for part in unseen), len({part.column for part in unseen})
    warn_caller(
        f"{total} values in {columns} columns did not occur in training "
        f"and are treated as missing (first: {where}).",
        UnseenValueWarning,
    )


def fit_schema(
    table: RawTable,
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    settings: Settings,
) -> Schema:
    """Choose the coding of every column from a table in memory."""
    names = [table.name(j) for j in range(len(table.columns))]
    few = _few_levels(table) if table.matrix is not None else {}
    codings = []
    for j, nominal in enumerate(settings.nominal(names)):
        column = declared_kind(table.columns[j], names[j], nominal)
        found = few.get(j) if table.matrix is not None else levels(column)
        if found is not None and nominal is not False:
            summary = ColumnSummary(found, None, None, _has_nan(column))
        else:
            summary = summarise(
                column,
                names[j],
                target,
                n_classes,
                weights,
                needs_table=not nominal and settings.discretizer is not None,
            )
        coding = choose_coding(
            names[j], summary, nominal, settings.discretizer, settings.missing_state
        )
        codings.append(coding)
    return Schema(tuple(codings), table.names is not None)


def extend_schema(schema: Schema, table: RawTable, *, missing_state: bool) -> Schema:
    """The schema with the labels that a further table has; cut points stay."""
    codings: list[Coding] = []
    for j, coding in enumerate(schema.codings):
        if isinstance(coding, Continuous):
            codings.append(coding)
            continue
        column: Column = table.columns[j]
        state = coding.missing_state or (missing_state and _has_nan(column))
        if isinstance(coding, Nominal):
            if isinstance(column, Numbers):
                if column.values.dtype.kind == "f":
                    refuse_infinite(column.values, coding.name)
                column = as_labels(column, coding.name)
            new = [label for label in column.labels if label not in coding.place]
            coding = replace(coding, labels=(*coding.labels, *new))
        codings.append(replace(coding, missing_state=state))
    return Schema(tuple(codings), schema.named)


def _few_levels(table: RawTable) -> dict[int, list[Any]]:
    """Columns of a matrix with few whole values, found in one pass over it."""
    assert table.matrix is not None
    seen, other = kernels.scan_levels(table.matrix, 1)
    found: dict[int, list[Any]] = {}
    for j in range(len(seen)):
        values = levels(table.columns[j]) if other[j] else few_whole(np.flatnonzero(seen[j]))
        if values is not None:
            found[j] = values
    return found


def _has_nan(column: Column) -> bool:
    if isinstance(column, Labels):
        return bool((column.codes < 0).any())
    return column.values.dtype.kind == "f" and bool(np.isnan(column.values).any())


class _Plan(NamedTuple):
    """Arguments of `kernels.encode_numbers`."""

    points: Floats
    starts: NDArray[np.int64]
    codes: NDArray[np.uint32]
    exact: NDArray[np.uint8]
    missing: NDArray[np.uint32]
    unseen: NDArray[np.uint32]


def _kernel_plan(variables: Sequence[Discrete]) -> _Plan | None:
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
    if max(cards, default=0) <= 0xFF:
        return list(np.empty((len(cards), rows), dtype=np.uint8))
    return [np.empty(rows, dtype=code_type(card)) for card in cards]


def _encode_labels(column: Labels, variable: Discrete) -> tuple[Codes, int]:
    """Translate label by label; rows only go through a small table."""
    if not isinstance(variable, Nominal):
        _refuse_labels(column, variable.name)
        codes: list[int] = []
    else:
        codes = [variable.place.get(label, variable.card) for label in column.labels]
    dtype = code_type(variable.card)
    translate: NDArray[Any] = np.array([*codes, variable.missing_code], dtype=dtype)
    encoded = translate[column.codes]
    unknown = int(((encoded == variable.card) & (column.codes >= 0)).sum())
    return encoded, unknown


def _refuse_labels(column: Labels, name: str) -> None:
    used = [column.labels[code] for code in np.unique(column.codes[column.codes >= 0])]
    if used:
        example = next((label for label in used if not isinstance(label, (int, float))), used[0])
        raise ValueError(
            f"Column {name!r} was numeric in training and now holds {example!r}: give numbers."
        )


def _first_unseen(column: Column, unknown: NDArray[np.bool_]) -> Any:
    if isinstance(column, Numbers):
        value = column.values[unknown & ~np.isnan(column.values)][0]
        return value.item()
    return column.labels[int(column.codes[unknown & (column.codes >= 0)][0])]


def _as_floats(column: Column, name: str) -> Floats:
    if isinstance(column, Labels):
        _refuse_labels(column, name)
        return np.full(len(column.codes), np.nan)
    refuse_infinite(column.values, name)
    return column.values.astype(np.float64)


def _place(entry: Any, names: Sequence[str]) -> int:
    if isinstance(entry, (int, np.integer)) and -len(names) <= entry < len(names):
        return int(entry) % len(names)
    if entry in names:
        return names.index(entry)
    raise ValueError(f"categorical_features names {entry!r}, which is not a column.")
