// All pair tables given the class: bitmaps for small domains, increments for the rest.
#pragma once

#include "bitmaps.hpp"
#include "counting.hpp"

namespace bayesgrove {

constexpr int64_t kBitmapCard = 12;  // with two larger domains increments beat (r - 1)^2 ANDs
constexpr size_t kGroup = 16;        // columns a task takes

class PairCounter {
public:
    PairCounter(std::vector<Column> columns, std::vector<int64_t> cards, Column target,
                size_t n_classes, const double* weights, size_t first, int threads)
        : columns_(std::move(columns)), cards_(std::move(cards)), target_(target),
          n_classes_(n_classes), weights_(weights), first_(first), offsets_(offsets_of(cards_)),
          order_(weights ? Column{nullptr, 1, 0} : target, n_classes) {
        const size_t n = columns_.size();
        margins_.assign(n_classes * offsets_.back(), 0.0);
        lowest_.assign(n, 0);
        bitmaps_.resize(n);
        parallel_for(n, threads, [&](size_t j) { prepare(j); });
        for (size_t j = 0; j < n; ++j) {
            first_bitmap_.push_back(list_.size());
            if (has_bitmaps(j))
                for (size_t v = lowest_[j]; v < static_cast<size_t>(cards_[j]); ++v)
                    list_.push_back({bitmaps_[j].data() + v * order_.words(), j, offsets_[j] + v});
        }
        first_bitmap_.push_back(list_.size());
    }

    // Fills out[c][value of i][value of j] for first <= i, j < i.
    void count(double* out, int threads) const {
        const size_t n = columns_.size(), groups = (n - first_ + kGroup - 1) / kGroup;
        parallel_for(groups, threads, [&](size_t g) {
            const size_t last = n - g * kGroup;  // the dear ones first
            const size_t begin = std::max(first_, last > kGroup ? last - kGroup : 0);
            count_bitmaps(begin, last, out);
            for (size_t i = begin; i < last; ++i) finish_row(i, out);
        });
    }

private:
    size_t width() const { return offsets_.back(); }
    double* cell(double* out, size_t c, size_t i, size_t j) const {
        const size_t rows = width() - offsets_[first_];
        return out + (c * rows + offsets_[i] - offsets_[first_]) * width() + offsets_[j];
    }
    const double* margin(size_t c, size_t j) const {
        return margins_.data() + c * width() + offsets_[j];
    }
    bool has_bitmaps(size_t j) const {
        return !weights_ && columns_[j].width == 1 && cards_[j] <= kBitmapCard;
    }

    void prepare(size_t j) {
        if (has_bitmaps(j))
            prepare_bitmaps(j);
        else
            count_given_class(columns_[j], cards_[j], target_, n_classes_, weights_,
                              margins_.data() + offsets_[j], width());
    }

    // The value 0 of a complete column follows from the margins: its bitmap is left aside.
    void prepare_bitmaps(size_t j) {
        const size_t card = cards_[j], words = order_.words();
        bitmaps_[j].resize(card * words);
        build_bitmaps(static_cast<const uint8_t*>(columns_[j].data), order_, card, bitmaps_[j].data());
        bool complete = card > 0;
        for (size_t c = 0; c < n_classes_; ++c) {
            uint64_t present = 0;
            for (size_t v = 0; v < card; ++v) {
                const uint64_t* bits = bitmaps_[j].data() + v * words + order_.first_word[c];
                uint64_t n[4] = {0, 0, 0, 0};
                best_and_count()(bits, bits, bits, bits,
                                 order_.first_word[c + 1] - order_.first_word[c], n);
                margins_[c * width() + offsets_[j] + v] = static_cast<double>(n[0]);
                present += n[0];
            }
            complete = complete && present == order_.first_row[c + 1] - order_.first_row[c];
        }
        lowest_[j] = complete ? 1 : 0;
    }

    // Two bitmaps of the group against two of all before: each word loaded serves twice.
    void count_bitmaps(size_t begin, size_t last, double* out) const {
        const AndCount and_count = best_and_count();
        const size_t end = first_bitmap_[last];
        for (size_t chunk = 0; chunk < order_.chunk_start.size(); ++chunk)
            for (size_t a = first_bitmap_[begin]; a < end; a += 2)
                for (size_t b = 0; b < first_bitmap_[list_[a].column + 1]; b += 2)
                    count_tile(and_count, chunk, a, std::min(a + 1, end - 1), b,
                               std::min(b + 1, end - 1), out);
    }

    void count_tile(AndCount and_count, size_t chunk, size_t a0, size_t a1, size_t b0, size_t b1,
                    double* out) const {
        const size_t start = order_.chunk_start[chunk];
        uint64_t n[4] = {0, 0, 0, 0};
        and_count(list_[a0].words + start, list_[a1].words + start, list_[b0].words + start,
                  list_[b1].words + start, order_.chunk_words[chunk], n);
        double* table = cell(out, order_.chunk_class[chunk], first_, 0);
        auto put = [&](size_t a, size_t b, uint64_t count) {
            if (list_[b].column < list_[a].column)
                table[(list_[a].cell - offsets_[first_]) * width() + list_[b].cell] +=
                    static_cast<double>(count);
        };
        put(a0, b0, n[0]);
        if (b1 != b0) put(a0, b1, n[1]);
        if (a1 != a0) put(a1, b0, n[2]);
        if (a1 != a0 && b1 != b0) put(a1, b1, n[3]);
    }

    void finish_row(size_t i, double* out) const {
        std::vector<uint32_t> given;  // (class, value of i) of every row, made when first needed
        for (size_t j = 0; j < i; ++j) {
            if (has_bitmaps(i) && has_bitmaps(j))
                for (size_t c = 0; c < n_classes_; ++c) derive(c, i, j, out);
            else
                increment(i, j, given, out);
        }
    }

    void derive(size_t c, size_t i, size_t j, double* out) const {
        double* table = cell(out, c, i, j);
        const size_t rows = cards_[i], cols = cards_[j];
        if (lowest_[j])
            for (size_t a = lowest_[i]; a < rows; ++a) {
                double rest = margin(c, i)[a];
                for (size_t b = 1; b < cols; ++b) rest -= table[a * width() + b];
                table[a * width()] = rest;
            }
        if (lowest_[i])
            for (size_t b = 0; b < cols; ++b) {
                double rest = margin(c, j)[b];
                for (size_t a = 1; a < rows; ++a) rest -= table[a * width() + b];
                table[b] = rest;
            }
    }

    void increment(size_t i, size_t j, std::vector<uint32_t>& given, double* out) const {
        const uint32_t rows = static_cast<uint32_t>(cards_[i] + 1);
        const uint32_t cols = static_cast<uint32_t>(cards_[j] + 1);
        uint32_t x[kBlock], index[kBlock];
        if (given.empty()) {
            given.resize(target_.rows);
            for_blocks(target_.rows, [&](size_t start, size_t count) {
                columns_[i].load(start, count, x);
                target_.load(start, count, index);
                for (size_t b = 0; b < count; ++b) given[start + b] = index[b] * rows + x[b];
            });
        }
        Histogram table((n_classes_ + 1) * rows * cols, weights_);
        for_blocks(target_.rows, [&](size_t start, size_t count) {
            columns_[j].load(start, count, x);
            for (size_t b = 0; b < count; ++b) index[b] = given[start + b] * cols + x[b];
            table.add(index, start, count);
        });
        for (size_t c = 0; c < n_classes_; ++c)
            for (size_t a = 0; a + 1 < rows; ++a)
                for (size_t b = 0; b + 1 < cols; ++b)
                    cell(out, c, i, j)[a * width() + b] = table[(c * rows + a) * cols + b];
    }

    std::vector<Column> columns_;
    std::vector<int64_t> cards_;
    Column target_;
    size_t n_classes_;
    const double* weights_;
    size_t first_;
    std::vector<size_t> offsets_;
    ClassOrder order_;
    std::vector<double> margins_;
    std::vector<size_t> lowest_;
    std::vector<std::vector<uint64_t>> bitmaps_;
    struct Bitmap {
        const uint64_t* words;
        size_t column, cell;
    };
    std::vector<Bitmap> list_;           // all bitmaps, column after column
    std::vector<size_t> first_bitmap_;   // where a column starts in the list
};

// Columns [first, n) against all before them: out[c][value of i][value of j], zero where j >= i.
inline Result<double> pair_tables(const std::vector<Array>& arrays,
                                  const std::vector<int64_t>& cards, const Array& target,
                                  int64_t n_classes, const Weights& weights, int64_t first,
                                  int threads) {
    auto columns = as_columns(arrays);
    Column y = as_column(target);
    const double* w = weight_data(weights, y.rows);
    auto offsets = offsets_of(cards);
    auto result = make_result<double>({static_cast<size_t>(n_classes),
                                       offsets.back() - offsets[first], offsets.back()});
    double* out = result.data();
    nb::gil_scoped_release release;
    PairCounter counter(columns, cards, y, n_classes, w, first, threads);
    counter.count(out, threads);
    return result;
}

}  // namespace bayesgrove
