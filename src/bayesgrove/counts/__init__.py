"""Counts of rows behind one narrow interface; learners do not know where the rows are stored."""

from bayesgrove.counts.cache import LRUCache
from bayesgrove.counts.cells import CellTerms
from bayesgrove.counts.configurations import Configurations, Partition
from bayesgrove.counts.counter import CACHE_BYTES, Counter, PairBlock
from bayesgrove.counts.engines import Engine, MemoryEngine, StoreEngine, StreamEngine
from bayesgrove.counts.functions import DenseTables
from bayesgrove.counts.moments import Moments, on_grid
from bayesgrove.counts.source import CountSource
from bayesgrove.counts.tables import Family, FamilyTable

__all__ = [
    "CACHE_BYTES",
    "CellTerms",
    "Configurations",
    "CountSource",
    "Counter",
    "DenseTables",
    "Engine",
    "Family",
    "FamilyTable",
    "LRUCache",
    "MemoryEngine",
    "Moments",
    "PairBlock",
    "Partition",
    "StoreEngine",
    "StreamEngine",
    "on_grid",
]
