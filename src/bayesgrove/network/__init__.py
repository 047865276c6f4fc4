"""Structures, conditional tables, the network, exact inference and file formats."""

from bayesgrove.network.files import ParseError, format_network, read_network, write_network
from bayesgrove.network.network import BayesianNetwork, Explanation
from bayesgrove.network.random_networks import random_network, random_rows
from bayesgrove.network.structure import Structure
from bayesgrove.network.tables import ConditionalTable
from bayesgrove.network.validation import NodeError

__all__ = [
    "BayesianNetwork",
    "ConditionalTable",
    "Explanation",
    "NodeError",
    "ParseError",
    "Structure",
    "format_network",
    "random_network",
    "random_rows",
    "read_network",
    "write_network",
]
