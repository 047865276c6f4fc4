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

// Adds `factor` times `add` to `to`, and returns the sum of the products of `to` and `with`. The sum
// is one of vectors of partial sums; parts of long vectors are summed in double precision.
template <typename Real>
double add_and_dot(std::vector<Real>& to, Real factor, const std::vector<Real>& add,
                   const std::vector<Real>& with) {
    typedef Real Lanes __attribute__((vector_size(16)));
    constexpr size_t kLanes = sizeof(Lanes) / sizeof(Real), kParts = 4, kStep = kLanes * kParts;
    const size_t size = to.size();
    double sum = 0.0;
    for (size_t start = 0; start < size; start += 4096) {
        const size_t end = std::min(size, start + 4096);
        Lanes parts[kParts] = {};
        size_t j = start;
        for (; j + kStep <= end; j += kStep)
            for (size_t p = 0; p < kParts; ++p) {
                Lanes a, b, c;
                std::memcpy(&a, &to[j + p * kLanes], sizeof a);
                std::memcpy(&b, &add[j + p * kLanes], sizeof b);
                std::memcpy(&c, &with[j + p * kLanes], sizeof c);
                a += factor * b;
                std::memcpy(&to[j + p * kLanes], &a, sizeof a);
                parts[p] += a * c;
            }
        for (; j < end; ++j) {
            to[j] += factor * add[j];
            parts[0][0] += to[j] * with[j];
        }
        for (const Lanes& part : parts)
            for (size_t k = 0; k < kLanes; ++k) sum += static_cast<double>(part[k]);
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
    std::vector<double> curvatures, squares;
    Minimum result;
    result.value = function(x, gradient);
    result.evaluations = 1;
    for (int it = 0; it < iterations; ++it) {
        direction = gradient;
        const size_t kept = steps.size();
        std::vector<double> shares(kept);
        double product = add_and_dot(direction, Real{0}, gradient, kept ? steps[kept - 1] : gradient);
        for (size_t h = kept; h-- > 0;) {
            shares[h] = product / curvatures[h];
            product = add_and_dot(direction, static_cast<Real>(-shares[h]), changes[h],
                                  steps[h ? h - 1 : 0]);
        }
        double scale = first_step;
        if (kept)
            scale = curvatures.back() / squares.back();
        else if (first_step <= 0)
            scale = std::min(1.0, 1.0 / (std::sqrt(product) + 1e-12));
        for (Real& d : direction) d *= static_cast<Real>(scale);
        product = add_and_dot(direction, Real{0}, gradient, kept ? changes[0] : gradient);
        for (size_t h = 0; h < kept; ++h)
            product = add_and_dot(direction,
                                  static_cast<Real>(shares[h] - product / curvatures[h]), steps[h],
                                  h + 1 < kept ? changes[h + 1] : gradient);
        const double slope = -product;
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
        const double curvature = add_and_dot(step, Real{0}, step, change);
        const double square = add_and_dot(change, Real{0}, change, change);
        const double gain = result.value - value;
        x.swap(new_x);
        gradient.swap(new_gradient);
        result.value = value;
        if (curvature > 1e-12) {
            if (steps.size() == memory) {
                steps.erase(steps.begin());
                changes.erase(changes.begin());
                curvatures.erase(curvatures.begin());
                squares.erase(squares.begin());
            }
            steps.push_back(std::move(step));
            changes.push_back(std::move(change));
            curvatures.push_back(curvature);
            squares.push_back(square);
        }
        if (gain < tolerance * (std::abs(value) + 1e-3)) {
            result.converged = true;
            return result;
        }
    }
    return result;
}

}  // namespace bayesgrove
