// Gradient boosting of the log-loss: one tree, rounds of trees, the sum of trees for new rows.
#pragma once

#include "boosted_growing.hpp"

namespace bayesgrove {

constexpr double kLeastHessian = 1e-6;
constexpr double kLeastShare = 0.2;     // the probability that a row with a small gradient is drawn
constexpr double kShareOfSlope = 10.0;  // a row with a gradient of 0.1 or more is always drawn
constexpr size_t kWorthThreads = 1 << 17;  // bins of one round that take longer than a thread

using Scores = nb::ndarray<double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using ScoreRows = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

inline nb::tuple as_tuple(BoostedNodes&& nodes) {
    const size_t trees = nodes.sizes.size(), size = nodes.column.size(), bytes = nodes.sides.size();
    return nb::make_tuple(hand_over(std::move(nodes.sizes), {trees}),
                          hand_over(std::move(nodes.column), {size}),
                          hand_over(std::move(nodes.child), {size}),
                          hand_over(std::move(nodes.sides), {bytes}),
                          hand_over(std::move(nodes.value), {size}),
                          hand_over(std::move(nodes.gain), {size}));
}

inline nb::tuple grow_boosted_tree(const BinRows& bins, const std::vector<int64_t>& n_bins,
                                   const std::vector<int64_t>& ordered,
                                   const Vector<double>& gradients, const Vector<double>& hessians,
                                   int64_t max_leaves, int64_t max_depth, double learning_rate,
                                   double ridge, double min_child) {
    const BinTable table(bins, n_bins, ordered);
    const Growth growth(max_leaves, max_depth, learning_rate, ridge, min_child);
    if (gradients.shape(0) != table.rows || hessians.shape(0) != table.rows)
        throw std::invalid_argument("There must be one gradient and one hessian per row.");
    std::vector<uint32_t> rows(table.rows);
    std::vector<Sums> sums(table.rows);
    for (size_t r = 0; r < table.rows; ++r) {
        rows[r] = static_cast<uint32_t>(r);
        sums[r] = {gradients.data()[r], hessians.data()[r]};
        if (!std::isfinite(sums[r].g) || !std::isfinite(sums[r].h) || sums[r].h < 0.0)
            throw std::invalid_argument("Gradients must be finite, and hessians at least 0.");
    }
    BoostedNodes nodes;
    {
        nb::gil_scoped_release release;
        BoostedGrower grower(table, growth);
        grower.grow(rows, sums);
        nodes = grower.nodes();
    }
    return as_tuple(std::move(nodes));
}

// SplitMix64: a random number that depends only on its key and its place.
inline uint64_t mixed_bits(uint64_t key, uint64_t place) {
    uint64_t z = key + (place + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

// The classes and weights of the rows, and the fold of each.
struct BoostedRows {
    std::vector<uint32_t> target;
    const double* weights;
    const int32_t* folds;
    size_t rows, classes, outputs;

    BoostedRows(const Array& codes, int64_t n_classes, const Weights& row_weights,
                const Vector<int32_t>& row_folds)
        : weights(weight_data(row_weights, row_folds.shape(0))), folds(row_folds.data()),
          rows(row_folds.shape(0)), classes(static_cast<size_t>(n_classes)),
          outputs(n_classes == 2 ? 1 : classes) {
        const Column column = as_column(codes);
        if (n_classes < 2) throw std::invalid_argument("Boosting needs two classes.");
        if (column.rows != rows)
            throw std::invalid_argument("There must be one class and one fold per row.");
        target.resize(rows);
        column.load(0, rows, target.data());
        for (uint32_t c : target)
            if (c >= classes) throw std::invalid_argument("Every row must have a class.");
        for (size_t r = 0; weights && r < rows; ++r)
            if (!(weights[r] > 0.0) || !std::isfinite(weights[r]))
                throw std::invalid_argument("Weights must be positive.");
    }

    double weight(size_t row) const { return weights ? weights[row] : 1.0; }
    bool is(size_t row, size_t output) const {
        return target[row] == (classes == 2 ? 1 : output);
    }
};

// One run: boosting without the rows of one fold, which are held out.
class BoostedRun {
public:
    BoostedRun(const BinTable& table, const Growth& growth, const BoostedRows& data, size_t run,
               double* scores, bool sampled, uint64_t seed, int threads)
        : table_(table), data_(data), scores_(scores), sampled_(sampled),
          key_(mixed_bits(seed, run)) {
        for (size_t r = 0; r < data.rows; ++r)
            (data.folds[r] == static_cast<int64_t>(run) ? out_ : in_).push_back(
                static_cast<uint32_t>(r));
        shares_.resize(data.outputs * in_.size());
        const bool worth = table.rows * (table.width + 1) * data.outputs >= kWorthThreads;
        threads_ = worth ? threads : 1;
        for (size_t c = 0; c < data.outputs; ++c)
            workers_.emplace_back(std::make_unique<BoostedGrower>(table, growth));
    }

    // Grows one tree per output and adds it to the scores of all rows.
    std::vector<BoostedNodes> round(uint64_t number) {
        const uint64_t key = mixed_bits(key_, number);
        parallel_for((in_.size() + kBlock - 1) / kBlock, threads_, [&](size_t block) {
            find_shares(block * kBlock, std::min(in_.size(), (block + 1) * kBlock));
        });
        std::vector<BoostedNodes> trees(data_.outputs);
        parallel_for(data_.outputs, threads_, [&](size_t c) {
            grow(c, mixed_bits(key, c), trees[c]);
        });
        return trees;
    }

    // Returns the log-loss of the rows that are held out, summed.
    double loss() const {
        double sum = 0.0;
        std::vector<double> own(data_.outputs);
        for (uint32_t r : out_) sum += data_.weight(r) * loss_of(r, own.data());
        return sum;
    }

private:
    const double* score(size_t output) const { return scores_ + output * data_.rows; }

    // Computes the class probabilities of rows in_[begin..end).
    void find_shares(size_t begin, size_t end) {
        const size_t n = in_.size(), outputs = data_.outputs;
        if (outputs == 1) {
            for (size_t k = begin; k < end; ++k)
                shares_[k] = 1.0 / (1.0 + std::exp(-scores_[in_[k]]));
            return;
        }
        double top[kBlock], sum[kBlock] = {};
        const size_t count = end - begin;
        std::fill(top, top + count, -std::numeric_limits<double>::infinity());
        for (size_t c = 0; c < outputs; ++c)
            for (size_t k = 0; k < count; ++k)
                top[k] = std::max(top[k], score(c)[in_[begin + k]]);
        for (size_t c = 0; c < outputs; ++c)
            for (size_t k = 0; k < count; ++k) {
                const double share = std::exp(score(c)[in_[begin + k]] - top[k]);
                shares_[c * n + begin + k] = share;
                sum[k] += share;
            }
        for (size_t c = 0; c < outputs; ++c)
            for (size_t k = 0; k < count; ++k) shares_[c * n + begin + k] /= sum[k];
    }

    double loss_of(size_t row, double* own) const {
        if (data_.outputs == 1) {
            const double margin = data_.is(row, 0) ? scores_[row] : -scores_[row];
            return std::max(-margin, 0.0) + std::log1p(std::exp(-std::abs(margin)));
        }
        for (size_t c = 0; c < data_.outputs; ++c) own[c] = score(c)[row];
        const double top = *std::max_element(own, own + data_.outputs);
        double sum = 0.0;
        for (size_t c = 0; c < data_.outputs; ++c) sum += std::exp(own[c] - top);
        return top + std::log(sum) - own[data_.target[row]];
    }

    void grow(size_t output, uint64_t key, BoostedNodes& tree) {
        std::vector<uint32_t> drawn, others(out_);
        std::vector<Sums> sums;
        drawn.reserve(in_.size());
        sums.reserve(in_.size());
        const double* shares = &shares_[output * in_.size()];
        for (size_t k = 0; k < in_.size(); ++k) {
            const uint32_t row = in_[k];
            const double p = shares[k], slope = p - (data_.is(row, output) ? 1.0 : 0.0);
            double weight = data_.weight(row);
            if (sampled_) {
                const double share =
                    std::min(1.0, std::max(kLeastShare, kShareOfSlope * std::abs(slope)));
                const auto random = static_cast<double>(mixed_bits(key, row) >> 11) * 0x1p-53;
                if (random >= share) {
                    others.push_back(row);
                    continue;
                }
                weight /= share;
            }
            drawn.push_back(row);
            sums.push_back({weight * slope, weight * std::max(p * (1.0 - p), kLeastHessian)});
        }
        BoostedGrower& grower = *workers_[output];
        grower.grow(drawn, sums);
        if (!grower.has_test()) return;
        add_tree(grower, drawn, others, scores_ + output * data_.rows);
        tree = grower.nodes();
    }

    // Adds a tree to the scores. The leaves of the drawn rows are known; the others are walked.
    void add_tree(const BoostedGrower& grower, const std::vector<uint32_t>& drawn,
                  const std::vector<uint32_t>& others, double* scores) const {
        for (const auto& leaf : grower.leaf_rows())
            for (size_t k = leaf.begin; k < leaf.end; ++k) scores[drawn[k]] += leaf.value;
        const double* value = grower.nodes().value.data();
        uint32_t leaf[TreeWalk::kRows];
        for (size_t begin = 0; begin < others.size(); begin += TreeWalk::kRows) {
            const size_t count = std::min(TreeWalk::kRows, others.size() - begin);
            const uint32_t* row = &others[begin];
            grower.walk().leaves(count, [&](size_t k) { return table_.row(row[k]); }, leaf);
            for (size_t k = 0; k < count; ++k) scores[row[k]] += value[leaf[k]];
        }
    }

    const BinTable& table_;
    const BoostedRows& data_;
    double* scores_;
    bool sampled_;
    uint64_t key_;
    int threads_ = 1;
    std::vector<uint32_t> in_, out_;
    std::vector<double> shares_;
    std::vector<std::unique_ptr<BoostedGrower>> workers_;
};

inline nb::tuple boost_rounds(const BinRows& bins, const std::vector<int64_t>& n_bins,
                              const std::vector<int64_t>& ordered, const Array& target,
                              int64_t n_classes, const Weights& weights,
                              const Vector<int32_t>& folds, const Scores& scores,
                              int64_t first_round, int64_t rounds, int64_t max_leaves,
                              int64_t max_depth, double learning_rate, double ridge,
                              double min_child, bool sampled, uint64_t seed, int threads) {
    const BinTable table(bins, n_bins, ordered);
    const Growth growth(max_leaves, max_depth, learning_rate, ridge, min_child);
    const BoostedRows data(target, n_classes, weights, folds);
    const size_t runs = scores.shape(0);
    if (data.rows != table.rows || scores.shape(1) != data.outputs || scores.shape(2) != data.rows)
        throw std::invalid_argument("The scores, the rows and the bins differ in their sizes.");
    if (rounds < 0 || first_round < 0)
        throw std::invalid_argument("There must be 0 or more rounds.");
    const auto count = static_cast<size_t>(rounds);
    auto losses = make_result<double>({count, runs});
    double* loss = losses.data();
    double* score = scores.data();
    std::vector<std::vector<BoostedNodes>> trees(runs);
    BoostedNodes all;
    std::vector<int32_t> places;
    {
        nb::gil_scoped_release release;
        const int inside = std::max(1, threads / static_cast<int>(std::max<size_t>(runs, 1)));
        parallel_for(runs, threads, [&](size_t run) {
            BoostedRun booster(table, growth, data, run, score + run * data.outputs * data.rows,
                               sampled, seed, inside);
            for (size_t k = 0; k < count; ++k) {
                for (auto& tree : booster.round(static_cast<uint64_t>(first_round) + k))
                    trees[run].push_back(std::move(tree));
                loss[k * runs + run] = booster.loss();
            }
        });
        for (size_t run = 0; run < runs; ++run)
            for (size_t t = 0; t < trees[run].size(); ++t) {
                if (trees[run][t].sizes.empty()) continue;
                all.append(trees[run][t]);
                places.insert(places.end(),
                              {static_cast<int32_t>(run),
                               static_cast<int32_t>(first_round + t / data.outputs),
                               static_cast<int32_t>(t % data.outputs)});
            }
    }
    const size_t n_trees = all.sizes.size();
    return nb::make_tuple(losses, hand_over(std::move(places), {n_trees, 3}),
                          as_tuple(std::move(all)));
}

// The trees of some arrays, checked, with the tables from codes to bins.
class BoostedProgram {
public:
    BoostedProgram(const std::vector<Column>& columns, const std::vector<int64_t>& cards,
                   const Vector<uint8_t>& bin_of, const std::vector<int64_t>& n_bins)
        : columns_(columns), cards_(cards), bin_of_(bin_of.data()), n_bins_(n_bins) {
        if (cards.size() != columns.size() || n_bins.size() != columns.size())
            throw std::invalid_argument("There must be one cardinality per column.");
        size_t at = 0;
        for (size_t j = 0; j < columns.size(); ++j) {
            if (cards[j] < 1 || n_bins[j] < 1 || n_bins[j] > kMaxBins)
                throw std::invalid_argument("A column must have from 1 to 255 bins.");
            starts_.push_back(at);
            at += static_cast<size_t>(cards[j]) + 1;
            if (at > bin_of.shape(0)) break;
            for (size_t k = starts_.back(); k < at; ++k)
                if (bin_of_[k] > n_bins[j]) throw std::invalid_argument("A bin is out of range.");
        }
        if (at != bin_of.shape(0))
            throw std::invalid_argument("Every code of every column must have a bin.");
    }

    void add_trees(const Vector<int32_t>& sizes, const Vector<int32_t>& column,
                   const Vector<int32_t>& child, const Vector<uint8_t>& sides,
                   const Vector<double>& value) {
        const size_t nodes = column.shape(0), bytes = sides.shape(0);
        if (child.shape(0) != nodes || value.shape(0) != nodes)
            throw std::invalid_argument("The arrays of trees must have one entry per node.");
        size_t start = 0, flag = 0;
        for (size_t t = 0; t < sizes.shape(0); ++t) {
            const int64_t size = sizes.data()[t];
            if (size < 1 || start + static_cast<size_t>(size) > nodes)
                throw std::invalid_argument("The sizes of trees do not fit the nodes.");
            TreeWalk walk;
            for (int64_t n = 0; n < size; ++n) {
                const int64_t at = column.data()[start + n], to = child.data()[start + n];
                if (at < 0) {
                    walk.add(0, 0, nullptr);
                    continue;
                }
                if (at >= static_cast<int64_t>(columns_.size()) || to <= n || to + 1 >= size)
                    throw std::invalid_argument("A node does not fit the columns or the tree.");
                if (flag + flag_bytes(n_bins_[at]) > bytes)
                    throw std::invalid_argument("Every test must have one side per bin.");
                walk.add(static_cast<int32_t>(at), static_cast<int32_t>(to), sides.data() + flag);
                flag += flag_bytes(n_bins_[at]);
            }
            walk.finish();
            walks_.push_back(std::move(walk));
            values_.push_back(value.data() + start);
            start += static_cast<size_t>(size);
        }
        if (start != nodes || flag != bytes)
            throw std::invalid_argument("The sizes of trees do not fit the nodes.");
    }

    // Sums the trees of every output for `count` rows: sums[output * kRows + row].
    void sum(size_t begin, size_t count, const int32_t* outputs, uint8_t* bins,
             double* sums) const {
        for (size_t j = 0; j < columns_.size(); ++j) {
            const auto card = static_cast<uint32_t>(cards_[j]);
            columns_[j].visit(begin, [&](const auto* codes) {
                for (size_t k = 0; k < count; ++k)
                    bins[k * columns_.size() + j] =
                        bin_of_[starts_[j] + std::min<uint32_t>(codes[k], card)];
            });
        }
        uint32_t leaf[TreeWalk::kRows];
        for (size_t t = 0; t < walks_.size(); ++t) {
            walks_[t].leaves(count, [&](size_t k) { return bins + k * columns_.size(); }, leaf);
            double* to = sums + static_cast<size_t>(outputs[t]) * TreeWalk::kRows;
            for (size_t k = 0; k < count; ++k) to[k] += values_[t][leaf[k]];
        }
    }

    size_t size() const { return walks_.size(); }
    size_t width() const { return columns_.size(); }

private:
    const std::vector<Column>& columns_;
    const std::vector<int64_t>& cards_;
    const uint8_t* bin_of_;
    const std::vector<int64_t>& n_bins_;
    std::vector<size_t> starts_;
    std::vector<TreeWalk> walks_;
    std::vector<const double*> values_;
};

inline void add_boosted_trees(const std::vector<Array>& arrays, const std::vector<int64_t>& cards,
                              const Vector<uint8_t>& bin_of, const std::vector<int64_t>& n_bins,
                              const Vector<int32_t>& sizes, const Vector<int32_t>& column,
                              const Vector<int32_t>& child, const Vector<uint8_t>& sides,
                              const Vector<double>& value, const Vector<int32_t>& outputs,
                              const ScoreRows& scores, double weight, int threads) {
    const auto columns = as_columns(arrays);
    const size_t rows = scores.shape(0), classes = scores.shape(1);
    if (!columns.empty() && columns.front().rows != rows)
        throw std::invalid_argument("There must be one score per row.");
    BoostedProgram program(columns, cards, bin_of, n_bins);
    program.add_trees(sizes, column, child, sides, value);
    const size_t n_outputs = classes == 2 ? 1 : classes;
    if (outputs.shape(0) != program.size())
        throw std::invalid_argument("There must be one output per tree.");
    for (size_t t = 0; t < program.size(); ++t)
        if (outputs.data()[t] < 0 || outputs.data()[t] >= static_cast<int64_t>(n_outputs))
            throw std::invalid_argument("The output of a tree is not a class.");
    double* out = scores.data();
    nb::gil_scoped_release release;
    constexpr size_t kRows = TreeWalk::kRows;
    parallel_for((rows + kBlock - 1) / kBlock, threads, [&](size_t block) {
        std::vector<uint8_t> bins(kRows * std::max<size_t>(program.width(), 1));
        std::vector<double> sums(kRows * n_outputs);
        const size_t end = std::min(rows, (block + 1) * kBlock);
        for (size_t begin = block * kBlock; begin < end; begin += kRows) {
            const size_t count = std::min(kRows, end - begin);
            std::fill(sums.begin(), sums.end(), 0.0);
            program.sum(begin, count, outputs.data(), bins.data(), sums.data());
            for (size_t k = 0; k < count; ++k) {
                double* score = out + (begin + k) * classes;
                if (classes == 2) {
                    score[0] -= weight * (0.5 * sums[k]);
                    score[1] += weight * (0.5 * sums[k]);
                } else {
                    for (size_t c = 0; c < classes; ++c) score[c] += weight * sums[c * kRows + k];
                }
            }
        }
    });
}

}  // namespace bayesgrove
