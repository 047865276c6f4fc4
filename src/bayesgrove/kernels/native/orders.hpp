// Scores of total orders of nodes, and a walk over orders. The parent sets of all nodes are scored
// before, and their scores are sorted per node.
#pragma once

#include <utility>

#include "common.hpp"

namespace bayesgrove {

// Sets whose score is lower than the best one by more than this many nats change no digit of a sum.
constexpr double kFar = 60.0;

using Bits = std::vector<uint64_t>;

inline void flip(Bits& bits, int32_t node) {
    bits[static_cast<size_t>(node) / 64] ^= uint64_t{1} << (static_cast<size_t>(node) % 64);
}

// The scored parent sets of all nodes, best set first.
class ParentSetTable {
public:
    ParentSetTable(const Vector<int64_t>& starts, const Vector<double>& logs,
                   const Vector<uint64_t>& masks)
        : starts_(starts.data()),
          logs_(logs.data()),
          masks_(masks.data()),
          nodes_(starts.shape(0) ? starts.shape(0) - 1 : 0),
          words_((nodes_ + 63) / 64) {
        if (!nodes_ || starts_[0] != 0 || starts_[nodes_] != static_cast<int64_t>(logs.shape(0)) ||
            !std::is_sorted(starts_, starts_ + nodes_ + 1) ||
            masks.shape(0) != logs.shape(0) * words_)
            throw std::invalid_argument("The parent sets do not fit the nodes.");
    }

    size_t nodes() const { return nodes_; }
    size_t words() const { return words_; }

    // Returns ln sum exp(score) over the sets of a node that lie inside its predecessors.
    double term(int32_t node, const Bits& before) const {
        const auto end = static_cast<size_t>(starts_[node + 1]);
        auto s = static_cast<size_t>(starts_[node]);
        while (s < end && !inside(s, before)) ++s;
        if (s == end) return -std::numeric_limits<double>::infinity();
        const double top = logs_[s];
        double sum = 1.0;
        for (++s; s < end && logs_[s] > top - kFar; ++s)
            if (inside(s, before)) sum += std::exp(logs_[s] - top);
        return top + std::log(sum);
    }

private:
    bool inside(size_t s, const Bits& before) const {
        for (size_t w = 0; w < words_; ++w)
            if (masks_[s * words_ + w] & ~before[w]) return false;
        return true;
    }

    const int64_t* starts_;
    const double* logs_;
    const uint64_t* masks_;
    size_t nodes_, words_;
};

// An order, and the term of every node in its score.
class ScoredOrder {
public:
    ScoredOrder(const ParentSetTable& table, const Vector<int32_t>& order)
        : table_(table),
          order_(order.data(), order.data() + order.shape(0)),
          terms_(order_.size()),
          before_(table.words()) {
        std::vector<bool> seen(table.nodes());
        for (int32_t node : order_) {
            if (node < 0 || node >= static_cast<int64_t>(seen.size()) || seen[node])
                throw std::invalid_argument("An order must have every node once.");
            seen[node] = true;
        }
        if (order_.size() != table.nodes())
            throw std::invalid_argument("An order must have every node once.");
        update(0, order_.size());
    }

    const std::vector<int32_t>& order() const { return order_; }

    double score() const {
        double sum = 0.0;
        for (double term : terms_) sum += term;
        return sum;
    }

    // Exchanges the nodes at two positions.
    void swap(size_t first, size_t second) {
        std::swap(order_[first], order_[second]);
        update(std::min(first, second), std::max(first, second) + 1);
    }

    // Moves the first nodes behind the others.
    void cut(size_t count) {
        std::rotate(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(count),
                    order_.end());
        update(0, order_.size());
    }

    void assign(const ScoredOrder& other) {
        order_ = other.order_;
        terms_ = other.terms_;
    }

private:
    // Scores the nodes at positions [begin, end) again: only their predecessors have changed.
    void update(size_t begin, size_t end) {
        std::fill(before_.begin(), before_.end(), 0);
        for (size_t k = 0; k < end; ++k) {
            if (k >= begin) terms_[order_[k]] = table_.term(order_[k], before_);
            flip(before_, order_[k]);
        }
    }

    const ParentSetTable& table_;
    std::vector<int32_t> order_;
    std::vector<double> terms_;
    Bits before_;
};

// Returns the orders after every `every` proposals, and their scores.
inline std::pair<Result<int32_t>, Result<double>> walk_orders(
    const Vector<int32_t>& order, const Vector<int64_t>& starts, const Vector<double>& logs,
    const Vector<uint64_t>& masks, const Vector<int32_t>& moves, const Vector<double>& thresholds,
    int64_t every) {
    const ParentSetTable table(starts, logs, masks);
    const size_t n = table.nodes(), steps = thresholds.shape(0);
    if (every < 1 || moves.shape(0) != 2 * steps)
        throw std::invalid_argument("There must be one threshold per move, and every >= 1.");
    const int32_t* move = moves.data();
    for (size_t m = 0; m < 2 * steps; ++m)
        if (move[m] >= static_cast<int64_t>(n) || move[m] < (m % 2 ? -1 : 0))
            throw std::invalid_argument("A move must name positions of the order.");
    ScoredOrder current(table, order);
    const size_t kept = steps / static_cast<size_t>(every);
    auto orders = make_empty<int32_t>({kept, n});
    auto scores = make_empty<double>({kept});
    nb::gil_scoped_release release;
    ScoredOrder proposed = current;
    double score = current.score();
    for (size_t step = 0; step < steps; ++step) {
        const auto first = static_cast<size_t>(move[2 * step]);
        const int32_t second = move[2 * step + 1];
        if (second < 0)
            proposed.cut(first);
        else if (static_cast<size_t>(second) != first)
            proposed.swap(first, static_cast<size_t>(second));
        const double new_score = proposed.score();
        if (thresholds.data()[step] < new_score - score) {
            current.assign(proposed);
            score = new_score;
        } else {
            proposed.assign(current);
        }
        const size_t done = step + 1;
        if (done % static_cast<size_t>(every) == 0) {
            const size_t k = done / static_cast<size_t>(every) - 1;
            std::copy_n(current.order().data(), n, orders.data() + k * n);
            scores.data()[k] = score;
        }
    }
    return {orders, scores};
}

// Returns the scores of all orders in which one node has another position.
inline Result<double> insertion_scores(const Vector<int32_t>& order, const Vector<int64_t>& starts,
                                       const Vector<double>& logs, const Vector<uint64_t>& masks) {
    const ParentSetTable table(starts, logs, masks);
    const ScoredOrder current(table, order);
    const size_t n = table.nodes();
    auto result = make_empty<double>({n, n});
    double* out = result.data();
    nb::gil_scoped_release release;
    ScoredOrder moved = current;
    for (size_t from = 0; from < n; ++from) {
        out[from * n + from] = current.score();
        moved.assign(current);
        for (size_t to = from + 1; to < n; ++to) {
            moved.swap(to - 1, to);
            out[from * n + to] = moved.score();
        }
        moved.assign(current);
        for (size_t to = from; to-- > 0;) {
            moved.swap(to, to + 1);
            out[from * n + to] = moved.score();
        }
    }
    return result;
}

}  // namespace bayesgrove
