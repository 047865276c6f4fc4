// Growing a C4.5 tree.
#pragma once

#include <numeric>

#include "trees.hpp"

namespace bayesgrove {

constexpr double kGap = 1e-5;  // values closer than this are not cut apart

// x log2 x, tabulated for whole numbers up to a bound.
class Terms {
public:
    explicit Terms(double most) : table_(static_cast<size_t>(std::min(most, 1e6)) + 1) {
        for (size_t k = 0; k < table_.size(); ++k) table_[k] = work(static_cast<double>(k));
    }

    double operator()(double x) const {
        if (x >= 0.0 && x < static_cast<double>(table_.size())) {
            const auto whole = static_cast<size_t>(x);
            if (static_cast<double>(whole) == x) return table_[whole];
        }
        return work(x);
    }

    double sum(const double* values, size_t count) const {
        double sum = 0.0;
        for (size_t k = 0; k < count; ++k) sum += (*this)(values[k]);
        return sum;
    }

private:
    static double work(double x) { return x < kTie ? 0.0 : x * std::log2(x); }

    std::vector<double> table_;
};

// A test at a node: usable or not, and how good.
struct Split {
    bool usable = false;
    double gain = 0.0, ratio = 0.0, threshold = 0.0;
};

struct GrowingNode {
    size_t node;
    Share share;
    std::vector<std::vector<uint32_t>> sorted;  // known rows by value, one list a numeric column
};

class TreeGrower {
public:
    TreeGrower(const TreeRows& data, double min_rows, bool mdl)
        : data_(data), min_rows_(min_rows), mdl_(mdl), tree_(data.classes),
          terms_(sum_of(data.weights, data.rows)), weight_(data.rows), branch_(data.rows),
          used_(data.columns.size()) {
        const double bound = 0.3 * sum_of(data.weights, data.rows);
        bool all_many = true;
        for (const auto& column : data.columns) {
            counts_.push_back(column.numeric() || bound - column.card > kTie);
            all_many = all_many && !counts_.back();
        }
        if (all_many) counts_.assign(counts_.size(), 1);
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
        GrowingNode node{0, all_rows(data_), {}};
        for (const auto& column : data_.columns) {
            if (!column.numeric()) continue;
            std::vector<uint32_t> known;
            for (uint32_t r : node.share.rows)
                if (!std::isnan(column.numbers[r])) known.push_back(r);
            std::stable_sort(known.begin(), known.end(), [&](uint32_t a, uint32_t b) {
                return column.numbers[a] < column.numbers[b];
            });
            std::vector<double> values;
            for (uint32_t r : known) values.push_back(column.numbers[r]);
            values_.push_back(std::move(values));
            node.sorted.push_back(std::move(known));
        }
        return node;
    }

    // Whether a node has rows enough, of more than one class.
    bool open(size_t node) const {
        const double* weights = &tree_.weights[node * data_.classes];
        const double total = sum_of(weights, data_.classes);
        if (2.0 * min_rows_ - total > kTie) return false;
        return total - *std::max_element(weights, weights + data_.classes) >= kTie;
    }

    // Turn a node into a test if there is a good one; children to be tried next wait.
    void divide(GrowingNode& node, std::vector<GrowingNode>& waiting) {
        for (size_t e = 0; e < node.share.rows.size(); ++e)
            weight_[node.share.rows[e]] = node.share.weights[e];
        double threshold = 0.0;
        const int32_t chosen = choose(node, &threshold);
        if (chosen < 0) return;
        const TreeColumn& column = data_.columns[chosen];
        const size_t branches = column.numeric() ? 2 : column.card, from = tree_.size();
        tree_.attribute[node.node] = chosen;
        tree_.threshold[node.node] = threshold;
        tree_.first[node.node] = static_cast<int32_t>(from);
        tree_.count[node.node] = static_cast<int32_t>(branches);
        tree_.add_leaves(branches);
        parent_.resize(tree_.size(), static_cast<int32_t>(node.node));
        const auto parts = branch_shares(column, threshold, branches, node.share);
        auto shares = share_out(column, threshold, branches, node.share, parts);
        std::vector<int64_t> place(branches, -1);  // among those that wait
        const size_t before = waiting.size();
        for (size_t k = branches; k-- > 0;) {
            class_weights(data_, shares[k], tree_.of(from + k));
            if (!open(from + k)) continue;
            place[k] = static_cast<int64_t>(waiting.size());
            waiting.push_back({from + k, std::move(shares[k]), {}});
            waiting.back().sorted.resize(node.sorted.size());
        }
        if (waiting.size() > before) pass_on(node, column, threshold, parts, place, waiting);
    }

    // The lists of sorted rows, divided among the children that wait.
    void pass_on(const GrowingNode& node, const TreeColumn& column, double threshold,
                 const std::vector<double>& parts, const std::vector<int64_t>& place,
                 std::vector<GrowingNode>& waiting) {
        for (uint32_t r : node.share.rows) branch_[r] = column.branch(r, threshold);
        for (size_t j = 0; j < node.sorted.size(); ++j) {
            for (uint32_t r : node.sorted[j]) {
                const int32_t b = branch_[r];
                if (b >= 0) {
                    if (place[b] >= 0) waiting[place[b]].sorted[j].push_back(r);
                    continue;
                }
                for (size_t k = 0; k < parts.size(); ++k)
                    if (place[k] >= 0 && parts[k] > kTie) waiting[place[k]].sorted[j].push_back(r);
            }
        }
    }

    void mark(size_t node, uint8_t used) {
        for (int32_t n = parent_[node]; n >= 0; n = parent_[n]) used_[tree_.attribute[n]] = used;
    }

    // The column with the best gain ratio among those of at least average gain, or -1.
    int32_t choose(const GrowingNode& node, double* threshold) {
        const double total = tree_.total(node.node);
        splits_.assign(data_.columns.size(), Split{});
        double gains = 0.0;
        size_t usable = 0, number = 0;
        mark(node.node, 1);
        for (size_t j = 0; j < splits_.size(); ++j) {
            if (data_.columns[j].numeric())
                splits_[j] = cut(data_.columns[j], node.sorted[number++], total);
            else if (!used_[j])
                splits_[j] = fan(data_.columns[j], node.share, total);
            if (!splits_[j].usable || !counts_[j]) continue;
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

    // The largest value of a column, anywhere in the table, not above a point.
    double data_value(int32_t chosen, double point) const {
        size_t number = 0;
        for (int32_t j = 0; j < chosen; ++j) number += data_.columns[j].numeric();
        const auto& values = values_[number];
        return *(std::partition_point(values.begin(), values.end(),
                                      [&](double value) { return value - point < kTie; }) - 1);
    }

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

    // Two branches at the threshold with the largest gain.
    Split cut(const TreeColumn& column, const std::vector<uint32_t>& sorted, double total) {
        const size_t classes = data_.classes;
        sums_.assign(classes, 0.0);
        double known = 0.0;
        for (uint32_t r : sorted) {
            sums_[data_.target[r]] += weight_[r];
            known += weight_[r];
        }
        const double least = least_part(known);
        const double before = terms_(known) - terms_.sum(sums_.data(), classes);
        table_.assign(classes, 0.0);
        double left = 0.0, most = 0.0, best_left = 0.0, point = 0.0;
        size_t points = 0;
        for (size_t k = 0; k + 1 < sorted.size(); ++k) {
            table_[data_.target[sorted[k]]] += weight_[sorted[k]];
            left += weight_[sorted[k]];
            const double low = column.numbers[sorted[k]], high = column.numbers[sorted[k + 1]];
            if (!(low + kGap < high)) continue;
            const double right = known - left;
            if (least - left >= kTie) continue;
            if (least - right >= kTie) break;
            ++points;
            const double gain = scaled(before - parts_inside(left, right), known, total);
            if (gain - most <= kTie) continue;
            most = gain;
            best_left = left;
            point = middle(low, high);
        }
        if (points == 0) return {};
        if (mdl_) most -= std::log2(static_cast<double>(points)) / total;
        if (most < kTie) return {};
        const double bags[2] = {best_left, known - best_left};
        return {true, most, ratio(most, bags, 2, known, total), point};
    }

    // Each part of a numeric split has a tenth of the mean class, but not more than 25 rows.
    double least_part(double known) const {
        const double tenth = 0.1 * known / static_cast<double>(data_.classes);
        return tenth - min_rows_ < kTie ? min_rows_ : std::min(tenth, 25.0);
    }

    double parts_inside(double left, double right) const {
        double lower = 0.0, upper = 0.0;
        for (size_t c = 0; c < data_.classes; ++c) {
            lower += terms_(table_[c]);
            upper += terms_(sums_[c] - table_[c]);
        }
        return (terms_(left) - lower) + (terms_(right) - upper);
    }

    static double middle(double low, double high) {
        const double point = low / 2.0 + high / 2.0;
        return point >= low && point < high ? point : low;
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
    FlatTree tree_;
    Terms terms_;
    std::vector<int32_t> parent_;
    std::vector<std::vector<double>> values_;  // sorted, one list a numeric column
    std::vector<uint8_t> counts_;              // columns whose gains enter the average
    std::vector<double> weight_;               // of the rows of the node at hand
    std::vector<int32_t> branch_;
    std::vector<uint8_t> used_;
    std::vector<Split> splits_;
    std::vector<double> table_, bags_, sums_;
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
