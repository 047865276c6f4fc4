// Trees with two branches per test, and the leaves that rows of bins reach.
#pragma once

#include "common.hpp"

namespace bayesgrove {

constexpr int64_t kMaxBins = 255;  // a bin, and the place after the last bin, fit into one byte
constexpr size_t kFlagBytes = (kMaxBins >> 3) + 1;

using BinRows = nb::ndarray<const uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Returns the bytes that a test of a column has in `sides`: one bit per bin and one for unknown
// values.
inline size_t flag_bytes(int64_t bins) { return static_cast<size_t>(bins >> 3) + 1; }

inline uint32_t flag_at(const uint8_t* flags, uint32_t bin) {
    return (flags[bin >> 3] >> (bin & 7)) & 1u;
}

// Flat trees, one after another. The second child of a node follows its first child. Children are
// numbered within their tree. Only tests have bits in `sides`.
struct BoostedNodes {
    std::vector<int32_t> sizes, column, child;
    std::vector<uint8_t> sides;
    std::vector<double> value, gain;

    void add_leaf(double leaf_value) {
        column.push_back(-1);
        child.push_back(0);
        value.push_back(leaf_value);
        gain.push_back(0.0);
    }

    void append(const BoostedNodes& more) {
        const auto add = [](auto& to, const auto& from) {
            to.insert(to.end(), from.begin(), from.end());
        };
        add(sizes, more.sizes);
        add(column, more.column);
        add(child, more.child);
        add(sides, more.sides);
        add(value, more.value);
        add(gain, more.gain);
    }
};

// One tree in the form in which rows pass it quickly: a leaf is its own child, so that all rows
// take the same number of steps.
class TreeWalk {
public:
    // Adds a node. `flags` is null for a leaf.
    void add(int32_t column, int32_t child, const uint8_t* flags) {
        const bool leaf = flags == nullptr;
        const auto node = static_cast<uint32_t>(steps_.size());
        steps_.push_back({leaf ? 0u : static_cast<uint32_t>(column),
                          leaf ? node : static_cast<uint32_t>(child), leaf ? kNoFlags : flags});
    }

    // Counts the steps to the deepest leaf. Children must follow their parents.
    void finish() {
        std::vector<uint32_t> depths(steps_.size(), 0);
        for (size_t n = 0; n < steps_.size(); ++n) {
            depth_ = std::max(depth_, depths[n]);
            const uint32_t child = steps_[n].child;
            if (child != n) depths[child] = depths[child + 1] = depths[n] + 1;
        }
    }

    void clear() {
        steps_.clear();
        depth_ = 0;
    }

    // Finds the leaves of up to kRows rows. `row_of(k)` points at the bins of row k.
    template <typename RowOf>
    void leaves(size_t count, const RowOf& row_of, uint32_t* leaf) const {
        std::fill(leaf, leaf + count, 0u);
        for (uint32_t d = 0; d < depth_; ++d)
            for (size_t k = 0; k < count; ++k) {
                const Step& step = steps_[leaf[k]];
                leaf[k] = step.child + flag_at(step.flags, row_of(k)[step.column]);
            }
    }

    static constexpr size_t kRows = 64;

private:
    struct Step {
        uint32_t column, child;
        const uint8_t* flags;
    };
    static constexpr uint8_t kNoFlags[kFlagBytes] = {};
    std::vector<Step> steps_;
    uint32_t depth_ = 0;
};

}  // namespace bayesgrove
