"""Counts behind one narrow interface; no learner knows where the rows live."""

from bayesgrove.counts.cells import CellTerms
from bayesgrove.counts.configurations import Configurations, Partition
from bayesgrove.counts.counter import MEMO_BYTES, Counter, PairBlock
from bayesgrove.counts.engines import Engine, MemoryEngine, StoreEngine, StreamEngine
from bayesgrove.counts.memo import Memo
from bayesgrove.counts.moments import Moments, on_grid
from bayesgrove.counts.source import CountSource
from bayesgrove.counts.tables import Family, FamilyTable

__all__ = [
    "MEMO_BYTES",
    "CellTerms",
    "Configurations",
    "CountSource",
    "Counter",
    "Engine",
    "Family",
    "FamilyTable",
    "Memo",
    "MemoryEngine",
    "Moments",
    "PairBlock",
    "Partition",
    "StoreEngine",
    "StreamEngine",
    "on_grid",
]
