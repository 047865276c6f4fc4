"""Parameters of a given structure."""

from bayesgrove.parameters.dirichlet import BDeu, Dirichlet, MaximumLikelihood
from bayesgrove.parameters.normal import Normals

__all__ = ["BDeu", "Dirichlet", "MaximumLikelihood", "Normals"]
