// Decision trees with naive Bayes at the leaves (Kohavi 1996).
#pragma once

#include "nbtree_validation.hpp"

namespace bayesgrove {

constexpr double kSameErrors = 1e-9;  // errors closer than this are equal

// The naive Bayes models of some nodes, one after another: logarithms of P(class) and of
// P(value | class), column by column and value by value. Numeric columns have cut points.
struct NaiveModels {
    std::vector<double> priors, cuts, tables;
    std::vector<int32_t> values;  // number of values or intervals of every column
    size_t count = 0;
};

// Learns naive Bayes models from counts with one pseudo-count per cell.
class NaiveLearner {
public:
    NaiveLearner(const TreeRows& data, const Terms& terms, const Logs& logs)
        : data_(data), logs_(logs), cutter_(data.classes, terms) {}

    // Adds the model of a node to `models`. `weight` has the weights of the rows.
    void learn(const GrowingNode& node, const std::vector<double>& weight, NaiveModels& models) {
        counts_.assign(data_.classes, 0.0);
        for (uint32_t row : node.share.rows) counts_[data_.target[row]] += weight[row];
        const double total = sum_of(counts_.data(), data_.classes);
        const double all = logs_(total + static_cast<double>(data_.classes));
        for (double count : counts_) models.priors.push_back(logs_(count + 1.0) - all);
        size_t number = 0;
        for (const auto& column : data_.columns) {
            if (column.numeric()) {
                count_intervals(column, node.sorted[number++], weight, models.cuts);
            } else {
                count_codes(column, node.share, weight);
            }
            add_table(models);
        }
        ++models.count;
    }

private:
    void count_codes(const TreeColumn& column, const Share& share,
                     const std::vector<double>& weight) {
        counts_.assign(column.card * data_.classes, 0.0);
        for (uint32_t row : share.rows) {
            const uint32_t code = column.codes[row];
            if (code < column.card) counts_[code * data_.classes + data_.target[row]] += weight[row];
        }
    }

    void count_intervals(const TreeColumn& column, const std::vector<uint32_t>& sorted,
                         const std::vector<double>& weight, std::vector<double>& cuts) {
        values_.clear();
        for (uint32_t row : sorted) values_.push_back(column.numbers[row]);
        const SortedColumn list{values_.data(), sorted.data(), sorted.size()};
        const auto& starts = cutter_.starts(list, data_.target.data(), weight.data());
        for (size_t start : starts) cuts.push_back(middle(values_[start - 1], values_[start]));
        counts_.assign((starts.size() + 1) * data_.classes, 0.0);
        for_intervals(list, starts, [&](size_t interval, uint32_t row) {
            counts_[interval * data_.classes + data_.target[row]] += weight[row];
        });
    }

    void add_table(NaiveModels& models) {
        const size_t classes = data_.classes, values = counts_.size() / classes;
        totals_.assign(classes, 0.0);
        for (size_t cell = 0; cell < counts_.size(); ++cell)
            totals_[cell % classes] += counts_[cell];
        for (double& total : totals_) total = logs_(total + static_cast<double>(values));
        for (size_t cell = 0; cell < counts_.size(); ++cell)
            models.tables.push_back(logs_(counts_[cell] + 1.0) - totals_[cell % classes]);
        models.values.push_back(static_cast<int32_t>(values));
    }

    const TreeRows& data_;
    const Logs& logs_;
    IntervalCutter cutter_;
    std::vector<double> counts_, totals_, values_;
};

// A tree, its models, and the number of the model that predicts at each node, -1 for none.
struct NaiveTree {
    FlatTree tree;
    std::vector<int32_t> model;
    NaiveModels models;
};

// A tree that grows from the root down.
class NaiveTreeGrower {
public:
    NaiveTreeGrower(const TreeRows& data, double min_rows, double reduction, size_t folds)
        : data_(data), min_rows_(min_rows), reduction_(reduction), folds_(folds),
          finder_(data, 2.0, true), logs_(largest_count(data)),
          validation_(data, finder_.terms(), logs_, folds), learner_(data, finder_.terms(), logs_),
          grown_{FlatTree(data.classes), {}, {}}, weight_(data.rows), branch_(data.rows) {}

    NaiveTree grow() {
        FlatTree& tree = grown_.tree;
        tree.add_leaves(1);
        grown_.model.push_back(-1);
        std::vector<GrowingNode> waiting;
        waiting.push_back({0, all_rows(data_), rows_by_value(data_)});
        class_weights(data_, waiting.back().share, tree.of(0));
        while (!waiting.empty()) {
            const GrowingNode node = std::move(waiting.back());
            waiting.pop_back();
            visit(node, waiting);
        }
        return std::move(grown_);
    }

private:
    // Returns the largest whole number whose logarithm is often needed.
    static double largest_count(const TreeRows& data) {
        size_t card = data.classes;
        for (const auto& column : data.columns) card = std::max<size_t>(card, column.card);
        return sum_of(data.weights, data.rows) + static_cast<double>(card);
    }

    // Turns a node into a test, or into a leaf with a model.
    void visit(const GrowingNode& node, std::vector<GrowingNode>& waiting) {
        for (size_t e = 0; e < node.share.rows.size(); ++e)
            weight_[node.share.rows[e]] = node.share.weights[e];
        double threshold = 0.0;
        const int32_t chosen = choose(node, &threshold);
        if (chosen >= 0)
            divide(node, chosen, threshold, waiting);
        else
            learn(node, {node.node});
    }

    // Splits a node. Children with rows are added to `waiting`. The others get the model of the
    // node.
    void divide(const GrowingNode& node, int32_t chosen, double threshold,
                std::vector<GrowingNode>& waiting) {
        FlatTree& tree = grown_.tree;
        const size_t from = tree.size();
        Branches branches = split_node(data_, tree, node, chosen, threshold);
        grown_.model.resize(tree.size(), -1);
        std::vector<uint8_t> filled;
        std::vector<size_t> empty;
        for (size_t n = from; n < tree.size(); ++n) {
            filled.push_back(tree.total(n) >= kTie);
            if (!filled.back()) empty.push_back(n);
        }
        if (!empty.empty()) learn(node, empty);
        auto lists =
            pass_on(data_.columns[chosen], threshold, node, branches.parts, filled, branch_);
        for (size_t k = filled.size(); k-- > 0;)
            if (filled[k])
                waiting.push_back({from + k, std::move(branches.shares[k]), std::move(lists[k])});
    }

    // Learns the model of a node, which predicts at some nodes.
    void learn(const GrowingNode& node, const std::vector<size_t>& nodes) {
        for (size_t n : nodes) grown_.model[n] = static_cast<int32_t>(grown_.models.count);
        learner_.learn(node, weight_, grown_.models);
    }

    // Returns the column whose branches have the fewest errors, or -1 if the errors are not reduced
    // enough.
    int32_t choose(const GrowingNode& node, double* threshold) {
        const double* weights = grown_.tree.of(node.node);
        const double total = sum_of(weights, data_.classes);
        const double largest = *std::max_element(weights, weights + data_.classes);
        if (node.share.rows.size() < folds_ || min_rows_ - total > kTie || total - largest < kTie)
            return -1;
        for (uint32_t row : node.share.rows) branch_[row] = 0;
        const double errors = validation_.validate(node, {branch_, whole_}, false).errors;
        int32_t best = -1;
        double least = errors;
        size_t number = 0;
        for (size_t j = 0; j < data_.columns.size() && errors > kSameErrors; ++j) {
            const TreeColumn& column = data_.columns[j];
            const Split split = column.numeric()
                                    ? finder_.numeric_split(column, node.sorted[number++], weight_,
                                                            total)
                                    : finder_.nominal_split(column, node.share, total);
            if (!split.usable) continue;
            const ValidationResult result = validate_split(column, split.threshold, node);
            if (result.validated_branches < 2 || least - result.errors <= kSameErrors) continue;
            best = static_cast<int32_t>(j);
            least = result.errors;
            *threshold = split.threshold;
        }
        return errors - least >= reduction_ * errors - kSameErrors ? best : -1;
    }

    // Validates naive Bayes in the branches of a test.
    ValidationResult validate_split(const TreeColumn& column, double threshold,
                                    const GrowingNode& node) {
        for (uint32_t row : node.share.rows) branch_[row] = column.branch(row, threshold);
        const auto parts = branch_shares(column, threshold, column.branches(), node.share);
        return validation_.validate(node, {branch_, parts}, true);
    }

    const TreeRows& data_;
    double min_rows_, reduction_;
    size_t folds_;
    SplitFinder finder_;
    Logs logs_;
    NaiveValidation validation_;
    NaiveLearner learner_;
    NaiveTree grown_;
    std::vector<double> weight_;  // weights of the rows of the current node
    std::vector<int32_t> branch_;
    const std::vector<double> whole_{1.0};  // the part of a single branch
};

inline nb::tuple grow_nbtree(const std::vector<Array>& arrays,
                                 const std::vector<int64_t>& cards, const Array& target,
                                 int64_t n_classes, Vector<double> weights, double min_rows,
                                 double reduction, size_t folds) {
    const TreeRows data(arrays, cards, target, n_classes, weights);
    NaiveTree grown{FlatTree(data.classes), {}, {}};
    {
        nb::gil_scoped_release release;
        grown = NaiveTreeGrower(data, min_rows, reduction, folds).grow();
    }
    const NaiveModels& models = grown.models;
    auto priors = make_result<double>({models.count, data.classes});
    std::copy(models.priors.begin(), models.priors.end(), priors.data());
    auto values = make_result<int32_t>({models.count, data.columns.size()});
    std::copy(models.values.begin(), models.values.end(), values.data());
    return nb::make_tuple(as_tuple(grown.tree), copied(grown.model), priors, values,
                          copied(models.cuts), copied(models.tables));
}

}  // namespace bayesgrove
