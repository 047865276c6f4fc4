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
        bool fits = starts.data()[t] >= 0;
        const int64_t most = static_cast<int64_t>(size) - (fits ? starts.data()[t] : 0);
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

// Adds the entries of the cells of rows to the sums of the columns of their tables.
inline void add_cell_entries(const CellMatrix& cells, const Vector<int64_t>& starts,
                             const nb::ndarray<const float, nb::ndim<2>, nb::c_contig,
                                               nb::device::cpu>& entries,
                             const Vector<int32_t>& columns,
                             const nb::ndarray<float, nb::ndim<3>, nb::c_contig,
                                               nb::device::cpu>& out) {
    const size_t tables = cells.shape(0), rows = cells.shape(1), classes = entries.shape(1);
    if (starts.shape(0) != tables || columns.shape(0) != tables || out.shape(1) != rows ||
        out.shape(2) != classes)
        throw std::invalid_argument("The tables, the rows and the sums do not fit.");
    for (size_t t = 0; t < tables; ++t)
        if (columns.data()[t] < 0 || static_cast<size_t>(columns.data()[t]) >= out.shape(0))
            throw std::invalid_argument("A column is out of range.");
    require_cells(cells, starts, entries.shape(0));
    float* sums = out.data();
    nb::gil_scoped_release release;
    with_classes(classes, [&](auto fixed) {
        const size_t C = decltype(fixed)::value ? decltype(fixed)::value : classes;
        for (size_t t = 0; t < tables; ++t) {
            const float* table = entries.data() + static_cast<size_t>(starts.data()[t]) * C;
            const int32_t* cell = cells.data() + t * rows;
            float* to = sums + static_cast<size_t>(columns.data()[t]) * rows * C;
            for (size_t r = 0; r < rows; ++r, to += C) {
                const float* from = table + static_cast<size_t>(cell[r]) * C;
                for (size_t c = 0; c < C; ++c) to[c] += from[c];
            }
        }
    });
}

// Adds to scores the terms of tables, [tables, size], times the exponents.
BAYESGROVE_VERSIONS inline void add_weighted(size_t tables, size_t size, const float* exponents,
                                             const float* terms, float* __restrict scores) {
    size_t t = 0;
    for (; t + 4 <= tables; t += 4, terms += 4 * size) {
        const float *a = terms, *b = a + size, *c = b + size, *d = c + size, *by = exponents + t;
        for (size_t r = 0; r < size; ++r)
            scores[r] += (by[0] * a[r] + by[1] * b[r]) + (by[2] * c[r] + by[3] * d[r]);
    }
    for (; t < tables; ++t, terms += size)
        for (size_t r = 0; r < size; ++r) scores[r] += exponents[t] * terms[r];
}

// Returns the sum of products; the size is a multiple of 8.
inline float sum_of_products(size_t size, const float* a, const float* b) {
    typedef float Lanes __attribute__((vector_size(16)));
    Lanes sums[2] = {};
    for (size_t j = 0; j < size; j += 8)
        for (size_t p = 0; p < 2; ++p) {
            Lanes x, y;
            std::memcpy(&x, a + j + 4 * p, sizeof x);
            std::memcpy(&y, b + j + 4 * p, sizeof y);
            sums[p] += x * y;
        }
    const Lanes sum = sums[0] + sums[1];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// The penalised loss of exponents `common * centre + own` of the terms, and of a bias per class.
//
// Rows are in blocks, which have a multiple of 8 rows; rows that fill up a block have weight 0. With
// two classes there is one score per row, the log-odds of class 1, and one term per table.
class ExponentLoss {
public:
    ExponentLoss(const TermArray& terms, const Labelled& labels, const Vector<double>& offset,
                 const Vector<double>& centres, double common, double each, double bias)
        : rows_(terms.shape(0)), tables_(terms.shape(1)), classes_(terms.shape(2)),
          width_(classes_ == 2 ? 1 : classes_), offset_(offset.data()), centres_(centres.data()),
          common_(common), each_(each), bias_(bias), exponents_(tables_), slopes_(tables_),
          class_slopes_(classes_), scores_(kRows * width_) {
        const size_t padded = (rows_ + 7) / 8 * 8;
        terms_.resize(padded * width_ * tables_);
        own_.assign(labels.y.begin(), labels.y.end());
        own_.resize(padded, 0);
        indicators_.assign(own_.begin(), own_.end());
        weights_.resize(padded, 0.0f);
        for (size_t r = 0; r < rows_; ++r) weights_[r] = labels.weight(r);
        for_blocks([&](size_t begin, size_t count, size_t size) {
            float* to = terms_.data() + begin * width_ * tables_;
            const float* from = terms.data() + begin * tables_ * classes_;
            constexpr size_t kTile = 16;  // A whole line of the cache is written at a time.
            for (size_t start = 0; start < count; start += kTile)
                for (size_t t = 0; t < tables_; ++t)
                    for (size_t c = 0; c < width_; ++c)
                        for (size_t r = start; r < std::min(start + kTile, count); ++r) {
                            const float* term = from + (r * tables_ + t) * classes_;
                            to[(c * tables_ + t) * size + r] =
                                width_ == 1 ? term[1] - term[0] : term[c];
                        }
        });
    }

    size_t size() const { return 1 + tables_ + classes_; }

    double operator()(const std::vector<double>& x, std::vector<double>& gradient) {
        for (size_t t = 0; t < tables_; ++t)
            exponents_[t] = static_cast<float>(x[0] * centres_[t] + x[1 + t]);
        std::fill(slopes_.begin(), slopes_.end(), 0.0);
        std::fill(class_slopes_.begin(), class_slopes_.end(), 0.0);
        double value = 0.0;
        for_blocks([&](size_t begin, size_t, size_t size) { value += add_block(x, begin, size); });
        if (width_ == 1) {
            class_slopes_[1] = class_slopes_[0];
            class_slopes_[0] = -class_slopes_[1];
        }
        gradient.assign(this->size(), 0.0);
        const double shift = x[0] - 1.0;
        add(value, gradient[0], common_, shift);
        for (size_t t = 0; t < tables_; ++t) {
            if (std::isfinite(common_)) gradient[0] += centres_[t] * slopes_[t];
            if (std::isfinite(each_)) gradient[1 + t] = slopes_[t];
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

    // Calls body(first row, number of rows, number of rows with those that fill up the block).
    template <typename Body>
    void for_blocks(const Body& body) {
        for (size_t begin = 0; begin < rows_; begin += kRows) {
            const size_t count = std::min(kRows, rows_ - begin);
            body(begin, count, (count + 7) / 8 * 8);
        }
    }

    // Adds the slopes of a block of rows, and returns its loss.
    double add_block(const std::vector<double>& x, size_t begin, size_t size) {
        const float* terms = terms_.data() + begin * width_ * tables_;
        float losses[kRows];
        for (size_t c = 0; c < width_; ++c) {
            float* scores = scores_.data() + c * size;
            double start = offset_[c] + x[1 + tables_ + c];
            if (width_ == 1) start = offset_[1] + x[2 + tables_] - start;
            std::fill(scores, scores + size, static_cast<float>(start));
            add_weighted(tables_, size, exponents_.data(), terms + c * tables_ * size, scores);
        }
        if (width_ == 1)
            logistic_residuals(size, indicators_.data() + begin, scores_.data(), losses);
        else
            softmax_residuals(size, width_, own_.data() + begin, scores_.data(), losses);
        const float* weights = weights_.data() + begin;
        for (size_t r = 0; r < size; ++r) losses[r] *= weights[r];
        for (size_t c = 0; c < width_; ++c) {
            float* scores = scores_.data() + c * size;
            for (size_t r = 0; r < size; ++r) scores[r] *= weights[r];
            class_slopes_[c] += sum_in_lanes(scores, size);
            for (size_t t = 0; t < tables_; ++t)
                slopes_[t] += static_cast<double>(
                    sum_of_products(size, scores, terms + (c * tables_ + t) * size));
        }
        return sum_in_lanes(losses, size);
    }

    static constexpr size_t kRows = 256;

    size_t rows_, tables_, classes_, width_;
    const double* offset_;
    const double* centres_;
    double common_, each_, bias_;
    std::vector<float> exponents_;
    std::vector<double> slopes_, class_slopes_;
    std::vector<float> terms_;  // of each block, [width, tables, rows]
    std::vector<uint32_t> own_;
    std::vector<float> indicators_, weights_, scores_;  // scores of a block, [width, rows]
};

inline nb::tuple fit_exponents(const TermArray& terms, const Array& target, const Weights& weights,
                               const Vector<double>& offset, const Vector<double>& centres,
                               double common, double each, double bias,
                               const Vector<double>& start, int iterations) {
    const size_t tables = terms.shape(1), classes = terms.shape(2);
    const Labelled labels(target, weights, terms.shape(0), classes);
    if (offset.shape(0) != classes || centres.shape(0) != tables ||
        start.shape(0) != 1 + tables + classes || classes < 2)
        throw std::invalid_argument("The start does not fit the terms.");
    std::vector<double> x(start.data(), start.data() + start.shape(0));
    Minimum minimum;
    {
        nb::gil_scoped_release release;
        ExponentLoss loss(terms, labels, offset, centres, common, each, bias);
        minimum = minimise(x, iterations, 8, 0.0, 1e-4, loss);
    }
    const size_t size = x.size();
    return nb::make_tuple(hand_over(std::move(x), {size}), minimum.value, minimum.converged);
}

}  // namespace bayesgrove
