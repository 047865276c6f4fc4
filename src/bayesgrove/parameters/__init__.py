"""Parameters of a given structure."""

from bayesgrove.parameters.dirichlet import BDeu, Dirichlet, MaximumLikelihood

__all__ = ["BDeu", "Dirichlet", "MaximumLikelihood"]
