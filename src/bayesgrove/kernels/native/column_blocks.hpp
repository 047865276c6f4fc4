// A matrix of numbers in any memory layout, read in contiguous blocks of one column.
#pragma once

#include "strided.hpp"

namespace bayesgrove {

constexpr size_t kStripe = 128;  // rows per block
// Distance of columns in a tile. It is not a power of two, so that the columns do not all fall into
// one cache set.
constexpr size_t kPitch = kStripe + 8;
constexpr size_t kTileColumns = 64;     // columns per tile
constexpr size_t kTaskRows = 1u << 15;  // rows per task

template <typename T>
struct Matrix {
    const T* data;
    int64_t row_stride, column_stride;
    const T* at(size_t row, size_t column) const {
        return data + static_cast<int64_t>(row) * row_stride +
               static_cast<int64_t>(column) * column_stride;
    }
};

// Calls body(Matrix<T>) with the element type of the array.
template <typename Body>
void with_matrix(const Array& X, const Body& body) {
    auto call = [&](auto zero) {
        using T = decltype(zero);
        body(Matrix<T>{static_cast<const T*>(X.data()), X.stride(0), X.stride(1)});
    };
    if (X.dtype() == nb::dtype<double>()) call(double{});
    else if (X.dtype() == nb::dtype<float>()) call(float{});
    else if (!with_integer_type(X.dtype(), call))
        throw std::invalid_argument("Numbers must be float32, float64 or integers up to 64 bits.");
}

inline size_t task_count(size_t rows) { return (rows + kTaskRows - 1) / kTaskRows; }

// Reads rows in the order of memory, so that they are in the cache when they are read in another
// order.
template <typename T>
void touch_rows(const Matrix<T>& matrix, size_t start, size_t count, size_t first,
                   size_t columns) {
    constexpr size_t line = 64 / sizeof(T);
    for (size_t b = 0; b < count; ++b) {
        const T* row = matrix.at(start + b, first);
        for (size_t j = 0; j < columns; j += line) (void)*static_cast<const volatile T*>(row + j);
    }
}

// Copies a tile of some rows and columns, transposed so that the rows of a column are contiguous.
template <typename T>
void fill_tile(const Matrix<T>& matrix, size_t start, size_t count, size_t first, size_t columns,
               T* __restrict tile) {
    constexpr size_t together = 8;  // rows that are read together, so that stores are wide
    const int64_t down = matrix.row_stride, right = matrix.column_stride;
    if (right == 1) touch_rows(matrix, start, count, first, columns);
    size_t b = 0;
    for (; b + together <= count; b += together) {
        const T* from = matrix.at(start + b, first);
        for (size_t j = 0; j < columns; ++j, from += right) {
            T values[together];
            for (size_t k = 0; k < together; ++k) values[k] = from[static_cast<int64_t>(k) * down];
            std::memcpy(tile + j * kPitch + b, values, sizeof values);
        }
    }
    for (; b < count; ++b)
        for (size_t j = 0; j < columns; ++j) tile[j * kPitch + b] = *matrix.at(start + b, first + j);
}

// Calls body(task, first row, row after the last) for tasks of rows.
template <typename Body>
void for_row_tasks(size_t rows, int threads, const Body& body) {
    parallel_for(task_count(rows), threads, [&](size_t task) {
        body(task, task * kTaskRows, std::min(rows, (task + 1) * kTaskRows));
    });
}

// Calls body(first row, rows, first column, columns) for the tiles of some rows.
template <typename Body>
void for_tiles(size_t first_row, size_t stop, size_t columns, const Body& body) {
    for (size_t start = first_row; start < stop; start += kStripe)
        for (size_t first = 0; first < columns; first += kTileColumns)
            body(start, std::min(kStripe, stop - start), first,
                 std::min(kTileColumns, columns - first));
}

// Calls body(column, first row, rows, values) for the blocks of some rows of a column-major matrix.
template <typename T, typename Body>
void for_column_blocks(const Matrix<T>& matrix, size_t first_row, size_t stop, size_t columns,
                       const Body& body) {
    for (size_t j = 0; j < columns; ++j)
        for (size_t start = first_row; start < stop; start += kStripe)
            body(j, start, std::min(kStripe, stop - start), matrix.at(start, j));
}

}  // namespace bayesgrove
