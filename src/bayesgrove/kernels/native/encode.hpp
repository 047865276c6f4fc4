// Numbers to codes: small integers in one pass, intervals and labels by their boundaries.
#pragma once

#include <type_traits>

#include "common.hpp"

namespace bayesgrove {

template <typename T>
struct Matrix {
    const T* data;
    int64_t row_stride, column_stride;
    T at(size_t row, size_t column) const {
        return data[static_cast<int64_t>(row) * row_stride +
                    static_cast<int64_t>(column) * column_stride];
    }
};

// Calls body(Matrix<T>) with the element type of the array.
template <typename Body>
void with_matrix(const Array& X, const Body& body) {
    auto call = [&](auto zero) {
        using T = decltype(zero);
        body(Matrix<T>{static_cast<const T*>(X.data()), X.stride(0), X.stride(1)});
    };
    const auto dtype = X.dtype();
    if (dtype == nb::dtype<double>()) call(double{});
    else if (dtype == nb::dtype<float>()) call(float{});
    else if (dtype == nb::dtype<int64_t>()) call(int64_t{});
    else if (dtype == nb::dtype<int32_t>()) call(int32_t{});
    else if (dtype == nb::dtype<int16_t>()) call(int16_t{});
    else if (dtype == nb::dtype<int8_t>()) call(int8_t{});
    else if (dtype == nb::dtype<uint32_t>()) call(uint32_t{});
    else if (dtype == nb::dtype<uint16_t>()) call(uint16_t{});
    else if (dtype == nb::dtype<uint8_t>()) call(uint8_t{});
    else throw std::invalid_argument("numbers must be float32, float64 or integers up to 64 bits");
}

constexpr size_t kStripe = 64;          // rows turned from row-major to column-major at a time
constexpr size_t kTaskRows = 1u << 15;  // rows a task takes
constexpr size_t kDirect = 257;         // cells for 0..255 and, last, for every other number

// body(row in stripe, column, value), in the order in which the values lie in memory.
template <typename T, typename Body>
void for_cells(const Matrix<T> matrix, size_t start, size_t count, size_t columns,
               const Body body) {
    if (matrix.column_stride == 1)
        for (size_t b = 0; b < count; ++b) {
            const T* row = matrix.data + static_cast<int64_t>(start + b) * matrix.row_stride;
            for (size_t j = 0; j < columns; ++j) body(b, j, row[j]);
        }
    else
        for (size_t j = 0; j < columns; ++j)
            for (size_t b = 0; b < count; ++b) body(b, j, matrix.at(start + b, j));
}

// body(task, first row, rows) for stripes; the rows of a task follow each other.
template <typename Body>
void for_stripes(size_t rows, int threads, const Body& body) {
    parallel_for((rows + kTaskRows - 1) / kTaskRows, threads, [&](size_t task) {
        const size_t stop = std::min(rows, (task + 1) * kTaskRows);
        for (size_t start = task * kTaskRows; start < stop; start += kStripe)
            body(task, start, std::min(kStripe, stop - start));
    });
}

inline size_t task_count(size_t rows) { return (rows + kTaskRows - 1) / kTaskRows; }

// Which of the whole numbers 0..255 occur in a column, and whether anything but them and NaN does.
inline nb::tuple scan_levels(const Array& X, int threads) {
    const size_t m = X.shape(0), n = X.shape(1);
    auto seen = make_result<uint8_t>({n, 256});
    auto other = make_result<uint8_t>({n});
    {
        nb::gil_scoped_release release;
        std::vector<std::vector<uint8_t>> marks(task_count(m));
        with_matrix(X, [&](auto matrix) {
            for_stripes(m, threads, [&](size_t task, size_t start, size_t count) {
                marks[task].resize(n * kDirect);
                uint8_t* mark = marks[task].data();
                for_cells(matrix, start, count, n, [=](size_t, size_t j, auto number) {
                    if constexpr (std::is_integral_v<decltype(number)>) {
                        const auto value = static_cast<uint64_t>(static_cast<int64_t>(number));
                        mark[j * kDirect + std::min<uint64_t>(value, 256)] = 1;
                    } else if (!std::isnan(number)) {
                        const int value = number >= 0 && number < 256 ? static_cast<int>(number) : 256;
                        mark[j * kDirect + (value == number ? value : 256)] = 1;
                    }
                });
            });
        });
        for (const auto& mark : marks)
            for (size_t j = 0; j < n; ++j) {
                for (size_t v = 0; v < 256; ++v) seen.data()[j * 256 + v] |= mark[j * kDirect + v];
                other.data()[j] |= mark[j * kDirect + 256];
            }
    }
    return nb::make_tuple(seen, other);
}

// How one column of numbers becomes codes. Intervals: the number of cut points below the value.
// Labels: the code of the equal label, else `unseen`.
struct Coding {
    const double* points;
    size_t count;
    const uint32_t* codes;  // null for intervals
    uint32_t missing, unseen;

    // The labels are integers 0..255: a table does instead of a search.
    bool has_direct() const {
        return codes && std::all_of(points, points + count, [](double p) {
                   return p >= 0 && p <= 255 && p == std::floor(p);
               });
    }
    uint32_t operator()(double value) const {
        if (std::isnan(value)) return missing;
        const auto at = static_cast<size_t>(std::lower_bound(points, points + count, value) - points);
        if (!codes) return static_cast<uint32_t>(at);
        return at < count && points[at] == value ? codes[at] : unseen;
    }
};

// Codes of one stripe, column after column. `direct` has a table a column, or is empty.
template <typename T, typename Cell>
void encode_stripe(const Matrix<T>& matrix, size_t start, size_t count,
                   const std::vector<Coding>& codings, const std::vector<Cell>& direct,
                   Cell* __restrict stripe, int64_t* tally) {
    const size_t n = codings.size();
    if constexpr (std::is_integral_v<T>) {
        if (!direct.empty()) {
            const Cell* table = direct.data();
            for_cells(matrix, start, count, n, [=](size_t b, size_t j, T number) {
                const auto value = static_cast<uint64_t>(static_cast<int64_t>(number));
                stripe[j * kStripe + b] = table[j * kDirect + std::min<uint64_t>(value, 256)];
            });
            for (size_t j = 0; j < n; ++j)
                tally[2 * j] += std::count(stripe + j * kStripe, stripe + j * kStripe + count,
                                           static_cast<Cell>(codings[j].unseen));
            return;
        }
    }
    for_cells(matrix, start, count, n, [&](size_t b, size_t j, T number) {
        const auto value = static_cast<double>(number);
        const uint32_t code = codings[j](value);
        stripe[j * kStripe + b] = static_cast<Cell>(code);
        tally[2 * j] += codings[j].codes && code == codings[j].unseen && !std::isnan(value);
        tally[2 * j + 1] += std::isinf(value);
    });
}

template <typename Cell>
std::vector<Cell> direct_tables(const std::vector<Coding>& codings) {
    for (const auto& coding : codings)
        if (!coding.has_direct()) return {};
    std::vector<Cell> tables(codings.size() * kDirect);
    for (size_t j = 0; j < codings.size(); ++j) {
        Cell* table = tables.data() + j * kDirect;
        std::fill_n(table, kDirect, static_cast<Cell>(codings[j].unseen));
        for (size_t p = 0; p < codings[j].count; ++p)
            table[static_cast<size_t>(codings[j].points[p])] = static_cast<Cell>(codings[j].codes[p]);
    }
    return tables;
}

template <typename Cell, typename Store>
void encode_all(const Array& X, const std::vector<Coding>& codings, int threads, int64_t* tally,
                const Store& store) {
    const size_t m = X.shape(0), n = codings.size();
    const auto direct = m > kStripe ? direct_tables<Cell>(codings) : std::vector<Cell>();
    std::vector<std::vector<Cell>> stripes(task_count(m));
    std::vector<std::vector<int64_t>> tallies(task_count(m));
    with_matrix(X, [&](auto matrix) {
        for_stripes(m, threads, [&](size_t task, size_t start, size_t count) {
            stripes[task].resize(n * kStripe);
            tallies[task].resize(n * 2);
            encode_stripe(matrix, start, count, codings, direct, stripes[task].data(),
                          tallies[task].data());
            for (size_t j = 0; j < n; ++j)
                store(j, start, count, stripes[task].data() + j * kStripe);
        });
    });
    for (const auto& seen : tallies)
        for (size_t k = 0; k < seen.size(); ++k) tally[k] += seen[k];
}

// Fills `outs[j]` with the codes of column j; returns (columns, 2): unseen and infinite values.
inline Result<int64_t> encode_numbers(const Array& X, const Vector<double>& points,
                                      const Vector<int64_t>& starts, const Vector<uint32_t>& codes,
                                      const Vector<uint8_t>& exact, const Vector<uint32_t>& missing,
                                      const Vector<uint32_t>& unseen,
                                      const std::vector<nb::ndarray<nb::device::cpu>>& outs,
                                      int threads) {
    const size_t m = X.shape(0), n = X.shape(1);
    if (outs.size() != n || exact.shape(0) != n || starts.shape(0) != n + 1)
        throw std::invalid_argument("one coding a column is needed");
    for (const auto& out : outs)
        if (out.shape(0) != m || (m > 1 && out.stride(0) != 1))
            throw std::invalid_argument("outputs must be contiguous, one code a row");
    auto result = make_result<int64_t>({n, 2});
    int64_t* tally = result.data();
    nb::gil_scoped_release release;
    std::vector<Coding> codings;
    for (size_t j = 0; j < n; ++j) {
        const size_t start = starts.data()[j];
        codings.push_back({points.data() + start, static_cast<size_t>(starts.data()[j + 1]) - start,
                           exact.data()[j] ? codes.data() + start : nullptr, missing.data()[j],
                           unseen.data()[j]});
    }
    const bool bytes = std::all_of(outs.begin(), outs.end(),
                                   [](const auto& out) { return out.dtype().bits == 8; });
    if (bytes)
        encode_all<uint8_t>(X, codings, threads, tally,
                            [&](size_t j, size_t start, size_t count, const uint8_t* codes_of) {
                                std::memcpy(static_cast<uint8_t*>(outs[j].data()) + start, codes_of, count);
                            });
    else
        encode_all<uint32_t>(X, codings, threads, tally,
                             [&](size_t j, size_t start, size_t count, const uint32_t* codes_of) {
                                 const int bits = outs[j].dtype().bits;
                                 void* out = outs[j].data();
                                 if (bits == 8) std::copy_n(codes_of, count, static_cast<uint8_t*>(out) + start);
                                 else if (bits == 16) std::copy_n(codes_of, count, static_cast<uint16_t*>(out) + start);
                                 else std::copy_n(codes_of, count, static_cast<uint32_t*>(out) + start);
                             });
    return result;
}

}  // namespace bayesgrove
