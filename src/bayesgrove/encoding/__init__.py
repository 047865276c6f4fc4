"""Raw tables to small integers: kinds of columns, categories, cut points, missing values."""

from bayesgrove.encoding.codings import Coding, Continuous, Discrete, Intervals, Nominal
from bayesgrove.encoding.discretizers import (
    Discretizer,
    EqualFrequencyDiscretizer,
    MDLPDiscretizer,
)
from bayesgrove.encoding.encoded import Encoded, Unseen, code_type
from bayesgrove.encoding.memory import MemoryLimitError, available_memory, require_memory
from bayesgrove.encoding.mixed import MixedTable
from bayesgrove.encoding.raw import Labels, RawTable, as_array, column_names, factorize, read_table
from bayesgrove.encoding.schema import (
    Schema,
    Settings,
    UnseenValueWarning,
    extend_schema,
    fit_schema,
    report_unseen,
)
from bayesgrove.encoding.stream import TableStream, fit_stream_schema, is_stream
from bayesgrove.encoding.summary import ColumnSummary, choose_coding, summarise
from bayesgrove.encoding.target import check_targets, codes_of, encode_target, known_classes

__all__ = [
    "Coding",
    "ColumnSummary",
    "Continuous",
    "Discrete",
    "Discretizer",
    "Encoded",
    "EqualFrequencyDiscretizer",
    "Intervals",
    "Labels",
    "MDLPDiscretizer",
    "MemoryLimitError",
    "MixedTable",
    "Nominal",
    "RawTable",
    "Schema",
    "Settings",
    "TableStream",
    "Unseen",
    "UnseenValueWarning",
    "as_array",
    "available_memory",
    "check_targets",
    "choose_coding",
    "code_type",
    "codes_of",
    "column_names",
    "encode_target",
    "extend_schema",
    "factorize",
    "fit_schema",
    "fit_stream_schema",
    "is_stream",
    "known_classes",
    "read_table",
    "report_unseen",
    "require_memory",
    "summarise",
]
