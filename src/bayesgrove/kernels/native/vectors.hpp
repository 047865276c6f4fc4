// Numbers side by side: the compiler has instructions for them, or takes several.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)
#define BAYESGROVE_X86 1
#include <immintrin.h>
#endif

// Inlined into functions for any instruction set.
#define BAYESGROVE_INLINE inline __attribute__((always_inline))

namespace bayesgrove {

// Numbers; whole numbers as wide, or all bits or none for each of them; narrower ones; bytes. GCC
// takes scalars for vectors that are wider than those of the machine, so there are two sizes.
struct Vectors16 {
    typedef double Numbers __attribute__((vector_size(16)));
    typedef int64_t Masks __attribute__((vector_size(16)));
    typedef int32_t Narrow __attribute__((vector_size(8)));
    typedef float Floats __attribute__((vector_size(8)));
    typedef uint8_t Bytes __attribute__((vector_size(16)));
    static constexpr size_t kLanes = 2;
};
struct Vectors32 {
    typedef double Numbers __attribute__((vector_size(32)));
    typedef int64_t Masks __attribute__((vector_size(32)));
    typedef int32_t Narrow __attribute__((vector_size(16)));
    typedef float Floats __attribute__((vector_size(16)));
    typedef uint8_t Bytes __attribute__((vector_size(32)));
    static constexpr size_t kLanes = 4;
};

// The lower halves of whole numbers.
template <typename V>
BAYESGROVE_INLINE void store_narrow(const typename V::Masks& from, uint32_t* to) {
    const auto lanes = __builtin_convertvector(from, typename V::Narrow);
    __builtin_memcpy(to, &lanes, sizeof lanes);
}

template <typename V>
BAYESGROVE_INLINE int64_t sum_of_lanes(const typename V::Masks& sums) {
    int64_t sum = 0;
    for (size_t k = 0; k < V::kLanes; ++k) sum += sums[k];
    return sum;
}

inline bool has_avx2() {
#ifdef BAYESGROVE_X86
    static const bool has = __builtin_cpu_supports("avx2");
    return has;
#else
    return false;
#endif
}

}  // namespace bayesgrove
