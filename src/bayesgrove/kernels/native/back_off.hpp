// Tables that back off: counts of a child given the class and 0, 1, ..., k parents. Every level
// is smoothed towards the level before it. Only joint values that occur are stored. A table with a
// pseudo-count is smoothed towards equal probabilities instead, at every level, and has all values
// of the child in every configuration that occurs.
#pragma once

#include "common.hpp"

namespace bayesgrove {

constexpr double kSmallest = 1e-12;    // probabilities are not smaller, so that logarithms exist
constexpr size_t kStrengthTerms = 800;  // terms of the likelihood that chooses a strength

// Groups of rows, split by one more column. Group g is split into the groups
// starts[g] .. starts[g + 1] - 1, with ascending codes of the column.
struct GroupSplit {
    std::vector<int32_t> starts;
    std::vector<uint32_t> codes;
};

// Replaces the group of every row by its group after a split by `column`.
class RowSplitter {
public:
    template <typename Code>
    GroupSplit operator()(std::vector<int32_t>& ids, size_t groups, const Code* codes, size_t card) {
        const size_t keys = groups * card;
        if (keys <= 4 * ids.size() + 4096) return by_array(ids, groups, codes, card);
        return by_hash(ids, groups, codes, card);
    }

private:
    template <typename Code>
    GroupSplit by_array(std::vector<int32_t>& ids, size_t groups, const Code* codes, size_t card) {
        numbers_.assign(groups * card, 0);
        for (size_t r = 0; r < ids.size(); ++r)
            numbers_[static_cast<size_t>(ids[r]) * card + codes[r]] = 1;
        GroupSplit split;
        split.starts.reserve(groups + 1);
        int32_t next = 0;
        for (size_t g = 0; g < groups; ++g) {
            split.starts.push_back(next);
            int32_t* number = numbers_.data() + g * card;
            for (size_t x = 0; x < card; ++x)
                if (number[x]) {
                    number[x] = next++;
                    split.codes.push_back(static_cast<uint32_t>(x));
                }
        }
        split.starts.push_back(next);
        for (size_t r = 0; r < ids.size(); ++r)
            ids[r] = numbers_[static_cast<size_t>(ids[r]) * card + codes[r]];
        return split;
    }

    template <typename Code>
    GroupSplit by_hash(std::vector<int32_t>& ids, size_t groups, const Code* codes, size_t card) {
        int bits = 4;
        while ((size_t{1} << bits) < 2 * ids.size()) ++bits;
        slots_.assign(size_t{1} << bits, kEmpty);
        numbers_.assign(size_t{1} << bits, 0);
        const size_t mask = slots_.size() - 1;
        auto place = [&](uint64_t key) {
            size_t at = (key * 0x9E3779B97F4A7C15ull) >> (64 - bits);
            while (slots_[at] != kEmpty && slots_[at] != key) at = (at + 1) & mask;
            return at;
        };
        std::vector<uint64_t> keys;
        for (size_t r = 0; r < ids.size(); ++r) {
            const uint64_t key = static_cast<uint64_t>(ids[r]) * card + codes[r];
            const size_t at = place(key);
            if (slots_[at] == kEmpty) {
                slots_[at] = key;
                keys.push_back(key);
            }
        }
        std::sort(keys.begin(), keys.end());
        GroupSplit split;
        split.starts.assign(groups + 1, 0);
        split.codes.reserve(keys.size());
        for (size_t j = 0; j < keys.size(); ++j) {
            numbers_[place(keys[j])] = static_cast<int32_t>(j);
            split.codes.push_back(static_cast<uint32_t>(keys[j] % card));
            ++split.starts[keys[j] / card + 1];
        }
        for (size_t g = 0; g < groups; ++g) split.starts[g + 1] += split.starts[g];
        for (size_t r = 0; r < ids.size(); ++r)
            ids[r] = numbers_[place(static_cast<uint64_t>(ids[r]) * card + codes[r])];
        return split;
    }

    static constexpr uint64_t kEmpty = UINT64_MAX;
    std::vector<int32_t> numbers_;
    std::vector<uint64_t> slots_;
};

// Counts of one level, [cells, classes] and [configurations, classes]. A cell is a configuration of
// the parents and a value of the child.
struct LevelCounts {
    std::vector<double> cells, totals;
};

// Where the cells of a level are: their configurations, and their cells one level before. The level
// before the first one has one number per value of the child, the same for all classes. With an
// equal share above 0, all values have this probability instead.
struct Above {
    const int32_t* config_of;
    const int32_t* up;
    size_t classes;
    bool first;
    double equal_share;

    double probability(const std::vector<double>& above, size_t cell, size_t c) const {
        if (equal_share > 0) return equal_share;
        const auto at = static_cast<size_t>(up[cell]);
        return first ? above[at] : above[at * classes + c];
    }

    // Fills `out` with (n - unit + s above) / (N - unit + s) of every cell and class.
    void smooth(const LevelCounts& counts, const std::vector<double>& above, double s, double unit,
                std::vector<double>& out) const {
        const size_t cells = counts.cells.size() / classes;
        out.resize(counts.cells.size());
        for (size_t cell = 0; cell < cells; ++cell) {
            const double* n = counts.cells.data() + cell * classes;
            const double* total =
                counts.totals.data() + static_cast<size_t>(config_of[cell]) * classes;
            for (size_t c = 0; c < classes; ++c)
                out[cell * classes + c] =
                    (std::max(n[c] - unit, 0.0) + s * probability(above, cell, c)) /
                    (std::max(total[c] - unit, 0.0) + s);
        }
    }
};

// Chooses the strength of one level by the leave-one-out likelihood of the counts.
class StrengthChoice {
public:
    StrengthChoice(const Vector<double>& grid, const Vector<double>& penalties)
        : grid_(grid.data()), penalties_(penalties.data()), size_(grid.shape(0)) {
        if (!size_ || penalties.shape(0) != size_)
            throw std::invalid_argument("There must be one penalty per strength.");
    }

    // `twins` holds the twins of the level before.
    double operator()(const LevelCounts& counts, const std::vector<double>& twins,
                      const Above& above, double unit) {
        collect(counts, twins, above, unit);
        size_t best = 0;
        double best_value = -std::numeric_limits<double>::infinity();
        for (size_t g = 0; g < size_; ++g) {
            const double value = likelihood(static_cast<float>(grid_[g])) - penalties_[g];
            if (value > best_value) {
                best_value = value;
                best = g;
            }
        }
        return grid_[best];
    }

private:
    struct Term {
        float count, rest, total, above;
    };

    // Every cell with rows gives a term; of many cells, equally spaced ones.
    void collect(const LevelCounts& counts, const std::vector<double>& twins, const Above& above,
                 double unit) {
        terms_.clear();
        const size_t classes = above.classes;
        size_t positive = 0;
        for (double count : counts.cells) positive += count > 0;
        const size_t step = std::max<size_t>(1, positive / kStrengthTerms);
        size_t wait = step / 2;
        for (size_t j = 0; j < counts.cells.size(); ++j) {
            if (counts.cells[j] <= 0 || wait-- != 0) continue;
            wait = step - 1;
            const size_t cell = j / classes, c = j % classes;
            const double total =
                counts.totals[static_cast<size_t>(above.config_of[cell]) * classes + c];
            terms_.push_back({static_cast<float>(counts.cells[j]),
                              static_cast<float>(std::max(counts.cells[j] - unit, 0.0)),
                              static_cast<float>(std::max(total - unit, 0.0)),
                              static_cast<float>(above.probability(twins, cell, c))});
        }
    }

    // The sum of count * ln((rest + s above) / (total + s)).
    double likelihood(float s) const {
        double sum = 0.0;
        for (const Term& term : terms_)
            sum += static_cast<double>(
                term.count * std::log((term.rest + s * term.above) / (term.total + s)));
        return sum;
    }

    const double* grid_;
    const double* penalties_;
    size_t size_;
    std::vector<Term> terms_;
};

// All results of `back_off_tables` while they grow.
struct BackOffResult {
    std::vector<int64_t> sizes;
    std::vector<int32_t> config_starts, cell_starts, ups;
    std::vector<uint32_t> config_codes, cell_codes;
    std::vector<double> strengths, logs, unseen, bag_strengths, bag_logs, twins;
    std::vector<int32_t> ids;
};

// Makes back-off tables one after another. `rows` are the rows whose cells and twins are returned.
class TableMaker {
public:
    TableMaker(const std::vector<Column>& columns, const std::vector<int64_t>& cards,
               const Column& target, size_t classes, const double* weights, const uint8_t* in_bag,
               const Vector<int32_t>& rows, StrengthChoice& strength)
        : columns_(columns),
          cards_(cards),
          classes_(classes),
          weights_(weights),
          in_bag_(in_bag),
          rows_(rows.data(), rows.data() + rows.shape(0)),
          strength_(strength),
          n_(target.rows),
          y_(n_) {
        target.load(0, n_, y_.data());
        for (size_t r = 0; r < n_; ++r) {
            total_ += weight(r);
            bag_total_ += in_bag_[r] * weight(r);
        }
        unit_ = weights_ ? total_ / static_cast<double>(std::max<size_t>(n_, 1)) : 1.0;
    }

    // Throws if a level with all values of the child has more than `max_cells` cells times classes.
    void make(size_t child, const int32_t* parents, size_t k, double pseudo_count, size_t max_cells,
              BackOffResult& result) {
        begin(child, pseudo_count);
        for (size_t l = 0; l <= k; ++l) {
            if (l > 0) {
                const GroupSplit split =
                    split_by(configs_, n_configs_, static_cast<size_t>(parents[l - 1]));
                n_configs_ = split.codes.size();
                append(result.config_starts, split.starts);
                append(result.config_codes, split.codes);
            }
            cells_.swap(previous_);
            cells_ = configs_;
            if (equal_share_ > 0 && n_configs_ * card_ * classes_ > max_cells)
                throw std::overflow_error("The tables have too many cells.");
            const GroupSplit split =
                equal_share_ > 0 ? whole_split(child) : split_by(cells_, n_configs_, child);
            number(split, l == 0);
            count(all_, split, false);
            count(bag_, split, true);
            smooth(l == 0);
            if (weights_) leave_rows_out(strength_of_bag_);
            keep(split, result);
        }
        for (double p : bag_smooth_) result.bag_logs.push_back(log_of(p));
        keep_twins(result);
    }

private:
    double weight(size_t row) const { return weights_ ? weights_[row] : 1.0; }

    static double log_of(double p) { return std::log(std::max(p, kSmallest)); }

    GroupSplit split_by(std::vector<int32_t>& ids, size_t groups, size_t column) {
        GroupSplit split;
        columns_[column].visit(0, [&](const auto* codes) {
            split = splitter_(ids, groups, codes, static_cast<size_t>(cards_[column]));
        });
        return split;
    }

    // Makes a cell of every configuration and every value of the child.
    GroupSplit whole_split(size_t child) {
        columns_[child].visit(0, [&](const auto* codes) {
            for (size_t r = 0; r < n_; ++r)
                cells_[r] = configs_[r] * static_cast<int32_t>(card_) +
                            static_cast<int32_t>(codes[r]);
        });
        GroupSplit split;
        split.starts.reserve(n_configs_ + 1);
        split.codes.reserve(n_configs_ * card_);
        for (size_t g = 0; g <= n_configs_; ++g)
            split.starts.push_back(static_cast<int32_t>(g * card_));
        for (size_t cell = 0; cell < n_configs_ * card_; ++cell)
            split.codes.push_back(static_cast<uint32_t>(cell % card_));
        return split;
    }

    // Begins a table: all rows in one configuration, and the shares of the values of the child.
    void begin(size_t child, double pseudo_count) {
        configs_.assign(n_, 0);
        n_configs_ = 1;
        const auto card = card_ = static_cast<size_t>(cards_[child]);
        equal_share_ = pseudo_count > 0 ? 1.0 / static_cast<double>(card) : 0.0;
        total_pseudo_count_ = pseudo_count * static_cast<double>(card);
        std::vector<double> all(card, 0.0), bag(card, 0.0);
        columns_[child].visit(0, [&](const auto* codes) {
            for (size_t r = 0; r < n_; ++r) {
                all[codes[r]] += weight(r);
                bag[codes[r]] += in_bag_[r] * weight(r);
            }
            const double share = 1.0 / static_cast<double>(card);
            smooth_.resize(card);
            bag_smooth_.resize(card);
            twin_.resize(card);
            for (size_t x = 0; x < card; ++x) {
                smooth_[x] = (all[x] + share) / (total_ + 1.0);
                bag_smooth_[x] = (bag[x] + share) / (bag_total_ + 1.0);
                twin_[x] = (std::max(bag[x] - unit_, 0.0) + share) /
                           (std::max(bag_total_ - unit_, 0.0) + 1.0);
            }
            if (!weights_) return;
            row_twins_.resize(rows_.size());
            for (size_t e = 0; e < rows_.size(); ++e) {
                const auto r = static_cast<size_t>(rows_[e]);
                const double w = in_bag_[r] * weight(r);
                row_twins_[e] = (bag[codes[r]] - w + share) / (bag_total_ - w + 1.0);
            }
        });
    }

    // Sets the configuration of every cell, and its cell one level before.
    void number(const GroupSplit& split, bool first) {
        n_cells_ = split.codes.size();
        config_of_.resize(n_cells_);
        up_.resize(n_cells_);
        for (size_t g = 0; g < n_configs_; ++g)
            std::fill(config_of_.begin() + split.starts[g], config_of_.begin() + split.starts[g + 1],
                      static_cast<int32_t>(g));
        if (first)
            std::copy(split.codes.begin(), split.codes.end(), up_.begin());
        else if (equal_share_ > 0)
            number_whole();
        else
            for (size_t r = 0; r < n_; ++r) up_[static_cast<size_t>(cells_[r])] = previous_[r];
    }

    // Also cells without rows have a cell one level before.
    void number_whole() {
        const auto card = static_cast<int32_t>(card_);
        first_up_.resize(n_configs_);
        for (size_t r = 0; r < n_; ++r)
            first_up_[static_cast<size_t>(configs_[r])] = previous_[r] / card * card;
        for (size_t cell = 0; cell < n_cells_; ++cell)
            up_[cell] = first_up_[cell / card_] + static_cast<int32_t>(cell % card_);
    }

    void count(LevelCounts& level, const GroupSplit& split, bool bag) const {
        level.cells.assign(n_cells_ * classes_, 0.0);
        level.totals.assign(n_configs_ * classes_, 0.0);
        for (size_t r = 0; r < n_; ++r)
            if (!bag || in_bag_[r])
                level.cells[static_cast<size_t>(cells_[r]) * classes_ + y_[r]] += weight(r);
        for (size_t cell = 0; cell < split.codes.size(); ++cell)
            for (size_t c = 0; c < classes_; ++c)
                level.totals[static_cast<size_t>(config_of_[cell]) * classes_ + c] +=
                    level.cells[cell * classes_ + c];
    }

    // Smooths one more level. What is fitted on the bag has strengths of the bag, so that nothing of
    // it depends on the other rows.
    void smooth(bool first) {
        const Above above{config_of_.data(), up_.data(), classes_, first, equal_share_};
        const bool fixed = equal_share_ > 0;
        strength_of_all_ = fixed ? total_pseudo_count_ : strength_(all_, twin_, above, unit_);
        strength_of_bag_ = fixed ? total_pseudo_count_ : strength_(bag_, twin_, above, unit_);
        above.smooth(all_, smooth_, strength_of_all_, 0.0, next_);
        smooth_.swap(next_);
        above.smooth(bag_, twin_, strength_of_bag_, unit_, next_);
        twin_.swap(next_);
        above.smooth(bag_, bag_smooth_, strength_of_bag_, 0.0, next_);
        bag_smooth_.swap(next_);
        for (size_t j = 0; j < twin_.size(); ++j)
            if (bag_.cells[j] <= 0) twin_[j] = bag_smooth_[j];
    }

    // One more level of the twins of rows that are left out with their own weights.
    void leave_rows_out(double s) {
        for (size_t e = 0; e < rows_.size(); ++e) {
            const auto r = static_cast<size_t>(rows_[e]);
            const double w = in_bag_[r] * weight(r);
            const double n = bag_.cells[static_cast<size_t>(cells_[r]) * classes_ + y_[r]];
            const double total = bag_.totals[static_cast<size_t>(configs_[r]) * classes_ + y_[r]];
            const double above = equal_share_ > 0 ? equal_share_ : row_twins_[e];
            row_twins_[e] = (std::max(n - w, 0.0) + s * above) / (std::max(total - w, 0.0) + s);
        }
    }

    void keep(const GroupSplit& split, BackOffResult& result) const {
        const double s = strength_of_all_;
        result.sizes.push_back(static_cast<int64_t>(n_configs_));
        result.sizes.push_back(static_cast<int64_t>(n_cells_));
        append(result.cell_starts, split.starts);
        append(result.cell_codes, split.codes);
        append(result.ups, up_);
        result.strengths.push_back(s);
        result.bag_strengths.push_back(strength_of_bag_);
        for (double p : smooth_) result.logs.push_back(log_of(p));
        for (double total : all_.totals) result.unseen.push_back(std::log(s / (total + s)));
        for (int32_t r : rows_) result.ids.push_back(cells_[static_cast<size_t>(r)]);
    }

    // The logarithm of the twin of every row, at the last level and for its own class.
    void keep_twins(BackOffResult& result) const {
        for (size_t e = 0; e < rows_.size(); ++e) {
            const auto r = static_cast<size_t>(rows_[e]);
            const size_t at = static_cast<size_t>(cells_[r]) * classes_ + y_[r];
            const double twin = weights_ ? row_twins_[e] : in_bag_[r] ? twin_[at] : bag_smooth_[at];
            result.twins.push_back(log_of(twin));
        }
    }

    template <typename T>
    static void append(std::vector<T>& to, const std::vector<T>& from) {
        to.insert(to.end(), from.begin(), from.end());
    }

    const std::vector<Column>& columns_;
    const std::vector<int64_t>& cards_;
    size_t classes_;
    const double* weights_;
    const uint8_t* in_bag_;
    std::vector<int32_t> rows_;
    StrengthChoice& strength_;
    size_t n_;
    std::vector<uint32_t> y_;
    double total_ = 0.0, bag_total_ = 0.0, unit_ = 1.0;
    double strength_of_all_ = 1.0, strength_of_bag_ = 1.0;
    RowSplitter splitter_;
    size_t n_configs_ = 1, n_cells_ = 0, card_ = 1;
    double equal_share_ = 0.0, total_pseudo_count_ = 0.0;
    std::vector<int32_t> configs_, cells_, previous_, config_of_, up_, first_up_;
    LevelCounts all_, bag_;
    std::vector<double> smooth_, bag_smooth_, twin_, next_, row_twins_;
};

// Throws unless all codes are below the cardinality of their column.
inline void require_known(const std::vector<Column>& columns, const std::vector<int64_t>& cards) {
    for (size_t v = 0; v < columns.size(); ++v)
        columns[v].visit(0, [&](const auto* codes) {
            bool known = true;
            for (size_t r = 0; r < columns[v].rows; ++r) known &= codes[r] < cards[v];
            if (!known) throw std::invalid_argument("A code is not below its cardinality.");
        });
}

inline nb::tuple back_off_tables(const std::vector<Array>& column_arrays,
                                 const std::vector<int64_t>& cards, const Array& target,
                                 int64_t n_classes, const Weights& weights,
                                 const Vector<uint8_t>& in_bag, const Vector<int32_t>& rows,
                                 const Vector<int32_t>& children,
                                 const Vector<int32_t>& parent_starts,
                                 const Vector<int32_t>& parents,
                                 const Vector<double>& pseudo_counts, const Vector<double>& grid,
                                 const Vector<double>& penalties, int64_t max_cells) {
    const auto columns = as_columns(column_arrays);
    const Column y = as_target(target, columns, cards);
    const auto classes = static_cast<size_t>(n_classes);
    const double* w = weight_data(weights, y.rows);
    const size_t tables = children.shape(0), n_rows = rows.shape(0);
    if (in_bag.shape(0) != y.rows || parent_starts.shape(0) != tables + 1 ||
        pseudo_counts.shape(0) != tables ||
        parent_starts.data()[0] != 0 ||
        parent_starts.data()[tables] != static_cast<int32_t>(parents.shape(0)) ||
        !std::is_sorted(parent_starts.data(), parent_starts.data() + tables + 1))
        throw std::invalid_argument("The bag, the parents or the pseudo-counts do not fit.");
    auto is_column = [&](int32_t v) { return v >= 0 && static_cast<size_t>(v) < columns.size(); };
    if (!std::all_of(children.data(), children.data() + tables, is_column) ||
        !std::all_of(parents.data(), parents.data() + parents.shape(0), is_column))
        throw std::invalid_argument("A child or a parent is not a column.");
    for (size_t e = 0; e < n_rows; ++e)
        if (rows.data()[e] < 0 || static_cast<size_t>(rows.data()[e]) >= y.rows)
            throw std::invalid_argument("A row is out of range.");
    require_known(columns, cards);
    require_known({y}, {n_classes});
    StrengthChoice strength(grid, penalties);
    const auto most = static_cast<size_t>(std::max<int64_t>(max_cells, 0));
    BackOffResult out;
    {
        nb::gil_scoped_release release;
        TableMaker maker(columns, cards, y, classes, w, in_bag.data(), rows, strength);
        for (size_t t = 0; t < tables; ++t) {
            const int32_t* pair = parent_starts.data() + t;
            maker.make(static_cast<size_t>(children.data()[t]), parents.data() + pair[0],
                       static_cast<size_t>(pair[1] - pair[0]), pseudo_counts.data()[t], most, out);
            if (out.logs.size() > most)
                throw std::overflow_error("The tables have too many cells.");
        }
    }
    const size_t slots = out.strengths.size(), cells = out.cell_codes.size();
    const size_t bag_cells = out.bag_logs.size() / std::max<size_t>(classes, 1);
    const size_t configs = out.unseen.size() / std::max<size_t>(classes, 1);
    return nb::make_tuple(hand_over(std::move(out.sizes), {slots, 2}),
                          hand_over(std::move(out.config_starts), {out.config_starts.size()}),
                          hand_over(std::move(out.config_codes), {out.config_codes.size()}),
                          hand_over(std::move(out.cell_starts), {out.cell_starts.size()}),
                          hand_over(std::move(out.cell_codes), {cells}),
                          hand_over(std::move(out.ups), {cells}),
                          hand_over(std::move(out.strengths), {slots}),
                          hand_over(std::move(out.logs), {cells, classes}),
                          hand_over(std::move(out.unseen), {configs, classes}),
                          hand_over(std::move(out.bag_strengths), {slots}),
                          hand_over(std::move(out.bag_logs), {bag_cells, classes}),
                          hand_over(std::move(out.twins), {tables, n_rows}),
                          hand_over(std::move(out.ids), {slots, n_rows}));
}

}  // namespace bayesgrove
