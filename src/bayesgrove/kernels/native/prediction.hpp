// Joint log-probabilities of rows with every class.
#pragma once

#include "common.hpp"

namespace bayesgrove {

constexpr size_t kRows = 256;  // rows whose sums stay in L1
constexpr size_t kTogether = 4;  // factors added at a time: the sums are read and written less often

// sums[b][c] += the rows that index[k] points at in tables[k]; C = 0 means `classes` at run time.
template <size_t C>
void add_rows(const double* const* tables, const uint32_t (*index)[kRows], size_t together,
              size_t count, size_t classes, double* sums) {
    const size_t width = C ? C : classes;
    if (together == kTogether) {
        for (size_t b = 0; b < count; ++b) {
            const double *p = tables[0] + index[0][b] * width, *q = tables[1] + index[1][b] * width;
            const double *r = tables[2] + index[2][b] * width, *s = tables[3] + index[3][b] * width;
            for (size_t c = 0; c < width; ++c)
                sums[b * width + c] = (((sums[b * width + c] + p[c]) + q[c]) + r[c]) + s[c];
        }
        return;
    }
    for (size_t k = 0; k < together; ++k)
        for (size_t b = 0; b < count; ++b)
            for (size_t c = 0; c < width; ++c)
                sums[b * width + c] += tables[k][index[k][b] * width + c];
}

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
    nb::gil_scoped_release release;
    parallel_for((m + kRows - 1) / kRows, threads, [&](size_t block) {
        const size_t start = block * kRows, count = std::min(kRows, m - start);
        uint32_t x[kRows], index[kTogether][kRows];
        const double* cells[kTogether];
        size_t together = 0;
        double* sums = out + start * C;
        auto flush = [&] {
            if (C == 2) add_rows<2>(cells, index, together, count, C, sums);
            else add_rows<0>(cells, index, together, count, C, sums);
            together = 0;
        };
        for (size_t f = 0; f < factors; ++f) {
            uint32_t* at = index[together];
            std::fill_n(at, count, 0u);
            for (int32_t v = first[f]; v < first[f + 1]; ++v) {
                const auto step = static_cast<uint32_t>(stride[v]);
                columns[column_of[v]].load(start, count, x);
                for (size_t b = 0; b < count; ++b) at[b] += x[b] * step;
            }
            cells[together] = value + table[f];
            if (width[f] != 1) {
                if (++together == kTogether) flush();
            } else {
                for (size_t b = 0; b < count; ++b)
                    for (size_t c = 0; c < C; ++c) sums[b * C + c] += cells[together][at[b]];
            }
        }
        flush();
    });
    return result;
}

}  // namespace bayesgrove
