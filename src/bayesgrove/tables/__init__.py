"""Tables in files: CSV, Parquet, Feather, ARFF and the standard input; read, typed, written."""

from bayesgrove.tables.arrow import ArrowTable
from bayesgrove.tables.conform import match_label
from bayesgrove.tables.errors import MissingPackageError, TableError
from bayesgrove.tables.factored import Factored, factor
from bayesgrove.tables.numerals import is_code, is_number, to_float
from bayesgrove.tables.open import open_table
from bayesgrove.tables.reading import FORMATS, Reading
from bayesgrove.tables.table import Batch, Table
from bayesgrove.tables.write import Writer, require_suffix, table_writer

__all__ = [
    "FORMATS",
    "ArrowTable",
    "Batch",
    "Factored",
    "MissingPackageError",
    "Reading",
    "Table",
    "TableError",
    "Writer",
    "factor",
    "is_code",
    "is_number",
    "match_label",
    "open_table",
    "require_suffix",
    "table_writer",
    "to_float",
]
