// Sums over the cells of many sets of columns. Adjacent sets share the groups of their common first
// members.
#pragma once

#include <deque>

#include "cells.hpp"
#include "partition.hpp"

namespace bayesgrove {

// Up to this many joint values are numbered without a check which of them occur.
constexpr size_t kJointValues = 1024;

// The columns, and bitmaps of the columns that can have bitmaps.
struct SetColumns {
    std::vector<Column> columns;
    std::vector<uint32_t> cards;
    std::vector<ValueBits> bits;  // bitmaps of every column; the last entry is the target
    Column target;
    uint32_t n_target;

    SetColumns(std::vector<Column> all_columns, const std::vector<int64_t>& all_cards,
               const Column& y, int64_t classes)
        : columns(std::move(all_columns)), target(y), n_target(as_card(classes)) {
        for (int64_t card : all_cards) cards.push_back(as_card(card));
        bits.resize(columns.size() + 1);
    }

    // Makes the bitmaps of the columns that are members of a set.
    void map(const int32_t* members, size_t count) {
        for (size_t k = 0; k < count; ++k) {
            const auto j = static_cast<size_t>(std::max(members[k], 0));
            if (members[k] >= 0 && !bits[j].words && can_map(columns[j], cards[j]))
                bits[j].build(columns[j], cards[j]);
        }
        if (can_map(target, n_target)) bits.back().build(target, n_target);
    }

    bool mapped(size_t column) const { return can_map(columns[column], cards[column]); }
};

// Sums of one set after another. The groups of the rows by the members before the last are kept for
// the next sets.
class SetSums {
public:
    SetSums(const SetColumns& data, const int64_t* outer, const int64_t* inner)
        : data_(data), outer_(outer), inner_(inner) {
        levels_.emplace_back();
        if (can_map(data.target, data.n_target)) {
            levels_[0].bits.whole(data.bits.back());
            levels_[0].is_mapped = true;
        }
    }

    int64_t operator()(const int32_t* members, size_t size) {
        size_t shared = 0;
        while (shared + 1 < size && shared < path_.size() && path_[shared] == members[shared])
            ++shared;
        path_.resize(shared);
        levels_.resize(shared + 1);
        while (path_.size() + 1 < size) push(members[path_.size()]);
        return last(static_cast<size_t>(members[size - 1]));
    }

private:
    struct Level {
        bool is_mapped = false;
        BitGroups bits;
        size_t groups = 0;  // number of groups in `ids`; 0 until they are made
        std::vector<int32_t> ids;
        std::unique_ptr<CellSums> cells;
    };

    // Adds a level for one more member. It gets bitmaps if they will be faster for the next
    // columns.
    void push(int32_t member) {
        const auto column = static_cast<size_t>(member);
        levels_.emplace_back();
        path_.push_back(member);
        const Level& before = levels_[path_.size() - 1];
        if (before.is_mapped && data_.mapped(column) &&
            before.bits.parts() * data_.cards[column] <= max_parts()) {
            levels_.back().bits.refine(before.bits, data_.bits[column]);
            levels_.back().is_mapped = true;
        }
    }

    // Returns the sums of the set that the path and this column form.
    int64_t last(size_t column) {
        int64_t out[2];
        Level& level = levels_[path_.size()];
        const uint32_t card = data_.cards[column];
        if (level.is_mapped && data_.mapped(column) && level.bits.parts() * card <= max_parts()) {
            level.bits.sums(data_.bits[column], outer_, inner_, scratch_.bits, out);
        } else {
            number(path_.size());
            if (!level.cells)
                level.cells = std::make_unique<CellSums>(Groups(level.ids, level.groups),
                                                         data_.target, data_.n_target, outer_, inner_);
            level.cells->prepare(data_.columns[column], card);
            level.cells->sums(data_.columns[column], card, scratch_, out);
        }
        return out[0] + out[1];
    }

    // Numbers the group of every row: by its joint value if there are few joint values, otherwise
    // by splitting the groups of the previous level.
    void number(size_t depth) {
        Level& level = levels_[depth];
        if (level.groups || !level.ids.empty()) return;
        size_t joint = 1;
        for (size_t k = 0; k < depth && joint <= kJointValues; ++k)
            joint *= data_.cards[static_cast<size_t>(path_[k])];
        if (joint && joint <= kJointValues) {
            number_all(level, depth);
            return;
        }
        number(depth - 1);
        const Level& before = levels_[depth - 1];
        const auto column = static_cast<size_t>(path_[depth - 1]);
        level.ids.resize(data_.target.rows);
        level.groups = split_into(before.ids.data(), static_cast<int64_t>(before.groups),
                                     data_.columns[column], data_.cards[column], level.ids.data())
                           .size();
    }

    void number_all(Level& level, size_t depth) {
        level.ids.assign(data_.target.rows, 0);
        level.groups = 1;
        for (size_t k = 0; k < depth; ++k) {
            const auto column = static_cast<size_t>(path_[k]);
            const uint32_t card = data_.cards[column];
            with_codes(data_.columns[column], [&](const auto* codes) {
                for (size_t r = 0; r < level.ids.size(); ++r) {
                    const int32_t id = level.ids[r] * static_cast<int32_t>(card) +
                                       static_cast<int32_t>(codes[r]);
                    level.ids[r] = level.ids[r] < 0 || codes[r] >= card ? -1 : id;
                }
            });
            level.groups *= card;
        }
    }

    // Few rows form few groups even if the cardinalities are large. Many small bitmaps are then
    // still faster than sorting.
    size_t max_parts() const { return data_.target.rows <= 1024 ? 1024 : kBitCells; }

    const SetColumns& data_;
    const int64_t *outer_, *inner_;
    std::vector<int32_t> path_;
    std::deque<Level> levels_;  // one more than the path; a deque, because cells point into a level
    CellScratch scratch_;
};

// The members of set s start at `sets[s * set_width]`. There is at least one, and -1 after the
// last.
inline Result<int64_t> set_sums(const std::vector<Array>& arrays, const std::vector<int64_t>& cards,
                                const Array& target, int64_t n_target, const Vector<int32_t>& sets,
                                int64_t set_width, const Vector<int64_t>& outer,
                                const Vector<int64_t>& inner, int threads) {
    auto columns = as_columns(arrays);
    const Column y = as_target(target, columns, cards);
    const auto width = static_cast<size_t>(set_width);
    const int32_t* members = sets.data();
    const size_t n = width ? sets.shape(0) / width : 0;
    if (outer.shape(0) <= y.rows || inner.shape(0) <= y.rows || y.rows > INT32_MAX)
        throw std::invalid_argument(
            "A table needs an entry for every count up to the number of rows.");
    for (size_t k = 0; k < n * width; ++k)
        if (members[k] >= static_cast<int64_t>(columns.size()) || (members[k] < 0 && k % width == 0))
            throw std::invalid_argument("A set needs members that are columns.");
    auto result = make_result<int64_t>({n});
    int64_t* out = result.data();
    SetColumns data(std::move(columns), cards, y, n_target);
    nb::gil_scoped_release release;
    data.map(members, n * width);
    const int workers = useful_threads(n * y.rows, threads);
    const size_t share = n / (4 * static_cast<size_t>(std::max(workers, 1))) + 1;
    const size_t chunk = std::min<size_t>(share, 256);  // sets per task, which can share groups
    parallel_for((n + chunk - 1) / chunk, workers, [&](size_t t) {
        SetSums sums(data, outer.data(), inner.data());
        for (size_t s = t * chunk; s < std::min(n, (t + 1) * chunk); ++s) {
            const int32_t* set = members + s * width;
            size_t size = 1;
            while (size < width && set[size] >= 0) ++size;
            out[s] = sums(set, size);
        }
    });
    return result;
}

}  // namespace bayesgrove
