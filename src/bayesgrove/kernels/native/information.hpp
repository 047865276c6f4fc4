// Class-conditional mutual information of every pair table in a block.
#pragma once

#include "common.hpp"

namespace bayesgrove {

// Terms n ln n as integers in units of 2^-scale. Sums of integers do not depend on the order of the
// cells, so that renaming values or classes does not change the last bit.
class FixedTerms {
public:
    // The terms of the first whole numbers are tabulated, at most `limit` of them.
    explicit FixedTerms(double total, size_t limit = 65536) {
        int bits = total > 1 ? static_cast<int>(std::ceil(std::log2(total * std::log(total) + 1))) : 1;
        scale_ = std::ldexp(1.0, std::min(52, 59 - bits));
        limit = std::min<size_t>(limit, 65536);
        table_.resize(total < static_cast<double>(limit) ? static_cast<size_t>(total) + 1 : limit);
        for (size_t n = 0; n < table_.size(); ++n) table_[n] = fixed(static_cast<double>(n));
    }
    int64_t operator()(uint32_t n) const {
        return n < table_.size() ? table_[n] : fixed(static_cast<double>(n));
    }
    int64_t operator()(int32_t n) const { return (*this)(static_cast<uint32_t>(n)); }
    int64_t operator()(double n) const {
        if (!(n < static_cast<double>(table_.size()))) return fixed(n);
        const auto k = static_cast<size_t>(n);
        return static_cast<double>(k) == n ? table_[k] : fixed(n);
    }
    double information(int64_t sum, double total) const {
        return total > 0 ? std::max(0.0, static_cast<double>(sum) / scale_ / total) : 0.0;
    }

private:
    int64_t fixed(double n) const { return n > 0 ? std::llrint(n * std::log(n) * scale_) : 0; }
    double scale_;
    std::vector<int64_t> table_;
};

// A table N[c][a][b] inside a larger array.
template <typename Cell>
struct TableView {
    const Cell* cells;
    size_t classes, rows, columns, class_stride, row_stride;
    const Cell* row(size_t c, size_t a) const { return cells + c * class_stride + a * row_stride; }
};

// Returns the sum of the terms of all cells.
template <typename Cell>
int64_t sum_terms(const TableView<Cell>& table, const FixedTerms& terms) {
    int64_t sum = 0;
    for (size_t c = 0; c < table.classes; ++c)
        for (size_t a = 0; a < table.rows; ++a)
            for (size_t b = 0; b < table.columns; ++b) sum += terms(table.row(c, a)[b]);
    return sum;
}

// Returns I(A;B|C) in nats. The margins are summed from the table.
template <typename Cell>
double conditional_information(const TableView<Cell>& table, const FixedTerms& terms,
                               std::vector<Cell>& margin) {
    int64_t sum = sum_terms(table, terms);
    double total = 0;
    for (size_t c = 0; c < table.classes; ++c) {
        margin.assign(table.columns, 0);
        Cell class_total = 0;
        for (size_t a = 0; a < table.rows; ++a) {
            const Cell* row = table.row(c, a);
            Cell row_total = 0;
            for (size_t b = 0; b < table.columns; ++b) {
                row_total += row[b];
                margin[b] += row[b];
            }
            sum -= terms(row_total);
            class_total += row_total;
        }
        for (Cell column_total : margin) sum -= terms(column_total);
        sum += terms(class_total);
        total += static_cast<double>(class_total);
    }
    return terms.information(sum, total);
}

inline Result<double> information_of_tables(
    nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu> block,
    const std::vector<int64_t>& row_cards, const std::vector<int64_t>& column_cards, double total,
    int threads) {
    auto row_offsets = offsets_of(row_cards), column_offsets = offsets_of(column_cards);
    if (row_offsets.back() != block.shape(1) || column_offsets.back() != block.shape(2))
        throw std::invalid_argument("The cardinalities do not fit the block.");
    const size_t n_rows = row_cards.size(), n_columns = column_cards.size();
    auto result = make_result<double>({n_rows, n_columns});
    double* out = result.data();
    const double* cells = block.data();
    const size_t stride = block.shape(2), class_stride = block.shape(1) * stride;
    const size_t n_classes = block.shape(0);
    nb::gil_scoped_release release;
    const FixedTerms terms(total);
    parallel_for(n_rows, threads, [&](size_t i) {
        std::vector<double> margin;
        for (size_t j = 0; j < n_columns; ++j) {
            const TableView<double> table{cells + row_offsets[i] * stride + column_offsets[j],
                                          n_classes, static_cast<size_t>(row_cards[i]),
                                          static_cast<size_t>(column_cards[j]), class_stride, stride};
            out[i * n_columns + j] = conditional_information(table, terms, margin);
        }
    });
    return result;
}

}  // namespace bayesgrove
