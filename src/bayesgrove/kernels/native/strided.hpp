// Columns of numbers of any type, contiguous or not.
#pragma once

#include "common.hpp"

namespace bayesgrove {

template <typename T>
struct Strided {
    const T* data;
    int64_t stride;
    size_t rows;

    // Returns rows [start, start + count) contiguously: in place, or copied into `buffer`.
    const T* block(size_t start, size_t count, T* buffer) const {
        const T* from = data + static_cast<int64_t>(start) * stride;
        if (stride == 1) return from;
        for (size_t b = 0; b < count; ++b) buffer[b] = from[static_cast<int64_t>(b) * stride];
        return buffer;
    }
};

// Calls body(zero of the element type) for integers; returns false for any other type.
template <typename Body>
bool with_integer_type(const nb::dlpack::dtype& dtype, const Body& body) {
    if (dtype == nb::dtype<int64_t>()) body(int64_t{});
    else if (dtype == nb::dtype<int32_t>()) body(int32_t{});
    else if (dtype == nb::dtype<int16_t>()) body(int16_t{});
    else if (dtype == nb::dtype<int8_t>()) body(int8_t{});
    else if (dtype == nb::dtype<uint64_t>()) body(uint64_t{});
    else if (dtype == nb::dtype<uint32_t>()) body(uint32_t{});
    else if (dtype == nb::dtype<uint16_t>()) body(uint16_t{});
    else if (dtype == nb::dtype<uint8_t>()) body(uint8_t{});
    else return false;
    return true;
}

template <typename T>
Strided<T> as_strided(const Array& a) {
    return {static_cast<const T*>(a.data()), a.stride(0), a.shape(0)};
}

// Calls body(Strided<T>) with the element type of a vector of integers.
template <typename Body>
void with_integers(const Array& a, const Body& body) {
    if (a.ndim() != 1) throw std::invalid_argument("The array must have one dimension.");
    if (!with_integer_type(a.dtype(), [&](auto zero) { body(as_strided<decltype(zero)>(a)); }))
        throw std::invalid_argument("The array must have integers of 8 to 64 bits.");
}

}  // namespace bayesgrove
