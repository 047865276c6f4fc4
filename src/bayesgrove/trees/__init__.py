"""Decision trees by C4.5's rules: a table in, a tree out."""

from bayesgrove.trees.bagging import Bagging
from bayesgrove.trees.c45 import C45
from bayesgrove.trees.tree import Tree

__all__ = ["C45", "Bagging", "Tree"]
