// Counts of the rows before each row.
#pragma once

#include "common.hpp"

namespace bayesgrove {

inline Result<double> counts_before(const Vector<int32_t>& ids, int64_t groups, const Array& target,
                                    int64_t n_classes, const Weights& weights) {
    const Column y = as_column(target);
    const size_t rows = y.rows, classes = static_cast<size_t>(n_classes);
    const double* w = weight_data(weights, rows);
    if (ids.shape(0) != rows)
        throw std::invalid_argument("The groups and the classes differ in length.");
    const int32_t* group = ids.data();
    for (size_t m = 0; m < rows; ++m)
        if (group[m] >= groups || y.code(m) >= classes)
            throw std::invalid_argument("A group or a class is out of range.");
    auto result = make_result<double>({rows, classes});
    double* out = result.data();
    nb::gil_scoped_release release;
    std::vector<double> sums(static_cast<size_t>(groups) * classes, 0.0);
    for (size_t m = 0; m < rows; ++m) {
        if (group[m] < 0) continue;
        double* own = sums.data() + static_cast<size_t>(group[m]) * classes;
        std::copy(own, own + classes, out + m * classes);
        own[y.code(m)] += w ? w[m] : 1.0;
    }
    return result;
}

}  // namespace bayesgrove
