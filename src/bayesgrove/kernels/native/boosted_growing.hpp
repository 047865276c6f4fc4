// Growing one tree of gradients: sums per bin, the best test of a node, leaves best first.
#pragma once

#include <array>

#include "boosted_nodes.hpp"

namespace bayesgrove {

constexpr double kPrefixRidge = 5.0;      // in the order of nominal values, G / (H + 5)
constexpr double kPrefixDiscount = 0.97;  // of the gain of a set of nominal values
constexpr double kLeastGain = 1e-12;      // a smaller gain, relative to the node, is rounding
constexpr size_t kAhead = 16;             // rows between the request for a row and its use

// Sums of gradients and of second derivatives.
struct Sums {
    double g = 0.0, h = 0.0;

    Sums operator-(const Sums& other) const { return {g - other.g, h - other.h}; }
    void add(const Sums& other) {
        g += other.g;
        h += other.h;
    }
};

// A table of bins. Bins below `ordered` lie along an axis, and a bin after them is missing;
// `ordered` is 0 for a nominal column.
struct BinTable {
    const uint8_t* bins;
    size_t rows, width;
    std::vector<uint32_t> cards, ordered;
    std::vector<size_t> offsets;

    BinTable(const BinRows& table, const std::vector<int64_t>& n_bins,
             const std::vector<int64_t>& n_ordered)
        : bins(table.data()), rows(table.shape(0)), width(table.shape(1)) {
        if (n_bins.size() != width || n_ordered.size() != width)
            throw std::invalid_argument("There must be one number of bins per column.");
        if (rows > UINT32_MAX) throw std::invalid_argument("A tree has less than 2^32 rows.");
        for (size_t j = 0; j < width; ++j) {
            const int64_t all = n_bins[j], axis = n_ordered[j];
            if (all < 1 || all > kMaxBins)
                throw std::invalid_argument("A column must have from 1 to 255 bins.");
            if (axis != 0 && axis != all && (axis != all - 1 || axis < 1))
                throw std::invalid_argument(
                    "All bins of a column, or all but the last, are ordered, or none is.");
            cards.push_back(static_cast<uint32_t>(all));
            ordered.push_back(static_cast<uint32_t>(axis));
        }
        offsets = offsets_of(n_bins);
        for (size_t r = 0; r < rows; ++r)
            for (size_t j = 0; j < width; ++j)
                if (row(r)[j] >= cards[j]) throw std::invalid_argument("A bin is out of range.");
    }

    const uint8_t* row(size_t r) const { return bins + r * width; }
    // Asks for a row that is read soon: the rows of a node are far apart in a large table.
    void prefetch([[maybe_unused]] size_t r) const {
#if defined(__GNUC__)
        __builtin_prefetch(row(r));
#endif
    }
    size_t cells() const { return offsets.back(); }
};

struct Growth {
    size_t max_leaves, max_depth;
    double learning_rate, ridge, min_child;

    Growth(int64_t leaves, int64_t depth, double rate, double penalty, double least)
        : max_leaves(static_cast<size_t>(leaves)), max_depth(static_cast<size_t>(depth)),
          learning_rate(rate), ridge(penalty), min_child(least) {
        if (leaves < 1 || leaves > (1 << 20) || depth < 0)
            throw std::invalid_argument("max_leaves and max_depth are out of range.");
        if (!(std::isfinite(rate) && penalty >= 0.0 && std::isfinite(penalty) && least > 0.0))
            throw std::invalid_argument("learning_rate, ridge or min_child is out of range.");
    }
};

// The best test of a node. `position` is the last bin of the first child, its only bin, or the
// number of its bins in the order of their gradients.
struct BoostedSplit {
    enum Kind { kThreshold, kOneValue, kPrefix };
    double gain = 0.0;
    int32_t column = -1;
    Kind kind = kThreshold;
    uint32_t position = 0;
    bool missing_first = false;  // whether missing values go to the first child of a threshold
    Sums first;
};

// Searches the tests of one node.
class BoostedSearch {
public:
    BoostedSearch(const BinTable& table, const Growth& growth, const Sums* cells, const Sums& total)
        : table_(table), growth_(growth), cells_(cells), total_(total),
          base_(total.g * total.g / (total.h + growth.ridge)) {
        best_.gain = kLeastGain * base_;
    }

    BoostedSplit best() {
        for (size_t j = 0; j < table_.width; ++j) {
            column_ = static_cast<int32_t>(j);
            if (table_.ordered[j])
                search_thresholds(table_.ordered[j], cells_ + table_.offsets[j]);
            else
                search_values(table_.cards[j], cells_ + table_.offsets[j]);
        }
        return best_;
    }

    // Returns the bits of a test. Values that no row of the node has, and unknown values, go to the
    // child with more weight.
    std::array<uint8_t, kFlagBytes> sides(const BoostedSplit& split) const {
        const size_t j = static_cast<size_t>(split.column);
        const uint32_t bins = table_.cards[j], axis = table_.ordered[j];
        const Sums* cells = cells_ + table_.offsets[j];
        const bool heavy_second = split.first.h <= (total_ - split.first).h;
        std::array<bool, kMaxBins + 1> second;
        second.fill(true);
        if (split.kind == BoostedSplit::kThreshold) {
            std::fill_n(second.begin(), split.position + 1, false);
            if (axis < bins) second[axis] = !split.missing_first;
        } else if (split.kind == BoostedSplit::kOneValue) {
            second[split.position] = false;
        } else {
            const auto order = order_of(bins, cells);
            for (uint32_t k = 0; k < split.position; ++k) second[order[k]] = false;
        }
        for (uint32_t b = axis; b < bins; ++b)
            if (cells[b].h == 0.0) second[b] = heavy_second;
        second[bins] = heavy_second;
        std::array<uint8_t, kFlagBytes> bits{};
        for (uint32_t b = 0; b <= bins; ++b)
            bits[b >> 3] |= static_cast<uint8_t>(second[b] << (b & 7));
        return bits;
    }

private:
    // Compares a test with the best one. The first of equal tests is kept.
    void consider(const Sums& first, double discount, BoostedSplit::Kind kind, uint32_t position,
                  bool missing_first = false) {
        const Sums second = total_ - first;
        const double a = first.h + growth_.ridge, b = second.h + growth_.ridge;
        const double gain =
            ((first.g * first.g * b + second.g * second.g * a) / (a * b) - base_) * discount;
        if (gain > best_.gain) best_ = {gain, column_, kind, position, missing_first, first};
    }

    bool light(double h) const { return h < growth_.min_child; }

    void search_thresholds(uint32_t axis, const Sums* cells) {
        const bool some_missing = axis < table_.cards[static_cast<size_t>(column_)] &&
                                  cells[axis].h > 0.0;
        scan_thresholds(some_missing ? axis : axis - 1, cells, {}, false);
        if (some_missing) scan_thresholds(axis - 1, cells, cells[axis], true);
    }

    void scan_thresholds(uint32_t end, const Sums* cells, Sums first, bool missing_first) {
        for (uint32_t b = 0; b < end; ++b) {
            if (cells[b].h == 0.0) continue;
            first.add(cells[b]);
            if (light(first.h)) continue;
            if (light(total_.h - first.h)) return;
            consider(first, 1.0, BoostedSplit::kThreshold, b, missing_first);
        }
    }

    void search_values(uint32_t bins, const Sums* cells) {
        for (uint32_t b = 0; b < bins; ++b)
            if (!light(cells[b].h) && !light(total_.h - cells[b].h))
                consider(cells[b], 1.0, BoostedSplit::kOneValue, b);
        if (bins <= 3) return;
        const auto order = order_of(bins, cells);
        Sums first;
        for (uint32_t k = 0; k + 1 < order.size(); ++k) {
            first.add(cells[order[k]]);
            if (light(first.h)) continue;
            if (light(total_.h - first.h)) return;
            consider(first, kPrefixDiscount, BoostedSplit::kPrefix, k + 1);
        }
    }

    // Returns the values that occur, in the order of their gradients.
    static std::vector<uint32_t> order_of(uint32_t bins, const Sums* cells) {
        std::array<double, kMaxBins> key;
        std::vector<uint32_t> order;
        order.reserve(bins);
        for (uint32_t b = 0; b < bins; ++b) {
            if (cells[b].h == 0.0) continue;
            key[b] = cells[b].g / (cells[b].h + kPrefixRidge);
            order.push_back(b);
        }
        std::sort(order.begin(), order.end(), [&](uint32_t u, uint32_t v) {
            return key[u] != key[v] ? key[u] < key[v] : u < v;
        });
        return order;
    }

    const BinTable& table_;
    const Growth& growth_;
    const Sums* cells_;
    const Sums& total_;
    double base_;
    int32_t column_ = 0;
    BoostedSplit best_;
};

// Rounds all derivatives to multiples of one power of two, so coarse that every sum of them is
// exact. Then sums do not depend on their order, and the sums of a child are exactly those of its
// parent minus those of the other child.
inline void round_to_grid(std::vector<Sums>& sums) {
    double largest = 0.0;
    for (const Sums& s : sums) largest = std::max({largest, std::abs(s.g), s.h});
    int exponent = 0;
    std::frexp(largest * static_cast<double>(sums.size()), &exponent);
    const double shift = std::ldexp(1.5, exponent + 1);  // its last bit is the step of the grid
    for (Sums& s : sums) {
        s.g = (s.g + shift) - shift;
        s.h = (s.h + shift) - shift;
    }
}

// Grows trees one after another, in the same memory.
class BoostedGrower {
public:
    BoostedGrower(const BinTable& table, const Growth& growth) : table_(table), growth_(growth) {}

    // A range of `rows` that ends in the same leaf.
    struct LeafRows {
        size_t begin, end;
        double value;
    };

    // Grows a tree from some rows and their derivatives. Both are reordered, leaf by leaf.
    void grow(std::vector<uint32_t>& rows, std::vector<Sums>& sums) {
        round_to_grid(sums);
        nodes_ = BoostedNodes();
        leaves_.clear();
        Leaf root{0, rows.size(), 0, 0, {}, {}, nullptr};
        for (const Sums& s : sums) root.total.add(s);
        nodes_.add_leaf(0.0);
        if (growth_.max_leaves > 1 && can_split(root)) {
            root.cells = take_buffer();
            fill(rows, sums, root.begin, root.end, root.cells);
            search(root);
        }
        leaves_.push_back(root);
        while (leaves_.size() < growth_.max_leaves) {
            Leaf* best = nullptr;
            for (Leaf& leaf : leaves_)
                if (leaf.split.column >= 0 && (!best || leaf.split.gain > best->split.gain))
                    best = &leaf;
            if (!best) break;
            split(*best, rows, sums);
        }
        finish();
    }

    bool has_test() const { return nodes_.column.size() > 1; }
    const BoostedNodes& nodes() const { return nodes_; }
    const std::vector<LeafRows>& leaf_rows() const { return leaf_rows_; }
    const TreeWalk& walk() const { return walk_; }

private:
    using Buffer = std::vector<Sums>;
    using Flags = std::array<uint8_t, kFlagBytes>;

    struct Leaf {
        size_t begin, end;
        int32_t node;
        size_t depth;
        Sums total;
        BoostedSplit split;
        Buffer* cells;  // null if the leaf cannot be split
    };

    bool can_split(const Leaf& leaf) const {
        return leaf.depth < growth_.max_depth && leaf.total.h >= 2.0 * growth_.min_child;
    }

    // Returns a buffer with one cell per bin, with arbitrary contents.
    Buffer* take_buffer() {
        if (free_.empty()) {
            buffers_.push_back(std::make_unique<Buffer>(table_.cells()));
            free_.push_back(buffers_.back().get());
        }
        Buffer* buffer = free_.back();
        free_.pop_back();
        return buffer;
    }

    void give_back(Leaf& leaf) {
        if (leaf.cells) free_.push_back(leaf.cells);
        leaf.cells = nullptr;
    }

    void fill(const std::vector<uint32_t>& rows, const std::vector<Sums>& sums, size_t begin,
              size_t end, Buffer* cells) const {
        std::fill(cells->begin(), cells->end(), Sums());
        Sums* out = cells->data();
        const size_t width = table_.width;
        const size_t* offsets = table_.offsets.data();
        for (size_t k = begin; k < end; ++k) {
            table_.prefetch(rows[std::min(k + kAhead, end - 1)]);
            const uint8_t* bins = table_.row(rows[k]);
            const Sums add = sums[k];
            for (size_t j = 0; j < width; ++j) out[offsets[j] + bins[j]].add(add);
        }
    }

    // Finds the best test of a leaf; gives the buffer back if the leaf has none.
    void search(Leaf& leaf) {
        leaf.split = BoostedSearch(table_, growth_, leaf.cells->data(), leaf.total).best();
        if (leaf.split.column < 0) give_back(leaf);
    }

    void split(Leaf& at, std::vector<uint32_t>& rows, std::vector<Sums>& sums) {
        Leaf parent = at;
        const Flags flags =
            BoostedSearch(table_, growth_, parent.cells->data(), parent.total).sides(parent.split);
        const size_t middle = partition(parent, flags, rows, sums);
        const auto child = static_cast<int32_t>(nodes_.column.size());
        nodes_.column[parent.node] = parent.split.column;
        nodes_.child[parent.node] = child;
        nodes_.gain[parent.node] = parent.split.gain;
        flags_of_.resize(nodes_.column.size() + 2);
        flags_of_[parent.node] = flags;
        nodes_.add_leaf(0.0);
        nodes_.add_leaf(0.0);
        const Sums rest = parent.total - parent.split.first;
        Leaf first{parent.begin, middle, child, parent.depth + 1, parent.split.first, {}, nullptr};
        Leaf second{middle, parent.end, child + 1, parent.depth + 1, rest, {}, nullptr};
        if (leaves_.size() + 1 < growth_.max_leaves) {
            const bool first_is_small = middle - parent.begin <= parent.end - middle;
            search_children(parent, first_is_small ? first : second,
                            first_is_small ? second : first, rows, sums);
        }
        give_back(parent);
        at = first;
        leaves_.push_back(second);
    }

    // Moves the rows of the first child to the front, both children in their order. Returns where
    // the second child begins.
    size_t partition(const Leaf& parent, const Flags& flags, std::vector<uint32_t>& rows,
                     std::vector<Sums>& sums) {
        const auto column = static_cast<size_t>(parent.split.column);
        size_t to = parent.begin;
        moved_rows_.clear();
        moved_sums_.clear();
        for (size_t k = parent.begin; k < parent.end; ++k) {
            table_.prefetch(rows[std::min(k + kAhead, parent.end - 1)]);
            if (flag_at(flags.data(), table_.row(rows[k])[column])) {
                moved_rows_.push_back(rows[k]);
                moved_sums_.push_back(sums[k]);
            } else {
                rows[to] = rows[k];
                sums[to++] = sums[k];
            }
        }
        std::copy(moved_rows_.begin(), moved_rows_.end(), rows.begin() + to);
        std::copy(moved_sums_.begin(), moved_sums_.end(), sums.begin() + to);
        return to;
    }

    // Only the rows of the small child are read. The large child gets the buffer of the parent.
    void search_children(Leaf& parent, Leaf& small, Leaf& large, const std::vector<uint32_t>& rows,
                         const std::vector<Sums>& sums) {
        const bool small_too = can_split(small), large_too = can_split(large);
        if (!small_too && !large_too) return;
        small.cells = take_buffer();
        fill(rows, sums, small.begin, small.end, small.cells);
        if (large_too) {
            std::swap(large.cells, parent.cells);
            const Sums* minus = small.cells->data();
            for (Sums& cell : *large.cells) cell = cell - *minus++;
            search(large);
        }
        if (small_too)
            search(small);
        else
            give_back(small);
    }

    // Computes the values of the leaves and lays out the tree.
    void finish() {
        leaf_rows_.clear();
        for (Leaf& leaf : leaves_) {
            const double value =
                -growth_.learning_rate * leaf.total.g / (leaf.total.h + growth_.ridge);
            nodes_.value[leaf.node] = value;
            leaf_rows_.push_back({leaf.begin, leaf.end, value});
            give_back(leaf);
        }
        nodes_.sizes.assign(1, static_cast<int32_t>(nodes_.column.size()));
        walk_.clear();
        for (size_t n = 0; n < nodes_.column.size(); ++n) {
            const int32_t column = nodes_.column[n];
            const bool test = column >= 0;
            walk_.add(column, nodes_.child[n], test ? flags_of_[n].data() : nullptr);
            if (!test) continue;
            const auto end = flags_of_[n].begin() + flag_bytes(table_.cards[column]);
            nodes_.sides.insert(nodes_.sides.end(), flags_of_[n].begin(), end);
        }
        walk_.finish();
    }

    const BinTable& table_;
    const Growth& growth_;
    BoostedNodes nodes_;
    TreeWalk walk_;
    std::vector<Leaf> leaves_;
    std::vector<LeafRows> leaf_rows_;
    std::vector<Flags> flags_of_;
    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::vector<Buffer*> free_;
    std::vector<uint32_t> moved_rows_;
    std::vector<Sums> moved_sums_;
};

}  // namespace bayesgrove
