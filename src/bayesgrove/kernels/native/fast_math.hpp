// Logarithms and exponentials of single precision without branches: compilers turn loops of them
// into vector instructions, and the results are the same on every machine.
#pragma once

#include "common.hpp"
#include "vectors.hpp"

namespace bayesgrove {

inline uint32_t bits_of(float x) {
    uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

inline float float_of(uint32_t bits) {
    float x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

// Returns ln x of a positive normal number; the relative error is about 1e-7.
inline float fast_log(float x) {
    // x = m 2^e with m between sqrt(1/2) and sqrt(2); ln m by a polynomial of m - 1.
    const uint32_t bits = bits_of(x);
    const int32_t e = static_cast<int32_t>(bits - 0x3F3504F3u) >> 23;
    const float f = float_of(bits - (static_cast<uint32_t>(e) << 23)) - 1.0f, z = f * f;
    float p = 7.0376836292e-2f;
    p = p * f - 1.1514610310e-1f;
    p = p * f + 1.1676998740e-1f;
    p = p * f - 1.2420140846e-1f;
    p = p * f + 1.4249322787e-1f;
    p = p * f - 1.6668057665e-1f;
    p = p * f + 2.0000714765e-1f;
    p = p * f - 2.4999993993e-1f;
    p = p * f + 3.3333331174e-1f;
    const auto power = static_cast<float>(e);
    const float rest = f * z * p - 2.12194440e-4f * power - 0.5f * z;
    return (f + rest) + 0.693359375f * power;
}

// Returns ln x of a positive normal number; the error is about one unit of the last place. As in
// FDLIBM, with f = x - 1 and s = f / (2 + f), ln x is f minus a polynomial of s.
inline double fast_log(double x) {
    uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    constexpr uint64_t kRootHalf = 0x3FE6A09E667F3BCDull;  // sqrt(1/2)
    // x = m 2^e with m between sqrt(1/2) and sqrt(2). Exponents become numbers by their bits.
    const uint64_t shifted = bits - kRootHalf + (uint64_t{1} << 62);
    const uint64_t power = shifted >> 52;
    const uint64_t of_m = bits - ((power - 1024) << 52);
    const uint64_t of_power = power | 0x4330000000000000ull;
    double m, e;
    std::memcpy(&m, &of_m, sizeof m);
    std::memcpy(&e, &of_power, sizeof e);
    e -= 4503599627370496.0 + 1024.0;
    const double f = m - 1.0, s = f / (2.0 + f), z = s * s, w = z * z;
    const double odd =
        w * (3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1));
    const double even =
        z * (6.666666666666735130e-1 +
             w * (2.857142874366239149e-1 +
                  w * (1.818357216161805012e-1 + w * 1.479819860511658591e-1)));
    const double half = 0.5 * f * f;
    return e * 6.93147180369123816490e-1 -
           ((half - (s * (half + (odd + even)) + e * 1.90821492927058770002e-10)) - f);
}

// Replaces positive numbers by their logarithms.
BAYESGROVE_VERSIONS inline void fast_logs(double* numbers, size_t count) {
    for (size_t j = 0; j < count; ++j) numbers[j] = fast_log(numbers[j]);
}

// Returns e^x of a number of at most 0; below -87 it is e^-87.
inline float fast_exp(float x) {
    // x = k ln 2 + r with |r| <= ln(2) / 2; e^r by a polynomial.
    constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it rounds to a whole number
    x = x < -87.0f ? -87.0f : x;
    const float shifted = x * 1.44269504f + kRound;
    const float k = shifted - kRound;
    const float r = (x - k * 0.693359375f) + k * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    const float power = float_of((bits_of(shifted) - bits_of(kRound) + 127u) << 23);
    return (p * r * r + r + 1.0f) * power;
}

// Returns e^x of a number of at most 0; below -708 it is e^-708. The error is about one unit of the
// last place. As in Cephes: x = k ln 2 + r with |r| <= ln(2) / 2, and e^r by a ratio of polynomials.
inline double fast_exp(double x) {
    constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to a whole number
    x = x < -708.0 ? -708.0 : x;
    const double shifted = x * 1.4426950408889634074 + kRound;
    const double k = shifted - kRound;
    const double r = (x - k * 6.93145751953125e-1) - k * 1.42860682030941723212e-6, z = r * r;
    const double p =
        r * ((1.26177193074810590878e-4 * z + 3.02994407707441961300e-2) * z + 1.0);
    const double q = ((3.00198505138664455042e-6 * z + 2.52448340349684104192e-3) * z +
                      2.27265548208155028766e-1) * z + 2.0;
    uint64_t bits, zero;
    std::memcpy(&bits, &shifted, sizeof bits);
    std::memcpy(&zero, &kRound, sizeof zero);
    bits = (bits - zero + 1023u) << 52;
    double power;
    std::memcpy(&power, &bits, sizeof power);
    return (1.0 + 2.0 * (p / (q - p))) * power;
}

// Replaces numbers of at most 0 by their exponentials.
BAYESGROVE_VERSIONS inline void fast_exps(double* numbers, size_t count) {
    for (size_t j = 0; j < count; ++j) numbers[j] = fast_exp(numbers[j]);
}

// Replaces log-odds of class 1 by P(1) minus its indicator; sets the losses -ln P(own class).
BAYESGROVE_VERSIONS inline void logistic_residuals(size_t rows, const float* own,
                                                   float* __restrict scores,
                                                   float* __restrict losses) {
    for (size_t r = 0; r < rows; ++r) {
        const float x = scores[r], small = fast_exp(-std::abs(x));
        losses[r] = fast_log(1.0f + small) + 0.5f * (x + std::abs(x)) - own[r] * x;
        scores[r] = (x >= 0.0f ? 1.0f : small) / (1.0f + small) - own[r];
    }
}

// Replaces numbers of at most 0 by their exponentials.
BAYESGROVE_VERSIONS inline void fast_exps(float* numbers, size_t count) {
    for (size_t j = 0; j < count; ++j) numbers[j] = fast_exp(numbers[j]);
}

// Replaces scores, [rows, stride], by probabilities minus the indicator of the class `own`; sets the
// losses -ln P(own class). Numbers beyond the classes become 0.
inline void softmax_residuals(size_t rows, size_t classes, size_t stride, const uint32_t* own,
                              float* __restrict scores, float* __restrict losses) {
    for (size_t r = 0; r < rows; ++r) {
        float* row = scores + r * stride;
        float top = row[0];
        for (size_t c = 1; c < classes; ++c) top = row[c] > top ? row[c] : top;
        for (size_t c = 0; c < classes; ++c) row[c] -= top;
        losses[r] = row[own[r]];
    }
    fast_exps(scores, rows * stride);
    for (size_t r = 0; r < rows; ++r) {
        float* row = scores + r * stride;
        float sum = row[0];
        for (size_t c = 1; c < classes; ++c) sum += row[c];
        const float factor = 1.0f / sum;
        for (size_t c = 0; c < classes; ++c) row[c] *= factor;
        for (size_t c = classes; c < stride; ++c) row[c] = 0.0f;
        row[own[r]] -= 1.0f;
        losses[r] = fast_log(sum) - losses[r];
    }
}

// Replaces scores, [classes, rows], by probabilities minus the indicator of the class `own`; sets the
// losses -ln P(own class). There are at most 256 rows.
BAYESGROVE_VERSIONS inline void softmax_residuals(size_t rows, size_t classes, const uint32_t* own,
                                                  float* __restrict scores,
                                                  float* __restrict losses) {
    float tops[256], sums[256];
    std::copy_n(scores, rows, tops);
    for (size_t c = 1; c < classes; ++c) {
        const float* row = scores + c * rows;
        for (size_t r = 0; r < rows; ++r) tops[r] = row[r] > tops[r] ? row[r] : tops[r];
    }
    std::fill(sums, sums + rows, 0.0f);
    for (size_t r = 0; r < rows; ++r) losses[r] = scores[own[r] * rows + r] - tops[r];
    for (size_t c = 0; c < classes; ++c) {
        float* row = scores + c * rows;
        for (size_t r = 0; r < rows; ++r) {
            row[r] = fast_exp(row[r] - tops[r]);
            sums[r] += row[r];
        }
    }
    for (size_t r = 0; r < rows; ++r) {
        losses[r] = fast_log(sums[r]) - losses[r];
        sums[r] = 1.0f / sums[r];
    }
    for (size_t c = 0; c < classes; ++c)
        for (size_t r = 0; r < rows; ++r) scores[c * rows + r] *= sums[r];
    for (size_t r = 0; r < rows; ++r) scores[own[r] * rows + r] -= 1.0f;
}

// Returns the sum in double precision, of four interleaved parts.
inline double sum_in_lanes(const float* values, size_t count) {
    double parts[4] = {0, 0, 0, 0};
    size_t j = 0;
    for (; j + 4 <= count; j += 4)
        for (size_t p = 0; p < 4; ++p) parts[p] += static_cast<double>(values[j + p]);
    for (; j < count; ++j) parts[0] += static_cast<double>(values[j]);
    return (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

}  // namespace bayesgrove
