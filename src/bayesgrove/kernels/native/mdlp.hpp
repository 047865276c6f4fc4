// Intervals of one numeric column: entropy and the MDL rule of Fayyad and Irani (1993).
#pragma once

#include <limits>

#include "trees.hpp"

namespace bayesgrove {

constexpr double kSameBits = 1e-12;  // mean entropies closer than this are equal

// Rows of one column in the order of their values: the value of each, and the number by which its
// class and weight are found.
struct SortedColumn {
    const double* values;
    const uint32_t* entries;
    size_t count;
};

// body(interval, entry) for the rows of a column whose intervals start at these places.
template <typename Body>
void for_intervals(const SortedColumn& column, const std::vector<size_t>& starts,
                   const Body& body) {
    size_t at = 0;
    for (size_t interval = 0; interval <= starts.size(); ++interval) {
        const size_t stop = interval < starts.size() ? starts[interval] : column.count;
        for (; at < stop; ++at) body(interval, column.entries[at]);
    }
}

class IntervalCutter {
public:
    IntervalCutter(size_t classes, const Terms& terms)
        : classes_(classes), terms_(terms), whole_(classes), lower_(classes), upper_(classes) {}

    // The places in the column where an interval starts behind another one, ascending.
    const std::vector<size_t>& starts(const SortedColumn& column, const uint32_t* class_of,
                                      const double* weight_of) {
        collect(column, class_of, weight_of);
        starts_.clear();
        pending_.assign(1, {0, blocks_});
        while (!pending_.empty()) {
            const auto [start, stop] = pending_.back();
            pending_.pop_back();
            const size_t at = cut(start, stop);
            if (at == 0) continue;
            starts_.push_back(begin_[at]);
            pending_.emplace_back(start, at);
            pending_.emplace_back(at, stop);
        }
        std::sort(starts_.begin(), starts_.end());
        return starts_;
    }

private:
    // Weights of the classes in blocks: a value, or neighbouring values that hold one same class.
    // No other cut is best (theorem 1 of the paper).
    void collect(const SortedColumn& column, const uint32_t* class_of, const double* weight_of) {
        sums_.resize((column.count + 1) * classes_);
        begin_.resize(column.count + 1);
        blocks_ = 0;
        uint32_t last = static_cast<uint32_t>(classes_);  // the class of the last block, if one
        for (size_t i = 0; i < column.count;) {
            double* cells = &sums_[blocks_ * classes_];
            std::fill(cells, cells + classes_, 0.0);
            const size_t from = i;
            const uint32_t first = class_of[column.entries[i]];
            const double value = column.values[i];
            bool pure = true;
            for (; i < column.count && column.values[i] == value; ++i) {
                const uint32_t entry = column.entries[i], c = class_of[entry];
                cells[c] += weight_of[entry];
                pure = pure && c == first;
            }
            if (pure && first == last)
                sums_[(blocks_ - 1) * classes_ + first] += cells[first];
            else
                begin_[blocks_++] = from;
            last = pure ? first : static_cast<uint32_t>(classes_);
        }
        begin_[blocks_] = column.count;
    }

    // The block where the upper part of some blocks starts, 0 if they are not cut.
    size_t cut(size_t start, size_t stop) {
        if (stop - start < 2) return 0;
        add_blocks(start, stop, whole_.data());
        const double weight = sum_of(whole_.data(), classes_);
        const size_t at = start + 1 + best_place(start, stop, weight);
        const double bits = bits_[at - start - 1];
        add_blocks(start, at, lower_.data());
        add_blocks(at, stop, upper_.data());
        const double gain = information(whole_.data()) / weight - bits;
        return gain > required_gain(weight, begin_[stop] - begin_[start]) ? at : 0;
    }

    // The first of the cuts with the lowest mean entropy; those of all are kept.
    size_t best_place(size_t start, size_t stop, double weight) {
        std::fill(lower_.begin(), lower_.end(), 0.0);
        bits_.resize(stop - start - 1);
        double least = std::numeric_limits<double>::infinity();
        for (size_t b = start; b + 1 < stop; ++b) {
            for (size_t c = 0; c < classes_; ++c) {
                lower_[c] += sums_[b * classes_ + c];
                upper_[c] = whole_[c] - lower_[c];
            }
            const double bits =
                (information(lower_.data()) + information(upper_.data())) / weight;
            bits_[b - start] = bits;
            least = std::min(least, bits);
        }
        size_t best = 0;
        while (bits_[best] > least + kSameBits) ++best;
        return best;
    }

    void add_blocks(size_t start, size_t stop, double* out) const {
        std::fill(out, out + classes_, 0.0);
        for (size_t b = start; b < stop; ++b)
            for (size_t c = 0; c < classes_; ++c) out[c] += sums_[b * classes_ + c];
    }

    // What a cut must gain: the bits that name it and the classes of its parts.
    double required_gain(double weight, size_t rows) const {
        double delta = 0.0;
        size_t present = 0;
        for (const auto* part : {&lower_, &upper_, &whole_}) {
            present = static_cast<size_t>(std::count_if(part->begin(), part->end(),
                                                        [](double w) { return w > 0.0; }));
            const double bits = static_cast<double>(present) * information(part->data()) /
                                sum_of(part->data(), classes_);
            delta += part == &whole_ ? -bits : bits;
        }
        const auto k = static_cast<double>(present);
        delta += k > 30.0 ? k * std::log2(3.0) : std::log2(std::pow(3.0, k) - 2.0);
        const double choices = std::log2(static_cast<double>(rows - 1));
        return std::max((choices + delta) / weight, 0.0) + kSameBits;
    }

    // Weight times class entropy, in bits.
    double information(const double* weights) const {
        return terms_(sum_of(weights, classes_)) - terms_.sum(weights, classes_);
    }

    size_t classes_, blocks_ = 0;
    const Terms& terms_;
    std::vector<double> sums_, bits_, whole_, lower_, upper_;
    std::vector<size_t> begin_, starts_;
    std::vector<std::pair<size_t, size_t>> pending_;
};

}  // namespace bayesgrove
