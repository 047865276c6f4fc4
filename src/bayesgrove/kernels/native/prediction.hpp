// Joint log-probabilities of rows with every class, the class probabilities, and the most probable
// classes.
#pragma once

#include <utility>

#include "common.hpp"

namespace bayesgrove {

constexpr size_t kRows = 512;    // rows per block: their sums stay in L1
constexpr size_t kTogether = 4;  // factors added together: sums are read and written less often
constexpr double kImpossible = -std::numeric_limits<double>::infinity();

using Joint = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Adds row index[k][b] of tables[k] to sums[b], for all k. C is the number of classes at compile
// time; with C = 0 it is `classes`.
template <size_t C>
void add_rows(const double* const* tables, const uint32_t (*index)[kRows], size_t together,
              size_t count, size_t classes, double* sums) {
    const size_t width = C ? C : classes;
    if (together == kTogether) {
        for (size_t b = 0; b < count; ++b) {
            const double *p = tables[0] + index[0][b] * width, *q = tables[1] + index[1][b] * width;
            const double *r = tables[2] + index[2][b] * width, *s = tables[3] + index[3][b] * width;
            for (size_t c = 0; c < width; ++c)
                sums[b * width + c] = (((sums[b * width + c] + p[c]) + q[c]) + r[c]) + s[c];
        }
        return;
    }
    for (size_t k = 0; k < together; ++k)
        for (size_t b = 0; b < count; ++b)
            for (size_t c = 0; c < width; ++c)
                sums[b * width + c] += tables[k][index[k][b] * width + c];
}

// A factor reads some columns (index = sum of code x stride) and adds one row of its table. The row
// has `width` numbers: one per class, or a single number for all classes.
class Factors {
public:
    Factors(const std::vector<Array>& arrays, const Vector<int32_t>& starts,
            const Vector<int32_t>& variables, const Vector<int64_t>& strides,
            const Vector<int64_t>& tables, const Vector<int32_t>& widths,
            const Vector<double>& values, int64_t rows, int64_t n_classes)
        : columns(as_columns(arrays)), rows(static_cast<size_t>(rows)),
          classes(static_cast<size_t>(n_classes)), factors_(tables.shape(0)),
          first_(starts.data()), column_of_(variables.data()), width_(widths.data()),
          stride_(strides.data()), table_(tables.data()), value_(values.data()) {
        for (size_t v = 0; v < variables.shape(0); ++v) require(column_of_[v]);
        for (size_t f = 0; f < factors_; ++f) small_.push_back(is_small(f, values.shape(0)));
    }

    // Throws unless the column exists and has the right length.
    void require(int32_t variable) const {
        if (columns.at(variable).rows != rows)
            throw std::invalid_argument("The columns differ in length.");
    }

    // Computes sums[b][c] of the rows [start, start + count).
    void add_up(size_t start, size_t count, double* sums) const {
        uint32_t index[kTogether][kRows];
        const double* cells[kTogether];
        size_t together = 0;
        std::fill_n(sums, count * classes, 0.0);
        auto flush = [&] {
            if (classes == 2) add_rows<2>(cells, index, together, count, classes, sums);
            else add_rows<0>(cells, index, together, count, classes, sums);
            together = 0;
        };
        for (size_t f = 0; f < factors_; ++f) {
            uint32_t* at = index[together];
            locate(f, start, count, at);
            cells[together] = value_ + table_[f];
            if (width_[f] != 1) {
                if (++together == kTogether) flush();
            } else {
                for (size_t b = 0; b < count; ++b)
                    for (size_t c = 0; c < classes; ++c)
                        sums[b * classes + c] += cells[together][at[b]];
            }
        }
        flush();
    }

    std::vector<Column> columns;
    size_t rows, classes;

private:
    // Computes the table rows of a factor. Indices that fit into 16 bits are computed in 16 bits: a
    // vector then has twice as many.
    void locate(size_t f, size_t start, size_t count, uint32_t* at) const {
        if (!small_[f]) return locate_as<uint32_t>(f, start, count, at);
        uint16_t narrow[kRows];
        locate_as<uint16_t>(f, start, count, narrow);
        std::copy_n(narrow, count, at);
    }

    template <typename Index>
    void locate_as(size_t f, size_t start, size_t count, Index* at) const {
        std::fill_n(at, count, Index{0});
        for (int32_t v = first_[f]; v < first_[f + 1]; ++v) {
            const auto step = static_cast<Index>(stride_[v]);
            columns[column_of_[v]].visit(start, [&](const auto* code) {
                for (size_t b = 0; b < count; ++b) at[b] += static_cast<Index>(code[b]) * step;
            });
        }
    }

    // Returns whether every index of a factor fits into 16 bits.
    bool is_small(size_t f, size_t size) const {
        const size_t end = f + 1 < factors_ ? static_cast<size_t>(table_[f + 1]) : size;
        return (end - static_cast<size_t>(table_[f])) / static_cast<size_t>(width_[f]) <= 65536;
    }

    size_t factors_;
    const int32_t *first_, *column_of_, *width_;
    const int64_t *stride_, *table_;
    const double* value_;
    std::vector<char> small_;
};

// Calls body(start, count) for blocks of at most kRows rows.
template <typename Body>
void for_row_blocks(size_t rows, int threads, const Body& body) {
    parallel_for((rows + kRows - 1) / kRows, threads, [&](size_t block) {
        const size_t start = block * kRows;
        body(start, std::min(kRows, rows - start));
    });
}

inline Result<double> log_joint(const std::vector<Array>& arrays, const Vector<int32_t>& starts,
                                const Vector<int32_t>& variables, const Vector<int64_t>& strides,
                                const Vector<int64_t>& tables, const Vector<int32_t>& widths,
                                const Vector<double>& values, int64_t rows, int64_t n_classes,
                                int threads) {
    const Factors factors(arrays, starts, variables, strides, tables, widths, values, rows,
                          n_classes);
    auto result = make_empty<double>({factors.rows, factors.classes});
    double* out = result.data();
    nb::gil_scoped_release release;
    for_row_blocks(factors.rows, threads, [&](size_t start, size_t count) {
        factors.add_up(start, count, out + start * factors.classes);
    });
    return result;
}

// Replaces joint log-probabilities of two classes by their probabilities or log-probabilities. No
// branch depends on which class is more probable.
inline void normalise_two(double* row, bool logs) {
    const double difference = row[0] - row[1], below = -std::fabs(difference);
    const double share = std::exp(below), total = 1.0 + share;
    const double log_total = logs ? std::log(total) : 0.0;
    const double top = logs ? 0.0 - log_total : 1.0 / total;
    const double low = logs ? below - log_total : share / total;
    row[0] = difference >= 0.0 ? top : low;
    row[1] = difference >= 0.0 ? low : top;
}

// Replaces joint log-probabilities by class probabilities or their logarithms.
inline void normalise(double* row, size_t classes, double top, bool logs) {
    if (classes == 2) return normalise_two(row, logs);
    double total = 0.0;
    for (size_t c = 0; c < classes; ++c) {
        const double below = row[c] - top, share = std::exp(below);
        row[c] = logs ? below : share;
        total += share;
    }
    if (logs) total = std::log(total);
    for (size_t c = 0; c < classes; ++c) row[c] = logs ? row[c] - total : row[c] / total;
}

// Returns the most probable class. Ties, up to rounding, go to the first class.
inline int64_t first_of_top(const double* row, size_t classes, double top, double noise) {
    const double least = top - noise * (1.0 + std::fabs(top));
    if (classes == 2) return !(row[0] >= least);  // without a branch
    for (size_t c = 0; c + 1 < classes; ++c)
        if (row[c] >= least) return static_cast<int64_t>(c);
    return static_cast<int64_t>(classes) - 1;
}

inline double top_of(const double* row, size_t classes) {
    double top = kImpossible;
    for (size_t c = 0; c < classes; ++c) top = row[c] > top ? row[c] : top;
    return top;
}

inline Result<double> probabilities_of_joint(const Joint& joint, bool logs, int threads) {
    const size_t rows = joint.shape(0), classes = joint.shape(1);
    auto result = make_empty<double>({rows, classes});
    const double* from = joint.data();
    double* out = result.data();
    nb::gil_scoped_release release;
    for_row_blocks(rows, threads, [&](size_t start, size_t count) {
        std::copy_n(from + start * classes, count * classes, out + start * classes);
        for (double* row = out + start * classes; count--; row += classes)
            normalise(row, classes, top_of(row, classes), logs);
    });
    return result;
}

inline Result<int64_t> choices_of_joint(const Joint& joint, double noise, int threads) {
    const size_t rows = joint.shape(0), classes = joint.shape(1);
    auto result = make_empty<int64_t>({rows});
    const double* from = joint.data();
    int64_t* out = result.data();
    nb::gil_scoped_release release;
    for_row_blocks(rows, threads, [&](size_t start, size_t count) {
        for (size_t r = start; r < start + count; ++r) {
            const double* row = from + r * classes;
            out[r] = first_of_top(row, classes, top_of(row, classes), noise);
        }
    });
    return result;
}

// Rows that the sums of factors do not settle: a column of `parents` is missing, or the row is
// impossible under every class. A block marks only its own rows.
class Unsettled {
public:
    Unsettled(const Factors& factors, const Vector<int32_t>& parents,
              const Vector<uint32_t>& missing)
        : marks_(factors.rows, 0) {
        if (missing.shape(0) != parents.shape(0))
            throw std::invalid_argument("There must be one code for missing values per parent.");
        for (size_t p = 0; p < parents.shape(0); ++p) {
            factors.require(parents.data()[p]);
            parents_.push_back({factors.columns[parents.data()[p]], missing.data()[p]});
        }
    }

    void mark_missing(size_t start, size_t count) {
        uint8_t* to = marks_.data() + start;
        for (const auto& [column, code] : parents_) {
            column.visit(start, [&, missing = code](const auto* from) {
                const auto narrowed = static_cast<std::decay_t<decltype(*from)>>(missing);
                for (size_t b = 0; b < count; ++b) to[b] |= from[b] == narrowed;
            });
        }
    }

    void mark_row(size_t row) { marks_[row] = 1; }

    Result<int64_t> rows() const {
        const auto marked = static_cast<size_t>(std::count(marks_.begin(), marks_.end(), 1));
        auto result = make_empty<int64_t>({marked});
        int64_t* next = result.data();
        for (size_t r = 0; marked && r < marks_.size(); ++r)
            if (marks_[r]) *next++ = static_cast<int64_t>(r);
        return result;
    }

private:
    std::vector<std::pair<Column, uint32_t>> parents_;
    std::vector<uint8_t> marks_;
};

inline std::pair<Result<double>, Result<int64_t>> class_probabilities(
    const std::vector<Array>& arrays, const Vector<int32_t>& starts,
    const Vector<int32_t>& variables, const Vector<int64_t>& strides,
    const Vector<int64_t>& tables, const Vector<int32_t>& widths, const Vector<double>& values,
    const Vector<int32_t>& parents, const Vector<uint32_t>& missing, int64_t rows,
    int64_t n_classes, bool logs, int threads) {
    const Factors factors(arrays, starts, variables, strides, tables, widths, values, rows,
                          n_classes);
    Unsettled unsettled(factors, parents, missing);
    const size_t classes = factors.classes;
    auto result = make_empty<double>({factors.rows, classes});
    double* out = result.data();
    {
        nb::gil_scoped_release release;
        for_row_blocks(factors.rows, threads, [&](size_t start, size_t count) {
            factors.add_up(start, count, out + start * classes);
            unsettled.mark_missing(start, count);
            for (size_t r = start; r < start + count; ++r) {
                double* row = out + r * classes;
                const double top = top_of(row, classes);
                if (top == kImpossible) unsettled.mark_row(r);
                normalise(row, classes, top, logs);
            }
        });
    }
    return {result, unsettled.rows()};
}

inline std::pair<Result<int64_t>, Result<int64_t>> class_choices(
    const std::vector<Array>& arrays, const Vector<int32_t>& starts,
    const Vector<int32_t>& variables, const Vector<int64_t>& strides,
    const Vector<int64_t>& tables, const Vector<int32_t>& widths, const Vector<double>& values,
    const Vector<int32_t>& parents, const Vector<uint32_t>& missing, int64_t rows,
    int64_t n_classes, double noise, int threads) {
    const Factors factors(arrays, starts, variables, strides, tables, widths, values, rows,
                          n_classes);
    Unsettled unsettled(factors, parents, missing);
    const size_t classes = factors.classes;
    auto result = make_empty<int64_t>({factors.rows});
    int64_t* out = result.data();
    {
        nb::gil_scoped_release release;
        for_row_blocks(factors.rows, threads, [&](size_t start, size_t count) {
            std::vector<double> sums(count * classes);
            factors.add_up(start, count, sums.data());
            unsettled.mark_missing(start, count);
            for (size_t b = 0; b < count; ++b) {
                const double* row = sums.data() + b * classes;
                const double top = top_of(row, classes);
                if (top == kImpossible) unsettled.mark_row(start + b);
                out[start + b] = first_of_top(row, classes, top, noise);
            }
        });
    }
    return {result, unsettled.rows()};
}

}  // namespace bayesgrove
