// Class-conditional mutual information of every pair table in a block.
#pragma once

#include "common.hpp"

namespace bayesgrove {

// Terms n ln n as integers in units of 2^-scale: their sums do not depend on the order of the
// cells, so that renaming values or classes changes nothing, not even the last bit.
class FixedTerms {
public:
    FixedTerms(double total) {
        int bits = total > 1 ? static_cast<int>(std::ceil(std::log2(total * std::log(total) + 1))) : 1;
        scale_ = std::ldexp(1.0, std::min(52, 59 - bits));
        size_t size = total < 65536 ? static_cast<size_t>(total) + 1 : 65536;
        table_.resize(std::min<size_t>(size, 65536));
        for (size_t n = 0; n < table_.size(); ++n) table_[n] = fixed(static_cast<double>(n));
    }
    int64_t operator()(double n) const {
        size_t k = static_cast<size_t>(n);
        return k < table_.size() && static_cast<double>(k) == n ? table_[k] : fixed(n);
    }
    double value(int64_t sum) const { return static_cast<double>(sum) / scale_; }

private:
    int64_t fixed(double n) const { return n > 0 ? std::llrint(n * std::log(n) * scale_) : 0; }
    double scale_;
    std::vector<int64_t> table_;
};

// I(A;B|C) in nats of one table N[c][a][b] given by strides.
inline double conditional_information(const double* cells, size_t n_classes, size_t class_stride,
                                      size_t rows, size_t row_stride, size_t cols,
                                      const FixedTerms& terms, std::vector<double>& margin) {
    int64_t sum = 0;
    double total = 0;
    for (size_t c = 0; c < n_classes; ++c) {
        const double* table = cells + c * class_stride;
        margin.assign(cols, 0.0);
        double class_total = 0;
        for (size_t a = 0; a < rows; ++a) {
            const double* row = table + a * row_stride;
            double row_total = 0;
            for (size_t b = 0; b < cols; ++b) {
                sum += terms(row[b]);
                row_total += row[b];
                margin[b] += row[b];
            }
            sum -= terms(row_total);
            class_total += row_total;
        }
        for (size_t b = 0; b < cols; ++b) sum -= terms(margin[b]);
        sum += terms(class_total);
        total += class_total;
    }
    return total > 0 ? std::max(0.0, terms.value(sum) / total) : 0.0;
}

inline Result<double> pair_information(
    nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu> block,
    const std::vector<int64_t>& row_cards, const std::vector<int64_t>& column_cards, double total,
    int threads) {
    auto row_offsets = offsets_of(row_cards), column_offsets = offsets_of(column_cards);
    if (row_offsets.back() != block.shape(1) || column_offsets.back() != block.shape(2))
        throw std::invalid_argument("cardinalities do not fit the block");
    const size_t n_rows = row_cards.size(), n_columns = column_cards.size();
    auto result = make_result<double>({n_rows, n_columns});
    double* out = result.data();
    const double* cells = block.data();
    const size_t stride = block.shape(2), class_stride = block.shape(1) * stride;
    const size_t n_classes = block.shape(0);
    nb::gil_scoped_release release;
    FixedTerms terms(total);
    parallel_for(n_rows, threads, [&](size_t i) {
        std::vector<double> margin;
        for (size_t j = 0; j < n_columns; ++j)
            out[i * n_columns + j] = conditional_information(
                cells + row_offsets[i] * stride + column_offsets[j], n_classes, class_stride,
                row_cards[i], stride, column_cards[j], terms, margin);
    });
    return result;
}

}  // namespace bayesgrove
