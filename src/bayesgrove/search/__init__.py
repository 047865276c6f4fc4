"""The greedy loops themselves; no paper in them."""

from bayesgrove.search.orientation import direct_edges, topological_order
from bayesgrove.search.parents import greedy_parents
from bayesgrove.search.subsets import Evaluate, Move, backward, forward, guided
from bayesgrove.search.ties import first_best, is_more

__all__ = [
    "Evaluate",
    "Move",
    "backward",
    "direct_edges",
    "first_best",
    "forward",
    "greedy_parents",
    "guided",
    "is_more",
    "topological_order",
]
