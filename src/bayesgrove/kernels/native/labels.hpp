// Indices of labels: which labels occur, and translation into another numbering.
#pragma once

#include <type_traits>

#include "strided.hpp"

namespace bayesgrove {

// Returns an index as an unsigned number: a negative index becomes larger than any label.
template <typename T>
auto unsigned_index(T index) {
    using Wide = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    return static_cast<Wide>(index);
}

// Calls body(indices, start, count) for blocks of rows until it returns false.
template <typename T, typename Body>
void for_index_blocks(const Strided<T>& indices, const Body& body) {
    T buffer[kBlock];
    bool more = true;
    for (size_t start = 0; more && start < indices.rows; start += kBlock) {
        const size_t count = std::min(kBlock, indices.rows - start);
        more = body(indices.block(start, count, buffer), start, count);
    }
}

// Marks the labels that occur. Stops when all labels and a missing value have occurred.
template <typename T>
void mark_labels(const Strided<T>& indices, size_t size, uint8_t* used) {
    const auto last = static_cast<decltype(unsigned_index(T{}))>(size);
    size_t unseen = 0;  // the first label that has not occurred yet
    for_index_blocks(indices, [&](const T* block, size_t, size_t count) {
        if (unseen < size) {
            for (size_t b = 0; b < count; ++b) used[std::min(unsigned_index(block[b]), last)] = 1;
        } else {  // all labels have occurred: look for a missing value only
            auto largest = unsigned_index(block[0]);
            for (size_t b = 1; b < count; ++b)
                largest = std::max(largest, unsigned_index(block[b]));
            used[size] |= largest >= last;
        }
        while (unseen < size && used[unseen]) ++unseen;
        return unseen < size || !used[size];
    });
}

// Returns 1 for every label that occurs. The last entry is 1 if an index is missing.
inline Result<uint8_t> used_labels(const Array& indices, int64_t size) {
    if (size < 0 || size >= UINT32_MAX)
        throw std::invalid_argument("There must be 0 to 2^32 - 2 labels.");
    auto result = make_result<uint8_t>({static_cast<size_t>(size) + 1});
    uint8_t* used = result.data();
    nb::gil_scoped_release release;
    with_integers(indices, [&](auto strided) {
        mark_labels(strided, static_cast<size_t>(size), used);
    });
    return result;
}

template <typename T, typename Cell>
void translate_all(const Strided<T>& indices, const Cell* table, size_t entries, Cell* out) {
    const auto last = static_cast<decltype(unsigned_index(T{}))>(entries - 1);
    // Captured by value: the compiler must assume that written bytes may change variables captured
    // by reference.
    for_index_blocks(indices, [=](const T* block, size_t start, size_t count) {
        Cell* __restrict to = out + start;
        for (size_t b = 0; b < count; ++b) to[b] = table[std::min(unsigned_index(block[b]), last)];
        return true;
    });
}

// Sets out[i] = table[indices[i]], or the last entry of the table if an index is missing.
inline void translate(const Array& indices, const Array& table,
                      const nb::ndarray<nb::ndim<1>, nb::c_contig, nb::device::cpu>& out) {
    if (table.ndim() != 1 || table.shape(0) == 0 || table.shape(0) > UINT32_MAX ||
        (table.shape(0) > 1 && table.stride(0) != 1))
        throw std::invalid_argument(
            "The table must be contiguous and have an entry for missing values.");
    if (table.dtype() != out.dtype())
        throw std::invalid_argument("The table and the output differ in type.");
    if (indices.ndim() != 1 || indices.shape(0) != out.shape(0))
        throw std::invalid_argument("The output must have one place per index.");
    nb::gil_scoped_release release;
    with_integers(indices, [&](auto strided) {
        auto call = [&](auto zero) {
            using Cell = decltype(zero);
            translate_all(strided, static_cast<const Cell*>(table.data()), table.shape(0),
                          static_cast<Cell*>(out.data()));
        };
        if (table.dtype() == nb::dtype<uint8_t>()) call(uint8_t{});
        else if (table.dtype() == nb::dtype<uint16_t>()) call(uint16_t{});
        else if (table.dtype() == nb::dtype<uint32_t>()) call(uint32_t{});
        else throw std::invalid_argument("Codes must be uint8, uint16 or uint32.");
    });
}

}  // namespace bayesgrove
