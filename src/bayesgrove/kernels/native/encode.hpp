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

// body(row in stripe, column, value), in the order in which the values lie in memory.
template <typename T, typename Body>
void for_cells(const Matrix<T>& matrix, size_t start, size_t count, size_t columns,
               const Body& body) {
    if (matrix.column_stride == 1)
        for (size_t b = 0; b < count; ++b)
            for (size_t j = 0; j < columns; ++j) body(b, j, matrix.at(start + b, j));
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

// Integers 0..255 as bytes, column after column; which values occur; whether others do.
inline nb::tuple pack_integers(const Array& X, int threads) {
    const size_t m = X.shape(0), n = X.shape(1);
    auto codes = make_result<uint8_t>({n, m});
    auto seen = make_result<uint8_t>({n, 256});
    auto outside = make_result<uint8_t>({n});
    uint8_t* out = codes.data();
    {
        nb::gil_scoped_release release;
        std::vector<std::vector<uint8_t>> marks(task_count(m)), stripes(task_count(m));
        // A value outside 0..255 leaves a bit above the lowest eight.
        std::vector<std::vector<uint64_t>> any(task_count(m));
        with_matrix(X, [&](auto matrix) {
            for_stripes(m, threads, [&](size_t task, size_t start, size_t count) {
                marks[task].resize(n * 256);
                stripes[task].resize(n * kStripe);
                any[task].resize(n);
                uint8_t* stripe = stripes[task].data();
                uint64_t* bits = any[task].data();
                for_cells(matrix, start, count, n, [&](size_t b, size_t j, auto number) {
                    const auto value = static_cast<uint64_t>(static_cast<int64_t>(number));
                    bits[j] |= value;
                    stripe[j * kStripe + b] = static_cast<uint8_t>(value);
                });
                for (size_t j = 0; j < n; ++j) {
                    std::memcpy(out + j * m + start, stripe + j * kStripe, count);
                    for (size_t b = 0; b < count; ++b) marks[task][j * 256 + stripe[j * kStripe + b]] = 1;
                }
            });
        });
        for (size_t task = 0; task < marks.size(); ++task) {
            for (size_t k = 0; k < n * 256; ++k) seen.data()[k] |= marks[task][k];
            for (size_t j = 0; j < n; ++j) outside.data()[j] |= any[task][j] > 255;
        }
    }
    return nb::make_tuple(codes, seen, outside);
}

// How one column of numbers becomes codes. Intervals: the number of cut points below the value.
// Labels: the code of the equal label, else `unseen`.
struct Coding {
    const double* points;
    size_t count;
    const uint32_t* codes;  // null for intervals
    uint32_t missing, unseen;
    std::vector<uint32_t> direct;  // codes of 0..255 and, last, of the rest: labels that are such

    template <typename T>
    uint32_t operator()(T number) const {
        if constexpr (std::is_integral_v<T>)
            if (!direct.empty())
                return direct[std::min<uint64_t>(static_cast<uint64_t>(static_cast<int64_t>(number)), 256)];
        const auto value = static_cast<double>(number);
        if (std::isnan(value)) return missing;
        const auto at = static_cast<size_t>(std::lower_bound(points, points + count, value) - points);
        if (!codes) return static_cast<uint32_t>(at);
        return at < count && points[at] == value ? codes[at] : unseen;
    }

    // Counts what is neither a label nor missing, and what is infinite.
    template <typename T>
    void inspect(T number, uint32_t code, int64_t* tally) const {
        if constexpr (std::is_floating_point_v<T>) {
            tally[0] += codes && code == unseen && !std::isnan(number);
            tally[1] += std::isinf(number);
        } else {
            tally[0] += codes && code == unseen;
        }
    }

    void make_direct() {
        for (size_t p = 0; p < count; ++p)
            if (points[p] < 0 || points[p] > 255 || points[p] != std::floor(points[p])) return;
        direct.assign(257, unseen);
        for (size_t p = 0; p < count; ++p) direct[static_cast<size_t>(points[p])] = codes[p];
    }
};

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
                           unseen.data()[j], {}});
        if (exact.data()[j] && m > 64) codings.back().make_direct();
    }
    std::vector<std::vector<uint32_t>> stripes(task_count(m));
    std::vector<std::vector<int64_t>> tallies(task_count(m));
    with_matrix(X, [&](auto matrix) {
        for_stripes(m, threads, [&](size_t task, size_t start, size_t count) {
            stripes[task].resize(n * kStripe);
            tallies[task].resize(n * 2);
            uint32_t* stripe = stripes[task].data();
            int64_t* seen = tallies[task].data();
            for_cells(matrix, start, count, n, [&](size_t b, size_t j, auto number) {
                const uint32_t code = codings[j](number);
                codings[j].inspect(number, code, seen + 2 * j);
                stripe[j * kStripe + b] = code;
            });
            for (size_t j = 0; j < n; ++j) {
                auto store = [&](auto* out) {
                    using Out = std::remove_pointer_t<decltype(out)>;
                    for (size_t b = 0; b < count; ++b)
                        out[start + b] = static_cast<Out>(stripe[j * kStripe + b]);
                };
                switch (outs[j].dtype().bits) {
                    case 8: store(static_cast<uint8_t*>(outs[j].data())); break;
                    case 16: store(static_cast<uint16_t*>(outs[j].data())); break;
                    default: store(static_cast<uint32_t*>(outs[j].data()));
                }
            }
        });
    });
    for (const auto& seen : tallies)
        for (size_t k = 0; k < seen.size(); ++k) tally[k] += seen[k];
    return result;
}

}  // namespace bayesgrove
