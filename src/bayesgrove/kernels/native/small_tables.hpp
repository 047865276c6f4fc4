// Tables with few cells of two byte columns: vector instructions count the bytes that equal a joint
// value.
#pragma once

#include "common.hpp"
#include "vectors.hpp"

namespace bayesgrove {

constexpr size_t kByteVector = 32;               // rows are padded to a multiple of this
constexpr size_t kByteRows = 127 * kByteVector;  // rows at a time: the byte counters hold 255

// Adds the number of bytes that equal `cell` to counts[cell]. `rows` is a multiple of 32 and at
// most kByteRows.
template <typename V>
BAYESGROVE_INLINE void count_equal_bytes(const uint8_t* joint, size_t rows, size_t cells,
                                         uint64_t* counts) {
    using Bytes = typename V::Bytes;
    constexpr size_t together = 8;  // number of cells that are counted in one pass
    for (size_t first = 0; first < cells; first += together) {
        Bytes sums[together] = {};
        for (size_t start = 0; start < rows; start += sizeof(Bytes)) {
            Bytes values;
            std::memcpy(&values, joint + start, sizeof values);
            // A byte is -1 where the comparison holds.
            for (size_t k = 0; k < together; ++k)
                sums[k] -= reinterpret_cast<Bytes>(values == static_cast<uint8_t>(first + k));
        }
        for (size_t k = 0; k < together && first + k < cells; ++k)
            for (size_t b = 0; b < sizeof(Bytes); ++b) counts[first + k] += sums[k][b];
    }
}

#define BAYESGROVE_COUNT_BYTES(name, V)                                                        \
    inline void name(const uint8_t* joint, size_t rows, size_t cells, uint64_t* counts) {      \
        count_equal_bytes<V>(joint, rows, cells, counts);                                      \
    }

BAYESGROVE_COUNT_BYTES(count_bytes_portable, Vectors16)
#ifdef BAYESGROVE_X86
__attribute__((target("avx2"))) BAYESGROVE_COUNT_BYTES(count_bytes_avx2, Vectors32)
#endif

inline auto best_count_bytes() {
#ifdef BAYESGROVE_X86
    if (has_avx2()) return count_bytes_avx2;
#endif
    return count_bytes_portable;
}

// Returns whether the table of two columns is small enough. A missing value takes a cell, too.
inline bool is_small(const Column& a, size_t card_a, const Column& b, size_t card_b,
                     const double* weights) {
    const size_t limit = has_avx2() ? 64 : 32;  // larger tables are counted faster by increments
    return !weights && a.width == 1 && b.width == 1 && card_a <= limit && card_b <= limit &&
           card_a * (card_b + 1) <= limit;
}

// Returns counts[value of a * (card_b + 1) + value of b]. Rows with a missing value of a are left
// out.
inline std::vector<uint64_t> count_small(const Column& a, size_t card_a, const Column& b,
                                         size_t card_b) {
    const auto count = best_count_bytes();
    const auto* x = static_cast<const uint8_t*>(a.data);
    const auto* y = static_cast<const uint8_t*>(b.data);
    const auto last = static_cast<uint8_t>(card_b), width = static_cast<uint8_t>(card_b + 1);
    const auto missing_a = static_cast<uint8_t>(card_a);
    std::vector<uint64_t> counts(card_a * width, 0);
    std::vector<uint8_t> joint(kByteRows);
    for (size_t start = 0; start < a.rows; start += kByteRows) {
        const size_t rows = std::min(kByteRows, a.rows - start);
        for (size_t r = 0; r < rows; ++r) {
            const uint8_t value_b = std::min(y[start + r], last);  // `last` is the missing value
            const auto value = static_cast<uint8_t>(x[start + r] * width + value_b);
            joint[r] = x[start + r] < missing_a ? value : uint8_t{255};
        }
        const size_t padded = (rows + kByteVector - 1) / kByteVector * kByteVector;
        std::fill(joint.begin() + rows, joint.begin() + padded, uint8_t{255});
        count(joint.data(), padded, counts.size(), counts.data());
    }
    return counts;
}

}  // namespace bayesgrove
