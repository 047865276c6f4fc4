// Number of sorted points below a number, for a block of numbers.
#pragma once

#include "column_blocks.hpp"
#include "vectors.hpp"

namespace bayesgrove {

constexpr size_t kCounted = 96;  // up to this many points are counted one by one, more are searched

// Stores the positions of a vector of values, with `of_nan` for NaN. `infinite` counts the infinite
// values.
template <typename V>
BAYESGROVE_INLINE void store_positions(const typename V::Numbers& value,
                                       const typename V::Masks& below, uint32_t of_nan,
                                       typename V::Masks& infinite, uint32_t* out) {
    constexpr double largest = std::numeric_limits<double>::max();
    const typename V::Masks nan_positions = typename V::Masks{} + of_nan;
    infinite -= (value > largest) | (value < -largest);
    store_narrow<V>(value == value ? below : nan_positions, out);
}

// Compares every point with every value, without branches and in vectors.
template <typename V>
BAYESGROVE_INLINE int64_t count_points(const double* values, const double* points, size_t count,
                                       uint32_t of_nan, uint32_t* below) {
    constexpr size_t together = 4;
    typename V::Masks infinite = {};
    for (size_t start = 0; start < kStripe; start += together * V::kLanes) {
        typename V::Numbers v[together];
        typename V::Masks sums[together] = {};
        std::memcpy(v, values + start, sizeof v);
        for (size_t p = 0; p < count; ++p)
            for (size_t k = 0; k < together; ++k) sums[k] -= v[k] > points[p];
        for (size_t k = 0; k < together; ++k)
            store_positions<V>(v[k], sums[k], of_nan, infinite, below + start + k * V::kLanes);
    }
    return sum_of_lanes<V>(infinite);
}

// Searches by bisection, one step for all values at a time: their loads do not wait for each other.
template <typename V>
BAYESGROVE_INLINE int64_t search_points(const double* values, const double* points, size_t count,
                                        uint32_t of_nan, uint32_t* below) {
    int64_t place[kStripe] = {};
    size_t remaining = count;
    for (; remaining > 1; remaining -= remaining / 2) {
        const auto half = static_cast<int64_t>(remaining / 2);
        for (size_t b = 0; b < kStripe; ++b)
            place[b] += half * static_cast<int64_t>(points[place[b] + half - 1] < values[b]);
    }
    typename V::Masks infinite = {};
    for (size_t b = 0; b < kStripe; b += V::kLanes) {
        typename V::Numbers value;
        typename V::Masks at;
        for (size_t k = b; k < b + V::kLanes; ++k) place[k] += points[place[k]] < values[k];
        std::memcpy(&value, values + b, sizeof value);
        std::memcpy(&at, place + b, sizeof at);
        store_positions<V>(value, at, of_nan, infinite, below + b);
    }
    return sum_of_lanes<V>(infinite);
}

// Fills `below` with the number of points below each of the kStripe values, and with `of_nan` for
// NaN. Returns the number of infinite values.
using FindPositions = int64_t (*)(const double* values, const double* points, size_t count,
                                  uint32_t of_nan, uint32_t* below);

#define BAYESGROVE_FIND_POSITIONS(name, V)                                                     \
    inline int64_t name(const double* values, const double* points, size_t count,              \
                        uint32_t of_nan, uint32_t* below) {                                    \
        return count <= kCounted ? count_points<V>(values, points, count, of_nan, below)       \
                                 : search_points<V>(values, points, count, of_nan, below);     \
    }

BAYESGROVE_FIND_POSITIONS(find_positions_portable, Vectors16)
#ifdef BAYESGROVE_X86
__attribute__((target("avx2"))) BAYESGROVE_FIND_POSITIONS(find_positions_avx2, Vectors32)
#endif

inline FindPositions best_find_positions() {
#ifdef BAYESGROVE_X86
    if (has_avx2()) return find_positions_avx2;
#endif
    return find_positions_portable;
}

}  // namespace bayesgrove
