"""Tables larger than memory: Parquet files or Arrow datasets, batch by batch."""

from __future__ import annotations

import glob
import os
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from bayesgrove.encoding.memory import available_memory, require_memory
from bayesgrove.encoding.raw import Numbers, RawTable, factorize, read_table, sort_key
from bayesgrove.encoding.schema import Schema, Settings
from bayesgrove.encoding.summary import ColumnSummary, as_labels, choose_coding, summarise
from bayesgrove.encoding.target import check_targets, codes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding.codings import Coding

T = TypeVar("T")


def is_stream(X: Any) -> bool:
    """Whether X names files or is an Arrow dataset, rather than holding rows."""
    return isinstance(X, (str, os.PathLike)) or _is_dataset(X)


class TableStream:
    """Rows of Parquet files (a path, a folder, a pattern) or of an Arrow dataset."""

    def __init__(self, source: Any, target: str | None = None) -> None:
        self._dataset = source if _is_dataset(source) else _open(source)
        self.columns = list(self._dataset.schema.names)
        repeated = {name for name in self.columns if self.columns.count(name) > 1}
        if repeated:
            raise ValueError(f"Column names must be unique, but {min(repeated)!r} occurs twice.")
        if target is not None and target not in self.columns:
            raise ValueError(
                f"There is no column {target!r} to take the class from; "
                f"columns: {self.columns[:10]}."
            )
        self.target = target
        for field in self._dataset.schema:
            _kind(field)

    @property
    def features(self) -> list[str]:
        """All columns but the class."""
        return [name for name in self.columns if name != self.target]

    def count_rows(self) -> int:
        """Number of rows, from the files' own statistics."""
        rows = int(self._dataset.count_rows())
        if rows == 0:
            raise ValueError(
                "Found array with 0 sample(s) in the files: a minimum of 1 is required."
            )
        return rows

    def batches(self, names: Sequence[str]) -> Iterator[RawTable]:
        """Some columns of all rows."""
        absent = [name for name in names if name not in self.columns]
        if absent:
            raise ValueError(f"The column {absent[0]!r} of training is not in these files.")
        for batch in self._arrow(names):
            yield read_table(batch)

    def labelled(self, names: Sequence[str]) -> Iterator[tuple[RawTable, NDArray[Any]]]:
        """Some columns of all rows, and the class column."""
        for batch in self._arrow([*names, self.target or ""]):
            yield read_table(batch.select(list(names))), _last_column(batch)

    def _arrow(self, names: Sequence[str]) -> Iterator[Any]:
        import pyarrow as pa

        batches = self._dataset.to_batches(columns=list(names))
        while True:
            try:
                batch = next(batches, None)
            except (pa.ArrowException, OSError) as error:
                raise ValueError(f"The files cannot be read as one table: {error}") from error
            if batch is None:
                return
            if batch.num_rows:
                yield _plain(pa.Table.from_batches([batch]))

    def classes(self) -> NDArray[Any]:
        """All class labels, sorted."""
        labels: set[Any] = set()
        for batch in self._arrow([self.target or ""]):
            found = factorize(_last_column(batch), self.target or "")
            if (found.codes < 0).any():
                raise ValueError(
                    f"The class column {self.target!r} has missing values: fill or drop them."
                )
            labels.update(found.labels)
        classes = np.array(sorted(labels, key=sort_key))
        check_targets(classes)
        return classes


def fit_stream_schema(
    stream: TableStream, classes: NDArray[Any], rows: int, settings: Settings
) -> Schema:
    """Choose the coding of every column, a group of columns at a time.

    Numbers are kept as tables of distinct values by class: as many columns at a time as fit.
    """
    names = stream.features
    nominal = dict(zip(names, settings.nominal(names), strict=True))
    per_column = rows * 8 * (2 + len(classes))
    group = max(1, min(len(names), int(available_memory() / 4 // max(per_column, 1))))
    codings: list[Coding] = []
    for start in range(0, len(names), group):
        part = names[start : start + group]
        require_memory(
            per_column, f"The distinct values of column {part[0]!r}", "cut or round it beforehand"
        )
        for name, summary in zip(part, _summaries(stream, part, classes, nominal), strict=True):
            codings.append(
                choose_coding(
                    name, summary, nominal[name], settings.discretizer, settings.missing_state
                )
            )
    return Schema(tuple(codings), named=True)


def _summaries(
    stream: TableStream,
    names: list[str],
    classes: NDArray[Any],
    nominal: dict[str, bool | None],
) -> list[ColumnSummary]:
    def parts() -> Iterator[list[ColumnSummary]]:
        for table, y in stream.labelled(names):
            codes = codes_of(y, classes, table.rows)
            yield [
                summarise(
                    as_labels(column, name)
                    if nominal[name] and isinstance(column, Numbers)
                    else column,
                    name,
                    codes,
                    len(classes),
                    None,
                    needs_table=True,
                )
                for name, column in zip(names, table.columns, strict=True)
            ]

    def merge(one: list[ColumnSummary], two: list[ColumnSummary]) -> list[ColumnSummary]:
        return [a.merge(b, name) for name, a, b in zip(names, one, two, strict=True)]

    return merge_evenly(parts(), merge)


def merge_evenly(parts: Iterable[T], merge: Callable[[T, T], T]) -> T:
    """Merge neighbours of like size, so that large results are not copied for every part.

    >>> merge_evenly("abcde", lambda one, two: f"({one}{two})")
    '(((ab)(cd))e)'
    """
    heap: list[tuple[int, T]] = []
    for item in parts:
        size = 1
        while heap and heap[-1][0] == size:
            item = merge(heap.pop()[1], item)
            size *= 2
        heap.append((size, item))
    result = heap.pop()[1]
    while heap:
        result = merge(heap.pop()[1], result)
    return result


def _last_column(batch: Any) -> NDArray[Any]:
    return np.asarray(batch.column(batch.num_columns - 1).to_numpy(), dtype=object)


def _is_dataset(X: Any) -> bool:
    return (
        type(X).__module__.startswith("pyarrow")
        and hasattr(X, "to_batches")
        and hasattr(X, "count_rows")
    )


def _open(source: Any) -> Any:
    try:
        import pyarrow as pa
        import pyarrow.dataset as arrow
    except ImportError as error:
        raise ImportError(
            "Reading files needs pyarrow: pip install 'bayesgrove[arrow]'."
        ) from error
    path = os.fspath(source)
    pattern = os.path.join(path, "**", "*.parquet") if os.path.isdir(path) else path
    files = sorted(glob.glob(pattern, recursive=True))
    if not files:
        raise ValueError(f"No file matches {pattern!r}.")
    try:
        dataset = arrow.dataset(files, format="parquet")
        schemas = [fragment.physical_schema for fragment in dataset.get_fragments()]
    except (OSError, ValueError) as error:
        raise ValueError(f"{path!r} is not readable as Parquet: {error}") from error
    for file, schema in zip(files, schemas, strict=True):
        _check_same(schemas[0], schema, file)
    # A column may be empty in one file, or whole numbers in one and fractions in another.
    unified = pa.unify_schemas(schemas, promote_options="permissive")
    return arrow.dataset(files, schema=unified, format="parquet")


def _check_same(first: Any, other: Any, file: str) -> None:
    """All files have the same columns: none is dropped, filled or turned silently."""
    here = {field.name: _kind(field) for field in first}
    there = {field.name: _kind(field) for field in other}
    for name in sorted(here.keys() | there.keys()):
        one, two = here.get(name, "absent"), there.get(name, "absent")
        if one != two and "null" not in (one, two):
            raise ValueError(
                f"The column {name!r} is {one} in the first file and {two} in {file!r}: "
                "give files with the same columns."
            )


def _kind(field: Any) -> str:
    from pyarrow import types

    kind = field.type.value_type if types.is_dictionary(field.type) else field.type
    if types.is_nested(kind):
        raise ValueError(
            f"Column {field.name!r} holds lists or records ({kind}): "
            "leave it out, or make columns of its parts."
        )
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return "numeric"
    return "text" if types.is_string(kind) or types.is_large_string(kind) else str(kind)


def _plain(table: Any) -> Any:
    """Dictionary columns as plain values: each batch has a dictionary of its own."""
    import pyarrow as pa

    for at, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type):
            values = table.column(at).cast(field.type.value_type)
            table = table.set_column(at, field.name, values)
    return table
