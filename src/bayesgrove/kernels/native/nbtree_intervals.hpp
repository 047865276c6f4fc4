// Intervals of a numeric column in a node, whose rows are sorted by value.
#pragma once

#include "mdlp.hpp"
#include "trees.hpp"

namespace bayesgrove {

// The rows of one column sorted by value: the value of each row, and the number that gives its
// class and weight.
struct SortedColumn {
    const double* values;
    const uint32_t* entries;
    size_t count;
};

// Calls body(interval, entry) for the rows of a column whose intervals start at these places.
template <typename Body>
void for_intervals(const SortedColumn& column, const std::vector<size_t>& starts,
                   const Body& body) {
    size_t at = 0;
    for (size_t interval = 0; interval <= starts.size(); ++interval) {
        const size_t stop = interval < starts.size() ? starts[interval] : column.count;
        for (; at < stop; ++at) body(interval, column.entries[at]);
    }
}

class IntervalCutter {
public:
    IntervalCutter(size_t classes, const Terms& terms) : blocks_(classes), cutter_(classes, terms) {}

    // Returns the places in the column where a new interval starts, ascending. Possible cuts are
    // counted by rows, not by weight.
    const std::vector<size_t>& starts(const SortedColumn& column, const uint32_t* class_of,
                                      const double* weight_of) {
        collect(column, class_of, weight_of);
        starts_.clear();
        for (size_t block : cutter_.starts(blocks_, false)) starts_.push_back(blocks_.begin(block));
        return starts_;
    }

private:
    // Collects the blocks of equal values.
    void collect(const SortedColumn& column, const uint32_t* class_of, const double* weight_of) {
        blocks_.clear(column.count);
        for (size_t i = 0; i < column.count;) {
            double* cells = blocks_.next();
            const size_t from = i;
            const uint32_t first = class_of[column.entries[i]];
            const double value = column.values[i];
            bool pure = true;
            for (; i < column.count && column.values[i] == value; ++i) {
                const uint32_t entry = column.entries[i], c = class_of[entry];
                cells[c] += weight_of[entry];
                pure = pure && c == first;
            }
            blocks_.add(from, pure ? first : blocks_.classes());
        }
        blocks_.end(column.count);
    }

    ValueBlocks blocks_;
    BlockCutter<Terms> cutter_;
    std::vector<size_t> starts_;
};

}  // namespace bayesgrove
