// All pair tables given the class: bitmaps for small cardinalities, increments for the others.
#pragma once

#include <type_traits>

#include "bitmaps.hpp"
#include "counting.hpp"
#include "information.hpp"

namespace bayesgrove {

constexpr int64_t kBitmapCard = 12;  // above, increments are faster than (r - 1)^2 ANDs
constexpr size_t kGroup = 16;        // largest number of columns per task
constexpr size_t kGroupBytes = size_t{1} << 24;  // largest size of the tables of a task

// Output for the tables of columns [begin, last) with all earlier columns: [class][value][value].
template <typename Cell>
struct PairCells {
    Cell* cells;
    size_t origin, width, class_stride;
    Cell* at(size_t c, size_t row, size_t column) const {
        return cells + c * class_stride + (row - origin) * width + column;
    }
};

// Counts the pair tables of some columns. The constructor makes the bitmaps and the margins.
class PairCounter {
public:
    PairCounter(std::vector<Column> columns, std::vector<int64_t> cards, Column target,
                size_t n_classes, const double* weights, int threads)
        : columns_(std::move(columns)), cards_(cards.begin(), cards.end()), target_(target),
          n_classes_(n_classes), weights_(weights), offsets_(offsets_of(cards)),
          order_(weights ? Column{nullptr, 1, 0} : target, n_classes) {
        const size_t n = columns_.size();
        margins_.assign(n_classes * offsets_.back(), 0.0);
        lowest_.assign(n, 0);
        complete_.assign(n, 0);
        bitmaps_.resize(n);
        parallel_for(n, threads, [&](size_t j) { prepare(j); });
        for (size_t j = 0; j < n; ++j) {
            first_bitmap_.push_back(list_.size());
            if (has_bitmaps(j))
                for (size_t v = lowest_[j]; v < cards_[j]; ++v)
                    list_.push_back({bitmaps_[j].data() + v * order_.words(), j, offsets_[j] + v});
        }
        first_bitmap_.push_back(list_.size());
    }

    size_t n_classes() const { return n_classes_; }
    size_t offset(size_t j) const { return offsets_[j]; }
    size_t card(size_t j) const { return cards_[j]; }
    bool complete(size_t j) const { return complete_[j]; }
    double margin(size_t c, size_t j, size_t v) const {
        return margins_[c * offsets_.back() + offsets_[j] + v];
    }

    double class_size(size_t c) const {
        return static_cast<double>(order_.first_row[c + 1] - order_.first_row[c]);
    }

    // Returns runs of columns from `first` on, one per task, the most expensive runs first.
    std::vector<std::pair<size_t, size_t>> groups(size_t first, size_t cell_bytes) const {
        std::vector<std::pair<size_t, size_t>> runs;
        for (size_t last = columns_.size(); last > first;) {
            size_t begin = last - 1;
            auto bytes = [&](size_t from) {
                return n_classes_ * (offsets_[last] - offsets_[from]) * offsets_[last] * cell_bytes;
            };
            while (begin > first && last - begin < kGroup && bytes(begin - 1) <= kGroupBytes) --begin;
            runs.emplace_back(begin, last);
            last = begin;
        }
        return runs;
    }

    // Fills the tables of begin <= i < last with j < i. The cells must be zero before the call.
    template <typename Cell>
    void count(size_t begin, size_t last, const PairCells<Cell>& out) const {
        count_bitmaps(begin, last, out);
        for (size_t i = begin; i < last; ++i) {
            std::vector<uint32_t> given;  // (class, value of i) of every row, filled on first use
            for (size_t j = 0; j < i; ++j) {
                if (has_bitmaps(i) && has_bitmaps(j))
                    for (size_t c = 0; c < n_classes_; ++c) derive(c, i, j, out);
                else
                    increment(i, j, given, out);
            }
        }
    }

private:
    bool has_bitmaps(size_t j) const {
        return !weights_ && columns_[j].width == 1 && cards_[j] <= kBitmapCard;
    }

    void prepare(size_t j) {
        if (has_bitmaps(j)) {
            prepare_bitmaps(j);
            return;
        }
        const double missing = count_given_class(columns_[j], cards_[j], target_, n_classes_,
                                                 weights_, margins_.data() + offsets_[j],
                                                 offsets_.back());
        complete_[j] = missing == 0;
    }

    // The counts of value 0 of a column without missing values follow from the margins. The bitmap
    // of that value is not counted.
    void prepare_bitmaps(size_t j) {
        const size_t words = order_.words();
        bitmaps_[j].resize(cards_[j] * words);
        build_bitmaps(static_cast<const uint8_t*>(columns_[j].data), order_, cards_[j],
                      bitmaps_[j].data());
        bool complete = true;
        for (size_t c = 0; c < n_classes_; ++c) {
            uint64_t present = 0;
            for (size_t v = 0; v < cards_[j]; ++v) {
                const uint64_t* bits = bitmaps_[j].data() + v * words + order_.first_word[c];
                uint64_t n[4] = {0, 0, 0, 0};
                best_and_count()(bits, bits, bits, bits,
                                 order_.first_word[c + 1] - order_.first_word[c], n);
                margins_[c * offsets_.back() + offsets_[j] + v] = static_cast<double>(n[0]);
                present += n[0];
            }
            complete = complete && present == order_.first_row[c + 1] - order_.first_row[c];
        }
        complete_[j] = complete;
        lowest_[j] = complete && cards_[j] > 0 ? 1 : 0;
    }

    // Counts two bitmaps of the group with two bitmaps of earlier columns: each loaded word is used
    // twice.
    template <typename Cell>
    void count_bitmaps(size_t begin, size_t last, const PairCells<Cell>& out) const {
        const AndCount and_count = best_and_count();
        const size_t end = first_bitmap_[last];
        for (size_t chunk = 0; chunk < order_.chunk_start.size(); ++chunk)
            for (size_t a = first_bitmap_[begin]; a < end; a += 2) {
                const size_t a1 = std::min(a + 1, end - 1);
                const size_t stop = first_bitmap_[list_[a1].column];
                for (size_t b = 0; b < stop; b += 2)
                    count_tile(and_count, chunk, a, a1, b, std::min(b + 1, end - 1), out);
            }
    }

    template <typename Cell>
    void count_tile(AndCount and_count, size_t chunk, size_t a0, size_t a1, size_t b0, size_t b1,
                    const PairCells<Cell>& out) const {
        const size_t start = order_.chunk_start[chunk], c = order_.chunk_class[chunk];
        uint64_t n[4] = {0, 0, 0, 0};
        and_count(list_[a0].words + start, list_[a1].words + start, list_[b0].words + start,
                  list_[b1].words + start, order_.chunk_words[chunk], n);
        auto put = [&](const Bitmap& a, const Bitmap& b, uint64_t count) {
            if (b.column < a.column) *out.at(c, a.cell, b.cell) += static_cast<Cell>(count);
        };
        put(list_[a0], list_[b0], n[0]);
        if (b1 != b0) put(list_[a0], list_[b1], n[1]);
        if (a1 != a0) put(list_[a1], list_[b0], n[2]);
        if (a1 != a0 && b1 != b0) put(list_[a1], list_[b1], n[3]);
    }

    // Fills the cells of value 0 from the margins and the other cells.
    template <typename Cell>
    void derive(size_t c, size_t i, size_t j, const PairCells<Cell>& out) const {
        Cell* table = out.at(c, offsets_[i], offsets_[j]);
        const size_t rows = cards_[i], columns = cards_[j], width = out.width;
        if (lowest_[j])
            for (size_t a = lowest_[i]; a < rows; ++a) {
                auto rest = static_cast<Cell>(margin(c, i, a));
                for (size_t b = 1; b < columns; ++b) rest -= table[a * width + b];
                table[a * width] = rest;
            }
        if (lowest_[i])
            for (size_t b = 0; b < columns; ++b) {
                auto rest = static_cast<Cell>(margin(c, j, b));
                for (size_t a = 1; a < rows; ++a) rest -= table[a * width + b];
                table[b] = rest;
            }
    }

    // Fills a table by one increment per row.
    template <typename Cell>
    void increment(size_t i, size_t j, std::vector<uint32_t>& given,
                   const PairCells<Cell>& out) const {
        const auto rows = static_cast<uint32_t>(cards_[i] + 1);
        const auto columns = static_cast<uint32_t>(cards_[j] + 1);
        uint32_t x[kBlock], index[kBlock];
        if (given.empty()) {
            given.resize(target_.rows);
            for_blocks(target_.rows, [&](size_t start, size_t count) {
                columns_[i].load(start, count, x);
                target_.load(start, count, index);
                for (size_t b = 0; b < count; ++b) given[start + b] = index[b] * rows + x[b];
            });
        }
        Histogram table((n_classes_ + 1) * rows * columns, weights_);
        for_blocks(target_.rows, [&](size_t start, size_t count) {
            columns_[j].load(start, count, x);
            for (size_t b = 0; b < count; ++b) index[b] = given[start + b] * columns + x[b];
            table.add(index, start, count);
        });
        for (size_t c = 0; c < n_classes_; ++c)
            for (size_t a = 0; a + 1 < rows; ++a)
                for (size_t b = 0; b + 1 < columns; ++b)
                    *out.at(c, offsets_[i] + a, offsets_[j] + b) =
                        static_cast<Cell>(table[(c * rows + a) * columns + b]);
    }

    struct Bitmap {
        const uint64_t* words;
        size_t column, cell;
    };

    std::vector<Column> columns_;
    std::vector<size_t> cards_;
    Column target_;
    size_t n_classes_;
    const double* weights_;
    std::vector<size_t> offsets_;
    ClassOrder order_;
    std::vector<double> margins_;
    std::vector<size_t> lowest_;
    std::vector<uint8_t> complete_;
    std::vector<std::vector<uint64_t>> bitmaps_;
    std::vector<Bitmap> list_;          // all bitmaps that are counted, column after column
    std::vector<size_t> first_bitmap_;  // place of the first bitmap of each column in the list
};

// Counts columns [first, n) with all earlier columns: out[c][value of i][value of j], 0 if j >= i.
inline Result<double> pair_tables(const std::vector<Array>& arrays,
                                  const std::vector<int64_t>& cards, const Array& target,
                                  int64_t n_classes, const Weights& weights, int64_t first,
                                  int threads) {
    auto columns = as_columns(arrays);
    Column y = as_target(target, columns, cards);
    const double* w = weight_data(weights, y.rows);
    auto offsets = offsets_of(cards);
    const size_t origin = offsets[first], width = offsets.back();
    auto result = make_result<double>({static_cast<size_t>(n_classes), width - origin, width});
    const PairCells<double> out{result.data(), origin, width, (width - origin) * width};
    nb::gil_scoped_release release;
    const PairCounter counter(columns, cards, y, n_classes, w, threads);
    const auto groups = counter.groups(first, sizeof(double));
    parallel_for(groups.size(), threads, [&](size_t g) {
        counter.count(groups[g].first, groups[g].second, out);
    });
    return result;
}

// Computes I(X_i;X_j|C) of all pairs of columns. The tables of a group of columns are discarded
// after use.
template <typename Cell>
void fill_information(const PairCounter& counter, size_t n, double total, int threads, double* out) {
    const FixedTerms terms(total);
    const size_t C = counter.n_classes();
    constexpr bool unweighted = std::is_same_v<Cell, uint32_t>;
    std::vector<int64_t> margin_terms(n, 0);  // sum of the terms of N[c][value] per column
    for (size_t j = 0; j < n; ++j)
        for (size_t c = 0; c < C; ++c)
            for (size_t v = 0; v < counter.card(j); ++v)
                margin_terms[j] += terms(counter.margin(c, j, v));
    int64_t class_terms = 0;  // sum of the terms of N[c]
    if (unweighted)
        for (size_t c = 0; c < C; ++c) class_terms += terms(counter.class_size(c));
    const auto groups = counter.groups(0, sizeof(Cell));
    parallel_for(groups.size(), threads, [&](size_t g) {
        const auto [begin, last] = groups[g];
        const size_t origin = counter.offset(begin), width = counter.offset(last);
        const size_t rows = width - origin;
        std::vector<Cell> cells(C * rows * width, 0);
        counter.count(begin, last, PairCells<Cell>{cells.data(), origin, width, rows * width});
        std::vector<Cell> margin;
        for (size_t i = begin; i < last; ++i)
            for (size_t j = 0; j < i; ++j) {
                const TableView<Cell> table{
                    cells.data() + (counter.offset(i) - origin) * width + counter.offset(j), C,
                    counter.card(i), counter.card(j), rows * width, width};
                // Without missing values, the margins of a column are the same in all its tables.
                const bool known = unweighted && counter.complete(i) && counter.complete(j);
                const int64_t margins = margin_terms[i] + margin_terms[j] - class_terms;
                out[i * n + j] = out[j * n + i] =
                    known ? terms.information(sum_terms(table, terms) - margins, total)
                          : conditional_information(table, terms, margin);
            }
    });
}

inline Result<double> information_of_columns(const std::vector<Array>& arrays,
                                           const std::vector<int64_t>& cards, const Array& target,
                                           int64_t n_classes, const Weights& weights, double total,
                                           int threads) {
    auto columns = as_columns(arrays);
    Column y = as_target(target, columns, cards);
    const double* w = weight_data(weights, y.rows);
    const size_t n = columns.size();
    auto result = make_result<double>({n, n});
    double* out = result.data();
    nb::gil_scoped_release release;
    const PairCounter counter(columns, cards, y, n_classes, w, threads);
    if (w)
        fill_information<double>(counter, n, total, threads, out);
    else
        fill_information<uint32_t>(counter, n, total, threads, out);
    return result;
}

}  // namespace bayesgrove
