"""Structure learners: counts in, parents of every node out. One paper, one file."""

from bayesgrove.structures.kdb import KDB
from bayesgrove.structures.naive import Naive
from bayesgrove.structures.tan import TAN

__all__ = ["KDB", "TAN", "Naive"]
