#include <nanobind/stl/pair.h>

#include "boosting.hpp"
#include "dags.hpp"
#include "elimination.hpp"
#include "encode.hpp"
#include "expected_counts.hpp"
#include "independence.hpp"
#include "labels.hpp"
#include "leave_one_out.hpp"
#include "mdlp.hpp"
#include "sum_out_missing.hpp"
#include "nbtree_prediction.hpp"
#include "nbtree.hpp"
#include "orders.hpp"
#include "pairs.hpp"
#include "partition.hpp"
#include "prediction.hpp"
#include "rule_tables.hpp"
#include "sequential.hpp"
#include "sets.hpp"
#include "super_parents.hpp"
#include "tree_growing.hpp"
#include "tree_pruning.hpp"
#include "tree_ratios.hpp"
#include "value_tables.hpp"

void bind_grove(nb::module_& m);  // grove.cpp

NB_MODULE(_native, m) {
    using namespace nb::literals;
    using namespace bayesgrove;
    m.doc() = "Native kernels. The module bayesgrove.kernels.numpy documents every function.";
    m.def("instruction_set", &and_count_name);
    m.def("class_tables", &class_tables, "columns"_a, "cards"_a, "target"_a, "n_classes"_a,
          "weights"_a.none(), "threads"_a);
    m.def("pair_tables", &pair_tables, "columns"_a, "cards"_a, "target"_a, "n_classes"_a,
          "weights"_a.none(), "first"_a, "threads"_a);
    m.def("information_of_tables", &information_of_tables, "block"_a, "row_cards"_a, "column_cards"_a,
          "total"_a, "threads"_a);
    m.def("information_of_columns", &information_of_columns, "columns"_a, "cards"_a, "target"_a,
          "n_classes"_a, "weights"_a.none(), "total"_a, "threads"_a);
    m.def("joint_tables", &joint_tables, "sets"_a, "columns"_a, "cards"_a, "weights"_a.none(),
          "threads"_a);
    m.def("split_groups", &split_groups, "ids"_a, "groups"_a, "column"_a, "card"_a);
    m.def("lookup", &lookup, "ids"_a, "keys"_a, "column"_a, "card"_a);
    m.def("cell_sums", &cell_sums, "ids"_a, "groups"_a, "target"_a, "n_target"_a, "columns"_a,
          "cards"_a, "outer"_a, "inner"_a, "threads"_a);
    m.def("set_sums", &set_sums, "columns"_a, "cards"_a, "target"_a, "n_target"_a, "sets"_a,
          "set_width"_a, "outer"_a, "inner"_a, "threads"_a);
    m.def("walk_orders", &walk_orders, "order"_a, "starts"_a, "logs"_a, "masks"_a, "moves"_a,
          "thresholds"_a, "every"_a);
    m.def("insertion_scores", &insertion_scores, "order"_a, "starts"_a, "logs"_a, "masks"_a);
    m.def("counts_before", &counts_before, "ids"_a, "groups"_a, "target"_a, "n_classes"_a,
          "weights"_a.none());
    m.def("pair_tests", &pair_tests, "ids"_a, "groups"_a, "first"_a, "second"_a, "columns"_a,
          "cards"_a, "weights"_a.none(), "threads"_a);
    m.def("log_joint", &log_joint, "columns"_a, "starts"_a, "variables"_a, "strides"_a, "tables"_a,
          "widths"_a, "values"_a, "rows"_a, "n_classes"_a, "threads"_a);
    m.def("class_probabilities", &class_probabilities, "columns"_a, "starts"_a, "variables"_a,
          "strides"_a, "tables"_a, "widths"_a, "values"_a, "parents"_a, "missing"_a, "rows"_a,
          "n_classes"_a, "logs"_a, "threads"_a);
    m.def("class_choices", &class_choices, "columns"_a, "starts"_a, "variables"_a, "strides"_a,
          "tables"_a, "widths"_a, "values"_a, "parents"_a, "missing"_a, "rows"_a, "n_classes"_a,
          "noise"_a, "threads"_a);
    m.def("probabilities_of_joint", &probabilities_of_joint, "joint"_a, "logs"_a, "threads"_a);
    m.def("choices_of_joint", &choices_of_joint, "joint"_a, "noise"_a, "threads"_a);
    m.def("relevant", &relevant, "starts"_a, "scopes"_a, "evidence"_a, "query"_a);
    m.def("elimination_order", &elimination_order, "cards"_a, "starts"_a, "scopes"_a, "which"_a,
          "evidence"_a, "keep"_a);
    m.def("sum_product", &sum_product, "cards"_a, "starts"_a, "scopes"_a, "offsets"_a, "values"_a,
          "which"_a, "evidence"_a, "order"_a, "keep"_a);
    m.def("posterior", &posterior, "cards"_a, "starts"_a, "scopes"_a, "offsets"_a, "values"_a,
          "has_zeros"_a, "evidence"_a, "query"_a, "limit"_a);
    m.def("marginals", &marginals, "cards"_a, "starts"_a, "scopes"_a, "offsets"_a, "values"_a,
          "which"_a, "evidence"_a, "order"_a);
    m.def("max_product", &max_product, "cards"_a, "starts"_a, "scopes"_a, "offsets"_a, "values"_a,
          "which"_a, "evidence"_a, "order"_a);
    m.def("sum_out_rows", &sum_out_rows, "cards"_a, "starts"_a, "scopes"_a, "offsets"_a, "values"_a,
          "columns"_a, "rows"_a, "active"_a, "limit"_a, "threads"_a);
    m.def("expected_tables", &expected_tables, "cards"_a, "starts"_a, "scopes"_a, "offsets"_a,
          "values"_a, "columns"_a, "weights"_a.none(), "family_starts"_a, "family_scopes"_a, "limit"_a,
          "threads"_a);
    m.def("grow_tree", &grow_tree, "columns"_a, "cards"_a, "target"_a, "n_classes"_a, "weights"_a,
          "min_rows"_a, "mdl"_a);
    m.def("prune_tree", &prune_tree, "attribute"_a, "threshold"_a, "first"_a, "count"_a,
          "node_weights"_a, "columns"_a, "cards"_a, "target"_a, "weights"_a, "confidence"_a, "z"_a,
          "raising"_a);
    m.def("tree_distributions", &tree_distributions, "attribute"_a, "threshold"_a, "first"_a,
          "count"_a, "node_weights"_a, "columns"_a, "cards"_a, "rows"_a, "threads"_a);
    m.def("grow_nbtree", &grow_nbtree, "columns"_a, "cards"_a, "target"_a, "n_classes"_a,
          "weights"_a, "min_rows"_a, "reduction"_a, "folds"_a);
    m.def("nbtree_logs", &nbtree_logs, "attribute"_a, "threshold"_a, "first"_a, "count"_a,
          "node_weights"_a, "model"_a, "priors"_a, "values"_a, "cuts"_a, "tables"_a, "columns"_a,
          "cards"_a, "rows"_a, "threads"_a);
    m.def("grow_boosted_tree", &grow_boosted_tree, "bins"_a, "n_bins"_a, "ordered"_a,
          "gradients"_a, "hessians"_a, "max_leaves"_a, "max_depth"_a, "learning_rate"_a, "ridge"_a,
          "min_child"_a);
    m.def("boost_rounds", &boost_rounds, "bins"_a, "n_bins"_a, "ordered"_a, "target"_a,
          "n_classes"_a, "weights"_a.none(), "folds"_a, "scores"_a, "first_round"_a, "rounds"_a,
          "max_leaves"_a, "max_depth"_a, "learning_rate"_a, "ridge"_a, "min_child"_a, "sampled"_a,
          "seed"_a, "threads"_a);
    m.def("add_boosted_trees", &add_boosted_trees, "columns"_a, "cards"_a, "bin_of"_a, "n_bins"_a,
          "sizes"_a, "column"_a, "child"_a, "sides"_a, "value"_a, "outputs"_a, "scores"_a,
          "weight"_a, "threads"_a);
    m.def("boost_rule_tables", &boost_rule_tables, "bins"_a, "n_bins"_a, "ordered"_a, "target"_a,
          "n_classes"_a, "weights"_a.none(), "folds"_a, "scores"_a, "start_losses"_a,
          "first_round"_a, "rounds"_a, "max_questions"_a, "learning_rate"_a, "ridge"_a,
          "sample_rows"_a, "seed"_a, "threads"_a);
    m.def("add_rule_tables", &add_rule_tables, "columns"_a, "cards"_a, "sizes"_a, "column"_a,
          "first"_a, "last"_a, "entries"_a, "scores"_a, "weight"_a, "threads"_a);
    m.def("used_labels", &used_labels, "indices"_a, "size"_a);
    m.def("translate", &translate, "indices"_a, "table"_a, "out"_a);
    m.def("value_table", &value_table, "values"_a, "target"_a, "n_classes"_a, "weights"_a.none());
    m.def("mdlp_cuts", &mdlp_cuts, "distinct"_a, "table"_a, "by_values"_a);
    m.def("tree_ratios", &tree_ratios, "columns"_a, "ends"_a, "strides"_a, "tables"_a, "values"_a,
          "slots"_a, "starts"_a, "spokes"_a, "shares"_a, "targets"_a, "old_shares"_a,
          "new_shares"_a, "rows"_a, "n_classes"_a, "threads"_a);
    m.def("walk_dags", &walk_dags, "arcs"_a, "moves"_a, "max_parents"_a);
    m.def("leave_one_out_losses", &leave_one_out_losses, "columns"_a, "cards"_a, "parents"_a,
          "tables"_a, "numbers"_a, "target"_a, "class_counts"_a, "weights"_a.none(), "alpha"_a,
          "loss"_a, "unit"_a, "largest"_a, "threads"_a);
    m.def("super_parent_pairs", &super_parent_pairs, "columns"_a, "cards"_a, "n_classes"_a, "pairs"_a,
          "pair_starts"_a, "triples"_a, "triple_starts"_a, "below"_a, "below_starts"_a, "totals"_a,
          "weights"_a, "alpha"_a, "min_weight"_a, "rows"_a, "threads"_a);
    m.def("scan_levels", &scan_levels, "X"_a, "threads"_a);
    m.def("encode_numbers", &encode_numbers, "X"_a, "points"_a, "starts"_a, "codes"_a, "exact"_a,
          "missing"_a, "unseen"_a, "outs"_a, "threads"_a);
    bind_grove(m);
}
