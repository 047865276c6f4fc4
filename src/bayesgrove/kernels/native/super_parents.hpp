// Averages of networks in which two attributes are the parents of all others (A2DE).
#pragma once

#include <utility>

#include "prediction.hpp"
#include "products.hpp"

namespace bayesgrove {

using Starts2 = nb::ndarray<const int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The counts of all pairs and triples, after checks. The argument names are those of the kernel.
class PairAverage {
public:
    PairAverage(const std::vector<Array>& arrays, const std::vector<int64_t>& cards,
                int64_t n_classes, const Vector<double>& pairs, const Vector<int64_t>& pair_starts,
                const Vector<double>& triples, const Vector<int64_t>& triple_starts,
                const Vector<double>& below, const Starts2& below_starts,
                const Vector<double>& totals, const Vector<double>& weights, double alpha,
                double min_weight, int64_t rows)
        : columns(as_columns(arrays)), n(arrays.size()), classes(static_cast<size_t>(n_classes)),
          pairs_(pairs.data()), triples_(triples.data()), below_(below.data()),
          totals_(totals.data()), weights_(weights.data()), pair_start_(pair_starts.data()),
          triple_start_(triple_starts.data()), below_start_(below_starts.data()), alpha_(alpha),
          min_weight_(min_weight) {
        if (cards.size() != n)
            throw std::invalid_argument("There must be one cardinality per column.");
        for (const auto& column : columns)
            if (column.rows != static_cast<size_t>(rows))
                throw std::invalid_argument("The columns differ in length.");
        for (int64_t card : cards) cards_.push_back(static_cast<size_t>(card));
        number_tables(pairs.shape(0), pair_starts, triples.shape(0), triple_starts);
        const size_t n_pairs = n * (n - (n > 0)) / 2;
        if (below_starts.shape(0) != n_pairs || below_starts.shape(1) != n ||
            totals.shape(0) != n_pairs || weights.shape(0) != n_pairs)
            throw std::invalid_argument("There must be one total and one weight per pair.");
        for (size_t i = 0; i < n; ++i)
            for (size_t j = i + 1; j < n; ++j) check_below(i, j, below.shape(0));
    }

    // Working memory of one thread.
    struct Work {
        explicit Work(const PairAverage& tables)
            : product(tables.n * tables.n * tables.classes), steps(product.size()),
              used(tables.n * tables.n), cell(tables.n * tables.n) {}

        std::vector<double> product;  // of the pair (i, j) at (i n + j) classes
        std::vector<int32_t> steps;
        std::vector<char> used;
        std::vector<size_t> cell;  // place of the values of a pair in its table
        std::vector<size_t> known;
    };

    // Computes the log of the mean of one row. Returns the weight of the pairs that are used.
    double row(const uint32_t* codes, size_t stride, Work& work, double* out) const {
        work.known.clear();
        for (size_t v = 0; v < n; ++v)
            if (codes[v * stride] < cards_[v]) work.known.push_back(v);
        const double total = start_pairs(codes, stride, work);
        if (total > 0.0) multiply_triples(codes, stride, work);
        for (size_t c = 0; c < classes; ++c)
            out[c] = total > 0.0 ? log_sum(c, work) - std::log(total) : kImpossible;
        return total;
    }

    std::vector<Column> columns;
    size_t n, classes;

private:
    size_t pair_number(size_t i, size_t j) const { return first_pair_[i] + (j - i - 1); }

    // Numbers pairs and triples; throws unless the tables have these numbers and sizes.
    void number_tables(size_t pair_cells, const Vector<int64_t>& pair_starts, size_t triple_cells,
                       const Vector<int64_t>& triple_starts) {
        std::vector<int64_t> pair_ends{0}, triple_ends{0};
        first_triple_.assign(n * n, 0);
        for (size_t i = 0; i < n; ++i) {
            first_pair_.push_back(pair_ends.size() - 1);
            for (size_t j = i + 1; j < n; ++j) {
                const size_t both = cards_[i] * cards_[j] * classes;
                pair_ends.push_back(pair_ends.back() + static_cast<int64_t>(both));
                first_triple_[i * n + j] = triple_ends.size() - 1;
                for (size_t l = j + 1; l < n; ++l)
                    triple_ends.push_back(triple_ends.back() +
                                          static_cast<int64_t>(both * cards_[l]));
            }
        }
        auto equal = [](const std::vector<int64_t>& ends, const Vector<int64_t>& starts) {
            return starts.shape(0) == ends.size() &&
                   std::equal(ends.begin(), ends.end(), starts.data());
        };
        if (!equal(pair_ends, pair_starts) || !equal(triple_ends, triple_starts) ||
            pair_cells != static_cast<size_t>(pair_ends.back()) ||
            triple_cells != static_cast<size_t>(triple_ends.back()))
            throw std::invalid_argument("The tables do not fit the cardinalities.");
    }

    void check_below(size_t i, size_t j, size_t cells) const {
        const size_t size = cards_[i] * cards_[j] * classes;
        for (size_t l = 0; l < n; ++l) {
            const int64_t start = below_start_[pair_number(i, j) * n + l];
            if (start >= 0 && static_cast<size_t>(start) + size > cells)
                throw std::invalid_argument("A table of a pair is out of range.");
        }
    }

    // Sets P(y, x_i, x_j), times the weight, of the pairs that are used. Returns their weight.
    double start_pairs(const uint32_t* codes, size_t stride, Work& work) const {
        double total = 0.0;
        for (size_t a = 0; a < work.known.size(); ++a) {
            for (size_t b = a + 1; b < work.known.size(); ++b) {
                const size_t i = work.known[a], j = work.known[b], p = pair_number(i, j);
                const size_t at =
                    (codes[i * stride] * cards_[j] + codes[j * stride]) * classes;
                const double* cells = pairs_ + pair_start_[p] + at;
                const bool used = weights_[p] > 0.0 && sum_of(cells, classes) >= min_weight_;
                work.used[i * n + j] = used;
                work.cell[i * n + j] = at;
                if (!used) continue;
                total += weights_[p];
                const auto states = static_cast<double>(cards_[i] * cards_[j] * classes);
                const double below = totals_[p] + alpha_ * states;
                double* product = work.product.data() + (i * n + j) * classes;
                for (size_t c = 0; c < classes; ++c)
                    product[c] = weights_[p] *
                                 (below > 0.0 ? (cells[c] + alpha_) / below : 1.0 / states);
                std::fill_n(work.steps.data() + (i * n + j) * classes, classes, 0);
            }
        }
        return total;
    }

    // Every triple of values is looked up once. It gives one factor to each of its three pairs.
    void multiply_triples(const uint32_t* codes, size_t stride, Work& work) const {
        for (size_t a = 0; a < work.known.size(); ++a) {
            const size_t i = work.known[a];
            for (size_t b = a + 1; b < work.known.size(); ++b) {
                const size_t j = work.known[b];
                const size_t both = codes[i * stride] * cards_[j] + codes[j * stride];
                const int64_t* starts = triple_start_ + first_triple_[i * n + j];
                for (size_t d = b + 1; d < work.known.size(); ++d) {
                    const size_t l = work.known[d];
                    const double* cells = triples_ + starts[l - j - 1] +
                                          (both * cards_[l] + codes[l * stride]) * classes;
                    multiply_pair(i, j, l, cells, work);
                    multiply_pair(i, l, j, cells, work);
                    multiply_pair(j, l, i, cells, work);
                }
            }
        }
    }

    // Multiplies the products of a pair by P(x_l | y, x_i, x_j).
    void multiply_pair(size_t i, size_t j, size_t l, const double* cells, Work& work) const {
        const size_t at = i * n + j;
        if (!work.used[at]) return;
        const size_t p = pair_number(i, j);
        const int64_t start = below_start_[p * n + l];
        const double* totals =
            (start < 0 ? pairs_ + pair_start_[p] : below_ + start) + work.cell[at];
        const auto states = static_cast<double>(cards_[l]);
        double* product = work.product.data() + at * classes;
        int32_t* steps = work.steps.data() + at * classes;
        for (size_t c = 0; c < classes; ++c) {
            const double below = totals[c] + alpha_ * states;
            multiply(product[c], steps[c],
                     below > 0.0 ? (cells[c] + alpha_) / below : 1.0 / states);
        }
    }

    // Returns the logarithm of the sum of the products of a class over the pairs that are used.
    double log_sum(size_t c, const Work& work) const {
        int32_t fewest = std::numeric_limits<int32_t>::max();
        for_used(work, [&](size_t at) {
            const size_t place = at * classes + c;
            if (work.product[place] > 0.0) fewest = std::min(fewest, work.steps[place]);
        });
        double sum = 0.0;
        for_used(work, [&](size_t at) {
            const size_t place = at * classes + c;
            if (work.product[place] > 0.0)
                sum += in_steps(work.product[place], work.steps[place], fewest);
        });
        return sum > 0.0 ? std::log(sum) - kStepLog * fewest : kImpossible;
    }

    template <typename Body>
    void for_used(const Work& work, const Body& body) const {
        for (size_t a = 0; a < work.known.size(); ++a)
            for (size_t b = a + 1; b < work.known.size(); ++b)
                if (const size_t at = work.known[a] * n + work.known[b]; work.used[at]) body(at);
    }

    const double *pairs_, *triples_, *below_, *totals_, *weights_;
    const int64_t *pair_start_, *triple_start_, *below_start_;
    double alpha_, min_weight_;
    std::vector<size_t> cards_, first_pair_, first_triple_;
};

inline std::pair<Result<double>, Result<double>> super_parent_pairs(
    const std::vector<Array>& arrays, const std::vector<int64_t>& cards, int64_t n_classes,
    const Vector<double>& pairs, const Vector<int64_t>& pair_starts, const Vector<double>& triples,
    const Vector<int64_t>& triple_starts, const Vector<double>& below,
    const Starts2& below_starts, const Vector<double>& totals, const Vector<double>& weights,
    double alpha, double min_weight, int64_t rows, int threads) {
    const PairAverage tables(arrays, cards, n_classes, pairs, pair_starts, triples, triple_starts,
                             below, below_starts, totals, weights, alpha, min_weight, rows);
    const auto count_rows = static_cast<size_t>(rows);
    auto joint = make_empty<double>({count_rows, tables.classes});
    auto used = make_empty<double>({count_rows});
    double *joint_data = joint.data(), *used_data = used.data();
    nb::gil_scoped_release release;
    for_row_blocks(count_rows, threads, [&](size_t start, size_t count) {
        PairAverage::Work work(tables);
        std::vector<uint32_t> codes(tables.n * kRows);
        for (size_t v = 0; v < tables.n; ++v)
            tables.columns[v].load(start, count, codes.data() + v * kRows);
        for (size_t b = 0; b < count; ++b)
            used_data[start + b] = tables.row(codes.data() + b, kRows, work,
                                              joint_data + (start + b) * tables.classes);
    });
    return {std::move(joint), std::move(used)};
}

}  // namespace bayesgrove
