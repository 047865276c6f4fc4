// Groups of rows as bitmaps: one bitmap per (group, value of the target), called a part. AND splits
// the groups by a column, and popcount counts their rows, 64 rows at a time. This is fast if there
// are few bitmaps.
#pragma once

#include "bitmaps.hpp"

namespace bayesgrove {

constexpr uint32_t kMappedValues = 64;  // largest cardinality of a column with bitmaps
constexpr size_t kBitCells = 320;  // more cells (part, value) are counted faster row by row

// Sets counts[i] = popcount(one AND many_i) for n adjacent bitmaps of `words` words.
using AndCounts = void (*)(const uint64_t* one, const uint64_t* many, size_t n, size_t words,
                           uint32_t* counts);

#define BAYESGROVE_AND_COUNTS(name)                                                             \
    inline void name(const uint64_t* one, const uint64_t* many, size_t n, size_t words,         \
                     uint32_t* counts) {                                                        \
        for (size_t i = 0; i < n; ++i, many += words) {                                         \
            uint64_t even = 0, odd = 0;                                                         \
            for (size_t w = 0; w < words; w += 2) {                                             \
                even += static_cast<uint64_t>(__builtin_popcountll(one[w] & many[w]));          \
                odd += static_cast<uint64_t>(__builtin_popcountll(one[w + 1] & many[w + 1]));   \
            }                                                                                   \
            counts[i] = static_cast<uint32_t>(even + odd);                                      \
        }                                                                                       \
    }

BAYESGROVE_AND_COUNTS(and_counts_portable)
#ifdef BAYESGROVE_X86
__attribute__((target("popcnt"))) BAYESGROVE_AND_COUNTS(and_counts_popcnt)
#endif

inline AndCounts best_and_counts() {
#ifdef BAYESGROVE_X86
    static const bool popcnt = __builtin_cpu_supports("popcnt");
    if (popcnt) return and_counts_popcnt;
#endif
    return and_counts_portable;
}

inline bool can_map(const Column& column, uint32_t card) {
    return column.width == 1 && card <= kMappedValues;
}

// The bitmaps of the values of a column, one after another.
struct ValueBits {
    size_t words = 0;  // words per bitmap, an even number
    uint32_t card = 0;
    bool complete = true;
    std::vector<uint64_t> bits;

    void build(const Column& column, uint32_t values) {
        const auto* codes = static_cast<const uint8_t*>(column.data);
        card = values;
        words = (column.rows + 127) / 128 * 2;
        bits.assign(card * words, 0);
        uint8_t highest = 0;
        for (size_t r = 0; r < column.rows; ++r) highest = std::max(highest, codes[r]);
        complete = highest < card;
        for (size_t w = 0; w * 64 < column.rows; ++w) {
            const size_t count = std::min<size_t>(64, column.rows - w * 64);
            uint8_t tail[64];
            const uint8_t* block = codes + w * 64;
            if (count < 64) {
                std::memset(tail, 0xff, sizeof tail);
                std::memcpy(tail, block, count);
                block = tail;
            }
            uint64_t remaining = ~uint64_t{0} >> (64 - count);  // rows without any value so far
            for (uint32_t v = 0; v < card; ++v) {
                const bool last = complete && v + 1 == card;
                const uint64_t equal =
                    last ? remaining : equal_bits(block, static_cast<uint8_t>(v));
                bits[v * words + w] = equal;
                remaining &= ~equal;
            }
        }
    }

    const uint64_t* operator[](uint32_t value) const { return bits.data() + value * words; }
};

// Bitmap `group * n_target + value of the target`. Groups without rows are dropped.
class BitGroups {
public:
    size_t count() const { return n_target_ ? sizes_.size() / n_target_ : 0; }
    size_t parts() const { return sizes_.size(); }
    size_t words() const { return words_; }

    // Makes one group of all rows.
    void whole(const ValueBits& target) {
        n_target_ = target.card;
        words_ = target.words;
        bits_ = target.bits;
        sizes_.resize(n_target_);
        for (uint32_t y = 0; y < n_target_; ++y)
            best_and_counts()(target[y], target[y], 1, words_, &sizes_[y]);
    }

    // Makes the groups that `ids` gives for every row, where -1 stands for none.
    void number(const int32_t* ids, size_t groups, const ValueBits& target, size_t rows) {
        n_target_ = target.card;
        words_ = target.words;
        std::vector<uint64_t> group_bits(groups * words_, 0);
        for (size_t r = 0; r < rows; ++r)
            if (ids[r] >= 0)
                group_bits[static_cast<size_t>(ids[r]) * words_ + r / 64] |=
                    uint64_t{1} << (r % 64);
        bits_.clear();
        sizes_.clear();
        for (size_t g = 0; g < groups; ++g)
            split(group_bits.data() + g * words_, target.bits.data());
    }

    // Makes the groups of `from`, split by the values of a column.
    void refine(const BitGroups& from, const ValueBits& by) {
        n_target_ = from.n_target_;
        words_ = from.words_;
        bits_.clear();
        sizes_.clear();
        for (size_t g = 0; g < from.count(); ++g)
            for (uint32_t x = 0; x < by.card; ++x)
                split(by[x], from.bits_.data() + g * n_target_ * words_);
    }

    struct Scratch {
        std::vector<uint32_t> counts, remaining;
    };

    // Sums the terms of all cells (group, value of a column) into out[0], and the terms of all
    // cells (group, value of a column, value of the target) into out[1].
    void sums(const ValueBits& column, const int64_t* outer, const int64_t* inner, Scratch& scratch,
              int64_t* out) const {
        const AndCounts count_bits = best_and_counts();
        auto& [counts, remaining] = scratch;
        counts.resize(parts());
        remaining = sizes_;  // rows of each part whose value is still to come
        out[0] = out[1] = 0;
        for (uint32_t x = 0; x < column.card; ++x) {
            if (column.complete && x + 1 == column.card) {
                counts.swap(remaining);
            } else {
                count_bits(column[x], bits_.data(), parts(), words_, counts.data());
                for (size_t p = 0; p < parts(); ++p) remaining[p] -= counts[p];
            }
            for (size_t p = 0; p < parts();) {
                uint32_t together = 0;
                for (uint32_t y = 0; y < n_target_; ++y, ++p) {
                    together += counts[p];
                    out[1] += inner[counts[p]];
                }
                out[0] += outer[together];
            }
        }
    }

private:
    // Adds one group: the rows of a bitmap, divided into parts by the values of the target.
    void split(const uint64_t* rows, const uint64_t* parts) {
        const size_t first = sizes_.size();
        sizes_.resize(first + n_target_);
        best_and_counts()(rows, parts, n_target_, words_, sizes_.data() + first);
        if (std::all_of(sizes_.begin() + first, sizes_.end(), [](uint32_t n) { return n == 0; })) {
            sizes_.resize(first);
            return;
        }
        bits_.resize((first + n_target_) * words_);
        uint64_t* out = bits_.data() + first * words_;
        for (uint32_t y = 0; y < n_target_; ++y, out += words_, parts += words_)
            for (size_t w = 0; w < words_; ++w) out[w] = rows[w] & parts[w];
    }

    uint32_t n_target_ = 0;
    size_t words_ = 0;
    std::vector<uint64_t> bits_;
    std::vector<uint32_t> sizes_;
};

}  // namespace bayesgrove
