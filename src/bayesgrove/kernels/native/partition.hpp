// Rows grouped by the joint value of columns: split by one column, and look new rows up.
#pragma once

#include "common.hpp"

namespace bayesgrove {

inline void check_groups(const Vector<int32_t>& ids, const Column& column) {
    if (ids.shape(0) != column.rows) throw std::invalid_argument("one group a row is needed");
}

// Group -1 and missing values have no key.
inline int64_t group_key(int32_t id, uint32_t code, int64_t card) {
    return id < 0 || code >= card ? -1 : id * card + code;
}

template <typename Body>
void for_keys(const int32_t* ids, const Column& column, int64_t card, const Body& body) {
    uint32_t x[kBlock];
    for_blocks(column.rows, [&](size_t start, size_t count) {
        column.load(start, count, x);
        for (size_t b = 0; b < count; ++b) body(start + b, group_key(ids[start + b], x[b], card));
    });
}

// The groups split by a column, into `out`; returns the keys of the new groups, which are sorted.
inline std::vector<int64_t> split_into(const int32_t* old, int64_t groups, const Column& column,
                                          int64_t card, int32_t* out) {
    std::vector<int64_t> keys;
    const int64_t product = groups * card;
    if (product <= static_cast<int64_t>(4 * column.rows + 4096)) {
        std::vector<int32_t> label(product, 0);  // key -> new group
        for_keys(old, column, card, [&](size_t, int64_t key) { if (key >= 0) label[key] = 1; });
        for (int64_t key = 0; key < product; ++key)
            if (label[key]) {
                label[key] = static_cast<int32_t>(keys.size());
                keys.push_back(key);
            }
        for_keys(old, column, card,
                 [&](size_t row, int64_t key) { out[row] = key < 0 ? -1 : label[key]; });
    } else {
        for_keys(old, column, card, [&](size_t, int64_t key) { if (key >= 0) keys.push_back(key); });
        std::sort(keys.begin(), keys.end());
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
        for_keys(old, column, card, [&](size_t row, int64_t key) {
            out[row] = key < 0 ? -1
                               : static_cast<int32_t>(std::lower_bound(keys.begin(), keys.end(), key) -
                                                      keys.begin());
        });
    }
    return keys;
}

inline std::pair<Result<int32_t>, Result<int64_t>> split_groups(const Vector<int32_t>& ids,
                                                          int64_t groups, const Array& array,
                                                          int64_t card) {
    Column column = as_column(array);
    check_groups(ids, column);
    auto result = make_result<int32_t>({column.rows});
    std::vector<int64_t> keys;
    {
        nb::gil_scoped_release release;
        keys = split_into(ids.data(), groups, column, card, result.data());
    }
    auto found = make_result<int64_t>({keys.size()});
    std::copy(keys.begin(), keys.end(), found.data());
    return {result, found};
}

inline Result<int32_t> lookup(const Vector<int32_t>& ids, const Vector<int64_t>& keys,
                              const Array& array, int64_t card) {
    Column column = as_column(array);
    check_groups(ids, column);
    const int32_t* old = ids.data();
    const int64_t* first = keys.data();
    const int64_t* last = first + keys.shape(0);
    auto result = make_result<int32_t>({column.rows});
    int32_t* out = result.data();
    nb::gil_scoped_release release;
    for_keys(old, column, card, [&](size_t row, int64_t key) {
        const int64_t* at = key < 0 ? last : std::lower_bound(first, last, key);
        out[row] = at != last && *at == key ? static_cast<int32_t>(at - first) : -1;
    });
    return result;
}

}  // namespace bayesgrove
