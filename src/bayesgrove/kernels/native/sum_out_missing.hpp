// Sums over the missing attributes of rows, one row at a time.
#pragma once

#include <utility>

#include "elimination.hpp"

namespace bayesgrove {

constexpr size_t kRowsPerTask = 64;

// The computation of each row. Table v is the table of variable v, and the last variable is the
// class.
class RowQuestions {
public:
    RowQuestions(const Question& network, const std::vector<Column>& columns, const uint8_t* active,
                 size_t rows)
        : network_(network), columns_(columns), active_(active), rows_(rows),
          kept_(network.product.variables) {
        kept_.back() = 1;
    }

    // Computes the sums of row `row`, the r-th selected row. Returns the number of cells that they
    // need. If that is more than `limit`, nothing is computed.
    double answer(size_t r, size_t row, double limit, double* out) const {
        const size_t n = columns_.size();
        std::vector<int32_t> evidence(n + 1, -1);
        for (size_t v = 0; v < n; ++v) {
            const uint32_t code = columns_[v].code(row);
            const int32_t card = network_.product.cards[v];
            if (code < static_cast<uint32_t>(card)) evidence[v] = static_cast<int32_t>(code);
        }
        Question question = network_;
        question.product.evidence = evidence.data();
        question.product.which = touched(r, evidence);
        Order order = best_order(question.product, kept_);
        double needed = 0.0;
        for (size_t i = 0; i < order.cells.size(); ++i)
            needed += order.cells[i] / network_.product.cards[order.variables[i]];
        if (needed > limit) return needed;
        question.order = std::move(order.variables);
        question.keep = {static_cast<int32_t>(n)};
        sum_out(question, out);
        return needed;
    }

private:
    bool is_active(size_t v, size_t r) const {
        return v < columns_.size() && active_[v * rows_ + r];
    }

    // Returns the tables of the attributes to sum out, and of their children. A child that is
    // missing and not summed out sums to one, so its table is left out.
    std::vector<int32_t> touched(size_t r, const std::vector<int32_t>& evidence) const {
        const Product& product = network_.product;
        std::vector<int32_t> tables;
        for (size_t v = 0; v < product.variables; ++v) {
            if (v < columns_.size() && evidence[v] < 0 && !is_active(v, r)) continue;
            bool any = false;
            for (int32_t k = product.starts[v]; k < product.starts[v + 1]; ++k)
                any |= is_active(static_cast<size_t>(product.scopes[k]), r);
            if (any) tables.push_back(static_cast<int32_t>(v));
        }
        return tables;
    }

    const Question& network_;
    const std::vector<Column>& columns_;
    const uint8_t* active_;
    size_t rows_;
    std::vector<uint8_t> kept_;
};

inline std::pair<Result<double>, double> sum_out_rows(
    Vector<int32_t> cards, Vector<int32_t> starts, Vector<int32_t> scopes, Vector<int64_t> offsets,
    Vector<double> values, const std::vector<Array>& arrays, Vector<int64_t> rows,
    nb::ndarray<const uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> active, double limit,
    int threads) {
    const auto columns = as_columns(arrays);
    const size_t variables = cards.shape(0), count = rows.shape(0);
    if (columns.size() + 1 != variables || starts.shape(0) != variables + 1)
        throw std::invalid_argument(
            "There must be one table per variable and one column per attribute.");
    if (active.shape(0) != columns.size() || active.shape(1) != count)
        throw std::invalid_argument("There must be one mark per attribute and row.");
    for (size_t r = 0; r < count; ++r)
        if (rows(r) < 0 || columns.empty() || static_cast<size_t>(rows(r)) >= columns[0].rows)
            throw std::invalid_argument("There is no such row.");
    std::vector<int32_t> all_tables, unknown(variables, -1);
    for (size_t v = 0; v < variables; ++v) all_tables.push_back(static_cast<int32_t>(v));
    Vector<int32_t> evidence(unknown.data(), {variables});
    const Question network(cards, starts, scopes, offsets, values, all_tables, evidence);
    const size_t classes = static_cast<size_t>(cards(variables - 1));
    auto result = make_result<double>({count, classes});
    double* out = result.data();
    const int64_t* row = rows.data();
    std::vector<double> cells(count);
    {
        nb::gil_scoped_release release;
        const RowQuestions questions(network, columns, active.data(), count);
        parallel_for((count + kRowsPerTask - 1) / kRowsPerTask, threads, [&](size_t task) {
            const size_t end = std::min(count, (task + 1) * kRowsPerTask);
            for (size_t r = task * kRowsPerTask; r < end; ++r)
                cells[r] = questions.answer(r, static_cast<size_t>(row[r]), limit,
                                            out + r * classes);
        });
    }
    return {result, count ? *std::max_element(cells.begin(), cells.end()) : 0.0};
}

}  // namespace bayesgrove
