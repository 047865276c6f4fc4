// Decision trees: columns of codes or numbers, flat nodes, rows distributed among branches, and the
// class distributions of rows.
#pragma once

#include "common.hpp"

namespace bayesgrove {

constexpr double kTie = 1e-6;  // numbers that differ by less are equal, as in C4.5

// A function of counts, tabulated for whole numbers up to `largest` and at most 10^6.
template <double (*work)(double)>
class Tabulated {
public:
    explicit Tabulated(double largest) : table_(static_cast<size_t>(std::min(largest, 1e6)) + 1) {
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

    // Returns whether all whole numbers up to `largest` are in the table.
    bool tabulated(double largest) const { return largest < static_cast<double>(table_.size()); }

    // The function for whole numbers that are in the table.
    struct OfWhole {
        const double* table;
        double operator()(double x) const { return table[static_cast<int64_t>(x)]; }
    };
    OfWhole of_whole() const { return {table_.data()}; }

private:
    std::vector<double> table_;
};

inline double x_log_x(double x) { return x < kTie ? 0.0 : x * std::log2(x); }
inline double natural_log(double x) { return std::log(x); }

using Terms = Tabulated<x_log_x>;
using Logs = Tabulated<natural_log>;

// Codes (the code `card` or beyond is missing), or numbers (card 0, NaN is missing).
struct TreeColumn {
    const double* numbers = nullptr;
    std::vector<uint32_t> codes;
    uint32_t card = 0;
    double unit = 1.0;  // unit in which gaps between numbers are measured

    bool numeric() const { return numbers != nullptr; }
    size_t branches() const { return numeric() ? 2 : card; }

    // Returns the branch that a row takes, -1 if its value is missing.
    int32_t branch(size_t row, double threshold) const {
        if (numeric()) return numbers[row] <= threshold ? 0 : numbers[row] > threshold ? 1 : -1;
        return codes[row] < card ? static_cast<int32_t>(codes[row]) : -1;
    }
};

inline TreeColumn as_tree_column(const Array& a, int64_t card) {
    TreeColumn column;
    if (card > 0) {
        const Column codes = as_column(a);
        column.codes.resize(codes.rows);
        codes.load(0, codes.rows, column.codes.data());
        column.card = static_cast<uint32_t>(card);
        return column;
    }
    if (a.ndim() != 1 || (a.shape(0) > 1 && a.stride(0) != 1) || a.dtype() != nb::dtype<double>())
        throw std::invalid_argument("A column of numbers must be contiguous float64.");
    column.numbers = static_cast<const double*>(a.data());
    return column;
}

inline std::vector<TreeColumn> as_tree_columns(const std::vector<Array>& arrays,
                                               const std::vector<int64_t>& cards, size_t rows) {
    if (arrays.size() != cards.size())
        throw std::invalid_argument("There must be one cardinality per column.");
    std::vector<TreeColumn> columns;
    columns.reserve(arrays.size());
    for (size_t j = 0; j < arrays.size(); ++j) {
        columns.push_back(as_tree_column(arrays[j], cards[j]));
        if (arrays[j].shape(0) != rows)
            throw std::invalid_argument("The columns differ in length.");
    }
    return columns;
}

constexpr double kSmallRange = 0.01;  // a column with a smaller range measures gaps by its range

// Returns the unit in which gaps are measured: 1, or the range of the known numbers if it is small.
inline double unit_of(const double* numbers, size_t rows) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (size_t r = 0; r < rows; ++r) {
        if (numbers[r] < low) low = numbers[r];
        if (numbers[r] > high) high = numbers[r];
    }
    return low < high && high - low < kSmallRange ? high - low : 1.0;
}

// The training rows: columns, classes and weights.
struct TreeRows {
    std::vector<TreeColumn> columns;
    std::vector<uint32_t> target;
    const double* weights;
    size_t rows, classes;

    TreeRows(const std::vector<Array>& arrays, const std::vector<int64_t>& cards,
             const Array& classes_of_rows, int64_t n_classes, const Vector<double>& row_weights)
        : weights(row_weights.data()), rows(row_weights.shape(0)),
          classes(static_cast<size_t>(n_classes)) {
        if (n_classes < 1) throw std::invalid_argument("A tree needs at least one class.");
        columns = as_tree_columns(arrays, cards, rows);
        for (auto& column : columns)
            if (column.numeric()) column.unit = unit_of(column.numbers, rows);
        const Column codes = as_column(classes_of_rows);
        if (codes.rows != rows) throw std::invalid_argument("There must be one class per row.");
        target.resize(rows);
        codes.load(0, rows, target.data());
        for (uint32_t c : target)
            if (c >= classes) throw std::invalid_argument("Every row must have a class.");
    }
};

// The rows of a node, in their order in the table, with the weight that each has in the node.
struct Share {
    std::vector<uint32_t> rows;
    std::vector<double> weights;

    void add(uint32_t row, double weight) {
        rows.push_back(row);
        weights.push_back(weight);
    }
};

inline Share all_rows(const TreeRows& data) {
    Share share;
    share.rows.resize(data.rows);
    for (size_t r = 0; r < data.rows; ++r) share.rows[r] = static_cast<uint32_t>(r);
    share.weights.assign(data.weights, data.weights + data.rows);
    return share;
}

inline void class_weights(const TreeRows& data, const Share& share, double* out) {
    std::fill(out, out + data.classes, 0.0);
    for (size_t e = 0; e < share.rows.size(); ++e)
        out[data.target[share.rows[e]]] += share.weights[e];
}

// Returns the share of each branch in the weight of the rows with a known value. The shares are
// equal if no value is known.
inline std::vector<double> branch_shares(const TreeColumn& column, double threshold,
                                         size_t branches, const Share& share) {
    std::vector<double> parts(branches);
    for (size_t e = 0; e < share.rows.size(); ++e) {
        const int32_t b = column.branch(share.rows[e], threshold);
        if (b >= 0) parts[b] += share.weights[e];
    }
    const double total = sum_of(parts.data(), branches);
    for (double& part : parts)
        part = total > 0.0 ? part / total : 1.0 / static_cast<double>(branches);
    return parts;
}

// Distributes rows among branches. A row with a known value goes down the branch of that value. A
// row with a missing value goes down all branches in part.
inline std::vector<Share> share_out(const TreeColumn& column, double threshold, size_t branches,
                                    const Share& share, const std::vector<double>& parts) {
    std::vector<Share> children(branches);
    for (size_t e = 0; e < share.rows.size(); ++e) {
        const uint32_t row = share.rows[e];
        const int32_t b = column.branch(row, threshold);
        if (b >= 0) {
            children[b].add(row, share.weights[e]);
            continue;
        }
        for (size_t k = 0; k < branches; ++k)
            if (parts[k] > kTie) children[k].add(row, parts[k] * share.weights[e]);
    }
    return children;
}

// Nodes as arrays. The children of a node are adjacent and have higher numbers than the node.
struct FlatTree {
    std::vector<int32_t> attribute, first, count;
    std::vector<double> threshold, weights;
    size_t classes;

    explicit FlatTree(size_t n_classes) : classes(n_classes) {}

    size_t size() const { return attribute.size(); }
    double* of(size_t node) { return &weights[node * classes]; }
    double total(size_t node) const { return sum_of(&weights[node * classes], classes); }

    void add_leaves(size_t more) {
        attribute.resize(size() + more, -1);
        first.resize(size(), 0);
        count.resize(size(), 0);
        threshold.resize(size(), 0.0);
        weights.resize(size() * classes, 0.0);
    }
};

template <typename T>
Result<T> copied(const std::vector<T>& values) {
    auto result = make_result<T>({values.size()});
    std::copy(values.begin(), values.end(), result.data());
    return result;
}

inline nb::tuple as_tuple(const FlatTree& tree) {
    auto weights = make_result<double>({tree.size(), tree.classes});
    std::copy(tree.weights.begin(), tree.weights.end(), weights.data());
    return nb::make_tuple(copied(tree.attribute), copied(tree.threshold), copied(tree.first),
                          copied(tree.count), weights);
}

using NodeWeights = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Returns the tree of some arrays; throws unless they fit each other and the columns.
inline FlatTree as_tree(const Vector<int32_t>& attribute, const Vector<double>& threshold,
                        const Vector<int32_t>& first, const Vector<int32_t>& count,
                        const NodeWeights& weights, const std::vector<int64_t>& cards) {
    const size_t size = attribute.shape(0);
    if (size == 0 || threshold.shape(0) != size || first.shape(0) != size ||
        count.shape(0) != size || weights.shape(0) != size)
        throw std::invalid_argument("The arrays of a tree must have the same number of entries.");
    FlatTree tree(weights.shape(1));
    tree.attribute.assign(attribute.data(), attribute.data() + size);
    tree.threshold.assign(threshold.data(), threshold.data() + size);
    tree.first.assign(first.data(), first.data() + size);
    tree.count.assign(count.data(), count.data() + size);
    tree.weights.assign(weights.data(), weights.data() + size * tree.classes);
    for (size_t n = 0; n < size; ++n) {
        const int64_t a = tree.attribute[n], from = tree.first[n], k = tree.count[n];
        if (a < 0 && k == 0) continue;
        if (a < 0 || static_cast<size_t>(a) >= cards.size() || k != (cards[a] ? cards[a] : 2) ||
            from <= static_cast<int64_t>(n) || static_cast<size_t>(from + k) > size)
            throw std::invalid_argument("A node does not fit the columns or the tree.");
    }
    return tree;
}

using PartsOfRow = std::vector<std::pair<int32_t, double>>;

// Calls visit(leaf, part) for the leaves that a row reaches, upper leaves first. A row with a
// missing value in a test goes down all branches, in proportion to their weights. `queue` has the
// nodes to visit, each with the part of the row that reaches it.
template <typename Visit>
void for_leaves(const FlatTree& tree, const std::vector<double>& totals,
                const std::vector<TreeColumn>& columns, size_t row, PartsOfRow& queue,
                const Visit& visit) {
    queue.assign(1, {0, 1.0});
    for (size_t q = 0; q < queue.size(); ++q) {
        auto [node, part] = queue[q];
        if (tree.count[node] == 0 || totals[node] < kTie) {
            visit(node, part);
            continue;
        }
        const int32_t from = tree.first[node];
        const int32_t b = columns[tree.attribute[node]].branch(row, tree.threshold[node]);
        if (b >= 0) {
            queue.emplace_back(from + b, part);
            continue;
        }
        for (int32_t k = from; k < from + tree.count[node]; ++k)
            if (totals[k] >= kTie) queue.emplace_back(k, part * (totals[k] / totals[node]));
    }
}

// The class probabilities of every node. A node without rows predicts as its parent does.
class NodeDistributions {
public:
    explicit NodeDistributions(FlatTree tree)
        : tree_(std::move(tree)), totals_(tree_.size()), probabilities_(tree_.weights.size()) {
        const size_t classes = tree_.classes;
        for (size_t c = 0; c < classes; ++c) probabilities_[c] = 1.0 / static_cast<double>(classes);
        for (size_t n = 0; n < tree_.size(); ++n) {
            totals_[n] = tree_.total(n);
            double* shares = &probabilities_[n * classes];
            if (totals_[n] >= kTie)
                for (size_t c = 0; c < classes; ++c) shares[c] = tree_.of(n)[c] / totals_[n];
            for (int32_t k = 0; k < tree_.count[n]; ++k)
                std::copy(shares, shares + classes,
                          &probabilities_[(tree_.first[n] + k) * classes]);
        }
    }

    // Adds the class distribution of a row to `out`.
    void add(const std::vector<TreeColumn>& columns, size_t row, double* out,
             PartsOfRow& queue) const {
        for_leaves(tree_, totals_, columns, row, queue, [&](int32_t node, double part) {
            for (size_t c = 0; c < tree_.classes; ++c)
                out[c] += part * probabilities_[node * tree_.classes + c];
        });
    }

private:
    FlatTree tree_;
    std::vector<double> totals_, probabilities_;
};

inline Result<double> tree_distributions(Vector<int32_t> attribute, Vector<double> threshold,
                                         Vector<int32_t> first, Vector<int32_t> count,
                                         NodeWeights weights, const std::vector<Array>& arrays,
                                         const std::vector<int64_t>& cards, size_t rows,
                                         int threads) {
    const auto columns = as_tree_columns(arrays, cards, rows);
    const NodeDistributions nodes(as_tree(attribute, threshold, first, count, weights, cards));
    const size_t classes = weights.shape(1);
    auto result = make_result<double>({rows, classes});
    double* out = result.data();
    nb::gil_scoped_release release;
    parallel_for((rows + kBlock - 1) / kBlock, threads, [&](size_t block) {
        PartsOfRow queue;
        const size_t end = std::min(rows, (block + 1) * kBlock);
        for (size_t r = block * kBlock; r < end; ++r)
            nodes.add(columns, r, out + r * classes, queue);
    });
    return result;
}

}  // namespace bayesgrove
