// Error-based pruning of a C4.5 tree, with subtree raising.
#pragma once

#include <limits>

#include "trees.hpp"

namespace bayesgrove {

// Returns the errors to add to e among n: the upper limit of a binomial proportion, with
// z = Phi^-1(1 - confidence).
inline double added_errors(double n, double e, double confidence, double z) {
    if (e < 1.0) {
        const double at_zero = n * (1.0 - std::pow(confidence, 1.0 / n));
        return e == 0.0 ? at_zero : at_zero + e * (added_errors(n, 1.0, confidence, z) - at_zero);
    }
    if (e + 0.5 >= n) return std::max(n - e, 0.0);
    const double f = (e + 0.5) / n, zz = z * z;
    const double spread = std::sqrt(f / n - f * f / n + zz / (4.0 * n * n));
    return (f + zz / (2.0 * n) + z * spread) / (1.0 + zz / n) * n - e;
}

// A tree whose subtrees are replaced from the leaves up.
class TreePruner {
public:
    TreePruner(const TreeRows& data, FlatTree& tree, double confidence, double z, bool raising)
        : data_(data), tree_(tree), confidence_(confidence), z_(z), raising_(raising),
          shares_(tree.size()), errors_(tree.size()) {}

    void prune() {
        if (raising_) place(0, all_rows(data_));
        prune_below(0);
    }

private:
    // Prunes all nodes of a subtree, children before their parents.
    void prune_below(size_t top) {
        std::vector<size_t> nodes{top};
        for (size_t q = 0; q < nodes.size(); ++q)
            for (int32_t k = 0; k < tree_.count[nodes[q]]; ++k)
                nodes.push_back(static_cast<size_t>(tree_.first[nodes[q]] + k));
        for (size_t q = nodes.size(); q-- > 0;) prune_node(nodes[q]);
    }

    // Keeps a node, makes it a leaf, or replaces it by its largest branch.
    void prune_node(size_t node) {
        const double as_leaf = leaf_errors(tree_.of(node));
        errors_[node] = as_leaf;
        if (tree_.count[node] == 0) return;
        double as_tree = 0.0;
        for (int32_t k = 0; k < tree_.count[node]; ++k) as_tree += errors_[tree_.first[node] + k];
        const size_t largest = largest_branch(node);
        const double raised = raising_ ? branch_errors(largest, shares_[node])
                                       : std::numeric_limits<double>::infinity();
        if (as_leaf - (as_tree + 0.1) < kTie && as_leaf - (raised + 0.1) < kTie) {
            tree_.attribute[node] = -1;
            tree_.count[node] = 0;
        } else if (raised - (as_tree + 0.1) < kTie) {
            tree_.attribute[node] = tree_.attribute[largest];
            tree_.threshold[node] = tree_.threshold[largest];
            tree_.first[node] = tree_.first[largest];
            tree_.count[node] = tree_.count[largest];
            place(node, std::move(shares_[node]));
            prune_below(node);
        } else {
            errors_[node] = as_tree;
        }
    }

    // Returns the child with the largest weight. Ties go to the last child.
    size_t largest_branch(size_t node) const {
        size_t best = static_cast<size_t>(tree_.first[node]);
        double largest = 0.0;
        for (int32_t k = 0; k < tree_.count[node]; ++k) {
            const double total = tree_.total(tree_.first[node] + k);
            if (largest - total >= kTie) continue;
            largest = total;
            best = static_cast<size_t>(tree_.first[node] + k);
        }
        return best;
    }

    // Returns the estimated errors of a leaf with these class weights.
    double leaf_errors(const double* weights) const {
        const double total = sum_of(weights, data_.classes);
        if (total < kTie) return 0.0;
        const double wrong = total - *std::max_element(weights, weights + data_.classes);
        return wrong + added_errors(total, wrong, confidence_, z_);
    }

    std::vector<Share> children(size_t node, const Share& share) const {
        const TreeColumn& column = data_.columns[tree_.attribute[node]];
        const size_t branches = static_cast<size_t>(tree_.count[node]);
        const double threshold = tree_.threshold[node];
        const auto parts = branch_shares(column, threshold, branches, share);
        return share_out(column, threshold, branches, share, parts);
    }

    // Calls visit(node, rows) for the nodes of a subtree that gets these rows, upper nodes first.
    template <typename Visit>
    void descend(size_t top, Share rows, const Visit& visit) {
        std::vector<std::pair<size_t, Share>> waiting;
        waiting.emplace_back(top, std::move(rows));
        while (!waiting.empty()) {
            const size_t node = waiting.back().first;
            Share share = std::move(waiting.back().second);
            waiting.pop_back();
            if (tree_.count[node] > 0) {
                auto parts = children(node, share);
                for (size_t k = parts.size(); k-- > 0;)
                    waiting.emplace_back(tree_.first[node] + k, std::move(parts[k]));
            }
            visit(node, share);
        }
    }

    // Returns the estimated errors of a subtree if it had these rows.
    double branch_errors(size_t top, const Share& rows) {
        double errors = 0.0;
        std::vector<double> weights(data_.classes);
        descend(top, rows, [&](size_t node, const Share& share) {
            if (tree_.count[node] > 0) return;
            class_weights(data_, share, weights.data());
            errors += leaf_errors(weights.data());
        });
        return errors;
    }

    // Stores the rows and the class weights of every node of a subtree that gets these rows.
    void place(size_t top, Share rows) {
        descend(top, std::move(rows), [&](size_t node, Share& share) {
            class_weights(data_, share, tree_.of(node));
            shares_[node] = std::move(share);
        });
    }

    const TreeRows& data_;
    FlatTree& tree_;
    double confidence_, z_;
    bool raising_;
    std::vector<Share> shares_;
    std::vector<double> errors_;  // estimated errors of the subtree of each node
};

inline nb::tuple prune_tree(Vector<int32_t> attribute, Vector<double> threshold,
                            Vector<int32_t> first, Vector<int32_t> count, NodeWeights node_weights,
                            const std::vector<Array>& arrays, const std::vector<int64_t>& cards,
                            const Array& target, Vector<double> weights, double confidence,
                            double z, bool raising) {
    const auto n_classes = static_cast<int64_t>(node_weights.shape(1));
    const TreeRows data(arrays, cards, target, n_classes, weights);
    FlatTree tree = as_tree(attribute, threshold, first, count, node_weights, cards);
    {
        nb::gil_scoped_release release;
        TreePruner(data, tree, confidence, z, raising).prune();
    }
    return as_tuple(tree);
}

}  // namespace bayesgrove
