"""Averages over many structures at once. One paper, one file."""

from bayesgrove.averaging.mixture import AveragedNetwork, MeanTable
from bayesgrove.averaging.naive import NaiveAverage
from bayesgrove.averaging.ordered import OrderedAverage, ParentSets

__all__ = ["AveragedNetwork", "MeanTable", "NaiveAverage", "OrderedAverage", "ParentSets"]
