// The rows of the branches of a node, assigned to the folds of a cross-validation.
#pragma once

#include "tree_splits.hpp"

namespace bayesgrove {

// The branch of every row of a node (-1: all branches in part), and the part of each branch.
struct Routing {
    const std::vector<int32_t>& branch;
    const std::vector<double>& parts;
};

// The entries of a branch: first the rows with a known value in the test, then the rows with a
// missing value. A branch with fewer rows than folds has no entries.
struct BranchEntries {
    size_t from = 0, unknown = 0, to = 0;
    bool has_unknown = false;

    bool empty() const { return from == to; }
};

// An entry is a row in a branch. Its row, class, weight and fold are in separate lists.
class FoldEntries {
public:
    std::vector<BranchEntries> branches;
    std::vector<uint32_t> row, class_of, fold;
    std::vector<double> weight;
    double too_few = 0.0;  // total weight of the branches with fewer rows than folds

    FoldEntries(const TreeRows& data, size_t folds)
        : data_(data), folds_(folds), place_(data.rows) {}

    size_t size() const { return row.size(); }

    // Returns the number of branches with at least as many rows as folds.
    size_t validated_branches() const {
        return static_cast<size_t>(std::count_if(branches.begin(), branches.end(),
                                                 [](const auto& b) { return !b.empty(); }));
    }

    // Deals the rows of each branch to the folds in turn, in the order of the table. If stratified,
    // the rows are dealt class after class.
    void deal(const GrowingNode& node, const Routing& routing, bool stratified) {
        arrange(node, routing);
        fill(node, routing);
        const size_t groups = stratified ? data_.classes : 1;
        turn_.assign(branches.size() * (groups + 1), 0);
        for_all(node, routing, [&](size_t b, size_t entry) {
            ++turn_[b * (groups + 1) + (stratified ? class_of[entry] : 0) + 1];
        });
        for (size_t b = 0; b < branches.size(); ++b)
            for (size_t g = 1; g < groups; ++g)
                turn_[b * (groups + 1) + g] += turn_[b * (groups + 1) + g - 1];
        for_all(node, routing, [&](size_t b, size_t entry) {
            const size_t turn = turn_[b * (groups + 1) + (stratified ? class_of[entry] : 0)]++;
            fold[entry] = static_cast<uint32_t>(turn % folds_);
        });
    }

    // Calls body(branch, entry) for the entries of a row.
    template <typename Body>
    void for_row(uint32_t r, int32_t branch, const Body& body) const {
        if (branch >= 0) {
            if (!branches[branch].empty()) body(static_cast<size_t>(branch), size_t{place_[r]});
            return;
        }
        for (size_t b = 0; b < branches.size(); ++b)
            if (branches[b].has_unknown) body(b, branches[b].unknown + place_[r]);
    }

private:
    template <typename Body>
    void for_all(const GrowingNode& node, const Routing& routing, const Body& body) const {
        for (uint32_t r : node.share.rows) for_row(r, routing.branch[r], body);
    }

    // Determines the place of the entries of each branch.
    void arrange(const GrowingNode& node, const Routing& routing) {
        count_rows(node, routing);
        size_t entries = 0;
        too_few = 0.0;
        branches.assign(routing.parts.size(), BranchEntries{});
        for (size_t b = 0; b < branches.size(); ++b) {
            const bool has_unknown = unknown_ > 0 && routing.parts[b] > kTie;
            const size_t rows = known_[b] + (has_unknown ? unknown_ : 0);
            if (rows < folds_) {
                too_few += known_weight_[b];
                if (has_unknown) too_few += routing.parts[b] * unknown_weight_;
                continue;
            }
            branches[b] = {entries, entries + known_[b], entries + rows, has_unknown};
            entries += rows;
        }
        for (auto* list : {&row, &class_of, &fold}) list->resize(entries);
        weight.resize(entries);
    }

    void count_rows(const GrowingNode& node, const Routing& routing) {
        known_.assign(routing.parts.size(), 0);
        known_weight_.assign(routing.parts.size(), 0.0);
        unknown_ = 0;
        unknown_weight_ = 0.0;
        for (size_t e = 0; e < node.share.rows.size(); ++e) {
            const int32_t b = routing.branch[node.share.rows[e]];
            (b < 0 ? unknown_ : known_[b])++;
            (b < 0 ? unknown_weight_ : known_weight_[b]) += node.share.weights[e];
        }
    }

    void fill(const GrowingNode& node, const Routing& routing) {
        std::fill(known_.begin(), known_.end(), 0);
        size_t unknown = 0;
        for (size_t e = 0; e < node.share.rows.size(); ++e) {
            const uint32_t r = node.share.rows[e];
            const int32_t b = routing.branch[r];
            place_[r] = static_cast<uint32_t>(b < 0 ? unknown++ : branches[b].from + known_[b]++);
            for_row(r, b, [&](size_t branch, size_t entry) {
                row[entry] = r;
                class_of[entry] = data_.target[r];
                weight[entry] = node.share.weights[e] * (b < 0 ? routing.parts[branch] : 1.0);
            });
        }
    }

    const TreeRows& data_;
    size_t folds_;
    // The entry of a row with a known value. For a row with a missing value, its place among such
    // rows.
    std::vector<uint32_t> place_;
    std::vector<size_t> known_, turn_;
    std::vector<double> known_weight_;
    size_t unknown_ = 0;
    double unknown_weight_ = 0.0;
};

}  // namespace bayesgrove
