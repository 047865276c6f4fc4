"""Parameter learners for conditional tables, normal densities and logistic regression."""

from bayesgrove.parameters.dirichlet import BDeu, Dirichlet, MaximumLikelihood
from bayesgrove.parameters.logistic import Logistic, fit_logistic
from bayesgrove.parameters.normal import Normals

__all__ = ["BDeu", "Dirichlet", "Logistic", "MaximumLikelihood", "Normals", "fit_logistic"]
