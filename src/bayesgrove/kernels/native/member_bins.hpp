// Random cuts of numeric columns, from histograms of fine intervals.
#pragma once

#include "common.hpp"

namespace bayesgrove {

// Splits the fine intervals of one column best first, by the entropy of the class.
class EntropyCuts {
public:
    EntropyCuts(const double* histogram, size_t classes)
        : histogram_(histogram), classes_(classes), whole_(classes), left_(classes) {}

    // Returns at most `limit` cuts; a cut needs a gain of at least `min_gain` nats times rows.
    std::vector<size_t> operator()(size_t fine, size_t limit, double min_gain, double min_rows) {
        std::vector<Segment> segments{best(0, fine, min_rows)};
        std::vector<size_t> cuts;
        while (cuts.size() < limit) {
            auto top = std::max_element(
                segments.begin(), segments.end(),
                [](const Segment& a, const Segment& b) { return a.gain < b.gain; });
            if (top->at == 0 || top->gain < min_gain) break;
            const Segment segment = *top;
            cuts.push_back(segment.at);
            *top = best(segment.low, segment.at, min_rows);
            segments.push_back(best(segment.at, segment.high, min_rows));
        }
        return cuts;
    }

private:
    struct Segment {
        size_t low, high, at;  // at = 0: no cut
        double gain;
    };

    static double xlogx(double x) { return x > 0 ? x * std::log(x) : 0.0; }

    Segment best(size_t low, size_t high, double min_rows) {
        Segment segment{low, high, 0, -1.0};
        std::fill(whole_.begin(), whole_.end(), 0.0);
        std::fill(left_.begin(), left_.end(), 0.0);
        double total = 0.0, before = 0.0;
        for (size_t f = low; f < high; ++f)
            for (size_t c = 0; c < classes_; ++c) whole_[c] += histogram_[f * classes_ + c];
        for (double count : whole_) total += count;
        double base = -xlogx(total);
        for (double count : whole_) base += xlogx(count);
        for (size_t f = low; f + 1 < high; ++f) {
            double here = 0.0;
            for (size_t c = 0; c < classes_; ++c) {
                left_[c] += histogram_[f * classes_ + c];
                here += histogram_[f * classes_ + c];
            }
            before += here;
            if (here == 0 || before < min_rows || total - before < min_rows) continue;
            double gain = -xlogx(before) - xlogx(total - before) - base;
            for (size_t c = 0; c < classes_; ++c)
                gain += xlogx(left_[c]) + xlogx(whole_[c] - left_[c]);
            if (gain > segment.gain) {
                segment.gain = gain;
                segment.at = f + 1;
            }
        }
        return segment;
    }

    const double* histogram_;
    size_t classes_;
    std::vector<double> whole_, left_;
};

// Joins the fine intervals of one column to bins: sets the bin of each, and returns their number.
// `weights` has the fine intervals and classes of the rows that supervised cuts may see.
inline int32_t draw_column(const double* totals, size_t fine, int32_t bins, const double* shifts,
                           bool whole, size_t supervised, const std::vector<double>& weights,
                           size_t classes, double min_gain, double min_rows, uint16_t* map) {
    std::vector<uint8_t> cut(fine + 1, whole);
    cut[0] = 0;
    if (!whole) {
        const double all = sum_of(totals, fine);
        const auto target = [&](int32_t q) { return all * (q + shifts[q - 1]) / bins; };
        double before = 0.0;
        int32_t next = 1;
        for (size_t f = 0; f + 1 < fine && next < bins; ++f) {
            before += totals[f];
            if (before < target(next)) continue;
            cut[f + 1] = 1;
            while (next < bins && before >= target(next)) ++next;
        }
        if (supervised) {
            EntropyCuts entropy(weights.data(), classes);
            for (size_t at : entropy(fine, supervised, min_gain, min_rows)) cut[at] = 1;
        }
    }
    uint16_t bin = 0;
    for (size_t f = 0; f < fine; ++f) map[f] = bin = static_cast<uint16_t>(bin + cut[f]);
    return bin + 1;
}

// Sets the mean position of the rows of every bin; 0 for a bin without rows.
inline void mean_positions(const double* positions, const double* totals, const uint16_t* map,
                           size_t fine, double* means) {
    for (size_t f = 0; f < fine;) {
        double sum = 0.0, weight = 0.0;
        const uint16_t bin = map[f];
        for (; f < fine && map[f] == bin; ++f) {
            sum += totals[f] * positions[f];
            weight += totals[f];
        }
        means[bin] = weight > 0 ? sum / weight : 0.0;
    }
}

template <typename T, size_t N>
using Block = nb::ndarray<const T, nb::ndim<N>, nb::c_contig, nb::device::cpu>;

inline nb::tuple draw_bins(
    const Vector<int64_t>& starts, const Vector<double>& positions, const Block<double, 3>& by_fold,
    const Vector<int32_t>& left_out, const Block<int32_t, 2>& bins,
    const Block<double, 3>& shifts, const Block<uint8_t, 2>& whole,
    const Block<int32_t, 2>& supervised, const Vector<float>& noise, double min_rows,
    const Vector<double>& min_gains, int threads) {
    const size_t folds = by_fold.shape(0), cells = by_fold.shape(1), classes = by_fold.shape(2);
    const size_t members = bins.shape(0), columns = bins.shape(1);
    if (starts.shape(0) != columns + 1 || starts.data()[0] != 0 ||
        starts.data()[columns] != static_cast<int64_t>(cells) || positions.shape(0) != cells ||
        !std::is_sorted(starts.data(), starts.data() + columns + 1) ||
        left_out.shape(0) != members || shifts.shape(0) != members || shifts.shape(1) != columns ||
        whole.shape(0) != members || whole.shape(1) != columns ||
        supervised.shape(0) != members || supervised.shape(1) != columns ||
        min_gains.shape(0) != columns)
        throw std::invalid_argument("The histograms do not fit the columns.");
    const auto fine_of = [&](size_t j) {
        return static_cast<size_t>(starts.data()[j + 1] - starts.data()[j]);
    };
    const size_t all = members * columns;
    std::vector<size_t> noises(all + 1, 0);  // where the noise of each member and column begins
    for (size_t at = 0; at < all; ++at) {
        const size_t fine = fine_of(at % columns);
        if (bins.data()[at] > static_cast<int64_t>(shifts.shape(2)) + 1 || fine > 0xFFFF)
            throw std::invalid_argument("There are too many bins.");
        const bool noisy = supervised.data()[at] > 0 && !whole.data()[at];
        noises[at + 1] = noises[at] + (noisy ? fine : 0);
    }
    if (noises[all] != noise.shape(0) ||
        std::any_of(left_out.data(), left_out.data() + members,
                    [&](int32_t fold) { return fold >= static_cast<int64_t>(folds); }))
        throw std::invalid_argument("The noise or the folds do not fit the histograms.");
    auto maps = make_result<uint16_t>({members, cells});
    auto cards = make_result<int32_t>({members, columns});
    auto means = make_result<double>({members, 1 + cells + columns});
    {
        nb::gil_scoped_release release;
        std::vector<double> sums(cells * classes, 0.0), totals(cells, 0.0);
        for (size_t fold = 0; fold < folds; ++fold)
            for (size_t j = 0; j < sums.size(); ++j) sums[j] += by_fold.data()[fold * sums.size() + j];
        for (size_t f = 0; f < cells; ++f) totals[f] = sum_of(sums.data() + f * classes, classes);
        parallel_for(all, threads, [&](size_t at) {
            const size_t member = at / columns, j = at % columns, fine = fine_of(j);
            if (!fine) return;
            const auto start = static_cast<size_t>(starts.data()[j]);
            std::vector<double> weights;
            if (noises[at + 1] > noises[at]) {
                const double* seen = sums.data() + start * classes;
                weights.assign(seen, seen + fine * classes);
                const int32_t fold = left_out.data()[member];
                const double* unseen =
                    by_fold.data() + (static_cast<size_t>(std::max(fold, 0)) * cells + start) * classes;
                for (size_t k = 0; k < fine * classes; ++k)
                    weights[k] = (weights[k] - (fold < 0 ? 0.0 : unseen[k])) *
                                 static_cast<double>(noise.data()[noises[at] + k / classes]);
            }
            cards.data()[at] = draw_column(
                totals.data() + start, fine, bins.data()[at], shifts.data() + at * shifts.shape(2),
                whole.data()[at], static_cast<size_t>(std::max(supervised.data()[at], 0)), weights,
                classes, min_gains.data()[j], min_rows, maps.data() + member * cells + start);
            mean_positions(positions.data() + start, totals.data() + start,
                           maps.data() + member * cells + start, fine,
                           means.data() + member * (1 + cells + columns) + 1 + start + j);
        });
    }
    return nb::make_tuple(maps, cards, means);
}

}  // namespace bayesgrove
