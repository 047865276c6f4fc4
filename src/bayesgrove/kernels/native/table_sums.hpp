// Predictions from back-off tables: every table adds one entry per class to the scores of a row.
#pragma once

#include "conditional.hpp"

namespace bayesgrove {

using Entries = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// One level of one table.
struct LevelView {
    const int32_t* config_starts = nullptr;  // nullptr at level 0
    const uint32_t* config_codes = nullptr;
    const int32_t* cell_starts = nullptr;
    const uint32_t* cell_codes = nullptr;
    const float* entries = nullptr;
    const float* unseen = nullptr;
    size_t parent = 0;
    uint32_t parent_card = 0;
};

// Returns the place of a code among the ascending codes of a group, or -1.
inline int32_t place_of(const int32_t* starts, const uint32_t* codes, int32_t group, uint32_t code) {
    int32_t low = starts[group], high = starts[group + 1];
    const int32_t guess = low + static_cast<int32_t>(code);  // All codes up to this one occur.
    if (guess < high && codes[guess] == code) return guess;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (codes[middle] < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < starts[group + 1] && codes[low] == code ? low : -1;
}

// Adds the entries of tables to `out`, [rows, classes].
inline void add_table_entries(const std::vector<Array>& column_arrays,
                              const std::vector<int64_t>& cards, const Vector<int32_t>& children,
                              const Vector<int32_t>& parent_starts, const Vector<int32_t>& parents,
                              const Vector<int64_t>& sizes, const Vector<int32_t>& config_starts,
                              const Vector<uint32_t>& config_codes,
                              const Vector<int32_t>& cell_starts, const Vector<uint32_t>& cell_codes,
                              const Entries& entries, const Entries& unseen,
                              nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu> out,
                              int threads) {
    const auto columns = as_columns(column_arrays);
    const size_t tables = children.shape(0), rows = out.shape(0), classes = out.shape(1);
    if (cards.size() != columns.size() || (!columns.empty() && columns.front().rows != rows) ||
        parent_starts.shape(0) != tables + 1 || sizes.shape(0) != 2 * (tables + parents.shape(0)) ||
        entries.shape(0) != cell_codes.shape(0) || entries.shape(1) != classes ||
        unseen.shape(1) != classes)
        throw std::invalid_argument("The tables do not fit the columns.");
    std::vector<LevelView> levels;
    size_t cs = 0, cc = 0, ls = 0, lc = 0, un = 0, slot = 0;
    for (size_t t = 0; t < tables; ++t) {
        const int32_t* range = parent_starts.data() + t;
        size_t before = 1;
        for (int32_t l = 0; l <= range[1] - range[0]; ++l, ++slot) {
            LevelView level;
            const auto n_configs = static_cast<size_t>(sizes.data()[2 * slot]);
            if (l > 0) {
                level.config_starts = config_starts.data() + cs;
                level.config_codes = config_codes.data() + cc;
                level.parent = static_cast<size_t>(parents.data()[range[0] + l - 1]);
                if (level.parent >= columns.size())
                    throw std::invalid_argument("A parent is not a column.");
                level.parent_card = static_cast<uint32_t>(cards[level.parent]);
                cs += before + 1;
                cc += n_configs;
            }
            level.cell_starts = cell_starts.data() + ls;
            level.cell_codes = cell_codes.data() + lc;
            level.entries = entries.data() + lc * classes;
            level.unseen = unseen.data() + un * classes;
            ls += n_configs + 1;
            lc += static_cast<size_t>(sizes.data()[2 * slot + 1]);
            un += n_configs;
            before = n_configs;
            levels.push_back(level);
        }
    }
    if (cs != config_starts.shape(0) || cc != config_codes.shape(0) ||
        ls != cell_starts.shape(0) || lc != cell_codes.shape(0) || un != unseen.shape(0))
        throw std::invalid_argument("The sizes do not fit the tables.");
    for (size_t t = 0; t < tables; ++t)
        if (children.data()[t] < 0 || static_cast<size_t>(children.data()[t]) >= columns.size())
            throw std::invalid_argument("A child is not a column.");
    nb::gil_scoped_release release;
    const size_t block = 4 * kBlock;
    parallel_for((rows + block - 1) / block, threads, [&](size_t task) {
        const size_t first = task * block, count = std::min(block, rows - first);
        std::vector<std::vector<uint32_t>> codes(columns.size(), std::vector<uint32_t>(count));
        for (size_t v = 0; v < columns.size(); ++v) columns[v].load(first, count, codes[v].data());
        size_t at = 0;
        for (size_t t = 0; t < tables; ++t) {
            const auto child = static_cast<size_t>(children.data()[t]);
            const auto k = static_cast<size_t>(parent_starts.data()[t + 1] - parent_starts.data()[t]);
            const LevelView* table = levels.data() + at;
            at += k + 1;
            for (size_t r = 0; r < count; ++r) {
                const uint32_t x = codes[child][r];
                if (x >= cards[child]) continue;  // An unknown value says nothing.
                double* score = out.data() + (first + r) * classes;
                int32_t config = 0;
                const float* entry = nullptr;
                for (size_t l = 0; l <= k; ++l) {
                    const LevelView& level = table[l];
                    if (l > 0) {
                        const uint32_t z = codes[level.parent][r];
                        if (z >= level.parent_card) break;
                        config = place_of(level.config_starts, level.config_codes, config, z);
                        if (config < 0) break;
                    }
                    const int32_t cell = place_of(level.cell_starts, level.cell_codes, config, x);
                    if (cell >= 0) {
                        entry = level.entries + static_cast<size_t>(cell) * classes;
                    } else if (entry) {
                        const float* more = level.unseen + static_cast<size_t>(config) * classes;
                        for (size_t c = 0; c < classes; ++c)
                            score[c] += static_cast<double>(more[c]);
                    }
                }
                if (entry)
                    for (size_t c = 0; c < classes; ++c) score[c] += static_cast<double>(entry[c]);
            }
        }
    });
}

}  // namespace bayesgrove
