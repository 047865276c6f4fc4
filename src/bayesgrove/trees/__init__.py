"""Learners of decision trees with classes or naive Bayes at the leaves. One file per paper."""

from bayesgrove.trees.bagging import Bagging
from bayesgrove.trees.boosted_sum import BoostedSum
from bayesgrove.trees.boosting import BoostedFit, BoostedTrees
from bayesgrove.trees.c45 import C45
from bayesgrove.trees.nbtree import NBTree
from bayesgrove.trees.nbtree_model import NBTreeModel
from bayesgrove.trees.rule_sum import RuleQuestion, RuleSum
from bayesgrove.trees.rule_tables import RuleFit, RuleTables
from bayesgrove.trees.tree import Tree
from bayesgrove.trees.warnings import warn_of_missed_classes, warn_of_small_weights

__all__ = [
    "C45",
    "Bagging",
    "BoostedFit",
    "BoostedSum",
    "BoostedTrees",
    "NBTree",
    "NBTreeModel",
    "RuleFit",
    "RuleQuestion",
    "RuleSum",
    "RuleTables",
    "Tree",
    "warn_of_missed_classes",
    "warn_of_small_weights",
]
