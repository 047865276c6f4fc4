// Fits to the conditional likelihood of the class: exponents of tables, and corrections of cells.
#pragma once

#include "lbfgs.hpp"

namespace bayesgrove {

using FloatMatrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using CellMatrix = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using TermArray = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// Calls body(std::integral_constant<size_t, N>) with N = classes for the usual numbers, else N = 0.
template <typename Body>
auto with_classes(size_t classes, const Body& body) {
    switch (classes) {
        case 2: return body(std::integral_constant<size_t, 2>());
        case 3: return body(std::integral_constant<size_t, 3>());
        case 4: return body(std::integral_constant<size_t, 4>());
        case 5: return body(std::integral_constant<size_t, 5>());
        case 6: return body(std::integral_constant<size_t, 6>());
        case 7: return body(std::integral_constant<size_t, 7>());
        case 8: return body(std::integral_constant<size_t, 8>());
        case 10: return body(std::integral_constant<size_t, 10>());
        default: return body(std::integral_constant<size_t, 0>());
    }
}

// Replaces scores by probabilities minus the indicator of the class `own`; returns -ln P(own).
inline float softmax_residual(float* scores, size_t classes, size_t own) {
    float top = scores[0];
    for (size_t c = 1; c < classes; ++c) top = std::max(top, scores[c]);
    const float own_score = scores[own] - top;
    float sum = 0.0f;
    for (size_t c = 0; c < classes; ++c) sum += scores[c] = std::exp(scores[c] - top);
    const float factor = 1.0f / sum;
    for (size_t c = 0; c < classes; ++c) scores[c] *= factor;
    scores[own] -= 1.0f;
    return std::log(sum) - own_score;
}

// Replaces a log-odds of class 1 by P(1) minus its indicator; returns -ln P(own class).
inline float logistic_residual(float& score, float own) {
    const float e = std::exp(-std::abs(score));
    const float loss = std::log1p(e) + std::max(score, 0.0f) - own * score;
    score = (score >= 0 ? 1.0f : e) / (1.0f + e) - own;
    return loss;
}

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

inline Result<float> gather_terms(const CellMatrix& cells, const Vector<int64_t>& starts,
                                  const FloatMatrix& logs, const FloatMatrix& twins, const Array& target,
                                  const Vector<int32_t>& rows) {
    const size_t tables = cells.shape(0), all = cells.shape(1), classes = logs.shape(1);
    const size_t count = rows.shape(0);
    const Labelled labels(target, Weights(), all, classes);
    if (starts.shape(0) != tables || twins.shape(0) != tables || twins.shape(1) != all)
        throw std::invalid_argument("The tables differ in number.");
    for (size_t e = 0; e < count; ++e)
        if (rows.data()[e] < 0 || static_cast<size_t>(rows.data()[e]) >= all)
            throw std::invalid_argument("A row is out of range.");
    for (size_t t = 0; t < tables; ++t)
        for (size_t r = 0; r < all; ++r) {
            const int64_t at = starts.data()[t] + cells.data()[t * all + r];
            if (at < 0 || static_cast<size_t>(at) >= logs.shape(0))
                throw std::invalid_argument("A cell is out of range.");
        }
    auto result = make_empty<float>({count, tables, classes});
    float* out = result.data();
    nb::gil_scoped_release release;
    for (size_t e = 0; e < count; ++e) {
        const auto r = static_cast<size_t>(rows.data()[e]);
        for (size_t t = 0; t < tables; ++t, out += classes) {
            const double* from =
                logs.data() +
                static_cast<size_t>(starts.data()[t] + cells.data()[t * all + r]) * classes;
            for (size_t c = 0; c < classes; ++c) out[c] = static_cast<float>(from[c]);
            out[labels.y[r]] = static_cast<float>(twins.data()[t * all + r]);
        }
    }
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
    nb::gil_scoped_release release;
    for (size_t t = 0; t < tables; ++t) {
        const double exponent = exponents.data()[t];
        for (size_t r = 0; r < rows; ++r) {
            const int64_t at = starts.data()[t] + cells.data()[t * rows + r];
            if (at < 0 || static_cast<size_t>(at) >= logs.shape(0))
                throw std::invalid_argument("A cell is out of range.");
            const double* from = logs.data() + static_cast<size_t>(at) * classes;
            double* to = out + r * classes;
            const uint32_t own = labels.y[r];
            const double kept = to[own];
            for (size_t c = 0; c < classes; ++c) to[c] += exponent * from[c];
            to[own] = kept + exponent * twins.data()[t * rows + r];
        }
    }
    return result;
}

// The penalised loss of exponents `common * centre + own` of the terms, and of a bias per class.
class ExponentLoss {
public:
    ExponentLoss(const TermArray& terms, Labelled&& labels, const Vector<double>& offset,
                 const Vector<double>& centres, double common, double each, double bias)
        : terms_(terms.data()), rows_(terms.shape(0)), tables_(terms.shape(1)),
          classes_(terms.shape(2)), labels_(std::move(labels)), offset_(offset.data()),
          centres_(centres.data()), common_(common), each_(each), bias_(bias),
          exponents_(tables_), slopes_(tables_), scores_(classes_), class_slopes_(classes_) {
        if (classes_ == 2) {  // One log-odds: the differences of the terms.
            differences_.resize(rows_ * tables_);
            for (size_t j = 0; j < differences_.size(); ++j)
                differences_[j] = terms_[2 * j + 1] - terms_[2 * j];
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
        for (size_t begin = 0; begin < rows_; begin += 256) {
            const size_t end = std::min(rows_, begin + 256);
            std::fill(sums.begin(), sums.end(), 0.0f);
            float loss = 0.0f, slope = 0.0f;
            for (size_t r = begin; r < end; ++r) {
                const float* row = differences_.data() + r * T;
                float parts[4] = {start, 0, 0, 0};
                size_t t = 0;
                for (; t + 4 <= T; t += 4)
                    for (size_t p = 0; p < 4; ++p) parts[p] += exponents_[t + p] * row[t + p];
                for (; t < T; ++t) parts[0] += exponents_[t] * row[t];
                float score = (parts[0] + parts[1]) + (parts[2] + parts[3]);
                const float w = labels_.weight(r);
                loss += w * logistic_residual(score, static_cast<float>(labels_.y[r]));
                score *= w;
                slope += score;
                for (t = 0; t < T; ++t) sums[t] += score * row[t];
            }
            value += static_cast<double>(loss);
            class_slopes_[1] += static_cast<double>(slope);
            for (size_t t = 0; t < T; ++t) slopes_[t] += static_cast<double>(sums[t]);
        }
        class_slopes_[0] = -class_slopes_[1];
        return value;
    }

    double softmax(const std::vector<double>& x) {
        double value = 0.0;
        with_classes(classes_, [&](auto fixed) {
            const size_t C = decltype(fixed)::value ? decltype(fixed)::value : classes_;
            const size_t T = tables_;
            std::vector<float> start(C), sums(T), scores(C);
            for (size_t c = 0; c < C; ++c)
                start[c] = static_cast<float>(offset_[c] + x[1 + T + c]);
            for (size_t begin = 0; begin < rows_; begin += 256) {
                const size_t end = std::min(rows_, begin + 256);
                std::fill(sums.begin(), sums.end(), 0.0f);
                for (size_t r = begin; r < end; ++r) {
                    const float* row = terms_ + r * T * C;
                    float* score = scores.data();
                    std::copy(start.begin(), start.end(), score);
                    for (size_t t = 0; t < T; ++t)
                        for (size_t c = 0; c < C; ++c) score[c] += exponents_[t] * row[t * C + c];
                    const float w = labels_.weight(r);
                    value += static_cast<double>(w * softmax_residual(score, C, labels_.y[r]));
                    for (size_t c = 0; c < C; ++c) {
                        score[c] *= w;
                        class_slopes_[c] += static_cast<double>(score[c]);
                    }
                    for (size_t t = 0; t < T; ++t) {
                        float sum = 0.0f;
                        for (size_t c = 0; c < C; ++c) sum += score[c] * row[t * C + c];
                        sums[t] += sum;
                    }
                }
                for (size_t t = 0; t < T; ++t) slopes_[t] += static_cast<double>(sums[t]);
            }
        });
        return value;
    }

    const float* terms_;
    size_t rows_, tables_, classes_;
    Labelled labels_;
    const double* offset_;
    const double* centres_;
    double common_, each_, bias_;
    std::vector<float> exponents_, differences_;
    std::vector<double> slopes_;
    std::vector<float> scores_;
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

// The penalised loss of corrections of cells, with one linear term per slot that has one. The
// parameters are scaled by the square roots of their curvatures at 0. With two classes there is one
// parameter per cell: the correction of class 1 minus the one of class 0.
class CorrectionLoss {
public:
    CorrectionLoss(const CellMatrix& cells, const Vector<int64_t>& sizes,
                   const Vector<double>& penalties, const Vector<double>& z,
                   const Vector<uint8_t>& linear, double linear_penalty, const int32_t* rows,
                   size_t n_rows, const FloatMatrix& offsets, const Labelled& labels)
        : slots_(sizes.shape(0)), n_rows_(n_rows), rows_(rows), classes_(offsets.shape(1)),
          width_(classes_ == 2 ? 1 : classes_), labels_(labels), starts_(1, 0) {
        for (size_t q = 0; q < slots_; ++q) {
            starts_.push_back(starts_.back() + static_cast<size_t>(sizes.data()[q]));
            if (linear.data()[q]) linear_.push_back(q);
        }
        cells_ = starts_.back();
        const size_t all = cells.shape(1);
        index_.resize(n_rows_ * slots_);
        for (size_t q = 0; q < slots_; ++q)
            for (size_t e = 0; e < n_rows_; ++e)
                index_[e * slots_ + q] = static_cast<uint32_t>(
                    (starts_[q] + static_cast<size_t>(cells.data()[q * all + at(e)])) * width_);
        z_.resize(n_rows_ * linear_.size());
        for (size_t u = 0; u < linear_.size(); ++u)
            for (size_t e = 0; e < n_rows_; ++e)
                z_[e * linear_.size() + u] =
                    static_cast<float>(z.data()[index_[e * slots_ + linear_[u]] / width_]);
        offset_.resize(n_rows_ * width_);
        for (size_t e = 0; e < n_rows_; ++e) {
            const double* from = offsets.data() + at(e) * classes_;
            if (classes_ == 2)
                offset_[e] = static_cast<float>(from[1] - from[0]);
            else
                for (size_t c = 0; c < classes_; ++c)
                    offset_[e * classes_ + c] = static_cast<float>(from[c]);
        }
        set_scales(penalties.data(), linear_penalty);
    }

    size_t size() const { return (cells_ + linear_.size()) * width_; }

    double operator()(const std::vector<float>& x, std::vector<float>& gradient) {
        for (size_t j = 0; j < size(); ++j) deltas_[j] = x[j] * scales_[j];
        std::fill(slopes_.begin(), slopes_.end(), 0.0f);
        double value = classes_ == 2 ? odds() : softmax();
        for (size_t j = 0; j < size(); ++j) {
            value += 0.5 * static_cast<double>(penalties_[j] * deltas_[j] * deltas_[j]);
            gradient[j] = (slopes_[j] + penalties_[j] * deltas_[j]) * scales_[j];
        }
        return value;
    }

    // Fills `out` with the corrections of all cells and classes; the linear terms are added to them.
    void unpack(const std::vector<float>& x, const double* z, double* out) const {
        for (size_t cell = 0; cell < cells_; ++cell) set(out, cell, x.data(), scales_.data(), cell);
        for (size_t u = 0; u < linear_.size(); ++u) {
            std::vector<double> slope(classes_);
            set(slope.data(), 0, x.data(), scales_.data(), cells_ + u);
            for (size_t cell = starts_[linear_[u]]; cell < starts_[linear_[u] + 1]; ++cell)
                for (size_t c = 0; c < classes_; ++c) out[cell * classes_ + c] += z[cell] * slope[c];
        }
    }

private:
    size_t at(size_t e) const { return static_cast<size_t>(rows_[e]); }

    void set(double* out, size_t to, const float* x, const float* scales, size_t from) const {
        for (size_t c = 0; c < classes_; ++c)
            out[to * classes_ + c] =
                classes_ == 2
                    ? (c ? 0.5 : -0.5) * static_cast<double>(x[from] * scales[from])
                    : static_cast<double>(x[from * classes_ + c] * scales[from * classes_ + c]);
    }

    // Sets penalties, and scales from the curvatures at 0. The penalty of a pair of corrections
    // that sum to 0 is half the penalty of their difference.
    void set_scales(const double* penalties, double linear_penalty) {
        const float share = classes_ == 2 ? 0.5f : 1.0f;
        penalties_.resize(size());
        for (size_t q = 0; q < slots_; ++q)
            std::fill(penalties_.begin() + static_cast<std::ptrdiff_t>(starts_[q] * width_),
                      penalties_.begin() + static_cast<std::ptrdiff_t>(starts_[q + 1] * width_),
                      share * static_cast<float>(penalties[q]));
        std::fill(penalties_.begin() + static_cast<std::ptrdiff_t>(cells_ * width_),
                  penalties_.end(), share * static_cast<float>(linear_penalty));
        std::vector<float> curvature(size(), 0.0f), p(classes_);
        for (size_t e = 0; e < n_rows_; ++e) {
            if (classes_ == 2) {
                p[0] = 1.0f / (1.0f + std::exp(-offset_[e]));
            } else {
                std::copy_n(offset_.data() + e * classes_, classes_, p.data());
                softmax_residual(p.data(), classes_, 0);
                p[0] += 1.0f;
            }
            for (size_t c = 0; c < width_; ++c) p[c] *= (1.0f - p[c]) * labels_.weight(at(e));
            for (size_t q = 0; q < slots_; ++q)
                for (size_t c = 0; c < width_; ++c) curvature[index_[e * slots_ + q] + c] += p[c];
            for (size_t u = 0; u < linear_.size(); ++u) {
                const float z = z_[e * linear_.size() + u];
                for (size_t c = 0; c < width_; ++c)
                    curvature[(cells_ + u) * width_ + c] += z * z * p[c];
            }
        }
        scales_.resize(size());
        deltas_.resize(size());
        slopes_.resize(size());
        residuals_.resize(n_rows_);
        for (size_t j = 0; j < size(); ++j)
            scales_[j] = 1.0f / std::sqrt(curvature[j] + penalties_[j]);
    }

    double odds() {
        const size_t Q = slots_, L = linear_.size();
        const float* beta = deltas_.data() + cells_;
        double value = 0.0;
        for (size_t e = 0; e < n_rows_; ++e) {
            const uint32_t* index = index_.data() + e * Q;
            float parts[4] = {offset_[e], 0, 0, 0};
            size_t q = 0;
            for (; q + 4 <= Q; q += 4)
                for (size_t p = 0; p < 4; ++p) parts[p] += deltas_[index[q + p]];
            for (; q < Q; ++q) parts[0] += deltas_[index[q]];
            const float* z = z_.data() + e * L;
            for (size_t u = 0; u < L; ++u) parts[u % 4] += z[u] * beta[u];
            residuals_[e] = (parts[0] + parts[1]) + (parts[2] + parts[3]);
        }
        for (size_t e = 0; e < n_rows_; ++e) {
            const float w = labels_.weight(at(e));
            value += static_cast<double>(
                w * logistic_residual(residuals_[e], static_cast<float>(labels_.y[at(e)])));
            residuals_[e] *= w;
        }
        float* slope = slopes_.data() + cells_;
        for (size_t e = 0; e < n_rows_; ++e) {
            const uint32_t* index = index_.data() + e * Q;
            const float residual = residuals_[e];
            for (size_t q = 0; q < Q; ++q) slopes_[index[q]] += residual;
            const float* z = z_.data() + e * L;
            for (size_t u = 0; u < L; ++u) slope[u] += residual * z[u];
        }
        return value;
    }

    double softmax() {
        double value = 0.0;
        with_classes(classes_, [&](auto fixed) {
            const size_t C = decltype(fixed)::value ? decltype(fixed)::value : classes_;
            const size_t Q = slots_, L = linear_.size();
            std::vector<float> scores(C);
            float* score = scores.data();
            for (size_t e = 0; e < n_rows_; ++e) {
                const uint32_t* index = index_.data() + e * Q;
                const float* z = z_.data() + e * L;
                std::copy_n(offset_.data() + e * C, C, score);
                for (size_t q = 0; q < Q; ++q) {
                    const float* delta = deltas_.data() + index[q];
                    for (size_t c = 0; c < C; ++c) score[c] += delta[c];
                }
                for (size_t u = 0; u < L; ++u) {
                    const float* beta = deltas_.data() + (cells_ + u) * C;
                    for (size_t c = 0; c < C; ++c) score[c] += z[u] * beta[c];
                }
                const float w = labels_.weight(at(e));
                value += static_cast<double>(w * softmax_residual(score, C, labels_.y[at(e)]));
                if (w != 1.0f)
                    for (size_t c = 0; c < C; ++c) score[c] *= w;
                for (size_t q = 0; q < Q; ++q) {
                    float* slope = slopes_.data() + index[q];
                    for (size_t c = 0; c < C; ++c) slope[c] += score[c];
                }
                for (size_t u = 0; u < L; ++u) {
                    float* slope = slopes_.data() + (cells_ + u) * C;
                    for (size_t c = 0; c < C; ++c) slope[c] += z[u] * score[c];
                }
            }
        });
        return value;
    }

    size_t slots_, n_rows_;
    const int32_t* rows_;
    size_t classes_, width_;
    const Labelled& labels_;
    std::vector<size_t> starts_, linear_;
    size_t cells_ = 0;
    std::vector<uint32_t> index_;
    std::vector<float> z_, offset_, penalties_, scales_, deltas_, slopes_, residuals_;
};

inline nb::tuple fit_corrections(const CellMatrix& cells, const Vector<int64_t>& sizes,
                                 const Vector<double>& penalties, const Vector<double>& z,
                                 const Vector<uint8_t>& linear, double linear_penalty,
                                 const Vector<int32_t>& rows, const FloatMatrix& offsets,
                                 const Array& target, const Weights& weights, int iterations) {
    const size_t slots = cells.shape(0), all = cells.shape(1), classes = offsets.shape(1);
    const Labelled labels(target, weights, all, classes);
    size_t total = 0;
    if (sizes.shape(0) != slots || penalties.shape(0) != slots || linear.shape(0) != slots ||
        offsets.shape(0) != all || classes < 2)
        throw std::invalid_argument("The cells, the slots and the rows do not fit.");
    for (size_t q = 0; q < slots; ++q) {
        total += static_cast<size_t>(sizes.data()[q]);
        for (size_t r = 0; r < all; ++r)
            if (cells.data()[q * all + r] < 0 || cells.data()[q * all + r] >= sizes.data()[q])
                throw std::invalid_argument("A cell is out of range.");
    }
    if (z.shape(0) != total || total * classes > UINT32_MAX)
        throw std::invalid_argument("There must be one number per cell, and less than 2^32 cells.");
    for (size_t e = 0; e < rows.shape(0); ++e)
        if (rows.data()[e] < 0 || static_cast<size_t>(rows.data()[e]) >= all)
            throw std::invalid_argument("A row is out of range.");
    auto deltas = make_result<double>({total, classes});
    auto sums = make_result<double>({all, classes});
    Minimum minimum;
    {
        nb::gil_scoped_release release;
        CorrectionLoss loss(cells, sizes, penalties, z, linear, linear_penalty, rows.data(),
                            rows.shape(0), offsets, labels);
        std::vector<float> x(loss.size(), 0.0f);
        minimum = minimise(x, iterations, 5, 0.5, 1e-4, loss);
        loss.unpack(x, z.data(), deltas.data());
        size_t start = 0;
        for (size_t q = 0; q < slots; ++q) {
            for (size_t r = 0; r < all; ++r) {
                const double* from =
                    deltas.data() +
                    (start + static_cast<size_t>(cells.data()[q * all + r])) * classes;
                for (size_t c = 0; c < classes; ++c) sums.data()[r * classes + c] += from[c];
            }
            start += static_cast<size_t>(sizes.data()[q]);
        }
    }
    return nb::make_tuple(deltas, sums, minimum.value, minimum.converged);
}

}  // namespace bayesgrove
