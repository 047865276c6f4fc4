// Leave-one-out losses of nested networks, in which attributes and parents are added one by one.
#pragma once

#include <mutex>

#include "products.hpp"

namespace bayesgrove {

constexpr size_t kLossRows = 256;     // rows per task
constexpr double kTieMargin = 1e-11;  // classes that are less probable by this share are tied

enum class Loss { squared, wrong, logarithm };

using Parents2 = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Cells3 = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// Products of probabilities, one per class.
struct Products {
    explicit Products(size_t classes) : product(classes), steps(classes) {}

    void start(const std::vector<double>& prior) {
        product = prior;
        std::fill(steps.begin(), steps.end(), 0);
    }

    void multiply_all(const double* factors) {
        for (size_t c = 0; c < product.size(); ++c) multiply(product[c], steps[c], factors[c]);
    }

    // Writes the values up to a common factor. Returns their sum and the smallest number of steps.
    double scaled(std::vector<double>& out, int32_t& fewest) const {
        fewest = std::numeric_limits<int32_t>::max();
        for (size_t c = 0; c < product.size(); ++c)
            if (product[c] > 0.0) fewest = std::min(fewest, steps[c]);
        double total = 0.0;
        for (size_t c = 0; c < product.size(); ++c) {
            total += out[c] = product[c] > 0.0 ? in_steps(product[c], steps[c], fewest) : 0.0;
        }
        return total;
    }

    std::vector<double> product;
    std::vector<int32_t> steps;
};

// The networks and their counts, after checks.
class Nested {
public:
    Nested(const std::vector<Array>& arrays, const std::vector<int64_t>& cards,
           const Parents2& parents, const std::vector<Cells3>& tables,
           const std::vector<Vector<int32_t>>& numbers, const Array& target,
           const Vector<double>& class_counts)
        : columns(as_columns(arrays)), y(as_column(target)), classes(class_counts.shape(0)),
          most(parents.shape(1)), counts_(class_counts.data()), parents_(parents.data()),
          tables_(tables), numbers_(numbers) {
        if (cards.size() != columns.size() || parents.shape(0) != columns.size())
            throw std::invalid_argument(
                "There must be one cardinality and one list of parents per column.");
        if (!columns.empty() && columns.front().rows != y.rows)
            throw std::invalid_argument("The columns and the classes differ in length.");
        for (size_t m = 0; m < y.rows; ++m)
            if (y.code(m) >= classes) throw std::invalid_argument("A class is out of range.");
        for (int64_t card : cards) cards_.push_back(static_cast<size_t>(card));
        for (size_t s = 0; s < columns.size(); ++s) check_tables(s);
        if (first_.empty() ? !tables.empty() : next_ != tables.size())
            throw std::invalid_argument(
                "There must be one table per attribute and number of parents.");
    }

    // Computes the factors of one attribute: factors[depth][class]. Returns the number of depths; 0
    // if the value is missing. `codes` holds the codes of a block, column by column.
    size_t factors(size_t s, const uint32_t* codes, size_t b, size_t row, size_t true_class,
                   double weight, double alpha, double* out) const {
        const size_t states = cards_[s], value = codes[s * kLossRows + b];
        if (value >= states) return 0;
        size_t place = 0, depth = 0;
        for (; depth < depths_[s]; ++depth) {
            if (depth) {
                const auto parent = static_cast<size_t>(parents_[s * most + depth - 1]);
                const size_t code = codes[parent * kLossRows + b];
                if (code >= cards_[parent]) break;
                place = place * cards_[parent] + code;
            }
            const size_t t = first_[s] + depth;
            size_t at = place;
            if (numbers_[t].shape(0)) {
                const int32_t number = numbers_[t].data()[row];
                if (number < 0) break;
                at = static_cast<size_t>(number);
            }
            const double* cells = tables_[t].data() + at * classes * (states + 1);
            for (size_t c = 0; c < classes; ++c, cells += states + 1) {
                double inside = cells[value], total = cells[states];
                if (c == true_class) {
                    inside = std::max(inside - weight, 0.0);
                    total = std::max(total - weight, 0.0);
                }
                total += alpha * static_cast<double>(states);
                out[depth * classes + c] =
                    total > 0.0 ? (inside + alpha) / total : 1.0 / static_cast<double>(states);
            }
        }
        return depth;
    }

    // Computes the class probabilities of a row without attributes, up to a common factor.
    void prior(size_t true_class, double weight, double alpha, std::vector<double>& out) const {
        double total = 0.0;
        for (size_t c = 0; c < classes; ++c) {
            const double left = c == true_class ? std::max(counts_[c] - weight, 0.0) : counts_[c];
            total += out[c] = left + alpha;
        }
        for (size_t c = 0; c < classes; ++c) out[c] = total > 0.0 ? out[c] / total : 1.0;
    }

    std::vector<Column> columns;
    Column y;
    size_t classes, most;

private:
    // Throws unless the tables of an attribute fit its cardinality and its parents.
    void check_tables(size_t s) {
        first_.push_back(next_);
        const int32_t* of_column = parents_ + s * most;
        size_t size = 1, depth = 0;
        for (;; ++depth) {
            if (depth) {
                if (depth > most || of_column[depth - 1] < 0) break;
                const auto parent = static_cast<size_t>(of_column[depth - 1]);
                if (parent >= s)
                    throw std::invalid_argument("Parents must come before the attribute.");
                size *= cards_[parent];
            }
            check_table(s, size);
        }
        depths_.push_back(depth);
    }

    void check_table(size_t s, size_t size) {
        if (next_ >= tables_.size() || next_ >= numbers_.size() ||
            tables_.size() != numbers_.size())
            throw std::invalid_argument(
                "There must be one table per attribute and number of parents.");
        const auto& table = tables_[next_];
        const auto& ids = numbers_[next_++];
        const bool numbered = ids.shape(0) > 0;
        if (table.shape(1) != classes || table.shape(2) != cards_[s] + 1 ||
            (!numbered && table.shape(0) != size))
            throw std::invalid_argument(
                "A table does not have the shape of its attribute and parents.");
        if (!numbered) return;
        bool fits = ids.shape(0) == y.rows;
        for (size_t m = 0; fits && m < y.rows; ++m)
            fits = ids.data()[m] < static_cast<int64_t>(table.shape(0));
        if (!fits) throw std::invalid_argument("A configuration is out of range.");
    }

    const double* counts_;
    const int32_t* parents_;
    const std::vector<Cells3>& tables_;
    const std::vector<Vector<int32_t>>& numbers_;
    std::vector<size_t> cards_, first_, depths_;
    size_t next_ = 0;
};

// Returns the loss of a row whose class probabilities are in proportion to the products.
inline double loss_of(const Products& products, const std::vector<double>& prior,
                      size_t true_class, Loss loss, std::vector<double>& scaled) {
    int32_t fewest = 0;
    double total = products.scaled(scaled, fewest);
    const bool impossible = !(total > 0.0);
    if (impossible) {
        scaled = prior;
        total = sum_of(prior.data(), prior.size());
    }
    const double p = scaled[true_class];
    switch (loss) {
        case Loss::wrong: {
            const double least = *std::max_element(scaled.begin(), scaled.end()) * (1 - kTieMargin);
            size_t c = 0;
            while (scaled[c] < least) ++c;
            return c == true_class ? 0.0 : 1.0;
        }
        case Loss::logarithm: {
            if (impossible) return std::log(total) - std::log(p);
            const double product = products.product[true_class];
            return std::log(total) - std::log(product) +
                   kStepLog * (products.steps[true_class] - fewest);
        }
        default: {
            const double rest = 1.0 - p / total;
            return rest * rest;
        }
    }
}

inline Result<int64_t> leave_one_out_losses(
    const std::vector<Array>& arrays, const std::vector<int64_t>& cards, const Parents2& parents,
    const std::vector<Cells3>& tables, const std::vector<Vector<int32_t>>& numbers,
    const Array& target, const Vector<double>& class_counts, const Weights& weights, double alpha,
    int loss, double unit, double largest, int threads) {
    const Nested nested(arrays, cards, parents, tables, numbers, target, class_counts);
    const size_t n = nested.columns.size(), networks = nested.most + 1, rows = nested.y.rows;
    const double* w = weight_data(weights, rows);
    if (loss < 0 || loss > 2) throw std::invalid_argument("There is no loss of this number.");
    auto result = make_result<int64_t>({networks, n + 1});
    int64_t* sums = result.data();
    nb::gil_scoped_release release;
    std::mutex adding;
    parallel_for((rows + kLossRows - 1) / kLossRows, threads, [&](size_t task) {
        const size_t start = task * kLossRows, count = std::min(kLossRows, rows - start);
        std::vector<uint32_t> codes(n * kLossRows), labels(kLossRows);
        for (size_t s = 0; s < n; ++s)
            nested.columns[s].load(start, count, codes.data() + s * kLossRows);
        nested.y.load(start, count, labels.data());
        std::vector<int64_t> part(networks * (n + 1), 0), last(networks);
        std::vector<double> prior(nested.classes), scaled(nested.classes);
        std::vector<double> factors(networks * nested.classes);
        std::vector<Products> products(networks, Products(nested.classes));
        for (size_t b = 0; b < count; ++b) {
            const size_t row = start + b, label = labels[b];
            const double weight = w ? w[row] : 1.0;
            auto measure = [&](size_t k) {
                const double value =
                    loss_of(products[k], prior, label, static_cast<Loss>(loss), scaled);
                last[k] = std::llrint(std::min(value, largest) * weight * unit);
            };
            nested.prior(label, weight, alpha, prior);
            for (size_t k = 0; k < networks; ++k) {
                products[k].start(prior);
                measure(k);
                part[k * (n + 1)] += last[k];
            }
            for (size_t s = 0; s < n; ++s) {
                const size_t depths = nested.factors(s, codes.data(), b, row, label, weight, alpha,
                                                     factors.data());
                for (size_t k = 0; k < networks; ++k) {
                    if (depths) {
                        const size_t depth = std::min(k, depths - 1);
                        products[k].multiply_all(factors.data() + depth * nested.classes);
                        measure(k);
                    }
                    part[k * (n + 1) + s + 1] += last[k];
                }
            }
        }
        const std::lock_guard<std::mutex> lock(adding);  // integers: any order gives the same sums
        for (size_t cell = 0; cell < part.size(); ++cell) sums[cell] += part[cell];
    });
    return result;
}

}  // namespace bayesgrove
