// Products of many probabilities that stay in the range of floats. The value of a product is
// number x 2^(-512 steps).
#pragma once

#include "common.hpp"

namespace bayesgrove {

constexpr double kStep = 0x1p-512;  // smaller products are multiplied by 2^512
constexpr double kStepUp = 0x1p512;
constexpr double kStepLog = 512.0 * 0.6931471805599453;

inline void multiply(double& number, int32_t& steps, double factor) {
    number *= factor;
    if (number < kStep && number > 0.0) {
        number *= kStepUp;
        ++steps;
    }
}

// Returns a product in units of 2^(-512 fewest), where no other product has fewer steps.
inline double in_steps(double number, int32_t steps, int32_t fewest) {
    if (steps == fewest) return number;
    return steps == fewest + 1 ? number * kStep : 0.0;
}

}  // namespace bayesgrove
