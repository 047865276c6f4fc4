"""Encode tables as small integers: kinds of columns, labels, cut points and missing values."""

from bayesgrove._utils.memory import MemoryLimitError, available_memory, require_memory
from bayesgrove.encoding.codings import (
    Coding,
    Continuous,
    Discrete,
    Intervals,
    Nominal,
    interval_names,
)
from bayesgrove.encoding.discretizers import (
    Discretizer,
    EqualFrequencyDiscretizer,
    FineDiscretizer,
    MDLPDiscretizer,
)
from bayesgrove.encoding.encoded import Encoded, Unseen, code_type
from bayesgrove.encoding.matching import NotNumericError, match_label
from bayesgrove.encoding.mixed import MixedTable
from bayesgrove.encoding.schema import (
    Schema,
    Settings,
    UnseenValueWarning,
    extend_schema,
    fit_schema,
    report_unseen,
)
from bayesgrove.encoding.store import CodeStore
from bayesgrove.encoding.summary import ColumnSummary, choose_coding, summarise
from bayesgrove.encoding.target import (
    ClassColumn,
    check_targets,
    class_codes,
    class_column,
    codes_of,
    encode_target,
    known_classes,
)
from bayesgrove.encoding.training import EncodedTable, encode_batch, encode_table, load_rows

__all__ = [
    "ClassColumn",
    "CodeStore",
    "Coding",
    "ColumnSummary",
    "Continuous",
    "Discrete",
    "Discretizer",
    "Encoded",
    "EncodedTable",
    "EqualFrequencyDiscretizer",
    "FineDiscretizer",
    "Intervals",
    "MDLPDiscretizer",
    "MemoryLimitError",
    "MixedTable",
    "Nominal",
    "NotNumericError",
    "Schema",
    "Settings",
    "Unseen",
    "UnseenValueWarning",
    "available_memory",
    "check_targets",
    "choose_coding",
    "class_codes",
    "class_column",
    "code_type",
    "codes_of",
    "encode_batch",
    "encode_table",
    "encode_target",
    "extend_schema",
    "fit_schema",
    "interval_names",
    "known_classes",
    "load_rows",
    "match_label",
    "report_unseen",
    "require_memory",
    "summarise",
]
