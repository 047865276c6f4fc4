"""Selectors of attributes: counts in, attributes and the way to them out. One paper, one file."""

from bayesgrove.selection.cfs import CFS
from bayesgrove.selection.compositions import Chain, Guided
from bayesgrove.selection.info_as import InfoAS
from bayesgrove.selection.mdl import MDL
from bayesgrove.selection.path import Selection, Step, path_text
from bayesgrove.selection.redundancy import Redundancy, redundancies, redundancy_text
from bayesgrove.selection.selective_naive import SelectiveNaive
from bayesgrove.selection.tree_levels import TreeLevels
from bayesgrove.selection.wrapper import Wrapper

__all__ = [
    "CFS",
    "MDL",
    "Chain",
    "Guided",
    "InfoAS",
    "Redundancy",
    "Selection",
    "SelectiveNaive",
    "Step",
    "TreeLevels",
    "Wrapper",
    "path_text",
    "redundancies",
    "redundancy_text",
]
