"""Counts behind one narrow interface; no learner knows where the rows live."""

from bayesgrove.counts.configurations import Configurations, Partition
from bayesgrove.counts.engines import MemoryEngine, StreamEngine
from bayesgrove.counts.moments import Moments
from bayesgrove.counts.source import CountSource, Engine, PairBlock
from bayesgrove.counts.tables import Family, FamilyTable

__all__ = [
    "Configurations",
    "CountSource",
    "Engine",
    "Family",
    "FamilyTable",
    "MemoryEngine",
    "Moments",
    "PairBlock",
    "Partition",
    "StreamEngine",
]
