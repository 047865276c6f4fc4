"""Model averaging over many structures at once. One file per paper."""

from bayesgrove.averaging.completed import CompletedAverage
from bayesgrove.averaging.gibbs import GibbsAverage
from bayesgrove.averaging.naive import NaiveAverage
from bayesgrove.averaging.occams_window import OccamsWindow
from bayesgrove.averaging.order_search import GreedyOrder, OrderMCMC, OrderScores, SampledOrders
from bayesgrove.averaging.ordered import OrderedAverage, ParentSets
from bayesgrove.averaging.tan import TANAverage, TreeAverage
from bayesgrove.network.mixture import AveragedNetwork, MeanTable

__all__ = [
    "AveragedNetwork",
    "CompletedAverage",
    "GibbsAverage",
    "GreedyOrder",
    "MeanTable",
    "NaiveAverage",
    "OccamsWindow",
    "OrderMCMC",
    "OrderScores",
    "OrderedAverage",
    "ParentSets",
    "SampledOrders",
    "TANAverage",
    "TreeAverage",
]
