"""Attribute selectors: each selects attributes and records the steps. One file per paper."""

from bayesgrove._utils.exported_names import exported_names as _exported_names
from bayesgrove.contracts import Selection as Selection
from bayesgrove.contracts import Step as Step
from bayesgrove.contracts import path_text as path_text
from bayesgrove.scores.redundancy import Redundancy as Redundancy
from bayesgrove.scores.redundancy import redundancies as redundancies
from bayesgrove.scores.redundancy import redundancy_text as redundancy_text
from bayesgrove.scores.redundancy_levels import RedundancyLevels as RedundancyLevels
from bayesgrove.scores.redundancy_levels import Witness as Witness
from bayesgrove.scores.redundancy_levels import redundancy_levels as redundancy_levels
from bayesgrove.selection.cfs import CFS as CFS
from bayesgrove.selection.combined import Chain as Chain
from bayesgrove.selection.combined import Guided as Guided
from bayesgrove.selection.info_as import InfoAS as InfoAS
from bayesgrove.selection.joining import Joining as Joining
from bayesgrove.selection.mdl import MDL as MDL
from bayesgrove.selection.selective_naive import SelectiveNaive as SelectiveNaive
from bayesgrove.selection.tree_levels import TreeLevels as TreeLevels
from bayesgrove.selection.wrapper import Wrapper as Wrapper

__all__ = _exported_names(globals())
