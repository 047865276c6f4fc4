// Tables over discrete variables: products, sums, and a walk over their cells.
#pragma once

#include <array>
#include <limits>

#include "common.hpp"

namespace bayesgrove {

// Number of tables whose scopes are given; scopes must lie behind one another and name variables.
inline int32_t require_scopes(const Vector<int32_t>& starts, const Vector<int32_t>& scopes,
                              size_t variables) {
    const size_t ends = starts.shape(0);
    if (ends == 0 || starts(0) != 0 || static_cast<size_t>(starts(ends - 1)) != scopes.shape(0))
        throw std::invalid_argument("starts and scopes do not fit");
    for (size_t f = 1; f < ends; ++f)
        if (starts(f) < starts(f - 1)) throw std::invalid_argument("starts must not fall");
    for (size_t k = 0; k < scopes.shape(0); ++k)
        if (scopes(k) < 0 || static_cast<size_t>(scopes(k)) >= variables)
            throw std::invalid_argument("there is no such variable");
    return static_cast<int32_t>(ends) - 1;
}

inline std::vector<int32_t> listed(const Vector<int32_t>& numbers) {
    return {numbers.data(), numbers.data() + numbers.shape(0)};
}

// Some of the tables of a network: which variables each has, and what is known.
struct Product {
    const int32_t* cards;
    const int32_t* starts;
    const int32_t* scopes;
    const int32_t* evidence;
    std::vector<int32_t> which;
    size_t variables;

    Product(Vector<int32_t>& cards, Vector<int32_t>& starts, Vector<int32_t>& scopes,
            std::vector<int32_t> which, Vector<int32_t>& evidence)
        : cards(cards.data()),
          starts(starts.data()),
          scopes(scopes.data()),
          evidence(evidence.data()),
          which(std::move(which)),
          variables(cards.shape(0)) {
        if (evidence.shape(0) != variables)
            throw std::invalid_argument("one place for evidence a variable is needed");
        const int32_t tables = require_scopes(starts, scopes, variables);
        for (int32_t f : this->which)
            if (f < 0 || f >= tables) throw std::invalid_argument("there is no such table");
        for (size_t v = 0; v < variables; ++v) {
            if (cards(v) < 1) throw std::invalid_argument("a variable has no states");
            if (evidence(v) >= cards(v)) throw std::invalid_argument("evidence beyond a state");
        }
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
    static double plus(double a, double b) { return a + b; }
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
    static double plus(double a, double b) {
        const double peak = std::max(a, b);
        return peak == kZero ? kZero : peak + std::log1p(std::exp(std::min(a, b) - peak));
    }
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

// How far apart the states of a variable are in a table; 0 where the table lacks it.
inline size_t step_of(int32_t v, const std::vector<int32_t>& scope, const int32_t* cards) {
    size_t step = 1;
    for (size_t k = scope.size(); k-- > 0; step *= static_cast<size_t>(cards[scope[k]]))
        if (scope[k] == v) return step;
    return 0;
}

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
        const size_t step = step_of(v, other, cards);
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

// to = operation(to, from) for every cell of a contiguous table and what lies beside it.
template <typename Operation>
void combine(double* to, const double* from, const std::vector<Axis>& axes,
             const Operation& operation) {
    walk(axes, [&](size_t offset, size_t step, size_t count) {
        if (step == 0) {
            const double x = from[offset];
            for (size_t i = 0; i < count; ++i) to[i] = operation(to[i], x);
        } else {
            for (size_t i = 0; i < count; ++i) to[i] = operation(to[i], from[offset + i * step]);
        }
        to += count;
    });
}

// Add every cell of a contiguous table to the cell of a smaller one that lies beside it.
template <typename Domain>
void add_margin(const double* from, double* to, const std::vector<Axis>& axes) {
    walk(axes, [&](size_t offset, size_t step, size_t count) {
        if (step == 0) {
            to[offset] = Domain::plus(to[offset], Domain::sum(from, count));
        } else {
            for (size_t i = 0; i < count; ++i) {
                double& cell = to[offset + i * step];
                cell = Domain::plus(cell, from[i]);
            }
        }
        from += count;
    });
}

constexpr size_t kBlockCells = 1 << 13;  // stay in the first caches

// A large table that is never made: blocks of its last variables, one after another.
class Blocks {
public:
    // Another table beside the blocks: where the present block meets it.
    struct Beside {
        std::vector<Axis> inner;
        std::vector<size_t> steps;
        size_t offset;
    };

    Blocks(const std::vector<int32_t>& scope, const int32_t* cards) : cards_(cards) {
        size_t split = scope.size();
        do {
            if (split > 0) cells_ *= static_cast<size_t>(cards[scope[--split]]);
        } while (split > 0 && cells_ * cards[scope[split - 1]] <= kBlockCells);
        outer_.assign(scope.begin(), scope.begin() + split);
        inner_.assign(scope.begin() + split, scope.end());
    }

    size_t cells() const { return cells_; }

    Beside beside(const std::vector<int32_t>& other) const {
        Beside out{axes_of(inner_, other, cards_), {}, 0};
        for (int32_t v : outer_) out.steps.push_back(step_of(v, other, cards_));
        return out;
    }

    // visit() for every block, with all offsets moved along.
    template <typename Visit>
    void each(std::vector<Beside>& others, const Visit& visit) const {
        std::vector<size_t> at(outer_.size());
        for (;;) {
            visit();
            size_t k = outer_.size();
            for (; k > 0; --k) {
                const size_t card = static_cast<size_t>(cards_[outer_[k - 1]]);
                const bool more = ++at[k - 1] < card;
                for (Beside& other : others)
                    other.offset += other.steps[k - 1] * (more ? 1 : 1 - card);
                if (more) break;
                at[k - 1] = 0;
            }
            if (k == 0) return;
        }
    }

private:
    const int32_t* cards_;
    size_t cells_ = 1;
    std::vector<int32_t> outer_, inner_;
};

// The product of some tables, block after block: each margin gets its sums, then visit(block).
template <typename Domain, typename Visit>
void multiply(const std::vector<int32_t>& scope, const int32_t* cards,
              const std::vector<const Table*>& factors, const std::vector<Table*>& margins,
              const Visit& visit) {
    const Blocks blocks(scope, cards);
    std::vector<Blocks::Beside> beside;
    for (const Table* factor : factors) beside.push_back(blocks.beside(factor->scope));
    for (const Table* margin : margins) beside.push_back(blocks.beside(margin->scope));
    std::vector<double> block(blocks.cells());
    blocks.each(beside, [&] {
        if (factors.empty()) std::fill(block.begin(), block.end(), Domain::kOne);
        for (size_t f = 0; f < factors.size(); ++f) {
            const double* from = &factors[f]->cells[beside[f].offset];
            if (f == 0)
                combine(block.data(), from, beside[f].inner, [](double, double b) { return b; });
            else
                combine(block.data(), from, beside[f].inner,
                        [](double a, double b) { return Domain::times(a, b); });
        }
        for (size_t m = 0; m < margins.size(); ++m) {
            const auto& place = beside[factors.size() + m];
            add_margin<Domain>(block.data(), &margins[m]->cells[place.offset], place.inner);
        }
        visit(block);
    });
}

}  // namespace bayesgrove
