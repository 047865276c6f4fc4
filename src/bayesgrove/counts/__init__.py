"""Counts behind one narrow interface; no learner knows where the rows live."""

from bayesgrove.counts.cells import CellTerms
from bayesgrove.counts.configurations import Configurations, Partition
from bayesgrove.counts.engines import MemoryEngine, StreamEngine
from bayesgrove.counts.memo import Memo
from bayesgrove.counts.moments import Moments, on_grid
from bayesgrove.counts.source import MEMO_BYTES, CountSource, Engine, PairBlock
from bayesgrove.counts.tables import Family, FamilyTable

__all__ = [
    "MEMO_BYTES",
    "CellTerms",
    "Configurations",
    "CountSource",
    "Engine",
    "Family",
    "FamilyTable",
    "Memo",
    "MemoryEngine",
    "Moments",
    "PairBlock",
    "Partition",
    "StreamEngine",
    "on_grid",
]
