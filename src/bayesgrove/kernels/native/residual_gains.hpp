// How much pairs of columns would gain beyond a model, from the residuals of its predictions.
#pragma once

#include "conditional.hpp"

namespace bayesgrove {

constexpr size_t kPairCells = 1000000;  // pairs with more cells, times classes, have gain 0

// Returns gains[fold, i, j]: the sum over the cells of (i, j) and the classes of
// (G^2 - H) / (H + penalty), with the sums G and H over the rows outside the fold.
inline Result<double> residual_gains(const std::vector<Array>& column_arrays,
                                     const std::vector<int64_t>& cards, const FloatMatrix& residuals,
                                     const FloatMatrix& variances, const Array& folds, int64_t n_folds,
                                     double penalty, int threads) {
    const auto columns = as_columns(column_arrays);
    const Column fold_column = as_target(folds, columns, cards);
    const size_t n = columns.size(), rows = fold_column.rows, classes = residuals.shape(1);
    const auto J = static_cast<size_t>(n_folds);
    if (residuals.shape(0) != rows || variances.shape(0) != rows || variances.shape(1) != classes)
        throw std::invalid_argument("The residuals do not fit the rows.");
    std::vector<uint32_t> fold(rows);
    fold_column.load(0, rows, fold.data());
    for (uint32_t f : fold)
        if (f >= J) throw std::invalid_argument("A fold is out of range.");
    std::vector<std::vector<uint32_t>> codes(n, std::vector<uint32_t>(rows));
    for (size_t v = 0; v < n; ++v) {
        columns[v].load(0, rows, codes[v].data());
        for (uint32_t code : codes[v])
            if (code >= cards[v]) throw std::invalid_argument("A code is out of range.");
    }
    // Both numbers of a row and class side by side.
    std::vector<float> pairs(rows * classes * 2);
    for (size_t j = 0; j < rows * classes; ++j) {
        pairs[2 * j] = static_cast<float>(residuals.data()[j]);
        pairs[2 * j + 1] = static_cast<float>(variances.data()[j]);
    }
    auto result = make_result<double>({J, n, n});
    double* out = result.data();
    nb::gil_scoped_release release;
    const size_t width = 2 * classes;
    parallel_for(n, threads, [&](size_t i) {
        std::vector<float> sums;
        for (size_t j = 0; j < i; ++j) {
            const auto cells = static_cast<size_t>(cards[i] * cards[j]);
            if (cells * classes > kPairCells) continue;
            sums.assign(cells * J * width, 0.0f);
            for (size_t r = 0; r < rows; ++r) {
                const size_t cell = codes[i][r] * static_cast<size_t>(cards[j]) + codes[j][r];
                float* to = sums.data() + (cell * J + fold[r]) * width;
                const float* from = pairs.data() + r * width;
                for (size_t c = 0; c < width; ++c) to[c] += from[c];
            }
            for (size_t cell = 0; cell < cells; ++cell)
                for (size_t c = 0; c < classes; ++c) {
                    const float* at = sums.data() + cell * J * width + 2 * c;
                    double G = 0.0, H = 0.0;
                    for (size_t f = 0; f < J; ++f) {
                        G += static_cast<double>(at[f * width]);
                        H += static_cast<double>(at[f * width + 1]);
                    }
                    if (H <= 0) continue;
                    for (size_t f = 0; f < J; ++f) {
                        const double g = J > 1 ? G - static_cast<double>(at[f * width]) : G;
                        const double h = J > 1 ? H - static_cast<double>(at[f * width + 1]) : H;
                        out[(f * n + i) * n + j] += (g * g - h) / (h + penalty);
                    }
                }
            for (size_t f = 0; f < J; ++f) out[(f * n + j) * n + i] = out[(f * n + i) * n + j];
        }
    });
    return result;
}

}  // namespace bayesgrove
