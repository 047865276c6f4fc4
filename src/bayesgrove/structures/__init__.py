"""Structure learners: counts in, parents of every node out. One paper, one file."""

from bayesgrove.structures.cb import CB
from bayesgrove.structures.k2 import K2
from bayesgrove.structures.kdb import KDB
from bayesgrove.structures.naive import Naive
from bayesgrove.structures.tan import TAN
from bayesgrove.structures.thick_thin import ThickThin

__all__ = ["CB", "K2", "KDB", "TAN", "Naive", "ThickThin"]
