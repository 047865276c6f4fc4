"""Weights of attributes: how much each of them tells of the class. One paper, one file."""

from bayesgrove.weighting.gain_ratio import GainRatio
from bayesgrove.weighting.relieff import ReliefF
from bayesgrove.weighting.tree_depth import TreeDepth, depth_weights

__all__ = ["GainRatio", "ReliefF", "TreeDepth", "depth_weights"]
