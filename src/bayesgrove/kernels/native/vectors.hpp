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

// Four numbers; whole numbers as wide, or all bits or none for each of them; narrow whole numbers.
typedef double Numbers __attribute__((vector_size(32)));
typedef int64_t Masks __attribute__((vector_size(32)));
typedef int32_t Narrow __attribute__((vector_size(16)));
constexpr size_t kLanes = 4;

// The lower halves of whole numbers.
BAYESGROVE_INLINE void store_narrow(const Masks& from, uint32_t* to) {
    const Narrow lanes = __builtin_convertvector(from, Narrow);
    __builtin_memcpy(to, &lanes, sizeof lanes);
}

#ifdef BAYESGROVE_X86
inline bool has_avx2() {
    static const bool has = __builtin_cpu_supports("avx2");
    return has;
}
#endif

}  // namespace bayesgrove
