"""Parameter learners for conditional tables, normal densities and logistic regression."""

from bayesgrove.parameters.back_off import BackOff
from bayesgrove.parameters.dirichlet import BDeu, Dirichlet, MaximumLikelihood
from bayesgrove.parameters.em import EM, EMRecord
from bayesgrove.parameters.expected_counts import ExpectedCounts
from bayesgrove.parameters.hierarchical_dirichlet import HierarchicalDirichlet
from bayesgrove.parameters.joint_dirichlet import JointDirichlet
from bayesgrove.parameters.logistic import Logistic, fit_logistic
from bayesgrove.parameters.normal import Normals

__all__ = [
    "EM",
    "BDeu",
    "BackOff",
    "Dirichlet",
    "EMRecord",
    "ExpectedCounts",
    "HierarchicalDirichlet",
    "JointDirichlet",
    "Logistic",
    "MaximumLikelihood",
    "Normals",
    "fit_logistic",
]
