// Rule tables: boosted tables of yes-or-no questions, and their sum for new rows.
#pragma once

#include "boosting.hpp"
#include "fast_math.hpp"

namespace bayesgrove {

constexpr size_t kMaxQuestions = 8;
constexpr int64_t kMaxRounds = 1'000'000;
constexpr size_t kMaxOutputs = 4;     // more classes are mixed into this number of sums
constexpr double kLeastDrawn = 0.1;   // the probability that a row with a small gradient is drawn
constexpr double kDrawnSlope = 5.0;   // a row with a gradient of 0.2 or more is always drawn
constexpr auto kNowhere = static_cast<size_t>(-1);
constexpr double kSameGain = 1e-9;    // gains that differ less, relative to the new score, are equal

// The question whether the bin of a column is from `first` to `last`.
struct RuleQuestion {
    int32_t column = -1;
    uint8_t first = 0, last = 0;
    double gain = 0.0;

    bool yes(uint8_t bin) const { return static_cast<uint8_t>(bin - first) <= last - first; }
};

struct RuleOptions {
    size_t max_questions;
    double learning_rate, ridge;
    size_t sample_rows;

    RuleOptions(int64_t questions, double rate, double penalty, int64_t rows)
        : max_questions(static_cast<size_t>(questions)), learning_rate(rate), ridge(penalty),
          sample_rows(static_cast<size_t>(rows)) {
        if (questions < 1 || questions > static_cast<int64_t>(kMaxQuestions) || rows < 1)
            throw std::invalid_argument("max_questions or sample_rows is out of range.");
        if (!(std::isfinite(rate) && penalty > 0.0 && std::isfinite(penalty)))
            throw std::invalid_argument("learning_rate or ridge is out of range.");
    }
};

// Adds to each gain sum(yes^2) / (hessian + ridge) of the answers yes and no, minus `whole`. `yes` is
// [outputs + 1, count]; the hessians are last. Questions without a row gain exactly nothing.
BAYESGROVE_VERSIONS inline void add_gains(const double* yes, size_t count, size_t outputs,
                                          const double* total, double ridge, double whole,
                                          double* __restrict gains) {
    constexpr size_t kPart = 128;
    double with[kPart], without[kPart];
    for (size_t begin = 0; begin < count; begin += kPart) {
        const size_t size = std::min(kPart, count - begin);
        std::fill(with, with + size, 0.0);
        std::fill(without, without + size, 0.0);
        for (size_t k = 0; k < outputs; ++k) {
            const double *own = yes + k * count + begin, all = total[k];
            for (size_t j = 0; j < size; ++j) {
                const double rest = all - own[j];
                with[j] += own[j] * own[j];
                without[j] += rest * rest;
            }
        }
        const double* curves = yes + outputs * count + begin;
        for (size_t j = 0; j < size; ++j) {
            // Differences of sums may be a little below 0.
            const double curve = curves[j] > 0.0 ? curves[j] : 0.0;
            const double rest = total[outputs] - curve > 0.0 ? total[outputs] - curve : 0.0;
            gains[begin + j] += with[j] / (curve + ridge) + without[j] / (rest + ridge) - whole;
        }
    }
}

// Finds the questions of one table. A cell has the answers to all questions so far.
class RuleSearch {
public:
    RuleSearch(const BinTable& table, double ridge) : table_(table), ridge_(ridge) {
        for (size_t j = 0; j < table.width; ++j) {
            const auto bins = static_cast<uint8_t>(table.cards[j]);
            const auto axis = static_cast<uint8_t>(table.ordered[j]);
            const auto column = static_cast<int32_t>(j);
            if (axis == 0) {
                for (uint8_t b = 0; b < bins; ++b) candidates_.push_back({column, b, b});
                continue;
            }
            for (uint8_t b = 0; b + 1 < axis; ++b) {
                candidates_.push_back({column, 0, b});
                if (bins > axis)
                    candidates_.push_back(
                        {column, static_cast<uint8_t>(b + 1), static_cast<uint8_t>(axis - 1)});
            }
            if (bins > axis) candidates_.push_back({column, axis, axis});
        }
    }

    // `sums` has the gradients of every row and, last, its hessian: [rows, outputs + 1]. A question
    // may gain nothing by itself, but questions after the last one that gains are left out.
    std::vector<RuleQuestion> find(const std::vector<uint32_t>& rows, const std::vector<double>& sums,
                               size_t outputs, size_t max_questions) {
        rows_ = rows, sums_ = sums, settled_ = 0.0;
        cells_.assign(rows.size(), 0);
        histogram_.assign(table_.cells() * (outputs + 1), 0.0);
        add_rows({0}, outputs + 1, histogram_);
        std::vector<RuleQuestion> found;
        size_t useful = 0, count = 1;
        while (found.size() < max_questions) {
            double base = settled_;
            const RuleQuestion best = best_of(outputs, count, base);
            if (best.column < 0) break;
            if (best.gain > kLeastGain * base) useful = found.size() + 1;
            found.push_back(best);
            if (found.size() < max_questions) count = divide(best, outputs, count);
        }
        found.resize(useful);
        return found;
    }

private:
    // Divides the cells by the answers to a question, and returns the number of cells. Cells that
    // have no row get no number. No question gains anything in a cell with one row: it is settled.
    // Of the two halves of a cell, the smaller one is added up; the other one is what remains.
    size_t divide(const RuleQuestion& question, size_t outputs, size_t count) {
        const size_t width = outputs + 1, block = table_.cells() * width;
        std::vector<uint32_t> sizes(2 * count, 0);
        for (size_t i = 0; i < rows_.size(); ++i) {
            cells_[i] = static_cast<uint8_t>(
                2 * cells_[i] + question.yes(table_.row(rows_[i])[question.column]));
            ++sizes[cells_[i]];
        }
        std::vector<size_t> numbers(2 * count, 0);
        size_t used = 0;
        for (size_t half = 0; half < 2 * count; ++half)
            if (sizes[half] > 1) numbers[half] = used++;
        // Where smaller halves are added up: settled ones have places after the cells.
        std::vector<size_t> places(2 * count, kNowhere);
        size_t blocks = used;
        const auto smaller = [&](size_t cell) {
            return 2 * cell + (sizes[2 * cell + 1] < sizes[2 * cell] ? 1 : 0);
        };
        for (size_t cell = 0; cell < count; ++cell) {
            const size_t small = smaller(cell);
            if (sizes[small ^ 1] > 1 && sizes[small] > 0)
                places[small] = sizes[small] > 1 ? numbers[small] : blocks++;
        }
        halves_.assign(blocks * block, 0.0);
        add_rows(places, width, halves_);
        for (size_t cell = 0; cell < count; ++cell) {
            const size_t small = smaller(cell), large = small ^ 1;
            if (sizes[large] <= 1) continue;
            double* to = &halves_[numbers[large] * block];
            std::copy_n(&histogram_[cell * block], block, to);
            if (places[small] == kNowhere) continue;
            const double* less = &halves_[places[small] * block];
            for (size_t j = 0; j < block; ++j) to[j] -= less[j];
        }
        histogram_.swap(halves_);
        keep_rows(sizes, numbers, outputs);
        return used;
    }

    // Leaves out the rows of settled cells, and numbers the cells of the others.
    void keep_rows(const std::vector<uint32_t>& sizes, const std::vector<size_t>& numbers,
                   size_t outputs) {
        const size_t width = outputs + 1;
        size_t kept = 0;
        for (size_t i = 0; i < rows_.size(); ++i) {
            const double* sums = &sums_[i * width];
            if (sizes[cells_[i]] == 1) {
                settled_ += score(sums, outputs);
                continue;
            }
            rows_[kept] = rows_[i];
            cells_[kept] = static_cast<uint8_t>(numbers[cells_[i]]);
            std::copy_n(sums, width, &sums_[kept * width]);
            ++kept;
        }
        rows_.resize(kept);
        cells_.resize(kept);
        sums_.resize(kept * width);
    }

    // Adds up the rows of every cell that has a place in `histogram`.
    void add_rows(const std::vector<size_t>& places, size_t width, std::vector<double>& histogram) {
        if (width == 2)
            add_rows<2>(places, 2, histogram);
        else if (width == 4)
            add_rows<4>(places, 4, histogram);
        else if (width == 5)
            add_rows<5>(places, 5, histogram);
        else
            add_rows<0>(places, width, histogram);
    }

    template <size_t W>
    void add_rows(const std::vector<size_t>& places, size_t dynamic, std::vector<double>& histogram) {
        const size_t width = W ? W : dynamic;
        for (size_t i = 0; i < rows_.size(); ++i) {
            const size_t place = places[cells_[i]];
            if (place == kNowhere) continue;
            const uint8_t* bins = table_.row(rows_[i]);
            double* cell = &histogram[place * table_.cells() * width];
            const double* sums = &sums_[i * width];
            double own[W ? W : 1];  // A copy cannot change with the histogram.
            if constexpr (W > 0) std::copy_n(sums, W, own);
            const double* add = W ? own : sums;
            for (size_t j = 0; j < table_.width; ++j) {
                double* to = cell + (table_.offsets[j] + bins[j]) * width;
                for (size_t k = 0; k < width; ++k) to[k] += add[k];
            }
        }
    }

    double score(const double* sums, size_t outputs) const {
        double squares = 0.0;
        for (size_t k = 0; k < outputs; ++k) squares += sums[k] * sums[k];
        return squares / (sums[outputs] + ridge_);
    }

    // Returns the question of the largest gain, and in `base` the score before it.
    RuleQuestion best_of(size_t outputs, size_t count, double& base) {
        const size_t width = outputs + 1;
        std::vector<double> total(width);
        gains_.assign(candidates_.size(), 0.0);
        yes_.resize(candidates_.size() * width);
        for (size_t cell = 0; cell < count; ++cell) {
            const double* sums = &histogram_[cell * table_.cells() * width];
            std::fill(total.begin(), total.end(), 0.0);
            for (size_t b = 0; b < table_.cards[0]; ++b)
                for (size_t k = 0; k < width; ++k) total[k] += sums[b * width + k];
            if (total[outputs] <= 0.0) continue;
            const double whole = score(total.data(), outputs);
            base += whole;
            for (size_t k = 0; k < width; ++k) fill_yes(sums + k, width, total[k], k);
            add_gains(yes_.data(), gains_.size(), outputs, total.data(), ridge_, whole,
                      gains_.data());
        }
        if (gains_.empty()) return {};
        const double most = *std::max_element(gains_.begin(), gains_.end());
        size_t first = 0;
        while (gains_[first] < most - kSameGain * (base + most)) ++first;
        RuleQuestion best = candidates_[first];
        best.gain = gains_[first];
        return best;
    }

    // Sets sum k of the rows of a cell with the answer yes, for all questions.
    void fill_yes(const double* sums, size_t width, double total, size_t k) {
        double* to = yes_.data() + k * candidates_.size();
        for (size_t j = 0; j < table_.width; ++j) {
            const size_t bins = table_.cards[j], axis = table_.ordered[j];
            const double* from = sums + table_.offsets[j] * width;
            if (axis == 0) {
                for (size_t b = 0; b < bins; ++b) *to++ = from[b * width];
                continue;
            }
            double below = 0.0;
            if (bins == axis) {
                for (size_t b = 0; b + 1 < axis; ++b) *to++ = below += from[b * width];
                continue;
            }
            const double missing = from[axis * width];
            for (size_t b = 0; b + 1 < axis; ++b) {
                *to++ = below += from[b * width];
                *to++ = total - below - missing;
            }
            *to++ = missing;
        }
    }

    const BinTable& table_;
    double ridge_;
    double settled_ = 0.0;  // the score of the settled cells
    std::vector<RuleQuestion> candidates_;
    std::vector<uint32_t> rows_;  // the rows that are not settled, their sums and cells
    std::vector<double> sums_;
    std::vector<uint8_t> cells_;
    std::vector<double> histogram_, halves_;
    std::vector<double> yes_, gains_;  // of each candidate: [outputs + 1, candidates] and a sum
};

// One run: boosting without the rows of one fold, which are held out.
class RuleRun {
public:
    RuleRun(const BinTable& table, const BoostedRows& data, const RuleOptions& options, size_t run,
            double* scores, const double* start_losses, uint64_t seed)
        : table_(table), data_(data), options_(options), scores_(scores),
          start_losses_(start_losses), key_(mixed_bits(seed, run)), search_(table, options.ridge) {
        for (size_t r = 0; r < data.rows; ++r)
            (data.folds[r] == static_cast<int64_t>(run) ? out_ : in_).push_back(
                static_cast<uint32_t>(r));
        outputs_ = data.classes == 2 ? 1 : std::min(data.classes, kMaxOutputs);
        mixed_ = data.classes > kMaxOutputs;
        slopes_.resize(in_.size() * data.outputs);
        curves_.resize(in_.size() * data.outputs);
        cells_.resize(data.rows);
    }

    // Adds one table to the scores of all rows; false if no question gains anything.
    bool round(uint64_t number) {
        find_slopes();
        const std::vector<uint32_t> drawn = draw(mixed_bits(key_, number));
        questions = search_.find(drawn, sums_, outputs_, options_.max_questions);
        if (questions.empty()) return false;
        for (size_t r = 0; r < data_.rows; ++r) {
            const uint8_t* bins = table_.row(r);
            unsigned cell = 0;
            for (const RuleQuestion& question : questions)
                cell = 2 * cell + question.yes(bins[question.column]);
            cells_[r] = static_cast<uint8_t>(cell);
        }
        fit_entries();
        for (size_t r = 0; r < data_.rows; ++r) {
            const double* entry = &entries[cells_[r] * data_.classes];
            for (size_t c = 0; c < data_.classes; ++c) scores_[r * data_.classes + c] += entry[c];
        }
        return true;
    }

    // The log-loss of the rows that are held out, and the squares of its changes.
    void losses(double* loss, double* squares) {
        double sum = 0.0, square = 0.0;
        for_shares(out_, [&](size_t, uint32_t row, const double*, double top, double log_sum,
                             double) {
            const double now = top + log_sum - scores_[row * data_.classes + data_.target[row]];
            const double change = now - start_losses_[row];
            sum += data_.weight(row) * now;
            square += data_.weight(row) * change * change;
        });
        *loss = sum;
        *squares = square;
    }

    std::vector<RuleQuestion> questions;
    std::vector<double> entries;

private:
    static constexpr size_t kRows = 256;

    // Calls body(place, row, shares, top, log of sum, sum) for rows: the exponentials of the scores of
    // the classes minus the largest one, `top`, and their sum.
    template <typename Body>
    void for_shares(const std::vector<uint32_t>& rows, const Body& body) {
        const size_t classes = data_.classes;
        shares_.resize(kRows * classes);
        double tops[kRows], sums[kRows], logs[kRows];
        for (size_t begin = 0; begin < rows.size(); begin += kRows) {
            const size_t count = std::min(kRows, rows.size() - begin);
            for (size_t i = 0; i < count; ++i) {
                const double* own = scores_ + rows[begin + i] * classes;
                tops[i] = *std::max_element(own, own + classes);
                for (size_t c = 0; c < classes; ++c) shares_[i * classes + c] = own[c] - tops[i];
            }
            fast_exps(shares_.data(), count * classes);
            for (size_t i = 0; i < count; ++i)
                logs[i] = sums[i] = sum_of(&shares_[i * classes], classes);
            fast_logs(logs, count);
            for (size_t i = 0; i < count; ++i)
                body(begin + i, rows[begin + i], &shares_[i * classes], tops[i], logs[i], sums[i]);
        }
    }

    // Computes p - y and p (1 - p) of every row that is learned from.
    void find_slopes() {
        const size_t outputs = data_.outputs;
        for_shares(in_, [&](size_t i, uint32_t row, const double* share, double, double, double sum) {
            for (size_t o = 0; o < outputs; ++o) {
                const double p = share[outputs == 1 ? 1 : o] / sum;
                slopes_[i * outputs + o] = p - (data_.is(row, o) ? 1.0 : 0.0);
                curves_[i * outputs + o] = std::max(p * (1.0 - p), kLeastHessian);
            }
        });
    }

    // Draws the rows on which questions are chosen, and computes their sums.
    std::vector<uint32_t> draw(uint64_t key) {
        const size_t outputs = data_.outputs, n = in_.size();
        std::vector<double> shares(n, 1.0);
        if (n > options_.sample_rows) {
            double expected = 0.0;
            for (size_t i = 0; i < n; ++i) {
                double most = 0.0;
                for (size_t o = 0; o < outputs; ++o)
                    most = std::max(most, std::abs(slopes_[i * outputs + o]));
                expected += shares[i] = std::min(1.0, std::max(kLeastDrawn, kDrawnSlope * most));
            }
            const double factor =
                std::min(1.0, static_cast<double>(options_.sample_rows) / expected);
            for (double& share : shares) share *= factor;
        }
        std::vector<uint32_t> drawn;
        sums_.clear();
        for (size_t i = 0; i < n; ++i) {
            const uint32_t row = in_[i];
            if (shares[i] < 1.0 &&
                static_cast<double>(mixed_bits(key, row) >> 11) * 0x1p-53 >= shares[i])
                continue;
            drawn.push_back(row);
            add_sums(i, data_.weight(row) / shares[i], key);
        }
        return drawn;
    }

    void add_sums(size_t i, double weight, uint64_t key) {
        const size_t outputs = data_.outputs;
        const double *slope = &slopes_[i * outputs], *curve = &curves_[i * outputs];
        double curves = 0.0;
        for (size_t o = 0; o < outputs; ++o) curves += curve[o];
        for (size_t k = 0; k < outputs_; ++k) {
            double sum = mixed_ ? 0.0 : slope[k];
            for (size_t o = 0; mixed_ && o < outputs; ++o)
                sum += (mixed_bits(~key, o * kMaxOutputs + k) & 1) ? slope[o] : -slope[o];
            sums_.push_back(weight * (mixed_ ? 0.5 * sum : sum));
        }
        sums_.push_back(weight * curves / static_cast<double>(outputs));
    }

    void fit_entries() {
        const size_t count = size_t{1} << questions.size(), classes = data_.classes;
        const size_t outputs = data_.outputs;
        std::vector<double> g(count * outputs, 0.0), h(count * outputs, 0.0);
        for (size_t i = 0; i < in_.size(); ++i) {
            const double weight = data_.weight(in_[i]);
            const size_t to = cells_[in_[i]] * outputs;
            for (size_t o = 0; o < outputs; ++o) {
                g[to + o] += weight * slopes_[i * outputs + o];
                h[to + o] += weight * curves_[i * outputs + o];
            }
        }
        entries.assign(count * classes, 0.0);
        for (size_t cell = 0; cell < count; ++cell)
            for (size_t o = 0; o < outputs; ++o) {
                const size_t at = cell * outputs + o;
                const double value = -options_.learning_rate * g[at] / (h[at] + options_.ridge);
                if (outputs == 1) {
                    entries[cell * 2] = -value;
                    entries[cell * 2 + 1] = value;
                } else {
                    entries[cell * classes + o] = value;
                }
            }
    }

    const BinTable& table_;
    const BoostedRows& data_;
    const RuleOptions& options_;
    double* scores_;
    const double* start_losses_;
    uint64_t key_;
    RuleSearch search_;
    size_t outputs_;
    bool mixed_;
    std::vector<uint32_t> in_, out_;
    std::vector<double> slopes_, curves_, sums_, shares_;
    std::vector<uint8_t> cells_;
};

// The tables of all rounds of a run.
struct RuleList {
    std::vector<int32_t> rounds, sizes, column, first, last;
    std::vector<double> gain, entries;

    void add(size_t round, const RuleRun& run) {
        rounds.push_back(static_cast<int32_t>(round));
        sizes.push_back(static_cast<int32_t>(run.questions.size()));
        for (const RuleQuestion& question : run.questions) {
            column.push_back(question.column);
            first.push_back(question.first);
            last.push_back(question.last);
            gain.push_back(question.gain);
        }
        entries.insert(entries.end(), run.entries.begin(), run.entries.end());
    }

    nb::tuple as_tuple(size_t classes) {
        const size_t tables = sizes.size(), questions = column.size();
        const size_t cells = entries.size() / classes;
        return nb::make_tuple(
            hand_over(std::move(rounds), {tables}), hand_over(std::move(sizes), {tables}),
            hand_over(std::move(column), {questions}), hand_over(std::move(first), {questions}),
            hand_over(std::move(last), {questions}), hand_over(std::move(gain), {questions}),
            hand_over(std::move(entries), {cells, classes}));
    }
};

inline nb::tuple boost_rule_tables(const BinRows& bins, const std::vector<int64_t>& n_bins,
                                   const std::vector<int64_t>& ordered, const Array& target,
                                   int64_t n_classes, const Weights& weights,
                                   const Vector<int32_t>& folds, const Scores& scores,
                                   const Vector<double>& start_losses, int64_t first_round,
                                   int64_t rounds, int64_t max_questions, double learning_rate,
                                   double ridge, int64_t sample_rows, uint64_t seed, int threads) {
    const BinTable table(bins, n_bins, ordered);
    const RuleOptions options(max_questions, learning_rate, ridge, sample_rows);
    const BoostedRows data(target, n_classes, weights, folds);
    const size_t runs = scores.shape(0);
    if (table.width == 0) throw std::invalid_argument("Questions need a column.");
    if (data.rows != table.rows || scores.shape(1) != data.rows ||
        scores.shape(2) != data.classes || start_losses.shape(0) != data.rows)
        throw std::invalid_argument("The scores, the rows and the bins differ in their sizes.");
    if (rounds < 0 || rounds > kMaxRounds || first_round < 0)
        throw std::invalid_argument("There must be from 0 to 1,000,000 rounds.");
    const auto count = static_cast<size_t>(rounds);
    auto losses = make_result<double>({count, runs});
    auto squares = make_result<double>({count, runs});
    double *loss = losses.data(), *square = squares.data(), *score = scores.data();
    const double* before = start_losses.data();
    std::vector<RuleList> lists(runs);
    {
        nb::gil_scoped_release release;
        parallel_for(runs, threads, [&](size_t run) {
            RuleRun one(table, data, options, run, score + run * data.rows * data.classes, before,
                        seed);
            for (size_t k = 0; k < count; ++k) {
                const size_t number = static_cast<size_t>(first_round) + k;
                if (one.round(number)) lists[run].add(number, one);
                one.losses(loss + k * runs + run, square + k * runs + run);
            }
        });
    }
    nb::list tables;
    for (RuleList& list : lists) tables.append(list.as_tuple(data.classes));
    return nb::make_tuple(losses, squares, tables);
}

// Adds the entries of rule tables to the scores of rows. A table with a question about an unknown
// value adds nothing.
inline void add_rule_tables(const std::vector<Array>& arrays, const std::vector<int64_t>& cards,
                            const Vector<int32_t>& sizes, const Vector<int32_t>& column,
                            const Vector<uint32_t>& first, const Vector<uint32_t>& last,
                            const nb::ndarray<const float, nb::ndim<2>, nb::c_contig,
                                              nb::device::cpu>& entries,
                            const ScoreRows& scores, double weight, int threads) {
    const auto columns = as_columns(arrays);
    const size_t rows = scores.shape(0), classes = scores.shape(1), tables = sizes.shape(0);
    if (cards.size() != columns.size() || (!columns.empty() && columns.front().rows != rows))
        throw std::invalid_argument("There must be one score per row and one number per column.");
    if (first.shape(0) != column.shape(0) || last.shape(0) != column.shape(0) ||
        entries.shape(1) != classes)
        throw std::invalid_argument("The questions and entries differ in their sizes.");
    size_t asked = 0, cells = 0;
    for (size_t t = 0; t < tables; ++t) {
        const int32_t size = sizes.data()[t];
        if (size < 1 || size > static_cast<int32_t>(kMaxQuestions))
            throw std::invalid_argument("A table has from 1 to 8 questions.");
        asked += static_cast<size_t>(size);
        cells += size_t{1} << size;
    }
    if (asked != column.shape(0) || cells != entries.shape(0))
        throw std::invalid_argument("The sizes do not fit the questions.");
    for (size_t q = 0; q < asked; ++q)
        if (column.data()[q] < 0 || static_cast<size_t>(column.data()[q]) >= columns.size())
            throw std::invalid_argument("A question is not about a column.");
    double* out = scores.data();
    nb::gil_scoped_release release;
    constexpr size_t kRows = 256;
    parallel_for((rows + kRows - 1) / kRows, threads, [&](size_t block) {
        const size_t begin = block * kRows, count = std::min(kRows, rows - begin);
        uint32_t codes[kRows];
        uint16_t cell[kRows];
        const float* table = entries.data();
        size_t at = 0;
        for (size_t t = 0; t < tables; ++t) {
            const auto size = static_cast<size_t>(sizes.data()[t]);
            std::fill(cell, cell + count, uint16_t{0});
            bool unknown[kRows] = {};
            for (size_t q = at; q < at + size; ++q) {
                const auto v = static_cast<size_t>(column.data()[q]);
                const auto card = static_cast<uint32_t>(cards[v]);
                const uint32_t low = first.data()[q], high = last.data()[q];
                columns[v].load(begin, count, codes);
                for (size_t k = 0; k < count; ++k) {
                    unknown[k] |= codes[k] >= card;
                    cell[k] = static_cast<uint16_t>(
                        2 * cell[k] + static_cast<uint16_t>(codes[k] >= low && codes[k] <= high));
                }
            }
            for (size_t k = 0; k < count; ++k) {
                if (unknown[k]) continue;
                double* score = out + (begin + k) * classes;
                const float* entry = table + cell[k] * classes;
                for (size_t c = 0; c < classes; ++c)
                    score[c] += weight * static_cast<double>(entry[c]);
            }
            at += size;
            table += (size_t{1} << size) * classes;
        }
    });
}

}  // namespace bayesgrove
