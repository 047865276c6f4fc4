"""Tables of every kind: data frames, arrays, Arrow, Parquet, Feather, CSV, ARFF, standard input."""

from bayesgrove.tables.arrays import as_array
from bayesgrove.tables.columns import Batch, Column, Labels, Numbers, Texts, factorize
from bayesgrove.tables.errors import MissingPackageError, TableError
from bayesgrove.tables.frames import column_names, is_frame
from bayesgrove.tables.numerals import is_code, is_number, to_float
from bayesgrove.tables.open import batch_of, names_file, open_table, table_of
from bayesgrove.tables.reading import FORMATS, Reading
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
    "Reading",
    "Table",
    "TableError",
    "Texts",
    "Writer",
    "as_array",
    "batch_of",
    "column_names",
    "factorize",
    "is_code",
    "is_frame",
    "is_number",
    "names_file",
    "open_table",
    "require_suffix",
    "table_of",
    "table_writer",
    "to_float",
    "typed",
]
