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

inline std::pair<Result<uint16_t>, Result<int32_t>> draw_bins(
    const Vector<int64_t>& starts, const Vector<double>& totals,
    const nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>& histogram,
    const Vector<int32_t>& bins,
    const nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>& shifts,
    const Vector<uint8_t>& whole, const Vector<int32_t>& supervised, double min_rows,
    const Vector<double>& min_gains) {
    const size_t columns = bins.shape(0), cells = totals.shape(0), classes = histogram.shape(1);
    if (starts.shape(0) != columns + 1 || starts.data()[0] != 0 ||
        starts.data()[columns] != static_cast<int64_t>(cells) || histogram.shape(0) != cells ||
        !std::is_sorted(starts.data(), starts.data() + columns + 1) ||
        shifts.shape(0) != columns || whole.shape(0) != columns ||
        supervised.shape(0) != columns || min_gains.shape(0) != columns)
        throw std::invalid_argument("The histograms do not fit the columns.");
    for (size_t j = 0; j < columns; ++j)
        if (bins.data()[j] > static_cast<int64_t>(shifts.shape(1)) + 1 ||
            starts.data()[j + 1] - starts.data()[j] > 0xFFFF)
            throw std::invalid_argument("There are too many bins.");
    auto maps = make_result<uint16_t>({cells});
    auto cards = make_result<int32_t>({columns});
    nb::gil_scoped_release release;
    for (size_t j = 0; j < columns; ++j) {
        const auto start = static_cast<size_t>(starts.data()[j]);
        const size_t fine = static_cast<size_t>(starts.data()[j + 1]) - start;
        if (!fine) continue;
        std::vector<uint8_t> cut(fine + 1, 0);
        if (whole.data()[j]) {
            std::fill(cut.begin() + 1, cut.begin() + static_cast<std::ptrdiff_t>(fine), 1);
        } else {
            const double* rows = totals.data() + start;
            const double all = sum_of(rows, fine);
            const int32_t b = bins.data()[j];
            double before = 0.0;
            int32_t next = 1;
            auto target = [&](int32_t q) {
                return all * (q + shifts.data()[j * shifts.shape(1) + static_cast<size_t>(q) - 1]) /
                       b;
            };
            for (size_t f = 0; f + 1 < fine && next < b; ++f) {
                before += rows[f];
                if (before < target(next)) continue;
                cut[f + 1] = 1;
                while (next < b && before >= target(next)) ++next;
            }
            if (supervised.data()[j] > 0) {
                EntropyCuts entropy(histogram.data() + start * classes, classes);
                for (size_t at : entropy(fine, static_cast<size_t>(supervised.data()[j]),
                                         min_gains.data()[j], min_rows))
                    cut[at] = 1;
            }
        }
        uint16_t bin = 0;
        for (size_t f = 0; f < fine; ++f) maps.data()[start + f] = bin = static_cast<uint16_t>(bin + cut[f]);
        cards.data()[j] = bin + 1;
    }
    return {maps, cards};
}

}  // namespace bayesgrove
