"""Tables from Parquet files: one, a folder or a pattern of them, read batch by batch."""

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
    """Parquet files with the same columns; or one file that came through a pipe."""

    files: tuple[Any, ...] = ()

    @cached_property
    def rows(self) -> int:
        """Number of rows, from the files' own statistics."""
        with self._damage():
            return sum(_open(file).metadata.num_rows for file in self.files)

    def record_batches(self, names: list[str]) -> Iterator[Any]:
        """Yield record batches file after file; text comes as indices of a dictionary."""
        for file in self.files:
            opened = _open(file, dictionaries=True)
            yield from opened.iter_batches(BATCH_ROWS, columns=names, use_threads=False)


def open_parquet(path: str, reading: ReadOptions) -> ParquetTable:
    """Open a file, a folder or a pattern of Parquet files."""
    files = find_files(path)
    return parquet_table(tuple(files), path, reading, _partition_notes(path, files))


def _partition_notes(path: str, files: list[str]) -> tuple[str, ...]:
    """Note folders such as ``year=2020``, whose names are not read as a column."""
    folders = {part for file in files for part in os.path.relpath(file, path).split(os.sep)[:-1]}
    named = sorted(folder for folder in folders if "=" in folder)
    if not named:
        return ()
    return (
        f"{path}: what the names of folders such as {named[0]!r} say is not read as a column; "
        "pyarrow.dataset.dataset(path, partitioning='hive') reads it, and can be given instead.",
    )


def parquet_table(
    files: tuple[Any, ...], source: str, reading: ReadOptions, notes: tuple[str, ...] = ()
) -> ParquetTable:
    """Return Parquet files, or buffers, as a table; all must have the same columns."""
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
    """Return the files that a path, a folder or a pattern names."""
    if os.path.isfile(path):
        return [path]
    pattern = os.path.join(path, "**", "*.parquet") if os.path.isdir(path) else path
    files = sorted(file for file in glob.glob(pattern, recursive=True) if os.path.isfile(file))
    if not files:
        raise NoFileError(f"No file matches {pattern}.")
    return files


def _open(file: Any, *, dictionaries: bool = False) -> Any:
    """Open a Parquet file; text columns may be asked for as dictionaries."""
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
    """Raise unless two files have the same columns: none is dropped, filled or turned silently."""
    here = {field.name: kind_of(field.type) for field in first}
    there = {field.name: kind_of(field.type) for field in other}
    differing = here.keys() ^ there.keys()
    if differing:
        raise TableError(
            source, f"the column {min(differing)!r} is not in both {first_file} and {file}."
        )
    for name, kind in here.items():
        if kind != there[name] and "null" not in (kind, there[name]):
            raise TableError(
                source,
                f"the files do not have the same columns: {name!r} is {kind} in {first_file} "
                f"and {there[name]} in {file}.",
            )
