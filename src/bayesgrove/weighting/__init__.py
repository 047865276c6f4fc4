"""Weights of attributes: how much each of them tells of the class. One paper, one file."""

from bayesgrove.weighting.gain_ratio import GainRatio
from bayesgrove.weighting.relieff import ReliefF

__all__ = ["GainRatio", "ReliefF"]
