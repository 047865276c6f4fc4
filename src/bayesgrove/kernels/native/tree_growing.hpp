// The growing of a C4.5 tree.
#pragma once

#include "tree_splits.hpp"

namespace bayesgrove {

// A tree that grows from the root down.
class TreeGrower {
public:
    TreeGrower(const TreeRows& data, double min_rows, bool mdl)
        : data_(data), min_rows_(min_rows), finder_(data, min_rows, mdl), tree_(data.classes),
          weight_(data.rows), branch_(data.rows), used_(data.columns.size()) {
        // Columns with many values do not enter the average gain, unless all columns have many.
        const double bound = 0.3 * sum_of(data.weights, data.rows);
        bool all_many = true;
        for (const auto& column : data.columns) {
            in_average_.push_back(column.numeric() || bound - column.card > kTie);
            all_many = all_many && !in_average_.back();
        }
        if (all_many) in_average_.assign(in_average_.size(), 1);
    }

    FlatTree grow() {
        tree_.add_leaves(1);
        parent_.push_back(-1);
        std::vector<GrowingNode> waiting;
        waiting.push_back(root());
        class_weights(data_, waiting.back().share, tree_.of(0));
        if (!open(0)) waiting.clear();
        while (!waiting.empty()) {
            GrowingNode node = std::move(waiting.back());
            waiting.pop_back();
            divide(node, waiting);
        }
        return std::move(tree_);
    }

private:
    GrowingNode root() {
        GrowingNode node{0, all_rows(data_), rows_by_value(data_)};
        size_t number = 0;
        for (const auto& column : data_.columns) {
            if (!column.numeric()) continue;
            values_.emplace_back();
            for (uint32_t r : node.sorted[number++]) values_.back().push_back(column.numbers[r]);
        }
        return node;
    }

    // Returns whether a node has enough rows, of more than one class.
    bool open(size_t node) const {
        const double* weights = &tree_.weights[node * data_.classes];
        const double total = sum_of(weights, data_.classes);
        if (2.0 * min_rows_ - total > kTie) return false;
        return total - *std::max_element(weights, weights + data_.classes) >= kTie;
    }

    // Splits a node if there is a good test. Children that may be split are added to `waiting`.
    void divide(GrowingNode& node, std::vector<GrowingNode>& waiting) {
        for (size_t e = 0; e < node.share.rows.size(); ++e)
            weight_[node.share.rows[e]] = node.share.weights[e];
        double threshold = 0.0;
        const int32_t chosen = choose(node, &threshold);
        if (chosen < 0) return;
        const size_t from = tree_.size();
        Branches branches = split_node(data_, tree_, node, chosen, threshold);
        parent_.resize(tree_.size(), static_cast<int32_t>(node.node));
        std::vector<uint8_t> open_ones;
        for (size_t n = from; n < tree_.size(); ++n) open_ones.push_back(open(n));
        auto lists =
            pass_on(data_.columns[chosen], threshold, node, branches.parts, open_ones, branch_);
        for (size_t k = open_ones.size(); k-- > 0;)
            if (open_ones[k])
                waiting.push_back({from + k, std::move(branches.shares[k]), std::move(lists[k])});
    }

    // Marks the columns that the ancestors of a node test.
    void mark(size_t node, uint8_t used) {
        for (int32_t n = parent_[node]; n >= 0; n = parent_[n]) used_[tree_.attribute[n]] = used;
    }

    // Returns the column with the best gain ratio among the columns with at least average gain, or
    // -1.
    int32_t choose(const GrowingNode& node, double* threshold) {
        const double total = tree_.total(node.node);
        splits_.assign(data_.columns.size(), Split{});
        double gains = 0.0;
        size_t usable = 0, number = 0;
        mark(node.node, 1);
        for (size_t j = 0; j < splits_.size(); ++j) {
            if (data_.columns[j].numeric())
                splits_[j] = finder_.numeric_split(data_.columns[j], node.sorted[number++], weight_,
                                                   total);
            else if (!used_[j])
                splits_[j] = finder_.nominal_split(data_.columns[j], node.share, total);
            if (!splits_[j].usable || !in_average_[j]) continue;
            gains += splits_[j].gain;
            ++usable;
        }
        mark(node.node, 0);
        if (usable == 0) return -1;
        const double average = gains / static_cast<double>(usable);
        int32_t best = -1;
        double ratio = 0.0;
        for (size_t j = 0; j < splits_.size(); ++j) {
            if (!splits_[j].usable || splits_[j].gain < average - 1e-3) continue;
            if (splits_[j].ratio - ratio <= kTie) continue;
            best = static_cast<int32_t>(j);
            ratio = splits_[j].ratio;
        }
        if (best >= 0 && data_.columns[best].numeric())
            *threshold = data_value(best, splits_[best].threshold);
        return best;
    }

    // Returns the largest value of a column in all training rows that is not above a point. C4.5
    // uses a value of the data as the threshold.
    double data_value(int32_t chosen, double point) const {
        size_t number = 0;
        for (int32_t j = 0; j < chosen; ++j) number += data_.columns[j].numeric();
        const auto& values = values_[number];
        const double tie = kTie * data_.columns[chosen].unit;
        // The value below the threshold is not above the point, even if the tie underflows to 0.
        const auto low = [&](double value) { return value <= point || value - point < tie; };
        return *(std::partition_point(values.begin(), values.end(), low) - 1);
    }

    const TreeRows& data_;
    double min_rows_;
    SplitFinder finder_;
    FlatTree tree_;
    std::vector<int32_t> parent_;
    std::vector<std::vector<double>> values_;  // sorted values, one list per numeric column
    std::vector<uint8_t> in_average_;          // columns whose gains enter the average
    std::vector<double> weight_;               // weights of the rows of the current node
    std::vector<int32_t> branch_;
    std::vector<uint8_t> used_;
    std::vector<Split> splits_;
};

inline nb::tuple grow_tree(const std::vector<Array>& arrays, const std::vector<int64_t>& cards,
                           const Array& target, int64_t n_classes, Vector<double> weights,
                           double min_rows, bool mdl) {
    const TreeRows data(arrays, cards, target, n_classes, weights);
    FlatTree tree(data.classes);
    {
        nb::gil_scoped_release release;
        tree = TreeGrower(data, min_rows, mdl).grow();
    }
    return as_tuple(tree);
}

}  // namespace bayesgrove
