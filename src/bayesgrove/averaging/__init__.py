"""Averages over many structures at once. One paper, one file."""

from bayesgrove.averaging.naive import NaiveAverage
from bayesgrove.averaging.ordered import OrderedAverage, ParentSets

__all__ = ["NaiveAverage", "OrderedAverage", "ParentSets"]
