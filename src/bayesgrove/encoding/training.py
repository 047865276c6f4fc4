"""Encode a training table: one pass for its schema, a second pass for its codes.

The schema needs more passes only if the distinct values of all columns do not fit in memory.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.config import get_config
from bayesgrove._utils.memory import available_memory, require_memory
from bayesgrove._utils.warnings import warn_caller
from bayesgrove.encoding.encoded import Encoded, code_type
from bayesgrove.encoding.matching import NotNumericError
from bayesgrove.encoding.schema import Schema, Settings, fit_schema
from bayesgrove.encoding.store import CodeStore
from bayesgrove.encoding.summary import ColumnSummary, as_nominal, summarise
from bayesgrove.encoding.target import ClassColumn
from bayesgrove.tables import TableError, typed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes
    from bayesgrove.tables import Batch, Table

FEW_ROWS = 20
"""Up to this number of rows, there is no warning about as many classes as rows."""
SUMMARY_SHARE = 0.25
"""Share of the free memory for distinct values; columns beyond it wait for another pass."""


@dataclass(frozen=True)
class EncodedTable:
    """An encoded training table.

    Parameters
    ----------
    schema : Schema
        The codings of the attributes.
    classes : ndarray of shape (n_classes,)
        The class labels, sorted; the code of a class is its index.
    rows : Encoded or CodeStore
        The codes of all rows, in memory or in a spill file.
    """

    schema: Schema
    classes: NDArray[Any]
    rows: Encoded | CodeStore


def encode_table(table: Table, target: str, settings: Settings, threads: int) -> EncodedTable:
    """Return all rows of a table in codes; ``target`` is the name of the class column."""
    label = table.number(target)
    features = [j for j in range(table.width) if j != label]
    if not features:
        raise TableError(
            table.source,
            f"there is no column other than the target {target!r} (0 feature(s)): add attributes.",
        )
    column = ClassColumn(table, target)
    encode = _encode_whole if table.in_memory else _encode_batches
    encoded = encode(table, features, label, column, settings, threads)
    if 2 * len(encoded.classes) > table.rows > FEW_ROWS:
        warn_caller(
            f"The target {target!r} has {len(encoded.classes)} classes in {table.rows} rows: is it "
            "an identifier, or a number?"
        )
    return encoded


def _encode_whole(
    table: Table,
    features: list[int],
    label: int,
    column: ClassColumn,
    settings: Settings,
    threads: int,
) -> EncodedTable:
    """Return the codes of a table in memory, which is one batch."""
    batch = next(table.batches([*features, label]))
    column.add(batch.columns[-1], 0)
    classes, _ = column.finish()
    codes = column.codes(batch.columns[-1], 0)
    attributes = batch.select(range(len(features)))
    if attributes.matrix is None:
        attributes = replace(attributes, columns=[typed(c) for c in attributes.columns])
    schema = fit_schema(attributes, codes, len(classes), None, settings)
    encoded = schema.encode(attributes, threads)
    return EncodedTable(schema, classes, replace(encoded, target=codes, n_classes=len(classes)))


def _encode_batches(
    table: Table,
    features: list[int],
    label: int,
    column: ClassColumn,
    settings: Settings,
    threads: int,
) -> EncodedTable:
    """Return the codes of a table that is read in batches: first its schema, then its codes."""
    names = [table.column_names[j] for j in features]
    nominal = settings.nominal(names)
    summaries = _Summaries(table, features, label, column, nominal, settings).all()
    classes, order = column.finish()
    codings = [
        settings.coding(name, summary.with_classes(order), flag)
        for name, summary, flag in zip(names, summaries, nominal, strict=True)
    ]
    schema = Schema(tuple(codings), table.names is not None)
    parts = _coded(table, features, label, schema, column, len(classes), threads)
    return EncodedTable(schema, classes, _kept(parts, table.rows, schema, len(classes)))


def _coded(
    table: Table,
    features: list[int],
    label: int,
    schema: Schema,
    column: ClassColumn,
    n_classes: int,
    threads: int,
) -> Iterator[Encoded]:
    """Yield the codes of every batch, with the classes."""
    first_row = 0
    for batch in table.batches([*features, label]):
        attributes = batch.select(range(len(features)))
        encoded = encode_batch(schema, attributes, table, first_row, threads)
        codes = column.codes(batch.columns[-1], first_row)
        yield replace(encoded, target=codes, n_classes=n_classes)
        first_row += batch.rows


def encode_batch(
    schema: Schema, batch: Batch, table: Table, first_row: int, threads: int
) -> Encoded:
    """Return the codes of a batch of a table; an error names the place in the table."""
    try:
        return schema.encode(batch, threads)
    except NotNumericError as error:
        place = table.place(first_row + error.row)
        raise TableError(table.source, error.problem, place) from None


def _kept(
    parts: Iterator[Encoded], rows: int, schema: Schema, n_classes: int
) -> Encoded | CodeStore:
    """Return the codes of all rows: in memory up to the memory limit, else in a spill file."""
    width = schema.row_bytes + np.dtype(code_type(n_classes)).itemsize
    if rows * width <= get_config().memory_limit:
        return _filled(parts, rows)
    store = CodeStore(rows, schema.cards, n_classes, len(schema.continuous))
    for part in parts:
        store.append(part)
    return store


def _filled(parts: Iterator[Encoded], rows: int) -> Encoded:
    """Return the rows of all parts in memory; each part is released once it is copied."""
    first = next(parts)
    if first.rows == rows:
        return first
    whole = first.emptied(rows)
    start = 0
    for part in itertools.chain([first], parts):
        whole.put(part, start)
        start += part.rows
    return whole


class _Summaries:
    """The summaries of all columns, from one pass if their distinct values fit in memory."""

    def __init__(
        self,
        table: Table,
        features: list[int],
        label: int,
        column: ClassColumn,
        nominal: list[bool | None],
        settings: Settings,
    ) -> None:
        self._table = table
        self._features = features
        self._label = label
        self._column = column
        self._nominal = nominal
        self._settings = settings
        self._names = [table.column_names[j] for j in features]

    def all(self) -> list[ColumnSummary]:
        """Return one summary per column; columns that do not fit in memory need another pass."""
        summaries: dict[int, ColumnSummary] = {}
        waiting = list(range(len(self._features)))
        while waiting:
            done = self._passed(waiting)
            summaries |= done
            waiting = [at for at in waiting if at not in done]
        return [summaries[at] for at in range(len(self._features))]

    def _passed(self, waiting: list[int]) -> dict[int, ColumnSummary]:
        """Make one pass and return its summaries.

        If memory runs short, the largest columns are given up for this pass, except the last one.
        """
        merged = _Merger(self._names)
        limit = SUMMARY_SHARE * available_memory()
        columns = [*(self._features[at] for at in waiting), self._label]
        first_row = 0
        for batch in self._table.batches(columns):
            numbers = self._column.add(batch.columns[-1], first_row)
            codes = np.maximum(numbers, 0).astype(code_type(self._column.size))
            merged.add(
                {
                    at: self._summary(batch, place, at, codes, first_row)
                    for place, at in enumerate(waiting)
                    if at not in merged.given_up
                }
            )
            merged.give_up_beyond(limit)
            first_row += batch.rows
        return merged.result()

    def _summary(
        self, batch: Batch, place: int, at: int, codes: Codes, first_row: int
    ) -> ColumnSummary:
        """Return the summary of one column in one batch."""
        column = as_nominal(batch.columns[place], self._nominal[at])
        return summarise(
            column,
            self._names[at],
            codes,
            self._column.size,
            None,
            needs_table=self._settings.discretizer is not None,
            first_row=first_row,
        )


class _Merger:
    """A merger of the summaries of parts: adjacent groups of equally many parts are merged.

    Every summary is merged only about log2(number of parts) times.
    """

    def __init__(self, names: list[str]) -> None:
        self._names = names
        self._heap: list[tuple[int, dict[int, ColumnSummary]]] = []
        self.given_up: set[int] = set()

    def add(self, summaries: dict[int, ColumnSummary]) -> None:
        """Add the summaries of the next part."""
        size = 1
        while self._heap and self._heap[-1][0] == size:
            summaries = self._merged(self._heap.pop()[1], summaries)
            size *= 2
        self._heap.append((size, summaries))

    def give_up_beyond(self, limit: float) -> None:
        """Give up the largest columns until the summaries take no more bytes than the limit."""
        while True:
            sizes: dict[int, int] = {}
            for _, part in self._heap:
                for at, summary in part.items():
                    sizes[at] = sizes.get(at, 0) + summary.nbytes
            if sum(sizes.values()) <= limit:
                return None
            largest = max(sizes, key=lambda at: (sizes[at], at))
            if sum(size > 0 for size in sizes.values()) < 2:
                return self._require_room(largest, sizes[largest])
            self.given_up.add(largest)
            self._heap = [
                (size, {at: summary for at, summary in part.items() if at != largest})
                for size, part in self._heap
            ]

    def _require_room(self, at: int, size: int) -> None:
        """Raise unless the distinct values of a single column fit in memory."""
        require_memory(
            2 * size,
            f"The distinct values of column {self._names[at]!r}",
            "leave it out if it is an identifier; otherwise round or merge its values",
        )

    def result(self) -> dict[int, ColumnSummary]:
        """Return the merged summaries of all parts."""
        result = self._heap.pop()[1]
        while self._heap:
            result = self._merged(self._heap.pop()[1], result)
        return result

    def _merged(
        self, one: dict[int, ColumnSummary], two: dict[int, ColumnSummary]
    ) -> dict[int, ColumnSummary]:
        """Return the merged summaries of the columns that both parts have."""
        return {
            at: summary.merge(two[at], self._names[at]) for at, summary in one.items() if at in two
        }


def load_rows(rows: Encoded | CodeStore) -> Encoded:
    """Return all rows in memory; raise if they do not fit."""
    return rows if isinstance(rows, Encoded) else rows.load()
