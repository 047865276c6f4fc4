// Tables over discrete variables: products, sums, and a walk over their cells.
#pragma once

#include <array>
#include <limits>

#include "common.hpp"

namespace bayesgrove {

// Returns the number of tables. Throws unless the scopes are adjacent and name variables.
inline int32_t require_scopes(const Vector<int32_t>& starts, const Vector<int32_t>& scopes,
                              size_t variables) {
    const size_t ends = starts.shape(0);
    if (ends == 0 || starts(0) != 0 || static_cast<size_t>(starts(ends - 1)) != scopes.shape(0))
        throw std::invalid_argument("The starts and the scopes do not fit.");
    for (size_t f = 1; f < ends; ++f)
        if (starts(f) < starts(f - 1)) throw std::invalid_argument("The starts must not decrease.");
    for (size_t k = 0; k < scopes.shape(0); ++k)
        if (scopes(k) < 0 || static_cast<size_t>(scopes(k)) >= variables)
            throw std::invalid_argument("There is no such variable.");
    return static_cast<int32_t>(ends) - 1;
}

inline std::vector<int32_t> listed(const Vector<int32_t>& numbers) {
    return {numbers.data(), numbers.data() + numbers.shape(0)};
}

// Some of the tables of a network, with their variables and the evidence.
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
            throw std::invalid_argument("There must be one entry of evidence per variable.");
        const int32_t tables = require_scopes(starts, scopes, variables);
        for (int32_t f : this->which)
            if (f < 0 || f >= tables) throw std::invalid_argument("There is no such table.");
        for (size_t v = 0; v < variables; ++v) {
            if (cards(v) < 1) throw std::invalid_argument("A variable has no states.");
            if (evidence(v) >= cards(v))
                throw std::invalid_argument("The evidence is not a state of its variable.");
        }
    }

    int32_t variable(int32_t v) const {
        if (v < 0 || static_cast<size_t>(v) >= variables)
            throw std::invalid_argument("There is no such variable.");
        return v;
    }

    // Returns the unknown variables of a table.
    std::vector<int32_t> free(int32_t f) const {
        std::vector<int32_t> scope;
        for (int32_t k = starts[f]; k < starts[f + 1]; ++k)
            if (evidence[scopes[k]] < 0) scope.push_back(scopes[k]);
        return scope;
    }
};

// Arithmetic with plain numbers.
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

// Arithmetic with logarithms: slower, but nothing underflows.
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
    std::vector<int32_t> scope;  // the last variable varies fastest
    std::vector<double> cells;
};

// An axis of a contiguous table that is walked together with another table.
struct Axis {
    size_t card;
    size_t step;  // distance of neighbouring states in the other table
};

// Returns the distance of neighbouring states of a variable in a table, 0 if the table lacks it.
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

// Returns the axes of a table with the steps of another table. Axes that can be walked as one axis
// are joined.
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

// Calls run(offset in the other table, step, count) for every run along the last axis.
template <typename Run>
void walk(const std::vector<Axis>& axes, const Run& run) {
    const Axis inner = axes.back();
    const size_t outer = axes.size() - 1;
    std::array<size_t, 64> at{};  // each axis has at least two states, so there are at most 64 axes
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

// Sets to = operation(to, from) for every cell of a contiguous table and the matching cell of the
// other table.
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

// Adds every cell of a contiguous table to the matching cell of a smaller table.
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

constexpr size_t kBlockCells = 1 << 13;  // a block of this size stays in the L1 or L2 cache

// A large table that is never stored as a whole: it is made in blocks of its last variables.
class Blocks {
public:
    // The place of the current block in another table.
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

    // Calls visit() for every block, with the offsets of the other tables set to that block.
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

// Computes the product of some tables block by block. Adds each block to the margins, then calls
// visit(block).
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
