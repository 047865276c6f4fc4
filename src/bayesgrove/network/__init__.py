"""Structures, conditional tables, the network and exact inference."""

from bayesgrove.network.network import BayesianNetwork
from bayesgrove.network.structure import Structure
from bayesgrove.network.tables import ConditionalTable

__all__ = ["BayesianNetwork", "ConditionalTable", "Structure"]
