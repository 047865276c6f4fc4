// Joint log-probabilities of rows with every class.
#pragma once

#include "common.hpp"

namespace bayesgrove {

// A factor looks at some columns (index = sum of code x stride) and adds one row of its table:
// `width` numbers, one a class, or a single one for all classes.
inline Result<double> log_joint(const std::vector<Array>& arrays, const Vector<int32_t>& starts,
                                const Vector<int32_t>& variables, const Vector<int64_t>& strides,
                                const Vector<int64_t>& tables, const Vector<int32_t>& widths,
                                const Vector<double>& values, int64_t rows, int64_t n_classes,
                                int threads) {
    auto columns = as_columns(arrays);
    const size_t m = static_cast<size_t>(rows), C = static_cast<size_t>(n_classes);
    const size_t factors = tables.shape(0);
    for (size_t v = 0; v < variables.shape(0); ++v)
        if (columns.at(variables.data()[v]).rows != m)
            throw std::invalid_argument("columns differ in length");
    auto result = make_result<double>({m, C});
    double* out = result.data();
    const int32_t *first = starts.data(), *column_of = variables.data(), *width = widths.data();
    const int64_t *stride = strides.data(), *table = tables.data();
    const double* value = values.data();
    constexpr size_t kRows = 256;
    nb::gil_scoped_release release;
    parallel_for((m + kRows - 1) / kRows, threads, [&](size_t block) {
        const size_t start = block * kRows, count = std::min(kRows, m - start);
        uint32_t index[2][kRows];
        double* sums = out + start * C;
        auto point = [&](size_t f, uint32_t* at) {
            uint32_t x[kRows];
            std::fill_n(at, count, 0u);
            for (int32_t v = first[f]; v < first[f + 1]; ++v) {
                columns[column_of[v]].load(start, count, x);
                const auto step = static_cast<uint32_t>(stride[v]);
                for (size_t b = 0; b < count; ++b) at[b] += x[b] * step;
            }
            return value + table[f];
        };
        for (size_t f = 0; f < factors; ++f) {
            const double* cells = point(f, index[0]);
            if (width[f] == 1) {
                for (size_t b = 0; b < count; ++b)
                    for (size_t c = 0; c < C; ++c) sums[b * C + c] += cells[index[0][b]];
            } else if (f + 1 < factors && width[f + 1] != 1) {
                // Two factors at a time: the sums are read and written half as often.
                const double* more = point(++f, index[1]);
                for (size_t b = 0; b < count; ++b) {
                    const double *p = cells + index[0][b] * C, *q = more + index[1][b] * C;
                    for (size_t c = 0; c < C; ++c) sums[b * C + c] = (sums[b * C + c] + p[c]) + q[c];
                }
            } else {
                for (size_t b = 0; b < count; ++b)
                    for (size_t c = 0; c < C; ++c) sums[b * C + c] += cells[index[0][b] * C + c];
            }
        }
    });
    return result;
}

}  // namespace bayesgrove
