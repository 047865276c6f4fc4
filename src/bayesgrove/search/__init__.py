"""Search procedures that several learners share, each independent of any score."""

from bayesgrove._utils.ties import first_best, is_more, rounded_for_ties
from bayesgrove.search.arcs import Additions, Gains, Removals, add_arcs, remove_arcs
from bayesgrove.search.best_first import best_first
from bayesgrove.search.enumeration import Subsets, subset_count, subsets_up_to
from bayesgrove.search.orders import named_levels
from bayesgrove.search.orientation import direct_edges, topological_order
from bayesgrove.search.parents import best_parents, greedy_parents
from bayesgrove.search.spanning import Edges, SpanningTree, spanning_tree
from bayesgrove.search.subsets import TIES, Evaluate, Move, backward, forward, guided, is_accepted

__all__ = [
    "TIES",
    "Additions",
    "Edges",
    "Evaluate",
    "Gains",
    "Move",
    "Removals",
    "SpanningTree",
    "Subsets",
    "add_arcs",
    "backward",
    "best_first",
    "best_parents",
    "direct_edges",
    "first_best",
    "forward",
    "greedy_parents",
    "guided",
    "is_accepted",
    "is_more",
    "named_levels",
    "remove_arcs",
    "rounded_for_ties",
    "spanning_tree",
    "subset_count",
    "subsets_up_to",
    "topological_order",
]
