"""Tables from a Parquet file, or a folder or pattern of Parquet files, read in batches."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bayesgrove.tables.arrow import (
    ArrowTable,
    check_fields,
    kind_of,
    reason,
    require_arrow,
    require_rows,
)
from bayesgrove.tables.errors import NoFileError, TableError
from bayesgrove.tables.table import BATCH_ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bayesgrove.tables.read_options import ReadOptions


@dataclass(frozen=True)
class ParquetTable(ArrowTable):
    """A table from Parquet files that have the same columns.

    Parameters
    ----------
    source : str
        The name of the table in messages.
    names : list of str
        The names of the columns.
    notes : tuple of str, default=()
        Notes for the user about how the table was read.
    na_values : tuple of str, default=()
        Texts that stand for missing values.
    labels : frozenset of str, default=frozenset()
        Names of the columns whose values are always read as labels.
    files : tuple of str or bytes, default=()
        The paths of the files in order, or the bytes of one file that was read from a pipe.
    """

    files: tuple[Any, ...] = ()

    @cached_property
    def rows(self) -> int:
        """Number of rows, from the metadata of the files."""
        with self._damage():
            return sum(_open(file).metadata.num_rows for file in self.files)

    def record_batches(self, names: list[str]) -> Iterator[Any]:
        """Yield record batches file by file; text columns are dictionary-encoded."""
        for file in self.files:
            opened = _open(file, dictionaries=True)
            yield from opened.iter_batches(BATCH_ROWS, columns=names, use_threads=False)


def open_parquet(path: str, reading: ReadOptions) -> ParquetTable:
    """Return a table over a Parquet file, or over a folder or pattern of Parquet files."""
    files = find_files(path)
    return parquet_table(tuple(files), path, reading, _partition_notes(path, files))


def _partition_notes(path: str, files: list[str]) -> tuple[str, ...]:
    """Return a note if there are folders such as ``year=2020``, which are not read as columns."""
    folders = {part for file in files for part in os.path.relpath(file, path).split(os.sep)[:-1]}
    named = sorted(folder for folder in folders if "=" in folder)
    if not named:
        return ()
    return (
        f"{path}: the values in the names of folders such as {named[0]!r} are not read as a "
        "column. To read them, pass pyarrow.dataset.dataset(path, partitioning='hive') instead of "
        "the path.",
    )


def parquet_table(
    files: tuple[Any, ...], source: str, reading: ReadOptions, notes: tuple[str, ...] = ()
) -> ParquetTable:
    """Return a table over Parquet files or buffers; raise unless they have the same columns."""
    pa = require_arrow()
    schemas = []
    for file in files:
        try:
            schemas.append(_open(file).schema_arrow)
        except (pa.ArrowException, OSError, ValueError) as error:
            name = source if isinstance(file, bytes) else str(file)
            raise TableError(name, f"is not readable as Parquet: {reason(error)}.") from None
    for file, schema in zip(files, schemas, strict=True):
        check_fields(schema, source)
        _require_same(schemas[0], schema, files[0], file, source)
    names = list(schemas[0].names)
    return require_rows(ParquetTable(source, names, notes, reading.na_values, files=files))


def find_files(path: str) -> list[str]:
    """Return the files that match a path, a folder or a pattern, sorted by name."""
    if os.path.isfile(path):
        return [path]
    pattern = os.path.join(path, "**", "*.parquet") if os.path.isdir(path) else path
    files = sorted(file for file in glob.glob(pattern, recursive=True) if os.path.isfile(file))
    if not files:
        raise NoFileError(f"No file matches {pattern}.")
    return files


def _open(file: Any, *, dictionaries: bool = False) -> Any:
    """Return an open Parquet file; with ``dictionaries``, text columns are dictionary-encoded."""
    pa = require_arrow()
    from pyarrow import parquet

    source = pa.BufferReader(file) if isinstance(file, bytes) else file
    opened = parquet.ParquetFile(source)
    if not dictionaries:
        return opened
    texts = [field.name for field in opened.schema_arrow if kind_of(field.type) == "text"]
    source = pa.BufferReader(file) if isinstance(file, bytes) else file
    return parquet.ParquetFile(source, metadata=opened.metadata, read_dictionary=texts)


def _require_same(first: Any, other: Any, first_file: Any, file: Any, source: str) -> None:
    """Raise unless two files have the same columns, with values of the same kind.

    No column is silently dropped, filled or converted.
    """
    first_kinds = {field.name: kind_of(field.type) for field in first}
    other_kinds = {field.name: kind_of(field.type) for field in other}
    differing = first_kinds.keys() ^ other_kinds.keys()
    if differing:
        raise TableError(
            source,
            f"the column {min(differing)!r} is not in both {first_file} and {file}: all files must "
            "have the same columns.",
        )
    for name, kind in first_kinds.items():
        if kind != other_kinds[name] and "null" not in (kind, other_kinds[name]):
            raise TableError(
                source,
                f"the files do not have the same columns: {name!r} is {kind} in {first_file} "
                f"and {other_kinds[name]} in {file}. Convert one of them.",
            )
