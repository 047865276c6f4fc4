// What a C4.5 tree can test at a node: one branch a value of codes, two at a threshold of numbers.
#pragma once

#include "trees.hpp"

namespace bayesgrove {

constexpr double kGap = 1e-5;  // values closer than so many units are not cut apart

// A test at a node: usable or not, and how good.
struct Split {
    bool usable = false;
    double gain = 0.0, ratio = 0.0, threshold = 0.0;
};

// The best test of every column.
class SplitFinder {
public:
    SplitFinder(const TreeRows& data, double min_rows, bool mdl)
        : data_(data), min_rows_(min_rows), mdl_(mdl), terms_(sum_of(data.weights, data.rows)) {}

    const Terms& terms() const { return terms_; }

    // One branch a value.
    Split fan(const TreeColumn& column, const Share& share, double total) {
        const size_t classes = data_.classes;
        table_.assign(column.card * classes, 0.0);
        for (size_t e = 0; e < share.rows.size(); ++e) {
            const uint32_t row = share.rows[e], code = column.codes[row];
            if (code < column.card) table_[code * classes + data_.target[row]] += share.weights[e];
        }
        bags_.resize(column.card);
        sums_.assign(classes, 0.0);
        size_t large = 0;
        double inside = 0.0;
        for (size_t v = 0; v < column.card; ++v) {
            const double* cells = &table_[v * classes];
            bags_[v] = sum_of(cells, classes);
            for (size_t c = 0; c < classes; ++c) sums_[c] += cells[c];
            large += min_rows_ - bags_[v] < kTie;
            inside += terms_(bags_[v]) - terms_.sum(cells, classes);
        }
        if (large < 2) return {};
        const double known = sum_of(bags_.data(), bags_.size());
        const double before = terms_(known) - terms_.sum(sums_.data(), classes);
        const double gain = scaled(before - inside, known, total);
        return {true, gain, ratio(gain, bags_.data(), bags_.size(), known, total), 0.0};
    }

    // Two branches at the threshold with the largest gain; the known rows are sorted by value, and
    // `weight` has the weights of all rows.
    Split cut(const TreeColumn& column, const std::vector<uint32_t>& sorted,
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
    // Each part of a numeric split has a tenth of the mean class, but not more than 25 rows.
    double least_part(double known) const {
        const double tenth = 0.1 * known / static_cast<double>(data_.classes);
        return tenth - min_rows_ < kTie ? min_rows_ : std::min(tenth, 25.0);
    }

    // The threshold with the largest gain; `terms` are those of whole numbers, where all are.
    template <typename T>
    Split scan(const TreeColumn& column, const std::vector<uint32_t>& sorted,
               const std::vector<double>& weight, double known, double total, const T& terms) {
        const size_t classes = data_.classes;
        const double least = least_part(known), gap = kGap * column.unit;
        const double before = terms_(known) - terms_.sum(sums_.data(), classes);
        double left = 0.0, most = 0.0, most_gained = 0.0, best_left = 0.0, point = 0.0;
        size_t points = 0;
        for (size_t k = 0; k + 1 < sorted.size(); ++k) {
            // A row more is not above the threshold: only the terms of its class are new.
            const size_t c = data_.target[sorted[k]];
            table_[c] += weight[sorted[k]];
            left += weight[sorted[k]];
            lower_[c] = terms(table_[c]);
            upper_[c] = terms(sums_[c] - table_[c]);
            const double low = column.numbers[sorted[k]], high = column.numbers[sorted[k + 1]];
            if (!(low + gap < high)) continue;
            const double right = known - left;
            if (least - left >= kTie) continue;
            if (least - right >= kTie) break;
            ++points;
            const double gained = before - ((terms(left) - sum_of(lower_.data(), classes)) +
                                            (terms(right) - sum_of(upper_.data(), classes)));
            if (gained <= most_gained) continue;  // nor does it gain more a row
            const double gain = scaled(gained, known, total);
            if (gain - most <= kTie) continue;
            most = gain;
            most_gained = gained;
            best_left = left;
            point = middle(low, high);
        }
        if (points == 0) return {};
        if (mdl_) most -= std::log2(static_cast<double>(points)) / total;
        if (most < kTie) return {};
        const double bags[2] = {best_left, known - best_left};
        return {true, most, ratio(most, bags, 2, known, total), point};
    }

    // What the known rows gain, in bits a row, times the share of them.
    static double scaled(double gained, double known, double total) {
        const double part = known / total * gained;
        return part < kTie ? 0.0 : part / known;
    }

    // Gain by bits that tell the branch; rows with a missing value are one more branch.
    double ratio(double gain, const double* bags, size_t count, double known, double total) const {
        const double bits = terms_(total) - terms_.sum(bags, count) - terms_(total - known);
        return bits < kTie ? 0.0 : gain / (bits / total);
    }

    const TreeRows& data_;
    double min_rows_;
    bool mdl_;
    Terms terms_;
    std::vector<double> table_, bags_, sums_, lower_, upper_;
};

// Known rows by value, one list a numeric column.
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

// A node that may be divided.
struct GrowingNode {
    size_t node;
    Share share;
    RowsByValue sorted;
};

// The children of a node: what part of the rows without a known value they get, and their rows.
struct Branches {
    std::vector<double> parts;
    std::vector<Share> shares;
};

// Makes a node a test, and its children leaves with their weights.
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

// The lists of sorted rows, divided among the children that are open; `branch` is room for a
// number a row.
inline std::vector<RowsByValue> pass_on(const TreeColumn& column, double threshold,
                                       const GrowingNode& node, const std::vector<double>& parts,
                                       const std::vector<uint8_t>& open,
                                       std::vector<int32_t>& branch) {
    std::vector<RowsByValue> lists(parts.size());
    std::vector<size_t> all;  // the branches of a row without a known value
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
