// Predictions of trees with naive Bayes at the leaves.
#pragma once

#include "trees.hpp"

namespace bayesgrove {

using ClassRows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ColumnRows = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The models of a tree, with the places of the cut points and the table of every column.
class NaivePredictor {
public:
    NaivePredictor(ClassRows priors, ColumnRows values, Vector<double> cuts, Vector<double> tables,
                   const std::vector<int64_t>& cards)
        : priors_(priors.data()), values_(values.data()), cuts_(cuts.data()),
          tables_(tables.data()), models_(priors.shape(0)), classes_(priors.shape(1)),
          columns_(cards.size()) {
        if (values.shape(0) != models_ || values.shape(1) != columns_)
            throw std::invalid_argument("Every model must have one number of values per column.");
        size_t cut = 0, cell = 0;
        for (size_t k = 0; k < models_ * columns_; ++k) {
            const int64_t card = cards[k % columns_], count = values_[k];
            if (card > 0 ? count != card : count < 1)
                throw std::invalid_argument("A model does not fit the columns.");
            cut_at_.push_back(cut);
            cell_at_.push_back(cell);
            if (card == 0) cut += static_cast<size_t>(count) - 1;
            cell += static_cast<size_t>(count) * classes_;
        }
        if (cuts.shape(0) != cut || tables.shape(0) != cell)
            throw std::invalid_argument(
                "The models must have the cut points and tables of all their columns.");
    }

    size_t models() const { return models_; }

    // Computes ln P(class | row) by one model.
    void predict(size_t model, const std::vector<TreeColumn>& columns, size_t row,
                 double* out) const {
        std::copy_n(priors_ + model * classes_, classes_, out);
        for (size_t j = 0; j < columns_; ++j) {
            const size_t k = model * columns_ + j;
            const int64_t value = value_of(columns[j], k, row);
            if (value < 0) continue;
            const double* terms = tables_ + cell_at_[k] + static_cast<size_t>(value) * classes_;
            for (size_t c = 0; c < classes_; ++c) out[c] += terms[c];
        }
        const double top = *std::max_element(out, out + classes_);
        double sum = 0.0;
        for (size_t c = 0; c < classes_; ++c) sum += std::exp(out[c] - top);
        for (size_t c = 0; c < classes_; ++c) out[c] -= top + std::log(sum);
    }

private:
    int64_t value_of(const TreeColumn& column, size_t k, size_t row) const {
        if (!column.numeric()) return column.branch(row, 0.0);
        const double number = column.numbers[row];
        if (std::isnan(number)) return -1;
        const double* cuts = cuts_ + cut_at_[k];
        return std::lower_bound(cuts, cuts + values_[k] - 1, number) - cuts;
    }

    const double* priors_;
    const int32_t* values_;
    const double *cuts_, *tables_;
    size_t models_, classes_, columns_;
    std::vector<size_t> cut_at_, cell_at_;
};

inline double log_of_sum(double a, double b) {
    if (a < b) std::swap(a, b);
    return std::isinf(a) ? a : a + std::log1p(std::exp(b - a));
}

inline Result<double> nbtree_logs(Vector<int32_t> attribute, Vector<double> threshold,
                                      Vector<int32_t> first, Vector<int32_t> count,
                                      NodeWeights weights, Vector<int32_t> model, ClassRows priors,
                                      ColumnRows values, Vector<double> cuts, Vector<double> tables,
                                      const std::vector<Array>& arrays,
                                      const std::vector<int64_t>& cards, size_t rows, int threads) {
    const auto columns = as_tree_columns(arrays, cards, rows);
    const FlatTree tree = as_tree(attribute, threshold, first, count, weights, cards);
    const NaivePredictor predictor(priors, values, cuts, tables, cards);
    const size_t classes = tree.classes;
    std::vector<double> totals;
    if (model.shape(0) != tree.size() || priors.shape(1) != classes)
        throw std::invalid_argument("The models do not fit the tree.");
    for (size_t n = 0; n < tree.size(); ++n) {
        totals.push_back(tree.total(n));
        const int32_t m = model.data()[n];
        if (tree.count[n] == 0 && (m < 0 || static_cast<size_t>(m) >= predictor.models()))
            throw std::invalid_argument("Every leaf must have a model.");
    }
    auto result = make_result<double>({rows, classes});
    double* out = result.data();
    const int32_t* model_of = model.data();
    nb::gil_scoped_release release;
    std::fill(out, out + rows * classes, -std::numeric_limits<double>::infinity());
    parallel_for((rows + kBlock - 1) / kBlock, threads, [&](size_t block) {
        PartsOfRow queue;
        std::vector<double> logs(classes);
        const size_t end = std::min(rows, (block + 1) * kBlock);
        for (size_t r = block * kBlock; r < end; ++r)
            for_leaves(tree, totals, columns, r, queue, [&](int32_t node, double part) {
                predictor.predict(static_cast<size_t>(model_of[node]), columns, r, logs.data());
                for (size_t c = 0; c < classes; ++c) {
                    double& sum = out[r * classes + c];
                    sum = log_of_sum(sum, logs[c] + std::log(part));
                }
            });
    });
    return result;
}

}  // namespace bayesgrove
