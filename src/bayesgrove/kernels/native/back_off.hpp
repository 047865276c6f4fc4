// Tables that back off: counts of a child given the class and 0, 1, ..., k parents. Every level
// is smoothed towards the level before it. Only joint values that occur are stored. A table with a
// pseudo-count is smoothed towards equal probabilities instead, at every level, and has all values
// of the child in every configuration that occurs.
#pragma once

#include "fast_math.hpp"

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
        split.codes.reserve(std::min(groups * card, ids.size()));
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

// Sets terms to count * ln((rest + s above) / (total + s)).
BAYESGROVE_VERSIONS inline void fill_terms(const float* count, const float* rest,
                                           const float* total, const float* above, float s,
                                           float* __restrict terms, size_t size) {
    for (size_t j = 0; j < size; ++j)
        terms[j] = count[j] * fast_log((rest[j] + s * above[j]) / (total[j] + s));
}

// Chooses the strength of one level by the leave-one-out likelihood of the counts.
class StrengthChoice {
public:
    StrengthChoice(const Vector<double>& grid, const Vector<double>& penalties)
        : grid_(grid.data()), penalties_(penalties.data()), size_(grid.shape(0)) {
        if (!size_ || penalties.shape(0) != size_)
            throw std::invalid_argument("There must be one penalty per strength.");
    }

    // Climbs from the strength with the smallest penalty to neighbours as long as they are better.
    // `config_of` and `ups` have the configuration of each cell, and its cell one level before, whose
    // twins are `twins`.
    double operator()(const LevelCounts& counts, const std::vector<double>& twins,
                      const std::vector<int32_t>& config_of, const std::vector<int32_t>& ups,
                      size_t classes, double unit) {
        collect(counts, twins, config_of, ups, classes, unit);
        const auto first =
            static_cast<size_t>(std::min_element(penalties_, penalties_ + size_) - penalties_);
        size_t best = first;
        double best_value = value(first);
        const auto climb = [&](size_t next) {
            if (next >= size_) return false;
            const double found = value(next);
            if (!(found > best_value)) return false;
            best = next;
            best_value = found;
            return true;
        };
        while (climb(best + 1)) {}
        if (best == first)
            while (climb(best - 1)) {}
        return grid_[best];
    }

private:
    // Every cell with rows gives a term; of many cells, equally spaced ones.
    void collect(const LevelCounts& counts, const std::vector<double>& twins,
                 const std::vector<int32_t>& config_of, const std::vector<int32_t>& ups,
                 size_t classes, double unit) {
        size_t positive = 0;
        for (double count : counts.cells) positive += count > 0;
        const size_t step = std::max<size_t>(1, positive / kStrengthTerms);
        for (auto* column : {&count_, &rest_, &total_, &above_, &terms_}) column->resize(positive);
        size_t wait = step / 2, used = 0;
        const double* count = counts.cells.data();
        for (size_t cell = 0; cell < config_of.size(); ++cell) {
            const double* total =
                counts.totals.data() + static_cast<size_t>(config_of[cell]) * classes;
            const double* above = twins.data() + static_cast<size_t>(ups[cell]) * classes;
            for (size_t c = 0; c < classes; ++c, ++count) {
                if (!(*count > 0) || wait-- != 0) continue;
                wait = step - 1;
                count_[used] = static_cast<float>(*count);
                rest_[used] = static_cast<float>(std::max(*count - unit, 0.0));
                total_[used] = static_cast<float>(std::max(total[c] - unit, 0.0));
                above_[used++] = static_cast<float>(above[c]);
            }
        }
        terms_.resize(used);
    }

    // The sum of count * ln((rest + s above) / (total + s)), minus the penalty of s.
    double value(size_t g) {
        const auto s = static_cast<float>(grid_[g]);
        fill_terms(count_.data(), rest_.data(), total_.data(), above_.data(), s, terms_.data(),
                   terms_.size());
        return sum_in_lanes(terms_.data(), terms_.size()) - penalties_[g];
    }

    const double* grid_;
    const double* penalties_;
    size_t size_;
    std::vector<float> count_, rest_, total_, above_, terms_;
};

// All results of `back_off_tables` while they grow.
struct BackOffResult {
    std::vector<int64_t> sizes;
    std::vector<int32_t> config_starts, cell_starts, ups;
    std::vector<uint32_t> config_codes, cell_codes;
    std::vector<double> strengths, logs, unseen, bag_logs, twins;
    std::vector<int32_t> cells;
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
            bag_total_ += in_bag_[r] ? weight(r) : 0.0;
            y_[r] = 2 * y_[r] + (in_bag_[r] ? 1 : 0);
        }
        for (int32_t row : rows_) fit_y_.push_back(y_[static_cast<size_t>(row)]);
        unit_ = weights_ ? total_ / static_cast<double>(std::max<size_t>(n_, 1)) : 1.0;
    }

    // Throws if a level with all values of the child has more than `max_cells` cells times classes.
    void make(size_t child, const int32_t* parents, size_t k, double pseudo_count, size_t max_cells,
              BackOffResult& result) {
        const auto card = static_cast<size_t>(cards_[child]);
        equal_share_ = pseudo_count > 0 ? 1.0 / static_cast<double>(card) : 0.0;
        total_pseudo_count_ = pseudo_count * static_cast<double>(card);
        configs_.assign(n_, 0);
        n_configs_ = 1;
        size_t before = 0;
        for (size_t l = 0; l <= k; ++l) {
            std::vector<int32_t> splits;
            if (l > 0) {
                GroupSplit split =
                    split_by(configs_, n_configs_, static_cast<size_t>(parents[l - 1]));
                n_configs_ = split.codes.size();
                append(result.config_starts, split.starts);
                append(result.config_codes, split.codes);
                splits = std::move(split.starts);
            }
            if (equal_share_ > 0 && n_configs_ > max_cells / card / classes_)
                throw std::overflow_error("The tables have too many cells.");
            columns_[child].visit(0, [&](const auto* codes) {
                count(codes, card);
                if (weights_ || l == k) find_rows(codes, card);
            });
            if (l > 0)
                find_above(splits, result.cell_starts.data() + result.cell_starts.size() - before,
                           result.cell_codes.data() + result.cell_codes.size() - up_.size());
            else
                begin(child);
            smooth();
            if (weights_) leave_rows_out(level_strength_);
            keep(result);
            before = cells_.starts.size();
        }
        append_logs(result.bag_logs, bag_smooth_);
        keep_rows(result);
    }

private:
    double weight(size_t row) const { return weights_ ? weights_[row] : 1.0; }

    GroupSplit split_by(std::vector<int32_t>& ids, size_t groups, size_t column) {
        GroupSplit split;
        columns_[column].visit(0, [&](const auto* codes) {
            split = splitter_(ids, groups, codes, static_cast<size_t>(cards_[column]));
        });
        return split;
    }

    // Replaces the group of every row by its cell, where every group and value have a cell.
    template <typename Code>
    GroupSplit whole_split(std::vector<int32_t>& ids, const Code* codes, size_t card) const {
        for (size_t r = 0; r < n_; ++r)
            ids[r] = ids[r] * static_cast<int32_t>(card) + static_cast<int32_t>(codes[r]);
        GroupSplit split;
        for (size_t g = 0; g <= n_configs_; ++g)
            split.starts.push_back(static_cast<int32_t>(g * card));
        for (size_t cell = 0; cell < n_configs_ * card; ++cell)
            split.codes.push_back(static_cast<uint32_t>(cell % card));
        return split;
    }

    // Counts the rows of every cell and class, and finds the cells that occur. With few possible
    // cells, all of them are counted in one pass over the rows.
    template <typename Code>
    void count(const Code* codes, size_t card) {
        const size_t keys = n_configs_ * card, width = 2 * classes_;
        dense_ = !weights_ && keys <= (4 * n_ + 4096) / width;
        if (!dense_) {
            row_cells_ = configs_;
            cells_ = equal_share_ > 0 ? whole_split(row_cells_, codes, card)
                                      : splitter_(row_cells_, n_configs_, codes, card);
            std::vector<double> sums(cells_.codes.size() * width, 0.0);
            for (size_t r = 0; r < n_; ++r)
                sums[static_cast<size_t>(row_cells_[r]) * width + y_[r]] += weight(r);
            collect(sums.data(), cells_.codes.size());
            return;
        }
        const size_t size = keys * width;
        // Small tables exist in four copies, so that rows need not wait for the row before.
        const size_t copies = size <= 2048 && 4 * size <= n_ ? 4 : 1;
        tally_.assign(size * copies, 0);
        size_t r = 0;
        auto place = [&](size_t row) {
            return (static_cast<size_t>(configs_[row]) * card + codes[row]) * width + y_[row];
        };
        if (copies == 4) {
            uint32_t* at = tally_.data();
            for (; r + 4 <= n_; r += 4) {
                ++at[place(r)];
                ++at[size + place(r + 1)];
                ++at[2 * size + place(r + 2)];
                ++at[3 * size + place(r + 3)];
            }
            for (size_t j = 0; j < size; ++j) at[j] += at[size + j] + at[2 * size + j] + at[3 * size + j];
        }
        for (; r < n_; ++r) ++tally_[place(r)];
        cells_.starts.clear();
        cells_.codes.clear();
        numbers_.resize(keys);
        for (size_t g = 0; g < n_configs_; ++g) {
            cells_.starts.push_back(static_cast<int32_t>(cells_.codes.size()));
            for (size_t x = 0; x < card; ++x) {
                const uint32_t* from = tally_.data() + (g * card + x) * width;
                uint32_t any = 0;
                for (size_t j = 0; j < width; ++j) any |= from[j];
                if (!any && equal_share_ <= 0) continue;
                uint32_t* to = tally_.data() + cells_.codes.size() * width;
                std::copy(from, from + width, to);
                numbers_[g * card + x] = static_cast<int32_t>(cells_.codes.size());
                cells_.codes.push_back(static_cast<uint32_t>(x));
            }
        }
        cells_.starts.push_back(static_cast<int32_t>(cells_.codes.size()));
        collect(tally_.data(), cells_.codes.size());
    }

    // Sets the counts of cells and configurations from sums per cell, class and bag.
    template <typename Sum>
    void collect(const Sum* sums, size_t cells) {
        for (LevelCounts* level : {&all_, &bag_}) {
            level->cells.resize(cells * classes_);
            level->totals.assign(n_configs_ * classes_, 0.0);
        }
        config_of_.resize(cells);
        with_classes(classes_, [&](auto fixed) {
            const size_t C = decltype(fixed)::value ? decltype(fixed)::value : classes_;
            for (size_t g = 0; g < n_configs_; ++g) {
                double* __restrict total = all_.totals.data() + g * C;
                double* __restrict bag_total = bag_.totals.data() + g * C;
                for (auto cell = static_cast<size_t>(cells_.starts[g]);
                     cell < static_cast<size_t>(cells_.starts[g + 1]); ++cell) {
                    config_of_[cell] = static_cast<int32_t>(g);
                    for (size_t c = 0; c < C; ++c) {
                        const size_t at = cell * C + c;
                        const auto inside = static_cast<double>(sums[2 * at + 1]);
                        const double n = static_cast<double>(sums[2 * at]) + inside;
                        bag_.cells[at] = inside;
                        all_.cells[at] = n;
                        bag_total[c] += inside;
                        total[c] += n;
                    }
                }
            }
        });
    }

    // Sets the cells of the rows that are returned.
    template <typename Code>
    void find_rows(const Code* codes, size_t card) {
        fit_cells_.resize(rows_.size());
        for (size_t e = 0; e < rows_.size(); ++e) {
            const auto r = static_cast<size_t>(rows_[e]);
            fit_cells_[e] = dense_ ? numbers_[static_cast<size_t>(configs_[r]) * card + codes[r]]
                                   : row_cells_[r];
        }
    }

    // Begins a table: the shares of the values of the child, the same for all classes, before level
    // 0.
    void begin(size_t child) {
        up_.assign(cells_.codes.begin(), cells_.codes.end());
        const auto card = static_cast<size_t>(cards_[child]);
        const double share = 1.0 / static_cast<double>(card);
        std::vector<double> all(card, 0.0), bag(card, 0.0);
        for (size_t cell = 0; cell < up_.size(); ++cell)
            for (size_t c = 0; c < classes_; ++c) {
                all[cells_.codes[cell]] += all_.cells[cell * classes_ + c];
                bag[cells_.codes[cell]] += bag_.cells[cell * classes_ + c];
            }
        smooth_.clear();
        bag_smooth_.clear();
        twin_.clear();
        for (size_t x = 0; x < card; ++x) {
            const double rest = std::max(bag[x] - unit_, 0.0);
            const double rest_total = std::max(bag_total_ - unit_, 0.0);
            smooth_.insert(smooth_.end(), classes_, (all[x] + share) / (total_ + 1.0));
            bag_smooth_.insert(bag_smooth_.end(), classes_, (bag[x] + share) / (bag_total_ + 1.0));
            twin_.insert(twin_.end(), classes_, (rest + share) / (rest_total + 1.0));
        }
        if (!weights_) return;
        row_twins_.resize(rows_.size());
        for (size_t e = 0; e < rows_.size(); ++e) {
            const double w = bag_weight(e);
            const uint32_t x = cells_.codes[static_cast<size_t>(fit_cells_[e])];
            row_twins_[e] = (bag[x] - w + share) / (bag_total_ - w + 1.0);
        }
    }

    // Weight of a returned row in the bag.
    double bag_weight(size_t e) const {
        const auto r = static_cast<size_t>(rows_[e]);
        return in_bag_[r] ? weight(r) : 0.0;
    }

    // Sets for every cell its cell one level before. `splits` are the configurations that each
    // configuration of that level became; `starts` and `codes` are the cells of that level.
    void find_above(const std::vector<int32_t>& splits, const int32_t* starts,
                    const uint32_t* codes) {
        up_.resize(cells_.codes.size());
        for (size_t before = 0; before + 1 < splits.size(); ++before)
            for (auto g = static_cast<size_t>(splits[before]);
                 g < static_cast<size_t>(splits[before + 1]); ++g) {
                int32_t above = starts[before];
                for (auto cell = static_cast<size_t>(cells_.starts[g]);
                     cell < static_cast<size_t>(cells_.starts[g + 1]); ++cell) {
                    while (codes[above] != cells_.codes[cell]) ++above;
                    up_[cell] = above;
                }
            }
    }

    // Smooths one more level. Its strength is chosen in the bag, so that nothing that is fitted on
    // the bag depends on the other rows.
    void smooth() {
        if (equal_share_ > 0) {
            for (auto* above : {&smooth_, &bag_smooth_, &twin_})
                std::fill(above->begin(), above->end(), equal_share_);
            level_strength_ = total_pseudo_count_;
        } else {
            level_strength_ = strength_(bag_, twin_, config_of_, up_, classes_, unit_);
        }
        for (auto* next : {&next_, &next_bag_, &next_twin_}) next->resize(all_.cells.size());
        shares_.resize(3 * classes_);
        with_classes(classes_, [&](auto fixed) {
            const size_t C = decltype(fixed)::value ? decltype(fixed)::value : classes_;
            for (size_t g = 0; g < n_configs_; ++g) smooth_config(g, C);
        });
        smooth_.swap(next_);
        bag_smooth_.swap(next_bag_);
        twin_.swap(next_twin_);
    }

    // Sets (n + s above) / (N + s) of the cells of a configuration: of all rows, of the bag, and of
    // the bag without a row, where the bag has one.
    BAYESGROVE_INLINE void smooth_config(size_t g, size_t C) {
        const double s = level_strength_;
        double *__restrict share = shares_.data(), *__restrict bag_share = share + C,
                *__restrict twin_share = bag_share + C;
        for (size_t c = 0; c < C; ++c) {
            const double inside = bag_.totals[g * C + c];
            share[c] = 1.0 / (all_.totals[g * C + c] + s);
            bag_share[c] = 1.0 / (inside + s);
            twin_share[c] = 1.0 / (std::max(inside - unit_, 0.0) + s);
        }
        for (auto cell = static_cast<size_t>(cells_.starts[g]);
             cell < static_cast<size_t>(cells_.starts[g + 1]); ++cell) {
            const auto up = static_cast<size_t>(up_[cell]) * C;
            for (size_t c = 0; c < C; ++c) {
                const size_t at = cell * C + c;
                const double n = bag_.cells[at];
                const double of_bag = (n + s * bag_smooth_[up + c]) * bag_share[c];
                const double of_twin = (std::max(n - unit_, 0.0) + s * twin_[up + c]) * twin_share[c];
                next_[at] = (all_.cells[at] + s * smooth_[up + c]) * share[c];
                next_bag_[at] = of_bag;
                next_twin_[at] = n > 0 ? of_twin : of_bag;
            }
        }
    }

    // One more level of the twins of rows that are left out with their own weights.
    void leave_rows_out(double s) {
        for (size_t e = 0; e < rows_.size(); ++e) {
            const auto cell = static_cast<size_t>(fit_cells_[e]);
            const size_t c = fit_y_[e] / 2;
            const double w = bag_weight(e);
            const double n = bag_.cells[cell * classes_ + c];
            const double total =
                bag_.totals[static_cast<size_t>(config_of_[cell]) * classes_ + c];
            const double above = equal_share_ > 0 ? equal_share_ : row_twins_[e];
            row_twins_[e] = (std::max(n - w, 0.0) + s * above) / (std::max(total - w, 0.0) + s);
        }
    }

    void keep(BackOffResult& result) const {
        const double s = level_strength_;
        result.sizes.push_back(static_cast<int64_t>(n_configs_));
        result.sizes.push_back(static_cast<int64_t>(cells_.codes.size()));
        append(result.cell_starts, cells_.starts);
        append(result.cell_codes, cells_.codes);
        append(result.ups, up_);
        result.strengths.push_back(s);
        append_logs(result.logs, smooth_);
        const size_t start = result.unseen.size();
        result.unseen.resize(start + all_.totals.size());
        for (size_t j = 0; j < all_.totals.size(); ++j)
            result.unseen[start + j] =
                std::max(s / (all_.totals[j] + s), std::numeric_limits<double>::min());
        fast_logs(result.unseen.data() + start, all_.totals.size());
    }

    // Keeps the cell of every returned row at the last level, and the logarithm of its twin for its
    // own class.
    void keep_rows(BackOffResult& result) const {
        append(result.cells, fit_cells_);
        std::vector<double> logs;
        append_logs(logs, weights_ ? row_twins_ : twin_);  // Many rows share a cell.
        const double* bag_logs = result.bag_logs.data() + (result.bag_logs.size() - bag_smooth_.size());
        const size_t start = result.twins.size();
        result.twins.resize(start + rows_.size());
        double* twins = result.twins.data() + start;
        for (size_t e = 0; e < rows_.size(); ++e) {
            const size_t at = static_cast<size_t>(fit_cells_[e]) * classes_ + fit_y_[e] / 2;
            twins[e] = weights_ ? logs[e] : fit_y_[e] % 2 ? logs[at] : bag_logs[at];
        }
    }

    static void append_logs(std::vector<double>& to, const std::vector<double>& from) {
        const size_t start = to.size();
        to.resize(start + from.size());
        for (size_t j = 0; j < from.size(); ++j) to[start + j] = std::max(from[j], kSmallest);
        fast_logs(to.data() + start, from.size());
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
    std::vector<uint32_t> y_, fit_y_;  // twice the class, plus 1 in the bag; of the returned rows
    double total_ = 0.0, bag_total_ = 0.0, unit_ = 1.0;
    double level_strength_ = 1.0;
    RowSplitter splitter_;
    size_t n_configs_ = 1;
    double equal_share_ = 0.0, total_pseudo_count_ = 0.0;
    bool dense_ = false;
    GroupSplit cells_;
    std::vector<uint32_t> tally_;
    std::vector<int32_t> configs_, numbers_, row_cells_, fit_cells_, config_of_, up_;
    LevelCounts all_, bag_;
    std::vector<double> smooth_, bag_smooth_, twin_, next_, next_bag_, next_twin_, shares_;
    std::vector<double> row_twins_;
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
    for (int64_t card : cards)
        if (card < 1 || card > INT32_MAX)
            throw std::invalid_argument("A cardinality is out of range.");
    if (n_classes < 1 || n_classes > INT32_MAX)
        throw std::invalid_argument("The number of classes is out of range.");
    require_known(columns, cards);
    require_known({y}, {n_classes});
    StrengthChoice strength(grid, penalties);
    const auto most = static_cast<size_t>(std::max<int64_t>(max_cells, 0));
    BackOffResult out;
    {
        nb::gil_scoped_release release;
        out.cells.reserve(tables * n_rows);
        out.twins.reserve(tables * n_rows);
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
                          hand_over(std::move(out.bag_logs), {bag_cells, classes}),
                          hand_over(std::move(out.twins), {tables, n_rows}),
                          hand_over(std::move(out.cells), {tables, n_rows}));
}

}  // namespace bayesgrove
