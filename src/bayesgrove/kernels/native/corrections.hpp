// Corrections of the cells of back-off tables, fitted to the conditional likelihood of the class.
#pragma once

#include "conditional.hpp"
#include "fast_math.hpp"

namespace bayesgrove {

// The tables of `fit_corrections`: where the cells of their levels are.
struct CorrectedTables {
    const int32_t* cells;  // [tables, rows]: cell of each row at the last level
    size_t tables, rows;
    std::vector<size_t> slots;   // first slot of each table, and the number of slots
    std::vector<size_t> starts;  // first cell of each slot, and the number of cells
    const int32_t* ups;          // cell of each cell one level before
    const double* penalties;     // of each slot; infinite without corrections of its own

    CorrectedTables(const CellMatrix& cell_matrix, const Vector<int64_t>& depths,
                    const Vector<int64_t>& sizes, const Vector<int32_t>& up,
                    const Vector<double>& slot_penalties)
        : cells(cell_matrix.data()), tables(cell_matrix.shape(0)), rows(cell_matrix.shape(1)),
          slots(1, 0), starts(1, 0), ups(up.data()), penalties(slot_penalties.data()) {
        for (size_t t = 0; t < depths.shape(0); ++t)
            if (depths.data()[t] > INT32_MAX) throw std::invalid_argument("A depth is too large.");
        for (size_t q = 0; q < sizes.shape(0); ++q)
            if (sizes.data()[q] > INT32_MAX) throw std::invalid_argument("A slot is too large.");
        for (size_t t = 0; t < depths.shape(0); ++t)
            slots.push_back(slots.back() + 1 +
                            static_cast<size_t>(std::max<int64_t>(depths.data()[t], 0)));
        for (size_t q = 0; q < sizes.shape(0); ++q)
            starts.push_back(starts.back() +
                             static_cast<size_t>(std::max<int64_t>(sizes.data()[q], 0)));
        if (depths.shape(0) != tables || sizes.shape(0) != slots.back() ||
            slot_penalties.shape(0) != slots.back() || up.shape(0) != starts.back())
            throw std::invalid_argument("The cells, the slots and the rows do not fit.");
        auto require = [](const int32_t* from, size_t count, size_t limit) {
            bool fits = true;
            for (size_t j = 0; j < count; ++j)
                fits &= from[j] >= 0 && static_cast<size_t>(from[j]) < limit;
            if (!fits) throw std::invalid_argument("A cell is out of range.");
        };
        for (size_t t = 0; t < tables; ++t) {
            for (size_t q = slots[t] + 1; q < slots[t + 1]; ++q)
                require(ups + starts[q], size_of_slot(q), size_of_slot(q - 1));
            require(cells + t * rows, rows, size_of_slot(slots[t + 1] - 1));
        }
    }

    size_t size_of_slot(size_t q) const { return starts[q + 1] - starts[q]; }
    size_t all_cells() const { return starts.back(); }
    bool corrected(size_t q) const { return std::isfinite(penalties[q]); }
};

// Positions of the values of children on axes: the axis of table t begins at place `starts[t]` of
// `positions`; 0 stands for none.
struct AxisCells {
    const uint32_t* codes;  // of the child, of every cell
    const int64_t* starts;
    const double* positions;

    AxisCells(const CorrectedTables& tables, const Vector<uint32_t>& cell_codes,
              const Vector<int64_t>& axis_starts, const Vector<double>& axes)
        : codes(cell_codes.data()), starts(axis_starts.data()), positions(axes.data()) {
        if (cell_codes.shape(0) != tables.all_cells() || axis_starts.shape(0) != tables.tables)
            throw std::invalid_argument("The cells and the axes do not fit.");
        bool fits = true;
        for (size_t t = 0; t < tables.tables; ++t) {
            if (starts[t] == 0) continue;
            const auto end = static_cast<int64_t>(axes.shape(0));
            const size_t first = tables.slots[t];
            fits &= starts[t] > 0;
            if (!fits) break;
            for (size_t cell = tables.starts[first]; cell < tables.starts[first + 1]; ++cell)
                fits &= codes[cell] < end - starts[t];
        }
        if (!fits) throw std::invalid_argument("A position is out of range.");
    }

    std::vector<float> of_table(size_t t, size_t first_cell, size_t cells) const {
        std::vector<float> found(cells);
        for (size_t cell = 0; cell < cells; ++cell)
            found[cell] = static_cast<float>(
                positions[static_cast<size_t>(starts[t]) + codes[first_cell + cell]]);
        return found;
    }
};

// Sets the gradient of parameters from the slopes of their scaled values; returns their penalty.
BAYESGROVE_VERSIONS inline double add_penalties(size_t count, const float* values,
                                                const float* slopes, const float* penalties,
                                                const float* scales, float* __restrict gradient) {
    double parts[8] = {};
    const auto add = [&](size_t j, size_t p) {
        const float penalised = penalties[j] * values[j];
        gradient[j] = (slopes[j] + penalised) * scales[j];
        parts[p] += static_cast<double>(penalised * values[j]);
    };
    size_t j = 0;
    for (; j + 8 <= count; j += 8)
        for (size_t p = 0; p < 8; ++p) add(j + p, p);
    for (size_t p = 0; j < count; ++j, ++p) add(j, p);
    double sum = 0.0;
    for (double part : parts) sum += part;
    return 0.5 * sum;
}

// The penalised loss of corrections of cells, with one linear term per table that has one. The
// parameters are scaled by the square roots of their curvatures at 0. With two classes there is one
// parameter per cell: the correction of class 1 minus the one of class 0.
//
// The corrections of a cell and of the same cells one level before are summed once per cell, so that
// a row reads one number per table and class. The slopes of cells are summed per row at the last
// level, and per cell from there on. Cells have a whole number of vectors of classes.
class CorrectionLoss {
public:
    CorrectionLoss(const CorrectedTables& tables, const AxisCells& axes,
                   double linear_penalty, const int32_t* rows, size_t n_rows,
                   const FloatMatrix& offsets, const Labelled& labels)
        : n_rows_(n_rows), classes_(offsets.shape(1)), width_(classes_ == 2 ? 1 : classes_),
          stride_(width_ == 1 ? 1 : width_ <= 4 ? 4 : (width_ + 3) / 4 * 4),
          linear_penalty_(share() * static_cast<float>(linear_penalty)) {
        add_tables(tables, axes);
        for (size_t e = 0; e < n_rows_; ++e)
            own_.push_back(labels.y[static_cast<size_t>(rows[e])]);
        indicators_.assign(own_.begin(), own_.end());
        if (!labels.weights.empty())
            for (size_t e = 0; e < n_rows_; ++e)
                weights_.push_back(labels.weights[static_cast<size_t>(rows[e])]);
        index_rows(tables, rows);
        offset_.assign(n_rows_ * stride_, 0.0f);
        for (size_t e = 0; e < n_rows_; ++e) {
            const double* from = offsets.data() + static_cast<size_t>(rows[e]) * classes_;
            if (classes_ == 2)
                offset_[e] = static_cast<float>(from[1] - from[0]);
            else
                for (size_t c = 0; c < classes_; ++c)
                    offset_[e * stride_ + c] = static_cast<float>(from[c]);
        }
        losses_.resize(n_rows_);
        deltas_.resize(size());
        sums_.resize(cells_ * stride_);
        set_scales();
    }

    size_t size() const { return (cells_ + linear_.size()) * stride_; }

    double operator()(const std::vector<float>& x, std::vector<float>& gradient) {
        for (size_t j = 0; j < deltas_.size(); ++j) deltas_[j] = x[j] * scales_[j];
        add_levels();
        scores_ = offset_;
        stride_ == 1 ? gather<float>() : gather<FourClasses>();
        double value = residuals();
        weigh();
        sum_over_rows();
        value += add_penalties(sums_.size(), deltas_.data(), sums_.data(), penalties_.data(),
                               scales_.data(), gradient.data());
        const size_t start = cells_ * stride_;
        for (size_t u = 0; u < linear_.size(); ++u) {
            const Linear& term = linear_[u];
            for (size_t c = 0; c < stride_; ++c) {
                double slope = 0.0;
                for (size_t cell = 0; cell < term.size; ++cell)
                    slope += static_cast<double>(term.z[cell] *
                                                 sums_[(term.start + cell) * stride_ + c]);
                slopes_[u * stride_ + c] = static_cast<float>(slope);
            }
        }
        for (size_t j = 0; j < linear_.size() * stride_; ++j) {
            const float penalised = linear_penalty_ * deltas_[start + j];
            value += 0.5 * static_cast<double>(penalised * deltas_[start + j]);
            gradient[start + j] = (slopes_[j] + penalised) * scales_[start + j];
        }
        return value;
    }

    // Fills `out` with the corrections of all cells and classes, each with those of the same cell one
    // level before, and with the linear terms.
    void unpack(const CorrectedTables& tables, const std::vector<float>& x, double* out) const {
        size_t slot = 0, term = 0;
        for (size_t t = 0; t < tables.tables; ++t)
            for (size_t q = tables.slots[t]; q < tables.slots[t + 1]; ++q) {
                const bool first = q == tables.slots[t];
                const bool own = slot < slots_.size() && slots_[slot].number == q;
                const bool slope = own && first && term < linear_.size() &&
                                   linear_[term].start == slots_[slot].start;
                const size_t from = own ? slots_[slot].start : 0;
                for (size_t cell = 0; cell < tables.size_of_slot(q); ++cell) {
                    double* to = out + (tables.starts[q] + cell) * classes_;
                    if (!first)
                        std::copy_n(out + (tables.starts[q - 1] +
                                           static_cast<size_t>(tables.ups[tables.starts[q] + cell])) *
                                              classes_,
                                    classes_, to);
                    if (own) add(to, x, from + cell, 1.0);
                    if (slope) add(to, x, cells_ + term, static_cast<double>(linear_[term].z[cell]));
                }
                slot += own;
                term += slope;
            }
    }

private:
    static constexpr size_t kGroup = 8;  // tables whose cells a row reads in one pass

    // The cells of one level of one table.
    struct Slot {
        size_t number, start, size;
        const int32_t* ups;  // nullptr at level 0
        float penalty;
    };

    struct Linear {
        size_t start, size;
        std::vector<float> z;
    };

    // The penalty of a pair of corrections that sum to 0 is half the penalty of their difference.
    float share() const { return classes_ == 2 ? 0.5f : 1.0f; }

    // Keeps the levels up to the last one with corrections.
    void add_tables(const CorrectedTables& tables, const AxisCells& axes) {
        for (size_t t = 0; t < tables.tables; ++t) {
            const size_t first = tables.slots[t], cells = tables.size_of_slot(first);
            size_t end = tables.slots[t + 1];
            while (end > first && !tables.corrected(end - 1)) --end;
            if (axes.starts[t] > 0 && end > first)
                linear_.push_back({cells_, cells, axes.of_table(t, tables.starts[first], cells)});
            for (size_t q = first; q < end; ++q) {
                const float penalty = share() * static_cast<float>(tables.penalties[q]);
                slots_.push_back({q, cells_, tables.size_of_slot(q),
                                  q == first ? nullptr : tables.ups + tables.starts[q], penalty});
                cells_ += tables.size_of_slot(q);
            }
            if (end > first) last_.push_back({t, slots_.size() - 1});
        }
    }

    // Places the cells of rows at the last corrected levels side by side, in groups of tables.
    void index_rows(const CorrectedTables& tables, const int32_t* rows) {
        index_.resize(last_.size() * n_rows_);
        for (size_t u = 0; u < last_.size(); ++u) {
            const auto [t, slot] = last_[u];
            const size_t first = u / kGroup * kGroup;
            const size_t members = std::min(kGroup, last_.size() - first);
            uint32_t* to = index_.data() + first * n_rows_ + (u - first);
            // The cell at the last corrected level of every cell at the last level.
            size_t q = tables.slots[t + 1] - 1;
            std::vector<int32_t> above(tables.size_of_slot(q));
            for (size_t cell = 0; cell < above.size(); ++cell) above[cell] = static_cast<int32_t>(cell);
            for (; q > slots_[slot].number; --q)
                for (int32_t& cell : above) cell = tables.ups[tables.starts[q] + static_cast<size_t>(cell)];
            const int32_t* cells = tables.cells + t * tables.rows;
            for (size_t e = 0; e < n_rows_; ++e) {
                const auto cell = static_cast<size_t>(above[static_cast<size_t>(cells[rows[e]])]);
                to[e * members] = static_cast<uint32_t>((slots_[slot].start + cell) * stride_);
            }
        }
    }

    void set_scales() {
        slopes_.resize(linear_.size() * stride_);
        scales_.assign(size(), 0.0f);
        scores_ = offset_;
        residuals();
        for (size_t e = 0; e < n_rows_; ++e) {
            if (width_ == 1)
                scores_[e] += static_cast<float>(own_[e]);
            else
                scores_[e * stride_ + own_[e]] += 1.0f;
        }
        for (float& p : scores_) p *= 1.0f - p;
        weigh();
        sum_over_rows();
        penalties_.assign(sums_.size(), 0.0f);
        for (const Slot& slot : slots_) {
            if (!std::isfinite(slot.penalty)) continue;  // These corrections stay 0.
            std::fill_n(penalties_.begin() + static_cast<std::ptrdiff_t>(slot.start * stride_),
                        slot.size * stride_, slot.penalty);
            for (size_t cell = slot.start; cell < slot.start + slot.size; ++cell)
                for (size_t c = 0; c < width_; ++c)
                    scales_[cell * stride_ + c] =
                        1.0f / std::sqrt(sums_[cell * stride_ + c] + slot.penalty);
        }
        for (size_t u = 0; u < linear_.size(); ++u)
            for (size_t c = 0; c < width_; ++c) {
                const Linear& term = linear_[u];
                double curvature = 0.0;
                for (size_t cell = 0; cell < term.size; ++cell)
                    curvature += static_cast<double>(term.z[cell] * term.z[cell] *
                                                     sums_[(term.start + cell) * stride_ + c]);
                scales_[(cells_ + u) * stride_ + c] =
                    1.0f / std::sqrt(static_cast<float>(curvature) + linear_penalty_);
            }
    }

    // Adds to the corrections of every cell those of the same cell one level before.
    void add_levels() {
        totals_.assign(deltas_.begin(), deltas_.begin() + static_cast<std::ptrdiff_t>(sums_.size()));
        for (size_t u = 0; u < linear_.size(); ++u) {
            const Linear& term = linear_[u];
            const float* slope = deltas_.data() + (cells_ + u) * stride_;
            for (size_t cell = 0; cell < term.size; ++cell)
                for (size_t c = 0; c < stride_; ++c)
                    totals_[(term.start + cell) * stride_ + c] += term.z[cell] * slope[c];
        }
        for (size_t s = 1; s < slots_.size(); ++s) {
            const Slot& slot = slots_[s];
            if (!slot.ups) continue;
            float* to = totals_.data() + slot.start * stride_;
            const float* from = totals_.data() + slots_[s - 1].start * stride_;
            for (size_t cell = 0; cell < slot.size; ++cell, to += stride_)
                for (size_t c = 0; c < stride_; ++c)
                    to[c] += from[static_cast<size_t>(slot.ups[cell]) * stride_ + c];
        }
    }

    // Sums the numbers of rows in `scores_` per cell, and from each level to the one before.
    void sum_over_rows() {
        std::fill(sums_.begin(), sums_.end(), 0.0f);
        stride_ == 1 ? scatter<float>() : scatter<FourClasses>();
        for (size_t s = slots_.size(); s-- > 1;) {
            const Slot& slot = slots_[s];
            if (!slot.ups) continue;
            const float* from = sums_.data() + slot.start * stride_;
            float* to = sums_.data() + slots_[s - 1].start * stride_;
            for (size_t cell = 0; cell < slot.size; ++cell, from += stride_)
                for (size_t c = 0; c < stride_; ++c)
                    to[static_cast<size_t>(slot.ups[cell]) * stride_ + c] += from[c];
        }
    }

    // Calls body(index of the first row, number of tables) for every group of tables.
    template <typename Body>
    void for_groups(const Body& body) {
        for (size_t first = 0; first < last_.size(); first += kGroup) {
            const uint32_t* index = index_.data() + first * n_rows_;
            if (last_.size() - first >= kGroup)
                body(index, std::integral_constant<size_t, kGroup>());
            else
                body(index, last_.size() - first);
        }
    }

    typedef float FourClasses __attribute__((vector_size(16)));

    template <typename Numbers>
    static Numbers load(const float* from) {
        Numbers numbers;
        std::memcpy(&numbers, from, sizeof numbers);
        return numbers;
    }

    // Adds the corrections of its cells to the scores of every row. Numbers are one or four classes.
    template <typename Numbers>
    void gather() {
        const float* totals = totals_.data();
        for_groups([&](const uint32_t* index, auto members) {
            float* score = scores_.data();
            for (size_t e = 0; e < n_rows_; ++e, index += members, score += stride_)
                for (size_t c = 0; c < stride_; c += sizeof(Numbers) / sizeof(float)) {
                    Numbers sum = load<Numbers>(score + c);
                    for (size_t j = 0; j < members; ++j) sum += load<Numbers>(totals + index[j] + c);
                    std::memcpy(score + c, &sum, sizeof sum);
                }
        });
    }

    // Adds the slopes of every row to those of its cells.
    template <typename Numbers>
    void scatter() {
        float* sums = sums_.data();
        for_groups([&](const uint32_t* index, auto members) {
            const float* score = scores_.data();
            for (size_t e = 0; e < n_rows_; ++e, index += members, score += stride_)
                for (size_t c = 0; c < stride_; c += sizeof(Numbers) / sizeof(float)) {
                    const Numbers own = load<Numbers>(score + c);
                    for (size_t j = 0; j < members; ++j) {
                        const Numbers sum = load<Numbers>(sums + index[j] + c) + own;
                        std::memcpy(sums + index[j] + c, &sum, sizeof sum);
                    }
                }
        });
    }

    // Replaces scores by probabilities minus indicators of the own class; returns the loss.
    double residuals() {
        if (width_ == 1)
            logistic_residuals(n_rows_, indicators_.data(), scores_.data(), losses_.data());
        else
            softmax_residuals(n_rows_, width_, stride_, own_.data(), scores_.data(), losses_.data());
        for (size_t e = 0; e < weights_.size(); ++e) losses_[e] *= weights_[e];
        return sum_in_lanes(losses_.data(), n_rows_);
    }

    void weigh() {
        for (size_t e = 0; e < weights_.size(); ++e)
            for (size_t c = 0; c < stride_; ++c) scores_[e * stride_ + c] *= weights_[e];
    }

    // Adds `factor` times the correction with number `from` to the classes of a cell.
    void add(double* to, const std::vector<float>& x, size_t from, double factor) const {
        for (size_t c = 0; c < classes_; ++c) {
            const size_t j = from * stride_ + (classes_ == 2 ? 0 : c);
            const double own = static_cast<double>(x[j] * scales_[j]);
            to[c] += factor * (classes_ == 2 ? (c ? 0.5 : -0.5) * own : own);
        }
    }

    size_t n_rows_, classes_, width_, stride_;
    float linear_penalty_;
    size_t cells_ = 0;
    std::vector<Slot> slots_;
    std::vector<Linear> linear_;
    std::vector<std::pair<size_t, size_t>> last_;  // tables, and their last corrected slots
    std::vector<uint32_t> own_, index_;
    std::vector<float> indicators_, weights_, offset_, scores_, losses_, scales_, penalties_, deltas_,
        totals_, sums_, slopes_;
};

inline nb::tuple fit_corrections(const CellMatrix& cells, const Vector<int64_t>& depths,
                                 const Vector<int64_t>& sizes, const Vector<int32_t>& ups,
                                 const Vector<double>& penalties, const Vector<uint32_t>& codes,
                                 const Vector<int64_t>& axis_starts,
                                 const Vector<double>& positions, double linear_penalty,
                                 const Vector<int32_t>& rows, const FloatMatrix& offsets,
                                 const Array& target, const Weights& weights, int iterations) {
    const size_t all = cells.shape(1), classes = offsets.shape(1);
    const CorrectedTables tables(cells, depths, sizes, ups, penalties);
    const Labelled labels(target, weights, all, classes);
    const AxisCells axes(tables, codes, axis_starts, positions);
    if (offsets.shape(0) != all || classes < 2)
        throw std::invalid_argument("The cells, the slots and the rows do not fit.");
    if (tables.all_cells() * (classes + 3) > UINT32_MAX)
        throw std::invalid_argument("There must be less than 2^32 numbers.");
    require_rows(rows, all);
    auto deltas = make_result<double>({tables.all_cells(), classes});
    auto sums = make_result<double>({all, classes});
    Minimum minimum;
    {
        nb::gil_scoped_release release;
        CorrectionLoss loss(tables, axes, linear_penalty, rows.data(), rows.shape(0), offsets,
                            labels);
        std::vector<float> x(loss.size(), 0.0f);
        minimum = minimise(x, iterations, 5, 0.5, 1e-4, loss);
        loss.unpack(tables, x, deltas.data());
        with_classes(classes, [&](auto fixed) {
            const size_t C = decltype(fixed)::value ? decltype(fixed)::value : classes;
            for (size_t t = 0; t < tables.tables; ++t) {
                const double* last = deltas.data() + tables.starts[tables.slots[t + 1] - 1] * C;
                const int32_t* of_rows = tables.cells + t * all;
                for (size_t r = 0; r < all; ++r)
                    for (size_t c = 0; c < C; ++c)
                        sums.data()[r * C + c] += last[static_cast<size_t>(of_rows[r]) * C + c];
            }
        });
    }
    return nb::make_tuple(deltas, sums, minimum.value, minimum.converged);
}

}  // namespace bayesgrove
