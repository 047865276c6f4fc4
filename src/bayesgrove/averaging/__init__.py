"""Averages over many structures at once. One paper, one file."""

from bayesgrove.averaging.naive import NaiveAverage
from bayesgrove.averaging.ordered import OrderedAverage, ParentSets
from bayesgrove.network.mixture import AveragedNetwork, MeanTable

__all__ = ["AveragedNetwork", "MeanTable", "NaiveAverage", "OrderedAverage", "ParentSets"]
