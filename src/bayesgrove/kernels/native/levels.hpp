// Levels of numbers: the whole numbers 0..255, one level for all other numbers, and one for NaN.
#pragma once

#include <type_traits>

#include "column_blocks.hpp"
#include "vectors.hpp"

namespace bayesgrove {

constexpr uint16_t kOther = 256, kNaN = 257;
constexpr size_t kLevels = 258;

// Doubles from 2^52 to 2^53 have no fractions. Adding this number rounds, and the lowest bits of
// the sum are the whole number.
constexpr double kNoFraction = 0x1p52;

template <typename V>
BAYESGROVE_INLINE void load_lanes(const double* from, typename V::Numbers& out) {
    std::memcpy(&out, from, sizeof out);
}
template <typename V>
BAYESGROVE_INLINE void load_lanes(const float* from, typename V::Numbers& out) {
    typename V::Floats lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    out = __builtin_convertvector(lanes, typename V::Numbers);
}

// Computes the levels of one vector of numbers.
template <typename V, typename T>
BAYESGROVE_INLINE void lane_levels(const T* from, uint32_t* out) {
    using Masks = typename V::Masks;
    if constexpr (std::is_integral_v<T>) {  // integers of 64 bits
        Masks value;
        std::memcpy(&value, from, sizeof value);
        store_narrow<V>((value < 0) | (value > 255) ? Masks{} + kOther : value, out);
    } else {
        typename V::Numbers value, none = {};
        load_lanes<V>(from, value);
        const auto moved = value + kNoFraction;
        const Masks good = (value >= 0.0) & (value <= 255.0) & (moved - kNoFraction == value);
        auto level = good ? moved : none + (kNoFraction + kOther);
        level = value == value ? level : none + (kNoFraction + kNaN);
        Masks bits;
        std::memcpy(&bits, &level, sizeof bits);
        store_narrow<V>(bits, out);
    }
}

// Copies 64-bit integers that are all in 0..255; returns false if one is not.
template <typename T>
BAYESGROVE_INLINE bool copy_levels(const T* __restrict values, size_t count,
                                   uint16_t* __restrict out) {
    T any = 0;
    for (size_t b = 0; b < count; ++b) any |= values[b];
    if (any < 0 || any > 255) return false;
    for (size_t b = 0; b < count; ++b) out[b] = static_cast<uint16_t>(values[b]);
    return true;
}

// Computes the levels of at most kStripe contiguous numbers.
template <typename V, typename T>
BAYESGROVE_INLINE void fill_levels(const T* __restrict values, size_t count,
                                   uint16_t* __restrict out) {
    if constexpr (std::is_integral_v<T> && sizeof(T) < 8) {
        for (size_t b = 0; b < count; ++b) {
            const auto value = static_cast<uint32_t>(values[b]);
            out[b] = static_cast<uint16_t>(value > 255 ? kOther : value);
        }
    } else {
        if constexpr (std::is_integral_v<T>)
            if (copy_levels(values, count, out)) return;
        uint32_t levels[kStripe];
        size_t b = 0;
        for (; b + V::kLanes <= count; b += V::kLanes) lane_levels<V>(values + b, levels + b);
        if (b < count) {
            T rest[V::kLanes] = {};
            std::copy(values + b, values + count, rest);
            lane_levels<V>(rest, levels + b);
        }
        for (b = 0; b < count; ++b) out[b] = static_cast<uint16_t>(levels[b]);
    }
}

template <typename T>
void fill_levels_portable(const T* values, size_t count, uint16_t* out) {
    fill_levels<Vectors16>(values, count, out);
}
#ifdef BAYESGROVE_X86
template <typename T>
__attribute__((target("avx2"))) void fill_levels_avx2(const T* values, size_t count,
                                                      uint16_t* out) {
    fill_levels<Vectors32>(values, count, out);
}
#endif

template <typename T>
using FillLevels = void (*)(const T* values, size_t count, uint16_t* out);

template <typename T>
FillLevels<T> best_fill_levels() {
#ifdef BAYESGROVE_X86
    if (has_avx2()) return fill_levels_avx2<T>;
#endif
    return fill_levels_portable<T>;
}

// Transposes 8 x 8 levels: rows `from_pitch` apart become columns `to_pitch` apart.
inline void transpose_levels(const uint16_t* from, size_t from_pitch, uint16_t* to,
                             size_t to_pitch) {
#ifdef BAYESGROVE_X86
    __m128i rows[8], next[8];
    for (int k = 0; k < 8; ++k)
        rows[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + k * from_pitch));
    for (int round = 0; round < 3; ++round) {
        for (int k = 0; k < 4; ++k) {
            next[2 * k] = _mm_unpacklo_epi16(rows[k], rows[k + 4]);
            next[2 * k + 1] = _mm_unpackhi_epi16(rows[k], rows[k + 4]);
        }
        for (int k = 0; k < 8; ++k) rows[k] = next[k];
    }
    for (int k = 0; k < 8; ++k)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + k * to_pitch), rows[k]);
#else
    for (size_t k = 0; k < 8; ++k)
        for (size_t j = 0; j < 8; ++j) to[j * to_pitch + k] = from[k * from_pitch + j];
#endif
}

// Levels of a tile of a row-major matrix. They are computed row by row, then transposed so that the
// rows of a column are contiguous.
class LevelTile {
public:
    template <typename T>
    const uint16_t* fill(const Matrix<T>& matrix, size_t start, size_t count, size_t first,
                         size_t columns, FillLevels<T> fill_row) {
        for (size_t b = 0; b < count; ++b)
            fill_row(matrix.at(start + b, first), columns, &by_row_[b * kRowPitch]);
        for (size_t b = 0; b < count; b += 8)
            for (size_t j = 0; j < columns; j += 8)
                transpose_levels(&by_row_[b * kRowPitch + j], kRowPitch,
                                 &by_column_[j * kPitch + b], kPitch);
        return by_column_.data();
    }

private:
    static constexpr size_t kRowPitch = kTileColumns + 8;
    std::vector<uint16_t> by_row_ = std::vector<uint16_t>(kStripe * kRowPitch);
    std::vector<uint16_t> by_column_ = std::vector<uint16_t>(kTileColumns * kPitch);
};

}  // namespace bayesgrove
