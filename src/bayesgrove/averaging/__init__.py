"""Model averaging over many structures at once. One file per paper."""

from bayesgrove.averaging.naive import NaiveAverage
from bayesgrove.averaging.ordered import OrderedAverage, ParentSets
from bayesgrove.network.mixture import AveragedNetwork, MeanTable

__all__ = ["AveragedNetwork", "MeanTable", "NaiveAverage", "OrderedAverage", "ParentSets"]
