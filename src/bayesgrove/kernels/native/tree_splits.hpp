// The tests of a C4.5 tree at a node: one branch per value of codes, or two branches at a threshold
// of numbers.
#pragma once

#include "trees.hpp"

namespace bayesgrove {

constexpr double kGap = 1e-5;  // no threshold lies between values closer than this many units

// A test at a node: whether it is usable, and its quality.
struct Split {
    bool usable = false;
    double gain = 0.0, ratio = 0.0, threshold = 0.0;
};

// Finds the best test of a column.
class SplitFinder {
public:
    SplitFinder(const TreeRows& data, double min_rows, bool mdl)
        : data_(data), min_rows_(min_rows), mdl_(mdl), terms_(sum_of(data.weights, data.rows)) {}

    const Terms& terms() const { return terms_; }

    // Returns the test with one branch per value.
    Split nominal_split(const TreeColumn& column, const Share& share, double total) {
        const size_t classes = data_.classes;
        table_.assign(column.card * classes, 0.0);
        for (size_t e = 0; e < share.rows.size(); ++e) {
            const uint32_t row = share.rows[e], code = column.codes[row];
            if (code < column.card) table_[code * classes + data_.target[row]] += share.weights[e];
        }
        branch_weights_.resize(column.card);
        sums_.assign(classes, 0.0);
        size_t large = 0;
        double inside = 0.0;
        for (size_t v = 0; v < column.card; ++v) {
            const double* cells = &table_[v * classes];
            branch_weights_[v] = sum_of(cells, classes);
            for (size_t c = 0; c < classes; ++c) sums_[c] += cells[c];
            large += min_rows_ - branch_weights_[v] < kTie;
            inside += terms_(branch_weights_[v]) - terms_.sum(cells, classes);
        }
        if (large < 2) return {};
        const double known = sum_of(branch_weights_.data(), branch_weights_.size());
        const double before = terms_(known) - terms_.sum(sums_.data(), classes);
        const double gain = scaled(before - inside, known, total);
        const double gain_ratio =
            ratio(gain, branch_weights_.data(), branch_weights_.size(), known, total);
        return {true, gain, gain_ratio, 0.0};
    }

    // Returns the test with two branches at the threshold with the largest gain. `sorted` has the
    // rows with a known value, sorted by value. `weight` has the weights of all rows.
    Split numeric_split(const TreeColumn& column, const std::vector<uint32_t>& sorted,
                        const std::vector<double>& weight, double total) {
        const size_t classes = data_.classes;
        sums_.assign(classes, 0.0);
        double known = 0.0;
        bool whole = true;
        for (uint32_t r : sorted) {
            sums_[data_.target[r]] += weight[r];
            known += weight[r];
            whole &= weight[r] == std::floor(weight[r]);
        }
        table_.assign(classes, 0.0);
        lower_.assign(classes, terms_(0.0));
        upper_.resize(classes);
        for (size_t c = 0; c < classes; ++c) upper_[c] = terms_(sums_[c]);
        return whole && terms_.tabulated(known)
                   ? scan(column, sorted, weight, known, total, terms_.of_whole())
                   : scan(column, sorted, weight, known, total, terms_);
    }

private:
    // Returns the least weight of a numeric branch: a tenth of the mean class weight, but at least
    // min_rows, and at most 25 unless min_rows is larger.
    double min_part(double known) const {
        const double tenth = 0.1 * known / static_cast<double>(data_.classes);
        return tenth - min_rows_ < kTie ? min_rows_ : std::min(tenth, 25.0);
    }

    // Finds the threshold with the largest gain. `terms` may be limited to whole numbers if all
    // weights are whole.
    template <typename T>
    Split scan(const TreeColumn& column, const std::vector<uint32_t>& sorted,
               const std::vector<double>& weight, double known, double total, const T& terms) {
        const size_t classes = data_.classes;
        const double least = min_part(known), gap = kGap * column.unit;
        const double before = terms_(known) - terms_.sum(sums_.data(), classes);
        double below = 0.0, largest = 0.0, largest_gained = 0.0, best_below = 0.0, point = 0.0;
        size_t points = 0;
        for (size_t k = 0; k + 1 < sorted.size(); ++k) {
            // One more row is below the threshold. Only the terms of its class change.
            const size_t c = data_.target[sorted[k]];
            table_[c] += weight[sorted[k]];
            below += weight[sorted[k]];
            lower_[c] = terms(table_[c]);
            upper_[c] = terms(sums_[c] - table_[c]);
            const double low = column.numbers[sorted[k]], high = column.numbers[sorted[k + 1]];
            if (!(low + gap < high)) continue;
            const double above = known - below;
            if (least - below >= kTie) continue;
            if (least - above >= kTie) break;
            ++points;
            const double gained = before - ((terms(below) - sum_of(lower_.data(), classes)) +
                                            (terms(above) - sum_of(upper_.data(), classes)));
            if (gained <= largest_gained) continue;  // the gain per row is then not larger either
            const double gain = scaled(gained, known, total);
            if (gain - largest <= kTie) continue;
            largest = gain;
            largest_gained = gained;
            best_below = below;
            point = middle(low, high);
        }
        if (points == 0) return {};
        if (mdl_) largest -= std::log2(static_cast<double>(points)) / total;
        if (largest < kTie) return {};
        const double branch_weights[2] = {best_below, known - best_below};
        return {true, largest, ratio(largest, branch_weights, 2, known, total), point};
    }

    // Returns the gain per row in bits, scaled by the share of rows with a known value.
    static double scaled(double gained, double known, double total) {
        const double part = known / total * gained;
        return part < kTie ? 0.0 : part / known;
    }

    // Returns the gain divided by the entropy of the branches. Rows with a missing value are one
    // more branch.
    double ratio(double gain, const double* branch_weights, size_t count, double known,
                 double total) const {
        const double bits =
            terms_(total) - terms_.sum(branch_weights, count) - terms_(total - known);
        return bits < kTie ? 0.0 : gain / (bits / total);
    }

    const TreeRows& data_;
    double min_rows_;
    bool mdl_;
    Terms terms_;
    std::vector<double> table_, branch_weights_, sums_, lower_, upper_;
};

// Rows with a known value, sorted by value, one list per numeric column.
using RowsByValue = std::vector<std::vector<uint32_t>>;

inline RowsByValue rows_by_value(const TreeRows& data) {
    RowsByValue lists;
    for (const auto& column : data.columns) {
        if (!column.numeric()) continue;
        std::vector<uint32_t> known;
        for (uint32_t r = 0; r < data.rows; ++r)
            if (!std::isnan(column.numbers[r])) known.push_back(r);
        std::stable_sort(known.begin(), known.end(), [&](uint32_t a, uint32_t b) {
            return column.numbers[a] < column.numbers[b];
        });
        lists.push_back(std::move(known));
    }
    return lists;
}

// A node that may be split.
struct GrowingNode {
    size_t node;
    Share share;
    RowsByValue sorted;
};

// The children of a node: the part of rows with a missing value that each child gets, and its rows.
struct Branches {
    std::vector<double> parts;
    std::vector<Share> shares;
};

// Turns a node into a test, and adds its children as leaves with their class weights.
inline Branches split_node(const TreeRows& data, FlatTree& tree, const GrowingNode& node,
                           int32_t chosen, double threshold) {
    const TreeColumn& column = data.columns[chosen];
    const size_t count = column.branches(), from = tree.size();
    tree.attribute[node.node] = chosen;
    tree.threshold[node.node] = threshold;
    tree.first[node.node] = static_cast<int32_t>(from);
    tree.count[node.node] = static_cast<int32_t>(count);
    tree.add_leaves(count);
    Branches branches{branch_shares(column, threshold, count, node.share), {}};
    branches.shares = share_out(column, threshold, count, node.share, branches.parts);
    for (size_t k = 0; k < count; ++k) class_weights(data, branches.shares[k], tree.of(from + k));
    return branches;
}

// Distributes the lists of sorted rows among the children that are open. `branch` is scratch memory
// with one entry per row.
inline std::vector<RowsByValue> pass_on(const TreeColumn& column, double threshold,
                                       const GrowingNode& node, const std::vector<double>& parts,
                                       const std::vector<uint8_t>& open,
                                       std::vector<int32_t>& branch) {
    std::vector<RowsByValue> lists(parts.size());
    std::vector<size_t> all;  // the branches of a row with a missing value
    for (size_t k = 0; k < parts.size(); ++k) {
        if (open[k]) lists[k].resize(node.sorted.size());
        if (open[k] && parts[k] > kTie) all.push_back(k);
    }
    if (std::find(open.begin(), open.end(), 1) == open.end()) return lists;
    for (uint32_t r : node.share.rows) branch[r] = column.branch(r, threshold);
    for (size_t j = 0; j < node.sorted.size(); ++j)
        for (uint32_t r : node.sorted[j]) {
            if (branch[r] < 0)
                for (size_t k : all) lists[k][j].push_back(r);
            else if (open[branch[r]])
                lists[branch[r]][j].push_back(r);
        }
    return lists;
}

}  // namespace bayesgrove
