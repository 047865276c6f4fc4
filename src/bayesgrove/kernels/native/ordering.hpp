// The order in which to eliminate the variables of a product of tables, and its cost.
#pragma once

#include <functional>
#include <queue>
#include <tuple>

#include "tables.hpp"

namespace bayesgrove {

enum class Heuristic { kWeight, kFill, kWeightedFill };

// The graph that connects two variables if a table has both. A set of neighbours is a bitmap.
class Graph {
public:
    explicit Graph(const Product& product) : cards_(product.cards) {
        std::vector<int32_t> place(product.variables, -1);
        for (int32_t f : product.which)
            for (int32_t v : product.free(f))
                if (place[v] < 0) {
                    place[v] = static_cast<int32_t>(names_.size());
                    names_.push_back(v);
                }
        for (int32_t v : names_) log_cards_.push_back(std::log(static_cast<double>(cards_[v])));
        words_ = (names_.size() + 63) / 64;
        bits_.assign(names_.size() * words_, 0);
        log_weights_.resize(names_.size());
        for (int32_t f : product.which) {
            const auto scope = product.free(f);
            for (int32_t v : scope)
                for (int32_t u : scope)
                    if (u != v) set(place[v], place[u]);
        }
        for (size_t v = 0; v < names_.size(); ++v) {
            log_weights_[v] = log_card(v);
            for_neighbours(v, [&](size_t u) { log_weights_[v] += log_card(u); });
        }
    }

    size_t size() const { return names_.size(); }
    int32_t name(size_t v) const { return names_[v]; }
    // Logarithm of the size of the table that the elimination of v needs.
    double log_weight(size_t v) const { return log_weights_[v]; }

    // Returns the cost of eliminating v next.
    double cost(size_t v, Heuristic heuristic) const {
        if (heuristic == Heuristic::kWeight) return log_weights_[v];
        double fill = 0.0;
        for_neighbours(v, [&](size_t u) {
            for (size_t w = 0; w < words_; ++w) {
                uint64_t lacking = row(v)[w] & ~row(u)[w];
                if (w == u / 64) lacking &= ~(uint64_t{1} << (u % 64));
                if (heuristic == Heuristic::kFill) {
                    fill += static_cast<double>(__builtin_popcountll(lacking));
                } else {
                    for_bits(lacking, w, [&](size_t x) { fill += card(u) * card(x); });
                }
            }
        });
        return fill;
    }

    // Connects all neighbours of v and removes v.
    void eliminate(size_t v) {
        for_neighbours(v, [&](size_t u) {
            uint64_t* to = &bits_[u * words_];
            for (size_t w = 0; w < words_; ++w) {
                uint64_t lacking = row(v)[w] & ~to[w];
                if (w == u / 64) lacking &= ~(uint64_t{1} << (u % 64));
                for_bits(lacking, w, [&](size_t x) { log_weights_[u] += log_card(x); });
                to[w] |= lacking;
            }
            to[v / 64] &= ~(uint64_t{1} << (v % 64));
            log_weights_[u] -= log_card(v);
        });
    }

    template <typename Visit>
    void for_neighbours(size_t v, const Visit& visit) const {
        for (size_t w = 0; w < words_; ++w) for_bits(row(v)[w], w, visit);
    }

private:
    const uint64_t* row(size_t v) const { return &bits_[v * words_]; }
    void set(size_t v, size_t u) { bits_[v * words_ + u / 64] |= uint64_t{1} << (u % 64); }
    double card(size_t v) const { return static_cast<double>(cards_[names_[v]]); }
    double log_card(size_t v) const { return log_cards_[v]; }

    template <typename Visit>
    static void for_bits(uint64_t bits, size_t word, const Visit& visit) {
        for (; bits; bits &= bits - 1)
            visit(word * 64 + static_cast<size_t>(__builtin_ctzll(bits)));
    }

    const int32_t* cards_;
    std::vector<int32_t> names_;
    size_t words_ = 0;
    std::vector<uint64_t> bits_;
    std::vector<double> log_cards_, log_weights_;
};

struct Order {
    std::vector<int32_t> variables;
    std::vector<double> cells;  // size of the table that each elimination needs
    double total = 0.0;
};

// Eliminates the cheapest variable at each step. Ties go to the smaller table, then to the earlier
// variable. The search stops if the order needs more than `bound` cells.
inline Order greedy_order(Graph graph, const std::vector<uint8_t>& kept, Heuristic heuristic,
                          double bound) {
    using Entry = std::tuple<double, double, size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
    std::vector<uint8_t> waiting(graph.size());
    std::vector<double> costs(graph.size());
    std::vector<size_t> stamps(graph.size(), SIZE_MAX);
    auto update = [&](size_t v, size_t step) {
        if (!waiting[v] || stamps[v] == step) return;
        stamps[v] = step;
        costs[v] = graph.cost(v, heuristic);
        queue.emplace(costs[v], graph.log_weight(v), v);
    };
    for (size_t v = 0; v < graph.size(); ++v) {
        waiting[v] = !kept[graph.name(v)];
        update(v, SIZE_MAX - 1);
    }
    Order order;
    while (!queue.empty() && order.total <= bound) {
        const auto [cost, weight, best] = queue.top();
        queue.pop();
        if (!waiting[best] || cost != costs[best] || weight != graph.log_weight(best)) continue;
        waiting[best] = 0;
        const size_t step = order.variables.size();
        order.variables.push_back(graph.name(best));
        order.cells.push_back(std::round(std::exp(weight)));
        order.total += order.cells.back();
        graph.eliminate(best);
        graph.for_neighbours(best, [&](size_t u) {
            update(u, step);
            if (heuristic != Heuristic::kWeight)
                graph.for_neighbours(u, [&](size_t x) { update(x, step); });
        });
    }
    return order;
}

constexpr double kCheapOrder = 1 << 15;  // cells of an order that is good enough
constexpr double kHopeless = 1e15;       // cells that no machine can store

// Returns the cheapest order of several heuristics.
inline Order best_order(const Product& product, const std::vector<uint8_t>& kept) {
    Order best = greedy_order(Graph(product), kept, Heuristic::kWeight, kHopeless);
    for (Heuristic heuristic : {Heuristic::kFill, Heuristic::kWeightedFill}) {
        if (best.total <= kCheapOrder) break;
        Order other = greedy_order(Graph(product), kept, heuristic, best.total);
        if (other.total < best.total) best = std::move(other);
    }
    return best;
}

inline nb::tuple elimination_order(Vector<int32_t> cards, Vector<int32_t> starts,
                                   Vector<int32_t> scopes, Vector<int32_t> which,
                                   Vector<int32_t> evidence, Vector<int32_t> keep) {
    const Product product(cards, starts, scopes, listed(which), evidence);
    std::vector<uint8_t> kept(cards.shape(0));
    for (size_t k = 0; k < keep.shape(0); ++k) kept[product.variable(keep(k))] = 1;
    Order order;
    {
        nb::gil_scoped_release release;
        order = best_order(product, kept);
    }
    auto variables = make_result<int32_t>({order.variables.size()});
    auto cells = make_result<double>({order.cells.size()});
    std::copy(order.variables.begin(), order.variables.end(), variables.data());
    std::copy(order.cells.begin(), order.cells.end(), cells.data());
    return nb::make_tuple(variables, cells);
}

struct Relevance {
    std::vector<int32_t> related, apart;
};

// Returns the tables that a query needs, and the tables that only evidence separated from the query
// needs. Table v is the table of variable v given its parents.
inline Relevance find_relevant(const int32_t* starts, const int32_t* scopes,
                               const int32_t* evidence, size_t n, int32_t query) {
    std::vector<uint8_t> ancestral(n), reached(n), taken(n);
    std::vector<int32_t> waiting;
    waiting.reserve(n);
    auto visit = [&](std::vector<uint8_t>& seen, int32_t v) {
        if (!seen[v]) {
            seen[v] = 1;
            waiting.push_back(v);
        }
    };
    visit(ancestral, query);
    for (size_t v = 0; v < n; ++v)
        if (evidence[v] >= 0) visit(ancestral, static_cast<int32_t>(v));
    std::vector<int32_t> ends(n + 1), users;
    while (!waiting.empty()) {
        const int32_t v = waiting.back();
        waiting.pop_back();
        for (int32_t k = starts[v]; k < starts[v + 1]; ++k) {
            ++ends[scopes[k]];
            visit(ancestral, scopes[k]);
        }
    }
    // The tables that have variable v are users[ends[v]] to users[ends[v + 1]]. They are filled
    // from the end.
    for (size_t v = 0; v < n; ++v) ends[v + 1] += ends[v];
    users.resize(static_cast<size_t>(ends[n]));
    for (size_t f = 0; f < n; ++f)
        for (int32_t k = starts[f]; ancestral[f] && k < starts[f + 1]; ++k)
            users[--ends[scopes[k]]] = static_cast<int32_t>(f);
    visit(reached, query);
    while (!waiting.empty()) {
        const int32_t v = waiting.back();
        waiting.pop_back();
        for (int32_t u = ends[v]; u < ends[v + 1]; ++u) {
            const int32_t f = users[u];
            if (taken[f]) continue;
            taken[f] = 1;
            for (int32_t k = starts[f]; k < starts[f + 1]; ++k)
                if (evidence[scopes[k]] < 0) visit(reached, scopes[k]);
        }
    }
    Relevance relevance;
    for (size_t v = 0; v < n; ++v)
        if (ancestral[v])
            (taken[v] ? relevance.related : relevance.apart).push_back(static_cast<int32_t>(v));
    return relevance;
}

inline void require_query(const Vector<int32_t>& starts, const Vector<int32_t>& scopes,
                          const Vector<int32_t>& evidence, int query) {
    const size_t n = evidence.shape(0);
    if (static_cast<size_t>(require_scopes(starts, scopes, n)) != n || query < 0 ||
        static_cast<size_t>(query) >= n)
        throw std::invalid_argument(
            "There must be one table per variable, and the query must be a variable.");
}

inline nb::tuple relevant(Vector<int32_t> starts, Vector<int32_t> scopes,
                          Vector<int32_t> evidence, int query) {
    require_query(starts, scopes, evidence, query);
    const Relevance relevance = find_relevant(starts.data(), scopes.data(), evidence.data(),
                                              evidence.shape(0), query);
    auto related = make_result<int32_t>({relevance.related.size()});
    auto apart = make_result<int32_t>({relevance.apart.size()});
    std::copy(relevance.related.begin(), relevance.related.end(), related.data());
    std::copy(relevance.apart.begin(), relevance.apart.end(), apart.data());
    return nb::make_tuple(related, apart);
}

}  // namespace bayesgrove
