"""Structure learners: each learns the parents of every node from counts. One file per paper."""

from bayesgrove._utils.exported_names import exported_names as _exported_names
from bayesgrove.structures.cb import CB as CB
from bayesgrove.structures.joined_parents import JoinedParents as JoinedParents
from bayesgrove.structures.k2 import K2 as K2
from bayesgrove.structures.kdb import KDB as KDB
from bayesgrove.structures.kdb import Choice as Choice
from bayesgrove.structures.naive import Naive as Naive
from bayesgrove.structures.skdb import SKDB as SKDB
from bayesgrove.structures.skdb import Submodel as Submodel
from bayesgrove.structures.tan import TAN as TAN
from bayesgrove.structures.thick_thin import ThickThin as ThickThin

__all__ = _exported_names(globals())
