// Intervals of one numeric column by entropy and the MDL rule of Fayyad and Irani (1993).
#pragma once

#include "common.hpp"

namespace bayesgrove {

constexpr double kSameBits = 1e-12;  // mean entropies closer than this are equal

// Blocks in the order of their values, with the weight of each class. A block is one value, or
// neighbouring values that have one and the same class. No cut within a block is best (theorem 1 of
// the paper).
class ValueBlocks {
public:
    explicit ValueBlocks(size_t classes) : classes_(classes) {}

    // Removes all blocks and reserves memory for at most `values` values.
    void clear(size_t values) {
        sums_.resize((values + 1) * classes_);
        begin_.resize(values + 1);
        count_ = 0;
        last_ = classes_;
    }

    // Returns where to write the weights of the next value. They are 0 now.
    double* next() {
        double* cells = &sums_[count_ * classes_];
        std::fill(cells, cells + classes_, 0.0);
        return cells;
    }

    // Adds the value whose weights were written. It begins at `place`. `only` is its class, or the
    // number of classes if it has several.
    void add(size_t place, size_t only) {
        if (only < classes_ && only == last_)
            sums_[(count_ - 1) * classes_ + only] += sums_[count_ * classes_ + only];
        else
            begin_[count_++] = place;
        last_ = only;
    }

    void end(size_t place) { begin_[count_] = place; }

    size_t count() const { return count_; }
    size_t classes() const { return classes_; }
    const double* weights(size_t block) const { return &sums_[block * classes_]; }
    size_t begin(size_t block) const { return begin_[block]; }

private:
    size_t classes_, count_ = 0, last_ = 0;
    std::vector<double> sums_;
    std::vector<size_t> begin_;
};

// Finds the cuts between blocks. `term` returns x log2 x of a weight.
template <typename Term>
class BlockCutter {
public:
    BlockCutter(size_t classes, const Term& term)
        : classes_(classes), term_(term), whole_(classes), lower_(classes), upper_(classes),
          lower_terms_(classes), upper_terms_(classes) {}

    // Returns the blocks that start a new interval, ascending. Possible cuts are counted by the
    // weight of the rows, or by the places where blocks begin.
    const std::vector<size_t>& starts(const ValueBlocks& blocks, bool by_weight) {
        starts_.clear();
        pending_.assign(1, {0, blocks.count()});
        while (!pending_.empty()) {
            const auto [start, stop] = pending_.back();
            pending_.pop_back();
            const size_t at = cut(blocks, start, stop, by_weight);
            if (at == 0) continue;
            starts_.push_back(at);
            pending_.emplace_back(start, at);
            pending_.emplace_back(at, stop);
        }
        std::sort(starts_.begin(), starts_.end());
        return starts_;
    }

private:
    // Returns the block where the upper part starts, 0 if blocks [start, stop) are not cut.
    size_t cut(const ValueBlocks& blocks, size_t start, size_t stop, bool by_weight) {
        if (stop - start < 2) return 0;
        add_blocks(blocks, start, stop, whole_.data());
        const double weight = sum_of(whole_.data(), classes_);
        const size_t at = start + 1 + best_place(blocks, start, stop, weight);
        const double bits = bits_[at - start - 1];
        // The parts are summed again: a difference may not be exactly zero for an absent class.
        add_blocks(blocks, start, at, lower_.data());
        add_blocks(blocks, at, stop, upper_.data());
        const double gain = information(whole_.data()) / weight - bits;
        const auto places = static_cast<double>(blocks.begin(stop) - blocks.begin(start));
        return gain > required_gain(weight, by_weight ? weight : places) ? at : 0;
    }

    // Returns the cut with the lowest mean entropy. Ties go to the first cut. The mean entropies of
    // all cuts are kept in bits_.
    size_t best_place(const ValueBlocks& blocks, size_t start, size_t stop, double weight) {
        start_parts();
        bits_.resize(stop - start - 1);
        double least = std::numeric_limits<double>::infinity();
        for (size_t b = start; b + 1 < stop; ++b) {
            move_to_lower(blocks.weights(b));
            const double lower = term_(sum_of(lower_.data(), classes_)) -
                                 sum_of(lower_terms_.data(), classes_);
            const double upper = term_(sum_of(upper_.data(), classes_)) -
                                 sum_of(upper_terms_.data(), classes_);
            const double bits = (lower + upper) / weight;
            bits_[b - start] = bits;
            least = std::min(least, bits);
        }
        size_t best = 0;
        while (best + 1 < bits_.size() && bits_[best] > least + kSameBits) ++best;
        return best;
    }

    // Starts with an empty lower part.
    void start_parts() {
        for (size_t c = 0; c < classes_; ++c) {
            lower_[c] = 0.0;
            upper_[c] = whole_[c];
            lower_terms_[c] = term_(0.0);
            upper_terms_[c] = term_(whole_[c]);
        }
    }

    // Moves a block from the upper part to the lower part. Only the terms of its classes change.
    void move_to_lower(const double* block) {
        for (size_t c = 0; c < classes_; ++c) {
            if (block[c] == 0.0) continue;
            lower_[c] += block[c];
            upper_[c] = whole_[c] - lower_[c];
            lower_terms_[c] = term_(lower_[c]);
            upper_terms_[c] = term_(upper_[c]);
        }
    }

    void add_blocks(const ValueBlocks& blocks, size_t start, size_t stop, double* out) const {
        std::fill(out, out + classes_, 0.0);
        for (size_t b = start; b < stop; ++b)
            for (size_t c = 0; c < classes_; ++c) out[c] += blocks.weights(b)[c];
    }

    // Returns the gain that a cut must exceed: the bits that describe the cut and the classes of
    // its parts.
    double required_gain(double weight, double places) const {
        if (places <= 1.0) return std::numeric_limits<double>::infinity();
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
        return std::max((std::log2(places - 1.0) + delta) / weight, 0.0) + kSameBits;
    }

    // Returns weight times class entropy, in bits.
    double information(const double* weights) const {
        double sum = 0.0;
        for (size_t c = 0; c < classes_; ++c) sum += term_(weights[c]);
        return term_(sum_of(weights, classes_)) - sum;
    }

    size_t classes_;
    const Term& term_;
    std::vector<double> bits_, whole_, lower_, upper_, lower_terms_, upper_terms_;
    std::vector<size_t> starts_;
    std::vector<std::pair<size_t, size_t>> pending_;
};

struct ExactTerm {
    double operator()(double x) const {
        return x * std::log2(std::max(x, std::numeric_limits<double>::min()));
    }
};

// Collects the blocks of a value table. Values without weight are left out. `kept` gets the other
// values.
inline void collect_blocks(const double* table, size_t values, ValueBlocks& blocks,
                           std::vector<size_t>& kept) {
    const size_t classes = blocks.classes();
    blocks.clear(values);
    for (size_t v = 0; v < values; ++v) {
        const double* from = table + v * classes;
        size_t only = classes, present = 0;
        for (size_t c = 0; c < classes; ++c)
            if (from[c] != 0.0) ++present, only = c;
        if (present == 0) continue;
        std::copy_n(from, classes, blocks.next());
        blocks.add(kept.size(), present == 1 ? only : classes);
        kept.push_back(v);
    }
    blocks.end(kept.size());
}

// Returns the cut points of a column that is given as its value table.
inline Result<double> mdlp_cuts(
    const Vector<double>& distinct,
    nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> table, bool by_values) {
    const size_t values = distinct.shape(0), classes = table.shape(1);
    if (table.shape(0) != values)
        throw std::invalid_argument("The table must have one row per value.");
    std::vector<double> cuts;
    {
        nb::gil_scoped_release release;
        ValueBlocks blocks(classes);
        std::vector<size_t> kept;
        collect_blocks(table.data(), values, blocks, kept);
        const ExactTerm term;
        BlockCutter<ExactTerm> cutter(classes, term);
        for (size_t block : cutter.starts(blocks, !by_values)) {
            const size_t at = blocks.begin(block);
            cuts.push_back(middle(distinct.data()[kept[at - 1]], distinct.data()[kept[at]]));
        }
    }
    const size_t count = cuts.size();
    return hand_over(std::move(cuts), {count});
}

}  // namespace bayesgrove
