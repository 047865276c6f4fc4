// Estimates of the errors of naive Bayes in the branches of a node, by cross-validation.
#pragma once

#include "nbtree_intervals.hpp"
#include "nbtree_folds.hpp"

namespace bayesgrove {

constexpr double kEvenLogs = 1e-10;  // logarithms of probabilities closer than this are equal

struct ValidationResult {
    double errors;  // weight of the errors; all rows of branches that are not validated are errors
    size_t validated_branches;  // number of branches with at least as many rows as folds
};

// Cross-validation of naive Bayes: it learns from all folds but one and predicts that fold.
class NaiveValidation {
public:
    NaiveValidation(const TreeRows& data, const Terms& terms, const Logs& logs, size_t folds)
        : data_(data), logs_(logs), classes_(data.classes), cells_(folds * data.classes),
          cutter_(data.classes, terms), entries_(data, folds), known_(cells_), sums_(classes_) {}

    // Returns the errors in the branches of a node. Numbers are cut once for all folds. The rows of
    // a fold are subtracted from the counts.
    ValidationResult validate(const GrowingNode& node, const Routing& routing, bool stratified) {
        entries_.deal(node, routing, stratified);
        start();
        size_t number = 0;
        for (const auto& column : data_.columns) {
            if (column.numeric())
                add_numbers(column, node.sorted[number++], routing);
            else
                add_codes(column);
        }
        ValidationResult result{entries_.too_few, entries_.validated_branches()};
        for (size_t e = 0; e < entries_.size(); ++e)
            if (predicted(e) != entries_.class_of[e]) result.errors += entries_.weight[e];
        return result;
    }

private:
    // Returns the place of the fold of an entry, where it is counted and where its terms are.
    size_t cell(size_t entry) const { return entries_.fold[entry] * classes_; }

    void count(size_t value, size_t entry) {
        tally_[value * cells_ + cell(entry) + entries_.class_of[entry]] += entries_.weight[entry];
    }

    void add_terms(size_t value, size_t entry) {
        const double* terms = &tally_[value * cells_ + cell(entry)];
        for (size_t c = 0; c < classes_; ++c) joint_[entry * classes_ + c] += terms[c];
    }

    // Starts the joint log-probabilities with the log-probabilities of the classes.
    void start() {
        joint_.assign(entries_.size() * classes_, 0.0);
        for (const BranchEntries& branch : entries_.branches) {
            if (branch.empty()) continue;
            tally_.assign(cells_, 0.0);
            for (size_t e = branch.from; e < branch.to; ++e) count(0, e);
            take_out(tally_.data());
            for (size_t f = 0; f < cells_; f += classes_) {
                double* cells = &tally_[f];
                const double total = sum_of(cells, classes_) + static_cast<double>(classes_);
                for (size_t c = 0; c < classes_; ++c) cells[c] = logs_(cells[c] + 1.0) - logs_(total);
            }
            for (size_t e = branch.from; e < branch.to; ++e) add_terms(0, e);
        }
    }

    void add_codes(const TreeColumn& column) {
        const auto& rows = entries_.row;
        for (const BranchEntries& branch : entries_.branches) {
            if (branch.empty()) continue;
            tally_.assign(column.card * cells_, 0.0);
            for (size_t e = branch.from; e < branch.to; ++e)
                if (column.codes[rows[e]] < column.card) count(column.codes[rows[e]], e);
            make_logs(column.card);
            for (size_t e = branch.from; e < branch.to; ++e)
                if (column.codes[rows[e]] < column.card) add_terms(column.codes[rows[e]], e);
        }
    }

    // Adds the terms of a numeric column. A column without cuts adds nothing.
    void add_numbers(const TreeColumn& column, const std::vector<uint32_t>& sorted,
                     const Routing& routing) {
        values_.resize(entries_.size());
        in_order_.resize(entries_.size());
        next_.clear();
        for (const auto& branch : entries_.branches) next_.push_back(branch.from);
        for (uint32_t row : sorted)
            entries_.for_row(row, routing.branch[row], [&](size_t b, size_t entry) {
                values_[next_[b]] = column.numbers[row];
                in_order_[next_[b]++] = static_cast<uint32_t>(entry);
            });
        for (size_t b = 0; b < next_.size(); ++b) {
            const size_t from = entries_.branches[b].from;
            const SortedColumn list{values_.data() + from, in_order_.data() + from,
                                    next_[b] - from};
            const auto& starts =
                cutter_.starts(list, entries_.class_of.data(), entries_.weight.data());
            if (!starts.empty()) add_intervals(list, starts);
        }
    }

    void add_intervals(const SortedColumn& list, const std::vector<size_t>& starts) {
        tally_.assign((starts.size() + 1) * cells_, 0.0);
        for_intervals(list, starts, [&](size_t interval, uint32_t e) { count(interval, e); });
        make_logs(starts.size() + 1);
        for_intervals(list, starts, [&](size_t interval, uint32_t e) { add_terms(interval, e); });
    }

    // Replaces the weights in a fold by the logarithms of P(value | class) in the other folds.
    void make_logs(size_t values) {
        std::fill(known_.begin(), known_.end(), 0.0);
        for (size_t v = 0; v < values; ++v) {
            take_out(&tally_[v * cells_]);
            for (size_t k = 0; k < cells_; ++k) known_[k] += tally_[v * cells_ + k];
        }
        for (double& all : known_) all = logs_(all + static_cast<double>(values));
        for (size_t v = 0; v < values; ++v)
            for (size_t k = 0; k < cells_; ++k)
                tally_[v * cells_ + k] = logs_(tally_[v * cells_ + k] + 1.0) - known_[k];
    }

    // Replaces the weights in a fold by the weights in all other folds.
    void take_out(double* tally) {
        std::fill(sums_.begin(), sums_.end(), 0.0);
        for (size_t f = 0; f < cells_; f += classes_)
            for (size_t c = 0; c < classes_; ++c) sums_[c] += tally[f + c];
        for (size_t f = 0; f < cells_; f += classes_)
            for (size_t c = 0; c < classes_; ++c) tally[f + c] = sums_[c] - tally[f + c];
    }

    // Returns the most probable class. Ties go to the first class.
    uint32_t predicted(size_t entry) const {
        const double* joint = &joint_[entry * classes_];
        const double least = *std::max_element(joint, joint + classes_) - kEvenLogs;
        uint32_t c = 0;
        while (joint[c] < least) ++c;
        return c;
    }

    const TreeRows& data_;
    const Logs& logs_;
    size_t classes_, cells_;  // one cell per fold and class
    IntervalCutter cutter_;
    FoldEntries entries_;
    std::vector<uint32_t> in_order_;
    std::vector<size_t> next_;
    std::vector<double> values_, joint_, tally_, known_, sums_;
};

}  // namespace bayesgrove
