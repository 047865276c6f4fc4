// Sums over all spanning trees, for many rows: every row multiplies the weights by its factors.
#pragma once

#include "common.hpp"

namespace bayesgrove {

constexpr size_t kLanes = 8;  // pairs of a row and a class that are worked on together

struct TreeProgram {
    const std::vector<Column>& columns;
    const int32_t* ends;
    const int64_t* strides;
    const int64_t* tables;
    const double* values;
    size_t edges, slots, steps;
    const int32_t* starts;
    const int32_t* spokes;
    const double* shares;
    const int32_t* targets;
    const double* old_shares;
    const double* new_shares;
    size_t rows, classes;

    // Looks up the factors of all edges; lanes beyond the last row repeat the last lane.
    void look_up(size_t first, double* factors) const {
        for (size_t l = 0; l < kLanes; ++l) {
            const size_t lane = std::min(first + l, rows * classes - 1);
            const size_t row = lane / classes, label = lane % classes;
            for (size_t e = 0; e < edges; ++e) {
                const int64_t cell = columns[ends[2 * e]].code(row) * strides[e] +
                                     columns[ends[2 * e + 1]].code(row);
                factors[e * kLanes + l] = values[tables[e] + cell * classes + label];
            }
        }
        std::fill(factors + edges * kLanes, factors + slots * kLanes, 0.0);
    }

    // Eliminates the vertices one by one, and adds the logarithms of their sums.
    void run(size_t first, double* factors, double* out) const {
        look_up(first, factors);
        double logs[kLanes] = {}, total[kLanes], relative[kLanes];
        size_t pair = 0;
        for (size_t k = 0; k < steps; ++k) {
            const int32_t *edge = spokes + starts[k], *last = spokes + starts[k + 1];
            const double* share = shares + starts[k];
            std::fill(total, total + kLanes, 0.0);
            for (const int32_t* s = edge; s < last; ++s, ++share)
                for (size_t l = 0; l < kLanes; ++l) total[l] += *share * factors[*s * kLanes + l];
            for (size_t l = 0; l < kLanes; ++l) logs[l] += std::log(total[l]);
            for (; edge < last; ++edge) {
                for (size_t l = 0; l < kLanes; ++l)
                    relative[l] = factors[*edge * kLanes + l] / total[l];
                for (const int32_t* other = edge + 1; other < last; ++other, ++pair) {
                    double* target = factors + static_cast<size_t>(targets[pair]) * kLanes;
                    const double* two = factors + static_cast<size_t>(*other) * kLanes;
                    const double old_share = old_shares[pair], new_share = new_shares[pair];
                    for (size_t l = 0; l < kLanes; ++l)
                        target[l] = target[l] * old_share + new_share * relative[l] * two[l];
                }
            }
        }
        const size_t count = std::min(kLanes, rows * classes - first);
        std::copy(logs, logs + count, out + first);
    }
};

inline Result<double> tree_ratios(
    const std::vector<Array>& columns, const Vector<int32_t>& ends, const Vector<int64_t>& strides,
    const Vector<int64_t>& tables, const Vector<double>& values, int64_t slots,
    const Vector<int32_t>& starts, const Vector<int32_t>& spokes, const Vector<double>& shares,
    const Vector<int32_t>& targets, const Vector<double>& old_shares,
    const Vector<double>& new_shares, int64_t rows, int64_t n_classes, int threads) {
    const auto read = as_columns(columns);
    const size_t count = static_cast<size_t>(rows), classes = static_cast<size_t>(n_classes);
    if (!read.empty() && read.front().rows != count)
        throw std::invalid_argument("The columns and the number of rows differ.");
    auto result = make_result<double>({count, classes});
    const TreeProgram program{read, ends.data(), strides.data(), tables.data(), values.data(),
                              strides.shape(0), static_cast<size_t>(slots), starts.shape(0) - 1,
                              starts.data(), spokes.data(), shares.data(), targets.data(),
                              old_shares.data(), new_shares.data(), count, classes};
    double* out = result.data();
    const size_t lanes = count * classes, per_task = kLanes * 64;
    nb::gil_scoped_release release;
    parallel_for((lanes + per_task - 1) / per_task, threads, [&](size_t task) {
        std::vector<double> factors(program.slots * kLanes + 1);
        const size_t stop = std::min(lanes, (task + 1) * per_task);
        for (size_t first = task * per_task; first < stop; first += kLanes)
            program.run(first, factors.data(), out);
    });
    return result;
}

}  // namespace bayesgrove
