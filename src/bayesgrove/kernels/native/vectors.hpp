// Vectors of numbers: the compiler has instructions for a whole vector, or uses several.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)
#define BAYESGROVE_X86 1
#include <immintrin.h>
#endif

// Such a function is inlined into callers that are compiled for different instruction sets.
#define BAYESGROVE_INLINE inline __attribute__((always_inline))

// The compiler makes two versions of such a function, and the loader takes the one for the machine.
// Both have the same results: no operation depends on the number of lanes.
#if defined(BAYESGROVE_X86) && defined(__GLIBC__) && !defined(__clang__)
#define BAYESGROVE_VERSIONS __attribute__((target_clones("avx2", "default")))
#else
#define BAYESGROVE_VERSIONS
#endif

namespace bayesgrove {

// Numbers: doubles. Masks: 64-bit integers, also results of comparisons (all bits set or none).
// Narrow: 32-bit integers. Bytes: unsigned bytes. GCC replaces vectors that are wider than those of
// the machine by scalars, so there are two sizes.
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

// Stores the lower halves of 64-bit integers.
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
