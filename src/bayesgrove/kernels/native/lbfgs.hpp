// L-BFGS: minimisation of a smooth convex function of many numbers.
#pragma once

#include "common.hpp"

namespace bayesgrove {

constexpr int kHalvings = 12;  // steps of one line search at most

struct Minimum {
    double value = 0.0;
    int evaluations = 0;
    bool converged = false;  // the last step gained nearly nothing, or none was found
};

template <typename Real>
double dot(const std::vector<Real>& a, const std::vector<Real>& b) {
    double sum = 0.0;
    for (size_t start = 0; start < a.size(); start += 4096) {
        const size_t end = std::min(a.size(), start + 4096);
        Real parts[4] = {0, 0, 0, 0};
        size_t j = start;
        for (; j + 4 <= end; j += 4)
            for (size_t p = 0; p < 4; ++p) parts[p] += a[j + p] * b[j + p];
        for (; j < end; ++j) parts[0] += a[j] * b[j];
        sum += static_cast<double>(parts[0] + parts[1]) + static_cast<double>(parts[2] + parts[3]);
    }
    return sum;
}

// Minimises `function(x, gradient) -> value` from `x`, which becomes the minimum. The first step has
// the length of the gradient times `first_step`.
template <typename Real, typename Function>
Minimum minimise(std::vector<Real>& x, int iterations, size_t memory, double first_step,
                 double tolerance, Function&& function) {
    const size_t size = x.size();
    std::vector<Real> gradient(size), new_gradient(size), new_x(size), direction(size);
    std::vector<std::vector<Real>> steps, changes;
    std::vector<double> curvatures;
    Minimum result;
    result.value = function(x, gradient);
    result.evaluations = 1;
    for (int it = 0; it < iterations; ++it) {
        direction = gradient;
        std::vector<double> shares(steps.size());
        for (size_t h = steps.size(); h-- > 0;) {
            shares[h] = dot(steps[h], direction) / curvatures[h];
            const Real share = static_cast<Real>(shares[h]);
            for (size_t j = 0; j < size; ++j) direction[j] -= share * changes[h][j];
        }
        double scale = first_step;
        if (!steps.empty())
            scale = curvatures.back() / dot(changes.back(), changes.back());
        else if (first_step <= 0)
            scale = std::min(1.0, 1.0 / (std::sqrt(dot(gradient, gradient)) + 1e-12));
        for (Real& d : direction) d *= static_cast<Real>(scale);
        for (size_t h = 0; h < steps.size(); ++h) {
            const Real share =
                static_cast<Real>(shares[h] - dot(changes[h], direction) / curvatures[h]);
            for (size_t j = 0; j < size; ++j) direction[j] += share * steps[h][j];
        }
        const double slope = -dot(gradient, direction);
        if (!(slope < -1e-12)) {
            result.converged = std::isfinite(slope);
            return result;
        }
        double length = 1.0, value = 0.0;
        bool lower = false;
        for (int h = 0; h < kHalvings && !lower; ++h, length *= 0.4) {
            for (size_t j = 0; j < size; ++j)
                new_x[j] = x[j] - static_cast<Real>(length) * direction[j];
            value = function(new_x, new_gradient);
            ++result.evaluations;
            lower = value <= result.value + 1e-4 * length * slope;
        }
        if (!lower) {  // Rounding errors hide what a step would gain.
            result.converged = std::isfinite(value);
            return result;
        }
        std::vector<Real> step(size), change(size);
        for (size_t j = 0; j < size; ++j) {
            step[j] = new_x[j] - x[j];
            change[j] = new_gradient[j] - gradient[j];
        }
        const double curvature = dot(step, change), gain = result.value - value;
        x.swap(new_x);
        gradient.swap(new_gradient);
        result.value = value;
        if (curvature > 1e-12) {
            if (steps.size() == memory) {
                steps.erase(steps.begin());
                changes.erase(changes.begin());
                curvatures.erase(curvatures.begin());
            }
            steps.push_back(std::move(step));
            changes.push_back(std::move(change));
            curvatures.push_back(curvature);
        }
        if (gain < tolerance * (std::abs(value) + 1e-3)) {
            result.converged = true;
            return result;
        }
    }
    return result;
}

}  // namespace bayesgrove
