// Tests of independence of pairs of columns within groups of rows.
#pragma once

#include <numeric>

#include "cells.hpp"
#include "information.hpp"

namespace bayesgrove {

constexpr size_t kCellsPerRow = 8;  // with more cells per row, only the cells that occur are kept

// Sums over all groups. `units` is half of G-squared in the units of FixedTerms.
struct TestSums {
    double chi = 0;
    int64_t units = 0;
    double free = 0;
};

// Test statistics from all cells N[b][a][group] of two columns. The group is the last index: the
// inner loops run over groups, so that small tables cost no more than large tables.
template <typename Cell>
class TableTest {
public:
    explicit TableTest(const FixedTerms& terms) : terms_(terms) {}

    TestSums sums(const PartTable<Cell>& table, size_t groups, uint32_t card_a, uint32_t card_b) {
        by_a_.assign(groups * card_a, 0);
        by_b_.assign(groups * card_b, 0);
        total_.assign(groups, 0);
        for (uint32_t b = 0; b < card_b; ++b) {
            add(table[b], by_a_.size(), by_a_.data());
            for (uint32_t a = 0; a < card_a; ++a)
                add(table[b] + a * groups, groups, by_b_.data() + b * groups);
        }
        for (uint32_t a = 0; a < card_a; ++a) add(by_a_.data() + a * groups, groups, total_.data());
        const double free = degrees(groups);
        if (free == 0) return {};
        int64_t sum = units(total_.data(), groups) - units(by_a_.data(), by_a_.size()) -
                      units(by_b_.data(), by_b_.size());
        for (uint32_t b = 0; b < card_b; ++b) sum += units(table[b], by_a_.size());
        return {chi_squared(table, groups), sum, free};
    }

private:
    static void add(const Cell* cells, size_t count, Cell* sums) {
        for (size_t k = 0; k < count; ++k) sums[k] += cells[k];
    }

    int64_t units(const Cell* cells, size_t count) const {
        int64_t sum = 0;
        for (size_t k = 0; k < count; ++k) sum += terms_(cells[k]);
        return sum;
    }

    // Counts the values that occur in each group, minus one.
    static void count_values(const std::vector<Cell>& margin, size_t groups,
                             std::vector<int32_t>& out) {
        out.assign(groups, 0);
        for (size_t start = 0; start < margin.size(); start += groups)
            for (size_t g = 0; g < groups; ++g) out[g] += margin[start + g] > 0;
        for (int32_t& n : out) n = std::max(n, 1) - 1;
    }

    // Returns the degrees of freedom.
    double degrees(size_t groups) {
        count_values(by_a_, groups, values_a_);
        count_values(by_b_, groups, values_b_);
        double free = 0;
        for (size_t g = 0; g < groups; ++g)
            free += static_cast<double>(values_a_[g]) * values_b_[g];
        return free;
    }

    // Inverts the margins. A margin of 0 has expected counts of 0 and is replaced by 1.
    static void invert(const std::vector<Cell>& margin, std::vector<double>& inverse) {
        inverse.resize(margin.size());
        for (size_t k = 0; k < margin.size(); ++k)
            inverse[k] = 1.0 / static_cast<double>(margin[k] + static_cast<Cell>(margin[k] == 0));
    }

    double chi_squared(const PartTable<Cell>& table, size_t groups) {
        weights_a_.assign(by_a_.begin(), by_a_.end());
        invert(by_a_, inverse_a_);
        invert(by_b_, inverse_b_);
        invert(total_, inverse_);
        chi_.assign(groups, 0.0);
        share_.resize(groups);
        sum_.resize(groups);
        for (size_t start = 0; start < by_b_.size(); start += groups) {
            const Cell* cells = table[static_cast<uint32_t>(start / groups)];
            for (size_t g = 0; g < groups; ++g) {
                share_[g] = static_cast<double>(by_b_[start + g]) * inverse_[g];
                sum_[g] = 0;
            }
            for (size_t k = 0; k < by_a_.size(); k += groups)
                add_squares(cells + k, weights_a_.data() + k, inverse_a_.data() + k, groups);
            for (size_t g = 0; g < groups; ++g)
                chi_[g] += sum_[g] * inverse_b_[start + g] * static_cast<double>(total_[g]);
        }
        return std::accumulate(chi_.begin(), chi_.end(), 0.0);
    }

    void add_squares(const Cell* cells, const double* a, const double* inverse_a, size_t groups) {
        const double* share = share_.data();
        double* sum = sum_.data();
        for (size_t g = 0; g < groups; ++g) {
            const double difference = static_cast<double>(cells[g]) - a[g] * share[g];
            sum[g] += difference * difference * inverse_a[g];
        }
    }

    const FixedTerms& terms_;
    std::vector<Cell> by_a_, by_b_, total_;
    std::vector<int32_t> values_a_, values_b_;
    std::vector<double> weights_a_, inverse_a_, inverse_b_, inverse_, share_, sum_, chi_;
};

// Test statistics from the cells that occur. Rows are sorted by group and first column, and cells
// are numbered in that order.
class SparseTest {
public:
    SparseTest(const FixedTerms& terms, const double* weights) : terms_(terms), weights_(weights) {}

    TestSums sums(const Groups& groups, const SortedRows& rows, const Column& column,
                  uint32_t card) {
        labels_.assign(card, {0, 0, 0, 0});
        with_codes(column, [&](const auto* codes) { collect(rows, codes, card); });
        by_part_.assign(rows.group_of.size(), {0, 0});
        by_group_.assign(groups.count, {0, 0, 0});
        for (const Cell& cell : cells_) {
            by_part_[cell.part].weight += cell.weight;
            by_code_[cell.code].weight += cell.weight;
        }
        TestSums sums;
        add_margins(rows, sums);
        for (const Group& g : by_group_) {
            sums.units += terms_(g.weight);
            if (g.weight > 0) sums.free += (g.parts - 1.0) * (g.codes - 1.0);
        }
        if (sums.free == 0) return {};
        add_cells(rows, sums);
        return sums;
    }

private:
    struct Label {
        uint32_t part, cell, group, code;
    };
    struct Cell {
        uint32_t part, code;
        double weight;
    };
    struct Code {
        uint32_t group;
        double weight;
    };
    struct Part {
        double weight, seen;
    };
    struct Group {
        double weight;
        uint32_t parts, codes;
    };

    // Returns the number that belongs to a stamp. A new stamp gets the next number.
    static uint32_t numbered(uint32_t& stamp, uint32_t& number, uint32_t now, uint32_t& count) {
        const bool fresh = stamp != now;
        number = fresh ? count : number;
        count += fresh;
        stamp = now;
        return number;
    }

    // Sums the weights of all cells that occur.
    template <typename T>
    void collect(const SortedRows& rows, const T* codes, uint32_t card) {
        cells_.assign(rows.rows.size() + 1, {0, 0, 0.0});
        by_code_.assign(rows.rows.size() + 1, {0, 0.0});
        uint32_t n_cells = 0, n_codes = 0;
        for (const SortedRows::Row& row : rows.rows) {
            const uint32_t x = codes[row.row];
            const double weight = weights_ ? weights_[row.row] : 1.0;
            if (x >= card || !(weight > 0)) continue;
            Label& label = labels_[x];
            const uint32_t code = numbered(label.group, label.code, row.group + 1, n_codes);
            by_code_[code].group = row.group;
            Cell& cell = cells_[numbered(label.part, label.cell, row.part + 1, n_cells)];
            cell = {row.part, code, cell.weight + weight};
        }
        cells_.resize(n_cells);
        by_code_.resize(n_codes);
    }

    void add_margins(const SortedRows& rows, TestSums& sums) {
        for (const Code& code : by_code_) {
            ++by_group_[code.group].codes;
            sums.units -= terms_(code.weight);
        }
        for (size_t p = 0; p < by_part_.size(); ++p) {
            Group& group = by_group_[rows.group_of[p]];
            group.weight += by_part_[p].weight;
            group.parts += by_part_[p].weight > 0;
            sums.units -= terms_(by_part_[p].weight);
        }
    }

    // Adds the terms of all cells. A cell that does not occur adds its expected count to
    // chi-squared.
    void add_cells(const SortedRows& rows, TestSums& sums) {
        for (const Cell& cell : cells_) {
            Part& part = by_part_[cell.part];
            const double across = by_code_[cell.code].weight;
            const double total = by_group_[rows.group_of[cell.part]].weight;
            const double expected = part.weight * across / total;
            const double difference = cell.weight - expected;
            sums.chi += difference * difference / expected;
            sums.units += terms_(cell.weight);
            part.seen += across;
        }
        for (size_t p = 0; p < by_part_.size(); ++p) {
            const Part& part = by_part_[p];
            const double total = by_group_[rows.group_of[p]].weight;
            if (part.weight > 0) sums.chi += part.weight / total * std::max(total - part.seen, 0.0);
        }
    }

    const FixedTerms& terms_;
    const double* weights_;
    std::vector<Label> labels_;
    std::vector<Cell> cells_;
    std::vector<Code> by_code_;  // per group and code of the second column
    std::vector<Part> by_part_;  // per group and code of the first column
    std::vector<Group> by_group_;
};

// Tests one column against others. The work that depends only on this column is done once.
template <typename Cell>
class ColumnTester {
public:
    ColumnTester(const Groups& groups, const Column& column, uint32_t card, const double* weights,
                 const FixedTerms& terms)
        : groups_(groups), column_(column), card_(card), weights_(weights), tables_(terms),
          sparse_(terms, weights) {}

    TestSums test(const Column& other, uint32_t card) {
        const size_t limit = std::min(kCellsPerRow * groups_.rows + 1024, size_t{1} << 31);
        if (!few_cells(groups_, card_, card, limit)) {
            if (!sorted_) sorted_.emplace().sort(groups_, column_, card_);
            return sparse_.sums(groups_, *sorted_, other, card);
        }
        if (parts_.empty()) split_each_group(groups_, column_, card_, parts_);
        counts_.count(parts_, groups_.count * card_, other, card, weights_);
        return tables_.sums(counts_, groups_.count, card_, card);
    }

private:
    const Groups& groups_;
    const Column& column_;
    uint32_t card_;
    const double* weights_;
    TableTest<Cell> tables_;
    SparseTest sparse_;
    std::vector<uint32_t> parts_;
    PartTable<Cell> counts_;
    std::optional<SortedRows> sorted_;
};

// Returns runs of adjacent pairs with the same first column, at most 32 pairs per run.
inline std::vector<std::pair<size_t, size_t>> runs_of(const Vector<int32_t>& first) {
    std::vector<std::pair<size_t, size_t>> runs;
    for (size_t p = 0; p < first.shape(0); ++p) {
        if (runs.empty() || first(p) != first(p - 1) || p - runs.back().first == 32)
            runs.emplace_back(p, p);
        ++runs.back().second;
    }
    return runs;
}

inline Result<double> pair_tests(const Ids& ids, int64_t groups, const Vector<int32_t>& first,
                                 const Vector<int32_t>& second, const std::vector<Array>& arrays,
                                 const std::vector<int64_t>& cards, const Weights& weights,
                                 int threads) {
    const auto columns = as_columns(arrays);
    const Groups row_groups(ids, groups, columns);
    const double* w = weight_data(weights, row_groups.rows);
    const size_t pairs = first.shape(0);
    if (cards.size() != columns.size() || second.shape(0) != pairs)
        throw std::invalid_argument(
            "There must be one cardinality per column and two columns per pair.");
    for (size_t p = 0; p < pairs; ++p)
        if (std::min(first(p), second(p)) < 0 ||
            static_cast<size_t>(std::max(first(p), second(p))) >= columns.size())
            throw std::invalid_argument("There is no such column for a pair.");
    auto result = make_result<double>({pairs, 3});
    double* out = result.data();
    nb::gil_scoped_release release;
    double total = w ? 0.0 : static_cast<double>(row_groups.rows);
    for (size_t r = 0; w && r < row_groups.rows; ++r) total += w[r];
    const FixedTerms terms(total, 64 * pairs);
    const auto runs = runs_of(first);
    auto test = [&](size_t t, auto cell) {
        const int32_t i = first(runs[t].first);
        ColumnTester<decltype(cell)> tester(row_groups, columns[i], as_card(cards[i]), w, terms);
        for (size_t p = runs[t].first; p < runs[t].second; ++p) {
            const TestSums sums = tester.test(columns[second(p)], as_card(cards[second(p)]));
            out[3 * p] = sums.chi;
            out[3 * p + 1] = 2 * terms.information(sums.units, 1.0);
            out[3 * p + 2] = sums.free;
        }
    };
    parallel_for(runs.size(), useful_threads(pairs * row_groups.rows, threads), [&](size_t t) {
        w ? test(t, double{}) : test(t, int32_t{});
    });
    return result;
}

}  // namespace bayesgrove
