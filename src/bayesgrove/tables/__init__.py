"""Read and write tables: data frames, arrays, Arrow, Parquet, Feather, CSV, ARFF and stdin."""

from bayesgrove.tables.arrays import as_array
from bayesgrove.tables.columns import Batch, Column, Labels, Numbers, Texts, factorize
from bayesgrove.tables.errors import MissingPackageError, TableError
from bayesgrove.tables.frames import column_names, is_frame, plain_frame, split_frame
from bayesgrove.tables.numerals import is_code, is_number, to_float
from bayesgrove.tables.open import batch_of, is_external, open_table, table_of
from bayesgrove.tables.read_options import FORMATS, ReadOptions
from bayesgrove.tables.table import MemoryTable, Table, typed
from bayesgrove.tables.write import Writer, require_suffix, table_writer

__all__ = [
    "FORMATS",
    "Batch",
    "Column",
    "Labels",
    "MemoryTable",
    "MissingPackageError",
    "Numbers",
    "ReadOptions",
    "Table",
    "TableError",
    "Texts",
    "Writer",
    "as_array",
    "batch_of",
    "column_names",
    "factorize",
    "is_code",
    "is_external",
    "is_frame",
    "is_number",
    "open_table",
    "plain_frame",
    "require_suffix",
    "split_frame",
    "table_of",
    "table_writer",
    "to_float",
    "typed",
]
