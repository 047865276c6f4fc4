// Tables over discrete variables: products, sums, and a walk over their cells.
#pragma once

#include <array>
#include <limits>

#include "common.hpp"

namespace bayesgrove {

// Some of the tables of a network: which variables each has, and what is known.
struct Product {
    const int32_t* cards;
    const int32_t* starts;
    const int32_t* scopes;
    const int32_t* evidence;
    std::vector<int32_t> which;
    size_t variables;

    Product(Vector<int32_t>& cards, Vector<int32_t>& starts, Vector<int32_t>& scopes,
            Vector<int32_t>& which, Vector<int32_t>& evidence)
        : cards(cards.data()),
          starts(starts.data()),
          scopes(scopes.data()),
          evidence(evidence.data()),
          which(which.data(), which.data() + which.shape(0)),
          variables(cards.shape(0)) {
        const int32_t tables = static_cast<int32_t>(starts.shape(0)) - 1;
        if (tables < 0 || evidence.shape(0) != variables)
            throw std::invalid_argument("tables, cards and evidence do not fit");
        for (int32_t f : this->which)
            if (f < 0 || f >= tables) throw std::invalid_argument("there is no such table");
        if (starts(0) != 0 || static_cast<size_t>(starts(tables)) != scopes.shape(0))
            throw std::invalid_argument("starts and scopes do not fit");
        for (size_t k = 0; k < scopes.shape(0); ++k) variable(scopes(k));
        for (size_t v = 0; v < variables; ++v)
            if (evidence(v) >= cards(v)) throw std::invalid_argument("evidence beyond a state");
    }

    int32_t variable(int32_t v) const {
        if (v < 0 || static_cast<size_t>(v) >= variables)
            throw std::invalid_argument("there is no such variable");
        return v;
    }

    // Variables of a table that are not known.
    std::vector<int32_t> free(int32_t f) const {
        std::vector<int32_t> scope;
        for (int32_t k = starts[f]; k < starts[f + 1]; ++k)
            if (evidence[scopes[k]] < 0) scope.push_back(scopes[k]);
        return scope;
    }
};

// Numbers as they are.
struct Linear {
    static constexpr double kOne = 1.0, kZero = 0.0;
    static double load(double p) { return p; }
    static double times(double a, double b) { return a * b; }
    static double over(double a, double b) { return b == 0.0 ? 0.0 : a / b; }
    static double sum(const double* cells, size_t count) {
        double total = 0.0;
        for (size_t i = 0; i < count; ++i) total += cells[i];
        return total;
    }
    static double to_log(double x) { return std::log(x); }
};

// Their logarithms: slower, and nothing underflows.
struct Log {
    static constexpr double kOne = 0.0, kZero = -std::numeric_limits<double>::infinity();
    static double load(double p) { return std::log(p); }
    static double times(double a, double b) { return a + b; }
    static double over(double a, double b) { return b == kZero ? kZero : a - b; }
    static double sum(const double* cells, size_t count) {
        const double peak = *std::max_element(cells, cells + count);
        if (peak == kZero) return kZero;
        double total = 0.0;
        for (size_t i = 0; i < count; ++i) total += std::exp(cells[i] - peak);
        return peak + std::log(total);
    }
    static double to_log(double x) { return x; }
};

struct Table {
    std::vector<int32_t> scope;  // the last variable is the fastest
    std::vector<double> cells;
};

struct Axis {
    size_t card;
    size_t step;  // of the other table; the walked one is contiguous
};

inline size_t cells_of(const std::vector<int32_t>& scope, const int32_t* cards) {
    size_t cells = 1;
    for (int32_t v : scope) cells *= static_cast<size_t>(cards[v]);
    return cells;
}

// The axes of a table beside another one's steps; axes that can be walked as one are joined.
inline std::vector<Axis> axes_of(const std::vector<int32_t>& scope,
                                 const std::vector<int32_t>& other, const int32_t* cards) {
    std::vector<Axis> axes;
    for (int32_t v : scope) {
        const size_t card = static_cast<size_t>(cards[v]);
        if (card == 1) continue;
        size_t step = 0;
        for (size_t k = other.size(), stride = 1; k-- > 0; stride *= cards[other[k]])
            if (other[k] == v) step = stride;
        if (!axes.empty() && axes.back().step == step * card) {
            axes.back() = {axes.back().card * card, step};
        } else {
            axes.push_back({card, step});
        }
    }
    if (axes.empty()) axes.push_back({1, 0});
    return axes;
}

// run(offset in the other table, step, count) for every run along the last axis.
template <typename Run>
void walk(const std::vector<Axis>& axes, const Run& run) {
    const Axis inner = axes.back();
    const size_t outer = axes.size() - 1;
    std::array<size_t, 64> at{};  // axes have at least two states: there are no more than 64
    size_t offset = 0;
    for (;;) {
        run(offset, inner.step, inner.card);
        size_t k = outer;
        while (k > 0) {
            const Axis& axis = axes[k - 1];
            offset += axis.step;
            if (++at[k - 1] < axis.card) break;
            offset -= axis.step * axis.card;
            at[k - 1] = 0;
            --k;
        }
        if (k == 0) return;
    }
}

// cells[...] = operation(cells[...], other[...]) for a table whose scope has the other's.
template <typename Operation>
void combine(Table& table, const Table& other, const int32_t* cards, const Operation& operation) {
    double* to = table.cells.data();
    const double* from = other.cells.data();
    walk(axes_of(table.scope, other.scope, cards), [&](size_t offset, size_t step, size_t count) {
        if (step == 0) {
            const double x = from[offset];
            for (size_t i = 0; i < count; ++i) to[i] = operation(to[i], x);
        } else if (step == 1) {
            for (size_t i = 0; i < count; ++i) to[i] = operation(to[i], from[offset + i]);
        } else {
            for (size_t i = 0; i < count; ++i) to[i] = operation(to[i], from[offset + i * step]);
        }
        to += count;
    });
}

// The table summed over all variables that `scope` has not.
inline Table margin(const Table& table, std::vector<int32_t> scope, const int32_t* cards, Linear) {
    Table out{std::move(scope), {}};
    out.cells.assign(cells_of(out.scope, cards), 0.0);
    const double* from = table.cells.data();
    walk(axes_of(table.scope, out.scope, cards), [&](size_t offset, size_t step, size_t count) {
        double* to = &out.cells[offset];
        if (step == 0) {
            to[0] += Linear::sum(from, count);
        } else {
            for (size_t i = 0; i < count; ++i) to[i * step] += from[i];
        }
        from += count;
    });
    return out;
}

inline Table margin(const Table& table, std::vector<int32_t> scope, const int32_t* cards, Log) {
    Table out{std::move(scope), {}};
    out.cells.assign(cells_of(out.scope, cards), Log::kZero);
    const auto axes = axes_of(table.scope, out.scope, cards);
    const double* from = table.cells.data();
    walk(axes, [&](size_t offset, size_t step, size_t count) {
        for (size_t i = 0; i < count; ++i) {
            double& peak = out.cells[offset + i * step];
            peak = std::max(peak, from[i]);
        }
        from += count;
    });
    std::vector<double> sums(out.cells.size(), 0.0);
    from = table.cells.data();
    walk(axes, [&](size_t offset, size_t step, size_t count) {
        for (size_t i = 0; i < count; ++i) {
            const size_t cell = offset + i * step;
            if (from[i] != Log::kZero) sums[cell] += std::exp(from[i] - out.cells[cell]);
        }
        from += count;
    });
    for (size_t c = 0; c < sums.size(); ++c)
        if (sums[c] > 0.0) out.cells[c] += std::log(sums[c]);
    return out;
}

}  // namespace bayesgrove
