"""Kernels in numpy: the reference for the native kernels, and the fallback where none are built.

Module ``<name>`` is the twin of ``native/<name>.hpp``. Both have the same functions with the same
arguments. The documentation is here; the native functions refer to it.

A column of codes is a contiguous unsigned array with values ``0..card-1``. The code ``card``
stands for a missing value and is left out of every count. Tables of several columns lie side by
side: column ``j`` has the cells ``offsets[j]:offsets[j + 1]`` of an axis of ``R = sum(cards)``
cells, where ``offsets`` are the cumulative sums of ``cards``. Counts are float64, exact up to
2**53. ``threads`` is accepted and ignored here: the result is the same for any number of threads.
"""

from bayesgrove.kernels.numpy.back_off import back_off_tables
from bayesgrove.kernels.numpy.boosting import (
    add_boosted_trees,
    boost_rounds,
    grow_boosted_tree,
)
from bayesgrove.kernels.numpy.cells import cell_sums
from bayesgrove.kernels.numpy.conditional import (
    add_cell_entries,
    fit_exponents,
    gather_terms,
    weighted_terms,
)
from bayesgrove.kernels.numpy.corrections import fit_corrections
from bayesgrove.kernels.numpy.counting import class_tables, joint_tables
from bayesgrove.kernels.numpy.dags import walk_dags
from bayesgrove.kernels.numpy.elimination import marginals, max_product, posterior, sum_product
from bayesgrove.kernels.numpy.encode import encode_numbers, scan_levels
from bayesgrove.kernels.numpy.expected_counts import expected_tables
from bayesgrove.kernels.numpy.independence import pair_tests
from bayesgrove.kernels.numpy.information import information_of_tables
from bayesgrove.kernels.numpy.labels import translate, used_labels
from bayesgrove.kernels.numpy.leave_one_out import leave_one_out_losses
from bayesgrove.kernels.numpy.mdlp import mdlp_cuts
from bayesgrove.kernels.numpy.member_bins import draw_bins
from bayesgrove.kernels.numpy.nbtree import grow_nbtree
from bayesgrove.kernels.numpy.nbtree_prediction import nbtree_logs
from bayesgrove.kernels.numpy.ordering import elimination_order, relevant
from bayesgrove.kernels.numpy.orders import insertion_scores, walk_orders
from bayesgrove.kernels.numpy.pairs import information_of_columns, pair_tables
from bayesgrove.kernels.numpy.partition import lookup, split_groups
from bayesgrove.kernels.numpy.prediction import (
    choices_of_joint,
    class_choices,
    class_probabilities,
    log_joint,
    probabilities_of_joint,
)
from bayesgrove.kernels.numpy.residual_gains import residual_gains
from bayesgrove.kernels.numpy.rule_tables import add_rule_tables, boost_rule_tables
from bayesgrove.kernels.numpy.sequential import counts_before
from bayesgrove.kernels.numpy.sets import set_sums
from bayesgrove.kernels.numpy.sum_out_missing import sum_out_rows
from bayesgrove.kernels.numpy.super_parents import super_parent_pairs
from bayesgrove.kernels.numpy.table_sums import add_table_entries
from bayesgrove.kernels.numpy.tree_growing import grow_tree
from bayesgrove.kernels.numpy.tree_pruning import prune_tree
from bayesgrove.kernels.numpy.tree_ratios import tree_ratios
from bayesgrove.kernels.numpy.trees import tree_distributions
from bayesgrove.kernels.numpy.value_tables import value_table

__all__ = [
    "add_boosted_trees",
    "add_cell_entries",
    "add_rule_tables",
    "add_table_entries",
    "back_off_tables",
    "boost_rounds",
    "boost_rule_tables",
    "cell_sums",
    "choices_of_joint",
    "class_choices",
    "class_probabilities",
    "class_tables",
    "counts_before",
    "draw_bins",
    "elimination_order",
    "encode_numbers",
    "expected_tables",
    "fit_corrections",
    "fit_exponents",
    "gather_terms",
    "grow_boosted_tree",
    "grow_nbtree",
    "grow_tree",
    "information_of_columns",
    "information_of_tables",
    "insertion_scores",
    "instruction_set",
    "joint_tables",
    "leave_one_out_losses",
    "log_joint",
    "lookup",
    "marginals",
    "max_product",
    "mdlp_cuts",
    "nbtree_logs",
    "pair_tables",
    "pair_tests",
    "posterior",
    "probabilities_of_joint",
    "prune_tree",
    "relevant",
    "residual_gains",
    "scan_levels",
    "set_sums",
    "split_groups",
    "sum_out_rows",
    "sum_product",
    "super_parent_pairs",
    "translate",
    "tree_distributions",
    "tree_ratios",
    "used_labels",
    "value_table",
    "walk_dags",
    "walk_orders",
    "weighted_terms",
]


def instruction_set() -> str:
    """Return the name of the instruction set that the kernels use.

    Returns
    -------
    str
        Always "numpy" here. The native kernels return "avx2", "popcnt" or "portable".
    """
    return "numpy"
