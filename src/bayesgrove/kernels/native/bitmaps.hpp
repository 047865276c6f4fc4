// One bitmap per column and value, with the rows sorted by class. AND and popcount use the best
// instructions of the machine, chosen at run time.
#pragma once

#include "common.hpp"
#include "vectors.hpp"

namespace bayesgrove {

constexpr size_t kLane = 4;            // words of a 256-bit vector: every class starts at a vector
constexpr size_t kChunk = 64 * kLane;  // words per chunk: a tile of chunks stays in L2

// Adds popcount(a_i AND b_j) over `words` words to counts[2 * i + j]. `words` is a multiple of
// kLane.
using AndCount = void (*)(const uint64_t* a0, const uint64_t* a1, const uint64_t* b0,
                          const uint64_t* b1, size_t words, uint64_t* counts);

#define BAYESGROVE_AND_COUNT(name)                                                             \
    inline void name(const uint64_t* a0, const uint64_t* a1, const uint64_t* b0,               \
                     const uint64_t* b1, size_t words, uint64_t* counts) {                     \
        for (size_t w = 0; w < words; ++w) {                                                   \
            counts[0] += static_cast<uint64_t>(__builtin_popcountll(a0[w] & b0[w]));           \
            counts[1] += static_cast<uint64_t>(__builtin_popcountll(a0[w] & b1[w]));           \
            counts[2] += static_cast<uint64_t>(__builtin_popcountll(a1[w] & b0[w]));           \
            counts[3] += static_cast<uint64_t>(__builtin_popcountll(a1[w] & b1[w]));           \
        }                                                                                      \
    }

BAYESGROVE_AND_COUNT(and_count_portable)

#ifdef BAYESGROVE_X86
__attribute__((target("popcnt"))) BAYESGROVE_AND_COUNT(and_count_popcnt)

// Returns the number of set bits of every byte.
__attribute__((target("avx2"))) inline __m256i byte_counts(__m256i v) {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                           0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(0x0f);
    return _mm256_add_epi8(
        _mm256_shuffle_epi8(table, _mm256_and_si256(v, low)),
        _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), low)));
}

__attribute__((target("avx2"))) inline uint64_t lane_sum(__m256i bytes) {
    __m256i sums = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
    return static_cast<uint64_t>(_mm256_extract_epi64(sums, 0) + _mm256_extract_epi64(sums, 1) +
                                 _mm256_extract_epi64(sums, 2) + _mm256_extract_epi64(sums, 3));
}

__attribute__((target("avx2"))) inline void and_count_avx2(
    const uint64_t* a0, const uint64_t* a1, const uint64_t* b0, const uint64_t* b1, size_t words,
    uint64_t* counts) {
    auto load = [](const uint64_t* p) __attribute__((target("avx2"))) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    };
    for (size_t start = 0; start < words;) {
        // A step adds at most 8 to a byte, so that 31 steps do not overflow it.
        const size_t stop = std::min(words, start + 31 * kLane);
        __m256i s00 = _mm256_setzero_si256(), s01 = s00, s10 = s00, s11 = s00;
        for (size_t w = start; w < stop; w += kLane) {
            const __m256i x0 = load(a0 + w), x1 = load(a1 + w), y0 = load(b0 + w), y1 = load(b1 + w);
            s00 = _mm256_add_epi8(s00, byte_counts(_mm256_and_si256(x0, y0)));
            s01 = _mm256_add_epi8(s01, byte_counts(_mm256_and_si256(x0, y1)));
            s10 = _mm256_add_epi8(s10, byte_counts(_mm256_and_si256(x1, y0)));
            s11 = _mm256_add_epi8(s11, byte_counts(_mm256_and_si256(x1, y1)));
        }
        counts[0] += lane_sum(s00);
        counts[1] += lane_sum(s01);
        counts[2] += lane_sum(s10);
        counts[3] += lane_sum(s11);
        start = stop;
    }
}
#endif

// Returns the fastest function for this machine, with its name.
inline std::pair<AndCount, const char*> choose_and_count() {
#ifdef BAYESGROVE_X86
    if (__builtin_cpu_supports("avx2")) return {and_count_avx2, "avx2"};
    if (__builtin_cpu_supports("popcnt")) return {and_count_popcnt, "popcnt"};
#endif
    return {and_count_portable, "portable"};
}

inline AndCount best_and_count() {
    static const AndCount best = choose_and_count().first;
    return best;
}

inline const char* and_count_name() { return choose_and_count().second; }

// The order of rows in a bitmap: sorted by class, and each class starts at a vector.
struct ClassOrder {
    std::vector<uint32_t> rows;       // the rows, class after class
    std::vector<size_t> first_row;    // where each class starts in `rows`
    std::vector<size_t> first_word;   // where each class starts in a bitmap
    std::vector<size_t> chunk_start, chunk_words, chunk_class;

    ClassOrder(const Column& target, size_t n_classes) {
        std::vector<size_t> sizes(n_classes + 1, 0);
        each_code(target, [&](size_t, uint32_t c) { ++sizes[c]; });
        first_row.assign(1, 0);
        first_word.assign(1, 0);
        for (size_t c = 0; c < n_classes; ++c) {
            first_row.push_back(first_row.back() + sizes[c]);
            size_t words = (sizes[c] + 64 * kLane - 1) / (64 * kLane) * kLane;
            for (size_t w = 0; w < words; w += kChunk) {
                chunk_start.push_back(first_word.back() + w);
                chunk_words.push_back(std::min(kChunk, words - w));
                chunk_class.push_back(c);
            }
            first_word.push_back(first_word.back() + words);
        }
        rows.resize(first_row.back());
        std::vector<size_t> next(first_row.begin(), first_row.end());
        each_code(target, [&](size_t row, uint32_t c) {
            if (c < n_classes) rows[next[c]++] = static_cast<uint32_t>(row);
        });
    }

    size_t words() const { return first_word.back(); }

private:
    template <typename Body>
    static void each_code(const Column& target, const Body& body) {
        uint32_t y[kBlock];
        for_blocks(target.rows, [&](size_t start, size_t count) {
            target.load(start, count, y);
            for (size_t b = 0; b < count; ++b) body(start + b, y[b]);
        });
    }
};

// Returns a word with bit b set if code b of 64 codes equals `value`.
inline uint64_t equal_bits(const uint8_t* codes, uint8_t value) {
    uint64_t bits = 0;
#ifdef __SSE2__
    const __m128i values = _mm_set1_epi8(static_cast<char>(value));
    for (int part = 0; part < 4; ++part) {
        const __m128i lanes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + 16 * part));
        const auto mask = static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(lanes, values)));
        bits |= static_cast<uint64_t>(mask) << (16 * part);
    }
#else
    for (int b = 0; b < 64; ++b) bits |= static_cast<uint64_t>(codes[b] == value) << b;
#endif
    return bits;
}

// Writes the bitmaps of the values of one byte column to `out`, one after another.
inline void build_bitmaps(const uint8_t* codes, const ClassOrder& order, size_t card,
                          uint64_t* out) {
    const size_t words = order.words();
    for (size_t c = 0; c + 1 < order.first_row.size(); ++c) {
        const uint32_t* rows = order.rows.data() + order.first_row[c];
        const size_t size = order.first_row[c + 1] - order.first_row[c];
        for (size_t w = order.first_word[c]; w < order.first_word[c + 1]; ++w) {
            const size_t start = (w - order.first_word[c]) * 64;
            const size_t count = start < size ? std::min<size_t>(64, size - start) : 0;
            uint8_t block[64];
            std::memset(block, 0xff, sizeof block);
            for (size_t b = 0; b < count; ++b) block[b] = codes[rows[start + b]];
            for (size_t v = 0; v < card; ++v)
                out[v * words + w] = equal_bits(block, static_cast<uint8_t>(v));
        }
    }
}

}  // namespace bayesgrove
