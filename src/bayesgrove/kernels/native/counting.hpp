// Count tables of one column given the class, and joint tables of any set of columns.
#pragma once

#include "small_tables.hpp"

namespace bayesgrove {

// Counts N[c][value] of one column into `out`, with `stride` cells between classes. Returns the
// weight of the rows with a missing value.
inline double count_given_class(const Column& column, size_t card, const Column& target,
                                size_t n_classes, const double* weights, double* out,
                                size_t stride) {
    const uint32_t width = static_cast<uint32_t>(card + 1);
    double missing = 0;
    auto write = [&](const auto& cells) {
        for (size_t c = 0; c < n_classes; ++c) {
            for (size_t v = 0; v < card; ++v)
                out[c * stride + v] = static_cast<double>(cells[c * width + v]);
            missing += static_cast<double>(cells[c * width + card]);
        }
        return missing;
    };
    if (is_small(target, n_classes, column, card, weights))
        return write(count_small(target, n_classes, column, card));
    Histogram cells((n_classes + 1) * width, weights);
    uint32_t x[kBlock], index[kBlock];
    for_blocks(column.rows, [&](size_t start, size_t count) {
        column.load(start, count, x);
        target.load(start, count, index);
        for (size_t b = 0; b < count; ++b) index[b] = index[b] * width + x[b];
        cells.add(index, start, count);
    });
    return write(cells);
}

inline Result<double> class_tables(const std::vector<Array>& arrays,
                                   const std::vector<int64_t>& cards, const Array& target,
                                   int64_t n_classes, const Weights& weights, int threads) {
    auto columns = as_columns(arrays);
    Column y = as_target(target, columns, cards);
    auto offsets = offsets_of(cards);
    const double* w = weight_data(weights, y.rows);
    auto result = make_result<double>({static_cast<size_t>(n_classes), offsets.back()});
    double* out = result.data();
    nb::gil_scoped_release release;
    parallel_for(columns.size(), threads, [&](size_t j) {
        count_given_class(columns[j], cards[j], y, n_classes, w, out + offsets[j], offsets.back());
    });
    return result;
}

// Counts the joint table of some columns. The last column varies fastest. Rows with a missing value
// are left out.
inline void count_joint(const std::vector<const Column*>& columns, const std::vector<size_t>& cards,
                        const double* weights, double* out) {
    if (columns.size() == 2 && is_small(*columns[0], cards[0], *columns[1], cards[1], weights)) {
        count_given_class(*columns[1], cards[1], *columns[0], cards[0], weights, out, cards[1]);
        return;
    }
    size_t cells = 1;
    for (size_t card : cards) cells *= card;
    Histogram table(cells + 1, weights);
    uint32_t x[kBlock], index[kBlock], missing[kBlock];
    for_blocks(columns.front()->rows, [&](size_t start, size_t count) {
        std::fill_n(index, count, 0u);
        std::fill_n(missing, count, 0u);
        for (size_t k = 0; k < columns.size(); ++k) {
            const uint32_t card = static_cast<uint32_t>(cards[k]);
            columns[k]->load(start, count, x);
            for (size_t b = 0; b < count; ++b) {
                index[b] = index[b] * card + x[b];
                missing[b] |= x[b] >= card;
            }
        }
        const uint32_t unused = static_cast<uint32_t>(cells);  // one more cell, for missing values
        for (size_t b = 0; b < count; ++b) index[b] = missing[b] ? unused : index[b];
        table.add(index, start, count);
    });
    for (size_t cell = 0; cell < cells; ++cell) out[cell] = table[cell];
}

inline std::vector<Result<double>> joint_tables(const std::vector<std::vector<int64_t>>& sets,
                                                const std::vector<Array>& arrays,
                                                const std::vector<int64_t>& cards,
                                                const Weights& weights, int threads) {
    auto columns = as_columns(arrays);
    const double* w = weight_data(weights, columns.empty() ? 0 : columns.front().rows);
    std::vector<Result<double>> results;
    std::vector<double*> outs;
    for (const auto& set : sets) {
        size_t cells = 1;
        for (int64_t j : set) cells *= static_cast<size_t>(cards.at(j));
        if (set.empty() || cells >= (size_t{1} << 31))
            throw std::invalid_argument("A dense table must have 1 to 2^31 - 1 cells.");
        results.push_back(make_result<double>({cells}));
        outs.push_back(results.back().data());
    }
    nb::gil_scoped_release release;
    parallel_for(sets.size(), threads, [&](size_t s) {
        std::vector<const Column*> members;
        std::vector<size_t> sizes;
        for (int64_t j : sets[s]) {
            members.push_back(&columns[j]);
            sizes.push_back(static_cast<size_t>(cards[j]));
        }
        count_joint(members, sizes, w, outs[s]);
    });
    return results;
}

}  // namespace bayesgrove
