// Steps of a Markov chain on directed acyclic graphs.
#pragma once

#include "common.hpp"

namespace bayesgrove {

// The parents of every node as bits, with steps that keep the graph acyclic.
class BoundedDag {
public:
    BoundedDag(uint8_t* arcs, size_t nodes, size_t max_parents)
        : arcs_(arcs), nodes_(nodes), words_((nodes + 63) / 64), limit_(max_parents),
          parents_(nodes * words_), counts_(nodes), above_(words_), open_(words_) {
        for (size_t head = 0; head < nodes; ++head)
            for (size_t tail = 0; tail < nodes; ++tail)
                if (arcs[tail * nodes + head]) flip(tail, head);
    }

    // Removes the arc if it exists. Adds it otherwise, unless the new graph is not allowed.
    void step(size_t tail, size_t head) {
        uint8_t& arc = arcs_[tail * nodes_ + head];
        if (!arc && (counts_[head] >= limit_ || is_ancestor(head, tail))) return;
        arc = !arc;
        flip(tail, head);
    }

private:
    void flip(size_t tail, size_t head) {
        uint64_t& word = parents_[head * words_ + tail / 64];
        const uint64_t bit = uint64_t{1} << (tail % 64);
        word & bit ? --counts_[head] : ++counts_[head];
        word ^= bit;
    }

    // Returns whether a directed path leads from `node` to `below`.
    bool is_ancestor(size_t node, size_t below) {
        std::fill(above_.begin(), above_.end(), 0);
        std::fill(open_.begin(), open_.end(), 0);
        for (size_t v = below; v < nodes_; v = next_open()) {
            for (size_t w = 0; w < words_; ++w) {
                const uint64_t found = parents_[v * words_ + w] & ~above_[w];
                above_[w] |= found;
                open_[w] |= found;
            }
            if (above_[node / 64] >> (node % 64) & 1) return true;
        }
        return false;
    }

    // Takes one node whose parents were not looked at yet, or returns the number of nodes.
    size_t next_open() {
        for (size_t w = 0; w < words_; ++w)
            if (open_[w]) {
                const uint64_t lowest = open_[w] & (~open_[w] + 1);
                open_[w] ^= lowest;
                return w * 64 + trailing_zeros(lowest);
            }
        return nodes_;
    }

    static size_t trailing_zeros(uint64_t bit) {
#if defined(__GNUC__)
        return static_cast<size_t>(__builtin_ctzll(bit));
#else
        size_t count = 0;
        while (bit >>= 1) ++count;
        return count;
#endif
    }

    uint8_t* arcs_;
    size_t nodes_, words_, limit_;
    std::vector<uint64_t> parents_;
    std::vector<size_t> counts_;
    std::vector<uint64_t> above_, open_;
};

// Changes the arcs by one step of the chain per move.
inline void walk_dags(const nb::ndarray<uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>& arcs,
                      const Vector<int64_t>& moves, int64_t max_parents) {
    const size_t nodes = arcs.shape(0);
    if (arcs.shape(1) != nodes) throw std::invalid_argument("The arcs must be a square matrix.");
    BoundedDag dag(arcs.data(), nodes, static_cast<size_t>(std::max<int64_t>(max_parents, 0)));
    const int64_t* move = moves.data();
    const size_t count = moves.shape(0);
    for (size_t m = 0; m < count; ++m)
        if (move[m] < 0 || static_cast<size_t>(move[m]) >= nodes * (nodes - 1))
            throw std::invalid_argument("A move must be the number of an ordered pair.");
    nb::gil_scoped_release release;
    for (size_t m = 0; m < count; ++m) {
        const size_t pair = static_cast<size_t>(move[m]);
        const size_t tail = pair / (nodes - 1), other = pair % (nodes - 1);
        dag.step(tail, other + (other >= tail));
    }
}

}  // namespace bayesgrove
