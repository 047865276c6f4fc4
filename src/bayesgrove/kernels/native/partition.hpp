// Groups of rows by the joint value of columns: split groups by a column, and look up new rows.
#pragma once

#include "common.hpp"

namespace bayesgrove {

inline void check_groups(const Vector<int32_t>& ids, const Column& column) {
    if (ids.shape(0) != column.rows)
        throw std::invalid_argument("The groups and the column differ in length.");
}

// Returns the key of a group and a code, or -1 for group -1 and for missing values.
inline int64_t group_key(int32_t id, uint32_t code, int64_t card) {
    return id < 0 || code >= card ? -1 : id * card + code;
}

// Calls body(row, key) for all rows.
template <typename Body>
void for_keys(const int32_t* ids, const Column& column, int64_t card, const Body& body) {
    uint32_t x[kBlock];
    for_blocks(column.rows, [&](size_t start, size_t count) {
        column.load(start, count, x);
        for (size_t b = 0; b < count; ++b) body(start + b, group_key(ids[start + b], x[b], card));
    });
}

// Splits groups by a column and writes the new groups to `out`. Returns the sorted keys of the new
// groups.
inline std::vector<int64_t> split_into(const int32_t* old, int64_t groups, const Column& column,
                                          int64_t card, int32_t* out) {
    std::vector<int64_t> keys;
    const int64_t product = groups * card;
    if (product <= static_cast<int64_t>(4 * column.rows + 4096)) {
        std::vector<int32_t> group_of(product, 0);  // new group of every key
        for_keys(old, column, card, [&](size_t, int64_t key) { if (key >= 0) group_of[key] = 1; });
        for (int64_t key = 0; key < product; ++key)
            if (group_of[key]) {
                group_of[key] = static_cast<int32_t>(keys.size());
                keys.push_back(key);
            }
        for_keys(old, column, card,
                 [&](size_t row, int64_t key) { out[row] = key < 0 ? -1 : group_of[key]; });
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
    auto new_keys = make_result<int64_t>({keys.size()});
    std::copy(keys.begin(), keys.end(), new_keys.data());
    return {result, new_keys};
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
