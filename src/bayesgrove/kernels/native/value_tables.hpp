// Weights of one numeric column by distinct value and class: by one sort, or by a table of all
// whole numbers in the range if the values are whole numbers in a small range.
#pragma once

#include "strided.hpp"

namespace bayesgrove {

// Calls body(Strided<T>) with the element type of a vector of numbers.
template <typename Body>
void with_numbers(const Array& a, const Body& body) {
    if (a.ndim() != 1) throw std::invalid_argument("The array must have one dimension.");
    if (a.dtype() == nb::dtype<double>()) return body(as_strided<double>(a));
    if (a.dtype() == nb::dtype<float>()) return body(as_strided<float>(a));
    if (!with_integer_type(a.dtype(), [&](auto zero) { body(as_strided<decltype(zero)>(a)); }))
        throw std::invalid_argument("Numbers must be float32, float64 or integers up to 64 bits.");
}

// A column as doubles, and facts about it from one pass over the rows.
struct NumberColumn {
    std::vector<double> values;  // without negative zeros
    double low = std::numeric_limits<double>::infinity(), high = -low;
    bool whole = true;  // whether all values but NaN are whole; valid for values below 2^51
    int64_t missing = 0;

    template <typename T>
    explicit NumberColumn(const Strided<T>& column) : values(column.rows) {
        T buffer[kBlock];
        for_blocks(column.rows, [&](size_t start, size_t count) {
            const T* from = column.block(start, count, buffer);
            double* to = values.data() + start;
            for (size_t b = 0; b < count; ++b) to[b] = static_cast<double>(from[b]) + 0.0;
            look_at(to, count);
        });
    }

    int64_t infinite() const {
        if (std::isfinite(low) && std::isfinite(high)) return 0;
        return std::count_if(values.begin(), values.end(), [](double v) { return std::isinf(v); });
    }

    // Returns the number of whole numbers from the lowest to the highest value. Returns 0 if the
    // values are not all whole or too large.
    double span() const {
        const double limit = 0x1p50;
        return whole && low >= -limit && high <= limit && low <= high ? high - low + 1.0 : 0.0;
    }

private:
    void look_at(const double* block, size_t count) {
        constexpr size_t lanes = 8;  // independent lanes, so that the compiler uses vectors
        constexpr double shift = 0x1.8p52;  // adding this rounds to a whole number
        double lows[lanes], highs[lanes];
        int64_t nans[lanes] = {}, fractions[lanes] = {};
        std::fill_n(lows, lanes, low);
        std::fill_n(highs, lanes, high);
        auto look = [&](double v, size_t k) {
            lows[k] = v < lows[k] ? v : lows[k];
            highs[k] = v > highs[k] ? v : highs[k];
            nans[k] += v != v;
            fractions[k] += (v + shift) - shift != v;
        };
        size_t b = 0;
        for (; b + lanes <= count; b += lanes)
            for (size_t k = 0; k < lanes; ++k) look(block[b + k], k);
        for (; b < count; ++b) look(block[b], 0);
        for (size_t k = 0; k < lanes; ++k) {
            low = std::min(low, lows[k]);
            high = std::max(high, highs[k]);
            missing += nans[k];
            whole = whole && fractions[k] == nans[k];
        }
    }
};

struct ValueTable {
    std::vector<double> distinct, table;
};

// Removes values without weight.
inline void drop_empty(ValueTable& out, size_t classes) {
    size_t kept = 0;
    for (size_t v = 0; v < out.distinct.size(); ++v) {
        const double* row = &out.table[v * classes];
        if (std::all_of(row, row + classes, [](double w) { return w == 0.0; })) continue;
        if (kept != v) {
            out.distinct[kept] = out.distinct[v];
            std::copy_n(row, classes, &out.table[kept * classes]);
        }
        ++kept;
    }
    out.distinct.resize(kept);
    out.table.resize(kept * classes);
}

// Counts in a table with a cell for every whole number from the lowest to the highest value.
inline ValueTable count_whole(const NumberColumn& column, const Column& target, size_t classes,
                              const double* weights) {
    const auto span = static_cast<size_t>(column.span());
    const auto unused = static_cast<uint32_t>(span * classes);
    const auto width = static_cast<uint32_t>(classes);
    const double low = column.low;
    Histogram cells(unused + 1, weights);  // the last cell is for rows that are left out
    uint32_t y[kBlock], index[kBlock];
    for_blocks(target.rows, [&](size_t start, size_t count) {
        target.load(start, count, y);
        const double* values = column.values.data() + start;
        for (size_t b = 0; b < count; ++b) {
            const double place = values[b] == values[b] ? values[b] - low : -1.0;
            const auto at = static_cast<int32_t>(place);
            index[b] = at >= 0 && y[b] < width ? static_cast<uint32_t>(at) * width + y[b] : unused;
        }
        cells.add(index, start, count);
    });
    ValueTable out;
    for (size_t v = 0; v < span; ++v) {
        const size_t first = out.table.size();
        bool empty = true;
        for (size_t c = 0; c < classes; ++c) {
            out.table.push_back(cells[v * classes + c]);
            empty = empty && out.table.back() == 0.0;
        }
        if (empty) out.table.resize(first);
        else out.distinct.push_back(low + static_cast<double>(v));
    }
    return out;
}

// A value as an integer with the same order, and a row or a class.
struct Keyed {
    uint64_t key;
    uint32_t entry;
};

constexpr uint64_t kSign = uint64_t{1} << 63;

inline uint64_t ordered_key(double value) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits & kSign ? ~bits : bits | kSign;
}

inline double value_of_key(uint64_t key) {
    const uint64_t bits = key & kSign ? key ^ kSign : ~key;
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// Sorts by key, one byte at a time, lowest byte first. The sort is stable. Bytes that are the same
// in all keys are skipped.
inline void radix_sort(std::vector<Keyed>& items) {
    constexpr size_t digits = 8, values = 256;
    std::vector<size_t> counts(digits * values, 0);
    for (const Keyed& item : items)
        for (size_t d = 0; d < digits; ++d) ++counts[d * values + ((item.key >> (8 * d)) & 255)];
    std::vector<Keyed> other;
    for (size_t d = 0; d < digits && !items.empty(); ++d) {
        size_t* next = &counts[d * values];
        if (next[(items.front().key >> (8 * d)) & 255] == items.size()) continue;
        for (size_t v = 0, sum = 0; v < values; ++v) sum += std::exchange(next[v], sum);
        other.resize(items.size());
        for (const Keyed& item : items) other[next[(item.key >> (8 * d)) & 255]++] = item;
        items.swap(other);
    }
}

// Counts after one sort. Weights are added in the order of the rows.
inline ValueTable count_sorted(const NumberColumn& column, const Column& target, size_t classes,
                               const double* weights) {
    std::vector<uint32_t> y(target.rows);
    target.load(0, target.rows, y.data());
    std::vector<Keyed> items;
    items.reserve(target.rows);
    for (size_t r = 0; r < target.rows; ++r)
        if (column.values[r] == column.values[r] && y[r] < classes)
            items.push_back({ordered_key(column.values[r]), weights ? static_cast<uint32_t>(r) : y[r]});
    radix_sort(items);
    size_t distinct = items.empty() ? 0 : 1;
    for (size_t i = 1; i < items.size(); ++i) distinct += items[i].key != items[i - 1].key;
    ValueTable out;
    out.distinct.reserve(distinct);
    out.table.resize(distinct * classes);
    for (size_t i = 0; i < items.size(); ++i) {
        if (i == 0 || items[i].key != items[i - 1].key)
            out.distinct.push_back(value_of_key(items[i].key));
        double* row = &out.table[(out.distinct.size() - 1) * classes];
        if (weights) row[y[items[i].entry]] += weights[items[i].entry];
        else row[items[i].entry] += 1.0;
    }
    if (weights) drop_empty(out, classes);
    return out;
}

// Returns the distinct values, their weights by class, and the numbers of missing and infinite
// values.
inline nb::tuple value_table(const Array& values, const Array& classes_of_rows, int64_t n_classes,
                             const Weights& weights) {
    const Column target = as_column(classes_of_rows);
    const double* w = weight_data(weights, target.rows);
    if (values.ndim() != 1 || values.shape(0) != target.rows)
        throw std::invalid_argument("There must be one class per value.");
    if (n_classes < 0 || target.rows >= UINT32_MAX)
        throw std::invalid_argument("At most 2^32 - 2 rows can be counted.");
    const auto classes = static_cast<size_t>(n_classes);
    ValueTable out;
    int64_t missing = 0, infinite = 0;
    {
        nb::gil_scoped_release release;
        with_numbers(values, [&](auto strided) {
            const NumberColumn column(strided);
            missing = column.missing;
            infinite = column.infinite();
            const double cells = column.span() * static_cast<double>(classes);
            const bool few = cells > 0.0 && cells <= 4.0 * static_cast<double>(target.rows) + 4096.0;
            out = few && cells < 0x1p31 ? count_whole(column, target, classes, w)
                                        : count_sorted(column, target, classes, w);
        });
    }
    const size_t distinct = out.distinct.size();
    return nb::make_tuple(hand_over(std::move(out.distinct), {distinct}),
                          hand_over(std::move(out.table), {distinct, classes}), missing, infinite);
}

}  // namespace bayesgrove
