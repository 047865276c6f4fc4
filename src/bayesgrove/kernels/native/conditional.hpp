// Exponents of tables, fitted to the conditional likelihood of the class.
#pragma once

#include "fast_math.hpp"
#include "lbfgs.hpp"

namespace bayesgrove {

using FloatMatrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using CellMatrix = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using TermArray = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// Rows as the kernels of this file need them.
struct Labelled {
    std::vector<uint32_t> y;
    std::vector<float> weights;  // empty if all are 1

    Labelled(const Array& target, const Weights& given, size_t rows, size_t classes) {
        const Column column = as_column(target);
        if (column.rows != rows) throw std::invalid_argument("There must be one class per row.");
        y.resize(rows);
        column.load(0, rows, y.data());
        for (uint32_t code : y)
            if (code >= classes) throw std::invalid_argument("A class is out of range.");
        if (const double* w = weight_data(given, rows)) weights.assign(w, w + rows);
    }

    float weight(size_t row) const { return weights.empty() ? 1.0f : weights[row]; }
};

// Throws unless the numbers of rows are below `size`.
inline void require_rows(const Vector<int32_t>& rows, size_t size) {
    bool fits = true;
    for (size_t e = 0; e < rows.shape(0); ++e)
        fits &= rows.data()[e] >= 0 && static_cast<size_t>(rows.data()[e]) < size;
    if (!fits) throw std::invalid_argument("A row is out of range.");
}

// Throws unless the cells of some rows, or of all, are below `size` in every table.
inline void require_cells(const CellMatrix& cells, const Vector<int64_t>& starts, size_t size,
                          const Vector<int32_t>* rows = nullptr) {
    for (size_t t = 0; t < cells.shape(0); ++t) {
        const int32_t* cell = cells.data() + t * cells.shape(1);
        const int64_t start = starts.data()[t], most = static_cast<int64_t>(size) - start;
        bool fits = start >= 0;
        const auto check = [&](size_t r) { fits &= cell[r] >= 0 && cell[r] < most; };
        if (rows)
            for (size_t e = 0; e < rows->shape(0); ++e) check(static_cast<size_t>(rows->data()[e]));
        else
            for (size_t r = 0; r < cells.shape(1); ++r) check(r);
        if (!fits) throw std::invalid_argument("A cell is out of range.");
    }
}

inline Result<float> gather_terms(const CellMatrix& cells, const Vector<int64_t>& starts,
                                  const FloatMatrix& logs, const FloatMatrix& twins, const Array& target,
                                  const Vector<int32_t>& rows) {
    const size_t tables = cells.shape(0), all = cells.shape(1), classes = logs.shape(1);
    const size_t count = rows.shape(0);
    const Labelled labels(target, Weights(), all, classes);
    if (starts.shape(0) != tables || twins.shape(0) != tables || twins.shape(1) != all)
        throw std::invalid_argument("The tables differ in number.");
    require_rows(rows, all);
    require_cells(cells, starts, logs.shape(0), &rows);
    auto result = make_empty<float>({count, tables, classes});
    float* out = result.data();
    nb::gil_scoped_release release;
    with_classes(classes, [&](auto fixed) {
        const size_t C = decltype(fixed)::value ? decltype(fixed)::value : classes;
        for (size_t t = 0; t < tables; ++t) {
            const double* table = logs.data() + static_cast<size_t>(starts.data()[t]) * C;
            const int32_t* cell = cells.data() + t * all;
            const double* twin = twins.data() + t * all;
            float* to = out + t * C;
            for (size_t e = 0; e < count; ++e, to += tables * C) {
                const auto r = static_cast<size_t>(rows.data()[e]);
                const double* from = table + static_cast<size_t>(cell[r]) * C;
                for (size_t c = 0; c < C; ++c) to[c] = static_cast<float>(from[c]);
                to[labels.y[r]] = static_cast<float>(twin[r]);
            }
        }
    });
    return result;
}

inline Result<double> weighted_terms(const CellMatrix& cells, const Vector<int64_t>& starts,
                                     const FloatMatrix& logs, const FloatMatrix& twins, const Array& target,
                                     const Vector<double>& exponents,
                                     const Vector<double>& offset) {
    const size_t tables = cells.shape(0), rows = cells.shape(1), classes = logs.shape(1);
    const Labelled labels(target, Weights(), rows, classes);
    if (starts.shape(0) != tables || twins.shape(0) != tables || twins.shape(1) != rows ||
        exponents.shape(0) != tables || offset.shape(0) != classes)
        throw std::invalid_argument("The tables differ in number.");
    auto result = make_empty<double>({rows, classes});
    double* out = result.data();
    for (size_t r = 0; r < rows; ++r) std::copy_n(offset.data(), classes, out + r * classes);
    require_cells(cells, starts, logs.shape(0));
    nb::gil_scoped_release release;
    with_classes(classes, [&](auto fixed) {
        const size_t C = decltype(fixed)::value ? decltype(fixed)::value : classes;
        for (size_t t = 0; t < tables; ++t) {
            const double exponent = exponents.data()[t];
            const double* table = logs.data() + static_cast<size_t>(starts.data()[t]) * C;
            const int32_t* cell = cells.data() + t * rows;
            const double* twin = twins.data() + t * rows;
            double* to = out;
            for (size_t r = 0; r < rows; ++r, to += C) {
                const double* from = table + static_cast<size_t>(cell[r]) * C;
                const double own = to[labels.y[r]] + exponent * twin[r];
                for (size_t c = 0; c < C; ++c) to[c] += exponent * from[c];
                to[labels.y[r]] = own;
            }
        }
    });
    return result;
}

// Adds the entries of the cells of rows to the numbers of the columns of their tables.
inline void add_cell_entries(const CellMatrix& cells, const Vector<int64_t>& starts,
                             const nb::ndarray<const float, nb::ndim<2>, nb::c_contig,
                                               nb::device::cpu>& entries,
                             const Vector<int32_t>& rows, const Vector<int32_t>& columns,
                             const nb::ndarray<float, nb::ndim<3>, nb::c_contig,
                                               nb::device::cpu>& out) {
    const size_t tables = cells.shape(0), all = cells.shape(1), classes = entries.shape(1);
    const size_t count = rows.shape(0);
    if (starts.shape(0) != tables || columns.shape(0) != tables || out.shape(1) != count ||
        out.shape(2) != classes)
        throw std::invalid_argument("The tables, the rows and the sums do not fit.");
    for (size_t t = 0; t < tables; ++t)
        if (columns.data()[t] < 0 || static_cast<size_t>(columns.data()[t]) >= out.shape(0))
            throw std::invalid_argument("A column is out of range.");
    require_rows(rows, all);
    require_cells(cells, starts, entries.shape(0), &rows);
    float* sums = out.data();
    nb::gil_scoped_release release;
    with_classes(classes, [&](auto fixed) {
        const size_t C = decltype(fixed)::value ? decltype(fixed)::value : classes;
        for (size_t t = 0; t < tables; ++t) {
            const float* table = entries.data() + static_cast<size_t>(starts.data()[t]) * C;
            const int32_t* cell = cells.data() + t * all;
            float* to = sums + static_cast<size_t>(columns.data()[t]) * count * C;
            for (size_t e = 0; e < count; ++e, to += C) {
                const float* from = table + static_cast<size_t>(cell[rows.data()[e]]) * C;
                for (size_t c = 0; c < C; ++c) to[c] += from[c];
            }
        }
    });
}

// The penalised loss of exponents `common * centre + own` of the terms, and of a bias per class.
class ExponentLoss {
public:
    ExponentLoss(const TermArray& terms, Labelled&& labels, const Vector<double>& offset,
                 const Vector<double>& centres, double common, double each, double bias)
        : rows_(terms.shape(0)), tables_(terms.shape(1)),
          classes_(terms.shape(2)), labels_(std::move(labels)), offset_(offset.data()),
          centres_(centres.data()), common_(common), each_(each), bias_(bias),
          exponents_(tables_), slopes_(tables_), class_slopes_(classes_) {
        if (classes_ == 2) {  // One log-odds: the differences of the terms.
            by_class_.resize(rows_ * tables_);
            for (size_t j = 0; j < by_class_.size(); ++j)
                by_class_[j] = terms.data()[2 * j + 1] - terms.data()[2 * j];
        } else {
            by_class_.resize(terms.size());
            for (size_t r = 0; r < rows_; ++r)
                for (size_t t = 0; t < tables_; ++t)
                    for (size_t c = 0; c < classes_; ++c)
                        by_class_[(r * classes_ + c) * tables_ + t] =
                            terms.data()[(r * tables_ + t) * classes_ + c];
        }
    }

    size_t size() const { return 1 + tables_ + classes_; }

    double operator()(const std::vector<double>& x, std::vector<double>& gradient) {
        for (size_t t = 0; t < tables_; ++t)
            exponents_[t] = static_cast<float>(x[0] * centres_[t] + x[1 + t]);
        std::fill(slopes_.begin(), slopes_.end(), 0.0);
        std::fill(class_slopes_.begin(), class_slopes_.end(), 0.0);
        double value = classes_ == 2 ? odds(x) : softmax(x);
        gradient.assign(size(), 0.0);
        const double shift = x[0] - 1.0;
        add(value, gradient[0], common_, shift);
        for (size_t t = 0; t < tables_; ++t) {
            if (std::isfinite(common_)) gradient[0] += centres_[t] * slopes_[t];
            gradient[1 + t] = slopes_[t];
            add(value, gradient[1 + t], each_, x[1 + t]);
        }
        for (size_t c = 0; c < classes_; ++c) {
            if (std::isfinite(bias_)) gradient[1 + tables_ + c] = class_slopes_[c];
            add(value, gradient[1 + tables_ + c], bias_, x[1 + tables_ + c]);
        }
        return value;
    }

private:
    // Adds a penalty; an infinite one fixes the parameter, whose gradient stays 0.
    static void add(double& value, double& slope, double penalty, double x) {
        if (!std::isfinite(penalty)) return;
        value += 0.5 * penalty * x * x;
        slope += penalty * x;
    }

    double odds(const std::vector<double>& x) {
        const size_t T = tables_;
        const float start = static_cast<float>(offset_[1] + x[2 + T] - offset_[0] - x[1 + T]);
        double value = 0.0;
        std::vector<float> sums(T);
        float scores[kRows], losses[kRows], own[kRows];
        for (size_t begin = 0; begin < rows_; begin += kRows) {
            const size_t count = std::min(kRows, rows_ - begin);
            const float* first = by_class_.data() + begin * T;
            for (size_t r = 0; r < count; ++r) {
                scores[r] = weighted_sum(start, first + r * T);
                own[r] = static_cast<float>(labels_.y[begin + r]);
            }
            logistic_residuals(count, own, scores, losses);
            weigh(begin, count, 1, scores, losses);
            value += sum_in_lanes(losses, count);
            class_slopes_[1] += sum_in_lanes(scores, count);
            add_slopes(first, scores, count, sums);
        }
        class_slopes_[0] = -class_slopes_[1];
        return value;
    }

    double softmax(const std::vector<double>& x) {
        const size_t C = classes_, T = tables_;
        double value = 0.0;
        std::vector<float> sums(T), scores(kRows * C), starts(C);
        for (size_t c = 0; c < C; ++c) starts[c] = static_cast<float>(offset_[c] + x[1 + T + c]);
        float losses[kRows];
        for (size_t begin = 0; begin < rows_; begin += kRows) {
            const size_t count = std::min(kRows, rows_ - begin);
            const float* row = by_class_.data() + begin * C * T;
            for (size_t j = 0; j < count * C; j += C)
                for (size_t c = 0; c < C; ++c, row += T) scores[j + c] = weighted_sum(starts[c], row);
            softmax_residuals(count, C, C, labels_.y.data() + begin, scores.data(), losses);
            weigh(begin, count, C, scores.data(), losses);
            value += sum_in_lanes(losses, count);
            for (size_t j = 0; j < count * C; j += C)
                for (size_t c = 0; c < C; ++c) class_slopes_[c] += static_cast<double>(scores[j + c]);
            add_slopes(by_class_.data() + begin * C * T, scores.data(), count * C, sums);
        }
        return value;
    }

    // Returns `start` plus the sum of the terms times the exponents.
    float weighted_sum(float start, const float* terms) const {
        typedef float Lanes __attribute__((vector_size(16)));
        const auto product = [&](size_t t) {
            Lanes a, b;
            std::memcpy(&a, &exponents_[t], sizeof a);
            std::memcpy(&b, terms + t, sizeof b);
            return a * b;
        };
        Lanes sums = {start, 0, 0, 0}, others = {};
        size_t t = 0;
        for (; t + 8 <= tables_; t += 8) {
            sums += product(t);
            others += product(t + 4);
        }
        if (t + 4 <= tables_) {
            sums += product(t);
            t += 4;
        }
        sums += others;
        for (; t < tables_; ++t) sums[0] += exponents_[t] * terms[t];
        return (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }

    // Adds the terms of some rows and classes, times their residuals, to the slopes of the tables.
    void add_slopes(const float* terms, const float* residuals, size_t count,
                    std::vector<float>& sums) {
        std::fill(sums.begin(), sums.end(), 0.0f);
        float* __restrict to = sums.data();
        size_t j = 0;
        for (; j + 4 <= count; j += 4, terms += 4 * tables_) {
            const float *a = terms, *b = a + tables_, *c = b + tables_, *d = c + tables_;
            const float *by = residuals + j;
            for (size_t t = 0; t < tables_; ++t)
                to[t] += (by[0] * a[t] + by[1] * b[t]) + (by[2] * c[t] + by[3] * d[t]);
        }
        for (; j < count; ++j, terms += tables_)
            for (size_t t = 0; t < tables_; ++t) to[t] += residuals[j] * terms[t];
        for (size_t t = 0; t < tables_; ++t) slopes_[t] += static_cast<double>(sums[t]);
    }

    // Multiplies residuals and losses by the weights of rows.
    void weigh(size_t begin, size_t count, size_t classes, float* scores, float* losses) const {
        if (labels_.weights.empty()) return;
        for (size_t r = 0; r < count; ++r) {
            losses[r] *= labels_.weights[begin + r];
            for (size_t c = 0; c < classes; ++c) scores[r * classes + c] *= labels_.weights[begin + r];
        }
    }

    static constexpr size_t kRows = 256;

    size_t rows_, tables_, classes_;
    Labelled labels_;
    const double* offset_;
    const double* centres_;
    double common_, each_, bias_;
    std::vector<float> exponents_;
    std::vector<float> by_class_;  // terms [rows, classes, tables]; with two classes [rows, tables]
    std::vector<double> slopes_;
    std::vector<double> class_slopes_;
};

inline nb::tuple fit_exponents(const TermArray& terms, const Array& target, const Weights& weights,
                               const Vector<double>& offset, const Vector<double>& centres,
                               double common, double each, double bias,
                               const Vector<double>& start, int iterations) {
    const size_t tables = terms.shape(1), classes = terms.shape(2);
    Labelled labels(target, weights, terms.shape(0), classes);
    if (offset.shape(0) != classes || centres.shape(0) != tables ||
        start.shape(0) != 1 + tables + classes || classes < 2)
        throw std::invalid_argument("The start does not fit the terms.");
    std::vector<double> x(start.data(), start.data() + start.shape(0));
    Minimum minimum;
    {
        nb::gil_scoped_release release;
        ExponentLoss loss(terms, std::move(labels), offset, centres, common, each, bias);
        minimum = minimise(x, iterations, 8, 0.0, 1e-4, loss);
    }
    const size_t size = x.size();
    return nb::make_tuple(hand_over(std::move(x), {size}), minimum.value, minimum.converged);
}

}  // namespace bayesgrove
