"""Attribute weightings: one weight per attribute from training rows. One file per paper."""

from bayesgrove._utils.exported_names import exported_names as _exported_names
from bayesgrove.weighting.chi_squared import ChiSquared as ChiSquared
from bayesgrove.weighting.gain_ratio import GainRatio as GainRatio
from bayesgrove.weighting.hill_climbing import HillClimbing as HillClimbing
from bayesgrove.weighting.information_gain import InformationGain as InformationGain
from bayesgrove.weighting.relieff import ReliefF as ReliefF
from bayesgrove.weighting.tree_depth import TreeDepth as TreeDepth
from bayesgrove.weighting.tree_depth import depth_weights as depth_weights

__all__ = _exported_names(globals())
