// Parts that all kernels share: columns of codes, blocks of rows, tasks over threads, histograms.
// The numpy twin `../numpy/<name>.py` documents the kernels of `<name>.hpp`.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace nb = nanobind;

namespace bayesgrove {

using Array = nb::ndarray<nb::ro, nb::device::cpu>;
template <typename T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Result = nb::ndarray<nb::numpy, T>;
using Weights = std::optional<Vector<double>>;

constexpr size_t kBlock = 1024;  // rows per block: a few buffers of this size stay in L1

// One column of codes 0..card-1; the code `card` stands for a missing value.
struct Column {
    const void* data;
    int width;
    size_t rows;

    // Calls body(pointer to the codes from row `start` on) with the type of the codes.
    template <typename Body>
    void visit(size_t start, const Body& body) const {
        switch (width) {
            case 1: body(static_cast<const uint8_t*>(data) + start); break;
            case 2: body(static_cast<const uint16_t*>(data) + start); break;
            default: body(static_cast<const uint32_t*>(data) + start);
        }
    }

    uint32_t code(size_t row) const {
        uint32_t code = 0;
        visit(row, [&](const auto* from) { code = *from; });
        return code;
    }

    // Copies the codes of rows [start, start + count) to `out`, widened to 32 bits.
    void load(size_t start, size_t count, uint32_t* out) const {
        visit(start, [&](const auto* from) {
            for (size_t b = 0; b < count; ++b) out[b] = from[b];
        });
    }
};

inline Column as_column(const Array& a) {
    if (a.ndim() != 1 || (a.shape(0) > 1 && a.stride(0) != 1))
        throw std::invalid_argument("A column of codes must be one-dimensional and contiguous.");
    if (a.dtype().code != static_cast<uint8_t>(nb::dlpack::dtype_code::UInt) || a.dtype().bits > 32)
        throw std::invalid_argument("Codes must be uint8, uint16 or uint32.");
    return {a.data(), a.dtype().bits / 8, a.shape(0)};
}

inline std::vector<Column> as_columns(const std::vector<Array>& arrays) {
    std::vector<Column> columns;
    columns.reserve(arrays.size());
    for (const auto& a : arrays) columns.push_back(as_column(a));
    for (const auto& c : columns)
        if (c.rows != columns.front().rows)
            throw std::invalid_argument("The columns differ in length.");
    return columns;
}

// Returns the class column; throws unless it fits the columns and their cardinalities.
inline Column as_target(const Array& a, const std::vector<Column>& columns,
                        const std::vector<int64_t>& cards) {
    Column target = as_column(a);
    if (cards.size() != columns.size())
        throw std::invalid_argument("There must be one cardinality per column.");
    if (!columns.empty() && columns.front().rows != target.rows)
        throw std::invalid_argument("The columns and the classes differ in length.");
    return target;
}

inline const double* weight_data(const Weights& weights, size_t rows) {
    if (!weights) return nullptr;
    if (weights->shape(0) != rows) throw std::invalid_argument("There must be one weight per row.");
    return weights->data();
}

// Returns a numpy array that owns memory from `new T[]`.
template <typename T>
Result<T> own_result(T* data, std::initializer_list<size_t> shape) {
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Result<T>(data, shape, owner);
}

inline size_t size_of(std::initializer_list<size_t> shape) {
    size_t size = 1;
    for (size_t s : shape) size *= s;
    return std::max<size_t>(size, 1);
}

// Returns a numpy array of zeros.
template <typename T>
Result<T> make_result(std::initializer_list<size_t> shape) {
    return own_result(new T[size_of(shape)](), shape);
}

// Returns a numpy array that the caller must fill.
template <typename T>
Result<T> make_empty(std::initializer_list<size_t> shape) {
    return own_result(new T[size_of(shape)], shape);
}

// Returns a numpy array that takes over the memory of a vector.
template <typename T>
Result<T> hand_over(std::vector<T>&& values, std::initializer_list<size_t> shape) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Result<T>(kept->data(), shape, owner);
}

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

// Calls task(t) for t in [0, tasks). Threads take the tasks one by one. Each task writes only its
// own outputs, so that the number of threads cannot change a result.
template <typename Task>
void parallel_for(size_t tasks, int threads, const Task& task) {
    size_t workers = std::min<size_t>(std::max(threads, 1), tasks);
    if (workers <= 1) {
        for (size_t t = 0; t < tasks; ++t) task(t);
        return;
    }
    std::atomic<size_t> next{0};
    std::vector<std::exception_ptr> failures(workers);
    auto work = [&](size_t worker) {
        try {
            for (size_t t; (t = next.fetch_add(1)) < tasks;) task(t);
        } catch (...) {
            failures[worker] = std::current_exception();
        }
    };
    std::vector<std::thread> pool;
    pool.reserve(workers);
    try {
        for (size_t w = 1; w < workers; ++w) pool.emplace_back(work, w);
    } catch (const std::system_error&) {
        // The system has no more threads: the threads that started do all tasks.
    }
    work(0);
    for (auto& thread : pool) thread.join();
    for (const auto& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

// Calls body(first row, number of rows) for blocks of at most kBlock rows.
template <typename Body>
void for_blocks(size_t rows, const Body& body) {
    for (size_t start = 0; start < rows; start += kBlock)
        body(start, std::min(kBlock, rows - start));
}

// Counts (or sums of weights) per cell. Small unweighted tables exist in four copies. In a single
// table, rows of the same cell would have to wait for the previous store at every increment.
class Histogram {
public:
    Histogram(size_t cells, const double* weights) : cells_(cells), weights_(weights) {
        if (cells > UINT32_MAX)
            throw std::invalid_argument("A table must have less than 2^32 cells.");
        if (weights_) {
            sums_.assign(cells, 0.0);
        } else {
            ways_ = cells <= 4096 ? 4 : 1;
            counts_.assign(cells * ways_, 0);
        }
    }

    void add(const uint32_t* index, size_t start, size_t count) {
        if (weights_) {
            for (size_t b = 0; b < count; ++b) sums_[index[b]] += weights_[start + b];
            return;
        }
        uint64_t* t0 = counts_.data();
        size_t b = 0;
        if (ways_ == 4) {
            uint64_t *t1 = t0 + cells_, *t2 = t1 + cells_, *t3 = t2 + cells_;
            for (; b + 4 <= count; b += 4) {
                ++t0[index[b]];
                ++t1[index[b + 1]];
                ++t2[index[b + 2]];
                ++t3[index[b + 3]];
            }
        }
        for (; b < count; ++b) ++t0[index[b]];
    }

    double operator[](size_t cell) const {
        if (weights_) return sums_[cell];
        uint64_t total = 0;
        for (size_t w = 0; w < ways_; ++w) total += counts_[w * cells_ + cell];
        return static_cast<double>(total);
    }

private:
    size_t cells_;
    size_t ways_ = 1;
    const double* weights_;
    std::vector<double> sums_;
    std::vector<uint64_t> counts_;
};

inline double sum_of(const double* values, size_t count) {
    double sum = 0.0;
    for (size_t k = 0; k < count; ++k) sum += values[k];
    return sum;
}

// Returns the midpoint of two numbers; it is never equal to the upper number.
inline double middle(double low, double high) {
    const double point = low / 2.0 + high / 2.0;
    return point >= low && point < high ? point : low;
}

// Returns the place of the first cell of every column, and the number of all cells.
inline std::vector<size_t> offsets_of(const std::vector<int64_t>& cards) {
    std::vector<size_t> offsets{0};
    for (int64_t card : cards) offsets.push_back(offsets.back() + static_cast<size_t>(card));
    return offsets;
}

}  // namespace bayesgrove
