// Sums over the cells formed by groups of rows and the values of columns. There are three methods:
// bitmaps for very few cells, a table for few cells, sorted rows for many cells.
#pragma once

#include <utility>

#include "bitgroups.hpp"

namespace bayesgrove {

using Ids = Vector<int32_t>;

constexpr size_t kCachedCells = size_t{1} << 16;  // a table of this many 4-byte cells stays in L2

// Calls body(pointer to the codes) with the type of the codes.
template <typename Body>
void with_codes(const Column& column, const Body& body) {
    switch (column.width) {
        case 1: body(static_cast<const uint8_t*>(column.data)); break;
        case 2: body(static_cast<const uint16_t*>(column.data)); break;
        default: body(static_cast<const uint32_t*>(column.data));
    }
}

// The group of every row. Rows in group -1 are left out.
struct Groups {
    const int32_t* ids;
    size_t count, rows;

    Groups(const std::vector<int32_t>& group_ids, size_t groups)
        : ids(group_ids.data()), count(groups), rows(group_ids.size()) {}

    Groups(const Ids& array, int64_t groups, const std::vector<Column>& columns)
        : ids(array.data()), count(static_cast<size_t>(groups)), rows(array.shape(0)) {
        int32_t highest = -1;
        for (size_t r = 0; r < rows; ++r) highest = std::max(highest, ids[r]);
        if (highest >= groups || rows > INT32_MAX)
            throw std::invalid_argument("Group numbers must be below the number of groups.");
        for (const Column& column : columns)
            if (column.rows != rows)
                throw std::invalid_argument("The groups and the columns differ in length.");
    }
};

inline uint32_t as_card(int64_t card) {
    if (card < 0 || card >= UINT32_MAX)
        throw std::invalid_argument("A cardinality is out of range.");
    return static_cast<uint32_t>(card);
}

// Returns whether there are at most `limit` cells (code of a column, code of the other, group). A
// missing value of the other column takes a cell, too.
inline bool few_cells(const Groups& groups, size_t card, size_t other, size_t limit) {
    return groups.count < limit && card < limit && other < limit && groups.count * card < limit &&
           (groups.count * card + 1) * (other + 1) <= limit;
}

// Splits groups by a column into parts `code * groups + group`. Rows without a group or a value get
// one more part, which is not used.
inline void split_each_group(const Groups& groups, const Column& column, uint32_t card,
                         std::vector<uint32_t>& parts) {
    parts.resize(groups.rows);
    const auto step = static_cast<uint32_t>(groups.count), unused = step * card;
    with_codes(column, [&](const auto* codes) {
        for (size_t r = 0; r < groups.rows; ++r) {
            const uint32_t part = codes[r] * step + static_cast<uint32_t>(groups.ids[r]);
            parts[r] = groups.ids[r] < 0 || codes[r] >= card ? unused : part;
        }
    });
}

// Counts, or sums of weights, by (code, part). Small tables of counts exist in four copies, as in
// Histogram.
template <typename Cell>
class PartTable {
public:
    void count(const std::vector<uint32_t>& parts, size_t n_parts, const Column& column,
               uint32_t card, const double* weights) {
        width_ = static_cast<uint32_t>(n_parts + 1);
        cells_ = size_t{card + 1} * width_;
        const size_t ways = !weights && cells_ <= 512 ? 4 : 1;
        table_.assign(cells_ * ways, 0);
        with_codes(column, [&](const auto* codes) {
            auto cell = [&](size_t r) {
                return std::min<uint32_t>(codes[r], card) * width_ + parts[r];
            };
            if (weights)
                for (size_t r = 0; r < parts.size(); ++r)
                    table_[cell(r)] += static_cast<Cell>(weights[r]);
            else
                add_ones(parts.size(), cell, ways == 4 ? cells_ : 0);
        });
        for (size_t k = 0; ways == 4 && k < cells_; ++k)
            table_[k] += table_[cells_ + k] + table_[2 * cells_ + k] + table_[3 * cells_ + k];
    }

    // Returns the cells of all parts for a code.
    const Cell* operator[](uint32_t code) const { return table_.data() + size_t{code} * width_; }

private:
    template <typename Place>
    void add_ones(size_t rows, const Place& cell, size_t apart) {
        Cell *t0 = table_.data(), *t1 = t0 + apart, *t2 = t1 + apart, *t3 = t2 + apart;
        size_t r = 0;
        for (; r + 4 <= rows; r += 4) {
            ++t0[cell(r)];
            ++t1[cell(r + 1)];
            ++t2[cell(r + 2)];
            ++t3[cell(r + 3)];
        }
        for (; r < rows; ++r) ++t0[cell(r)];
    }

    uint32_t width_ = 1;
    size_t cells_ = 0;
    std::vector<Cell> table_;
};

// Rows sorted by group and then by the code of a column. Rows without a group or a code are left
// out. A part is a group and a code. Parts are numbered in the sorted order, so that there are at
// most as many parts as rows.
struct SortedRows {
    struct Row {
        uint32_t row, group, part;
    };
    std::vector<Row> rows;
    std::vector<uint32_t> group_of;  // the group of each part
    size_t largest = 0;              // number of rows of the largest group

    void sort(const Groups& groups, const Column& column, uint32_t card) {
        with_codes(column, [&](const auto* codes) {
            const int32_t* ids = groups.ids;
            auto present = [&](size_t r) { return ids[r] >= 0 && codes[r] < card; };
            std::vector<uint32_t> of_code(size_t{card} + 1, 0), of_group(groups.count + 1, 0);
            for (size_t r = 0; r < groups.rows; ++r)
                if (present(r)) ++of_code[codes[r]], ++of_group[static_cast<size_t>(ids[r])];
            largest = *std::max_element(of_group.begin(), of_group.end());
            std::vector<uint32_t> by_code(to_starts(of_code));
            for (uint32_t r = 0; r < groups.rows; ++r)
                if (present(r)) by_code[of_code[codes[r]]++] = r;
            rows.resize(to_starts(of_group));
            for (uint32_t r : by_code) {
                const auto group = static_cast<uint32_t>(ids[r]);
                rows[of_group[group]++] = {r, group, codes[r]};
            }
        });
        number();
    }

private:
    // Replaces sizes by the places where they start; returns the sum.
    static uint32_t to_starts(std::vector<uint32_t>& sizes) {
        uint32_t sum = 0;
        for (uint32_t& size : sizes) sum += std::exchange(size, sum);
        return sum;
    }

    // Replaces codes by numbers of parts.
    void number() {
        group_of.resize(rows.size() + 1);
        uint32_t parts = 0;
        Row last{0, UINT32_MAX, UINT32_MAX};
        for (Row& row : rows) {
            parts += row.group != last.group || row.part != last.part;
            last = row;
            row.part = parts - 1;
            group_of[row.part] = row.group;
        }
        group_of.resize(parts);
    }
};

// Returns the count of a cell and adds one to it. The high half of the cell is a stamp: with a new
// stamp the count starts again at 0. Stamps never decrease.
inline uint32_t count_stamped(uint64_t& cell, uint32_t stamp) {
    const uint64_t fresh = static_cast<uint64_t>(stamp) << 32, old = cell;
    const uint64_t now = old < fresh ? fresh : old;
    cell = now + 1;
    return static_cast<uint32_t>(now);
}

// Memory that is used again for every column.
struct CellScratch {
    PartTable<int32_t> table;
    ValueBits values;
    BitGroups::Scratch bits;
};

// Sums of outer[N] over cells (group, value) and of inner[N] over cells (group, value, target).
class CellSums {
public:
    CellSums(const Groups& groups, const Column& target, uint32_t n_target, const int64_t* outer,
             const int64_t* inner)
        : groups_(groups), target_(target), n_target_(n_target), outer_(outer), inner_(inner) {}

    // Prepares the groups for the method that this column needs. Repeated calls do nothing.
    void prepare(const Column& column, uint32_t card) {
        if (mapped(column, card)) {
            if (bits_.words()) return;
            ValueBits values;
            values.build(target_, n_target_);
            bits_.number(groups_.ids, groups_.count, values, groups_.rows);
        } else if (dense(card)) {
            if (parts_.empty()) split_each_group(groups_, target_, n_target_, parts_);
        } else if (grow_outer_.empty()) {
            sorted_.sort(groups_, target_, n_target_);
            grow_outer_ = growth(outer_);
            grow_inner_ = growth(inner_);
        }
    }

    void sums(const Column& column, uint32_t card, CellScratch& scratch, int64_t* out) const {
        if (mapped(column, card)) {
            scratch.values.build(column, card);
            bits_.sums(scratch.values, outer_, inner_, scratch.bits, out);
        } else if (dense(card)) {
            scratch.table.count(parts_, groups_.count * n_target_, column, card, nullptr);
            add_table(scratch.table, card, out);
        } else {
            with_codes(column, [&](const auto* codes) {
                uint32_t highest = 0;
                for (size_t r = 0; r < groups_.rows; ++r)
                    highest = std::max<uint32_t>(highest, codes[r]);
                highest < card ? add_sorted<true>(codes, card, out)
                               : add_sorted<false>(codes, card, out);
            });
        }
    }

private:
    // Returns by how much a sum grows when a cell gets one more row. The numbers are unsigned,
    // because partial sums may overflow.
    std::vector<uint64_t> growth(const int64_t* table) const {
        std::vector<uint64_t> out(sorted_.largest);
        for (size_t n = 0; n < out.size(); ++n)
            out[n] = static_cast<uint64_t>(table[n + 1]) - static_cast<uint64_t>(table[n]);
        return out;
    }

    bool mapped(const Column& column, uint32_t card) const {
        return can_map(target_, n_target_) && can_map(column, card) &&
               few_cells(groups_, n_target_, card, kBitCells);
    }

    // Returns whether the table fits into L2 and has few cells compared with the rows.
    bool dense(uint32_t card) const {
        return few_cells(groups_, n_target_, card, std::min(2 * groups_.rows + 1024, kCachedCells));
    }

    void add_table(const PartTable<int32_t>& table, uint32_t card, int64_t* out) const {
        int64_t outer = 0, inner = 0;
        for (uint32_t x = 0; x < card; ++x) {
            const int32_t* cells = table[x];
            for (size_t k = 0; k < groups_.count * n_target_; ++k) inner += inner_[cells[k]];
            for (size_t g = 0; g < groups_.count; ++g) {
                int32_t whole = 0;
                for (uint32_t y = 0; y < n_target_; ++y) whole += cells[y * groups_.count + g];
                outer += outer_[whole];
            }
        }
        out[0] = outer;
        out[1] = inner;
    }

    // Every row adds the growth of the sum of its cell. No work is done at the end of a group, so
    // that small groups cost no more than large groups.
    template <bool kComplete, typename Code>
    void add_sorted(const Code* codes, uint32_t card, int64_t* out) const {
        std::vector<uint64_t> counts(2 * (size_t{card} + 1), 0);
        uint64_t *in_group = counts.data(), *in_part = in_group + card + 1, outer = 0, inner = 0;
        const uint64_t *grow_outer = grow_outer_.data(), *grow_inner = grow_inner_.data();
        for (const SortedRows::Row& row : sorted_.rows) {
            const uint32_t code = codes[row.row], x = kComplete ? code : std::min(code, card);
            const uint64_t known = kComplete || x < card ? ~uint64_t{0} : 0;
            outer += grow_outer[count_stamped(in_group[x], row.group)] & known;
            inner += grow_inner[count_stamped(in_part[x], row.part)] & known;
        }
        out[0] = static_cast<int64_t>(outer);
        out[1] = static_cast<int64_t>(inner);
    }

    Groups groups_;
    Column target_;
    uint32_t n_target_;
    const int64_t *outer_, *inner_;
    BitGroups bits_;               // for very few cells
    std::vector<uint32_t> parts_;  // for few cells
    SortedRows sorted_;            // for many cells
    std::vector<uint64_t> grow_outer_, grow_inner_;
};

// Returns how many threads are worth starting for a number of increments.
inline int useful_threads(size_t increments, int threads) {
    return std::min<int>(threads, static_cast<int>(std::min<size_t>(increments >> 18, 1024)));
}

// Throws unless tables of terms have an entry for every possible count. A cell has at most as many
// rows as the largest group.
inline void require_counts(const Groups& groups, size_t entries) {
    if (entries > groups.rows) return;
    std::vector<uint32_t> sizes(groups.count, 0);
    uint32_t largest = 0;
    for (size_t r = 0; r < groups.rows; ++r)
        if (groups.ids[r] >= 0) largest = std::max(largest, ++sizes[groups.ids[r]]);
    if (entries <= largest)
        throw std::invalid_argument(
            "A table needs an entry for every count up to the rows of the largest group.");
}

inline Result<int64_t> cell_sums(const Ids& ids, int64_t groups, const Array& target,
                                 int64_t n_target, const std::vector<Array>& arrays,
                                 const std::vector<int64_t>& cards, const Vector<int64_t>& outer,
                                 const Vector<int64_t>& inner, int threads) {
    const auto columns = as_columns(arrays);
    const Column y = as_target(target, columns, cards);
    const Groups row_groups(ids, groups, {y});
    require_counts(row_groups, std::min(outer.shape(0), inner.shape(0)));
    auto result = make_result<int64_t>({columns.size(), 2});
    int64_t* out = result.data();
    CellSums cells(row_groups, y, as_card(n_target), outer.data(), inner.data());
    nb::gil_scoped_release release;
    for (size_t j = 0; j < columns.size(); ++j) cells.prepare(columns[j], as_card(cards[j]));
    const size_t n = columns.size(), chunk = 4;
    parallel_for((n + chunk - 1) / chunk, useful_threads(n * y.rows, threads), [&](size_t t) {
        CellScratch scratch;
        for (size_t j = t * chunk; j < std::min(n, (t + 1) * chunk); ++j)
            cells.sums(columns[j], static_cast<uint32_t>(cards[j]), scratch, out + 2 * j);
    });
    return result;
}

}  // namespace bayesgrove
