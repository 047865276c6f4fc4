// Codes of numbers: small whole numbers by a table, other labels and intervals by a search.
#pragma once

#include "levels.hpp"
#include "positions.hpp"

namespace bayesgrove {

// Marks the levels that occur in some rows: mark[column * kLevels + level].
template <typename T>
void mark_levels(const Matrix<T>& matrix, size_t first_row, size_t stop, size_t columns,
                 uint8_t* mark) {
    const auto fill = best_fill_levels<T>();
    uint16_t levels[kStripe];
    if (matrix.column_stride == 1 && matrix.row_stride != 1) {
        for_tiles(first_row, stop, columns, [&](size_t start, size_t rows, size_t first, size_t n) {
            for (size_t b = 0; b < rows; ++b) {
                fill(matrix.at(start + b, first), n, levels);
                uint8_t* to = mark + first * kLevels;
                for (size_t j = 0; j < n; ++j) to[j * kLevels + levels[j]] = 1;
            }
        });
        return;
    }
    T buffer[kStripe];
    for_column_blocks(matrix, first_row, stop, columns,
                      [&](size_t j, size_t, size_t count, const T* values) {
                          const Strided<T> column{values, matrix.row_stride, count};
                          fill(column.block(0, count, buffer), count, levels);
                          uint8_t* to = mark + j * kLevels;
                          for (size_t b = 0; b < count; ++b) to[levels[b]] = 1;
                      });
}

// Returns which whole numbers 0..255 occur in each column, whether other values except NaN occur,
// and whether NaN occurs.
inline nb::tuple scan_levels(const Array& X, int threads) {
    const size_t m = X.shape(0), n = X.shape(1);
    auto seen = make_result<uint8_t>({n, 256});
    auto other = make_result<uint8_t>({n}), missing = make_result<uint8_t>({n});
    {
        nb::gil_scoped_release release;
        std::vector<std::vector<uint8_t>> marks(task_count(m), std::vector<uint8_t>(n * kLevels));
        with_matrix(X, [&](auto matrix) {
            for_row_tasks(m, threads, [&](size_t task, size_t start, size_t stop) {
                mark_levels(matrix, start, stop, n, marks[task].data());
            });
        });
        for (const auto& mark : marks)
            for (size_t j = 0; j < n; ++j) {
                for (size_t v = 0; v < 256; ++v) seen.data()[j * 256 + v] |= mark[j * kLevels + v];
                other.data()[j] |= mark[j * kLevels + kOther];
                missing.data()[j] |= mark[j * kLevels + kNaN];
            }
    }
    return nb::make_tuple(seen, other, missing);
}

// How one column of numbers becomes codes. With intervals, the code is the number of cut points
// below the value. With labels, it is the code of the equal label, or `unseen` if there is none.
struct Coding {
    const double* points;
    size_t count;
    const uint32_t* codes;  // null for intervals
    uint32_t missing, unseen;

    // Returns whether the labels are whole numbers 0..255, so that a table can replace the search.
    bool has_direct() const {
        return codes && std::all_of(points, points + count, [](double p) {
                   return p >= 0 && p <= 255 && p == std::floor(p);
               });
    }
};

// Returns a full block of numbers as doubles: in place, or copied into the buffer.
template <typename T>
const double* as_doubles(const T* values, size_t count, double* buffer) {
    if constexpr (std::is_same_v<T, double>)
        if (count == kStripe) return values;
    for (size_t b = 0; b < count; ++b) buffer[b] = static_cast<double>(values[b]);
    std::fill(buffer + count, buffer + kStripe, 0.0);
    return buffer;
}

// Returns how often a code occurs in a block.
template <typename Cell>
int64_t count_equal(const Cell* codes, size_t count, Cell code) {
    Cell sum = 0;  // cannot overflow: a block has fewer than 256 rows
    for (size_t b = 0; b < count; ++b) sum = static_cast<Cell>(sum + (codes[b] == code));
    return static_cast<int64_t>(sum);
}

// Fills blocks with the codes of one column. The tally has the number of values that are not a
// label, and the number of infinite values.
template <typename Cell>
class Coder {
public:
    Coder(const Coding& coding, bool wants_table) : coding_(coding) {
        if (wants_table && coding.has_direct()) make_table();
    }

    // Returns whether the levels of the numbers determine the codes.
    bool by_level() const { return !table_.empty(); }

    // Fills the codes of a block. Returns true if a number is not a label: it may be infinite.
    bool encode_levels(const uint16_t* levels, size_t count, Cell* out, int64_t* tally) const {
        if (in_order_) subtract_first(levels, count, out);
        else look_up(levels, count, out);
        int64_t unseen = count_equal(out, count, static_cast<Cell>(coding_.unseen));
        if (unseen && coding_.missing == coding_.unseen) unseen -= count_equal(levels, count, kNaN);
        tally[0] += unseen;
        return unseen > 0;
    }

    // Fills the codes of a full block of doubles. The last numbers of the block may be padding.
    void encode_numbers(const double* numbers, size_t count, Cell* __restrict out,
                        int64_t* tally) const {
        uint32_t below[kStripe];
        tally[1] += find_(numbers, coding_.points, coding_.count, coding_.missing, below);
        if (coding_.codes) find_codes(numbers, count, below, tally);
        for (size_t b = 0; b < count; ++b) out[b] = static_cast<Cell>(below[b]);
    }

private:
    void make_table() {
        table_.assign(kLevels, static_cast<Cell>(coding_.unseen));
        table_[kNaN] = static_cast<Cell>(coding_.missing);
        in_order_ = sizeof(Cell) == 1 && coding_.count > 0;
        for (size_t p = 0; p < coding_.count; ++p) {
            const double label = coding_.points[p];
            table_[static_cast<size_t>(label)] = static_cast<Cell>(coding_.codes[p]);
            in_order_ = in_order_ && coding_.codes[p] == p &&
                        label == coding_.points[0] + static_cast<double>(p);
        }
    }

    // Consecutive labels whose codes have the same order need no table.
    void subtract_first(const uint16_t* __restrict levels, size_t count, Cell* __restrict out) const {
        const auto first = static_cast<int16_t>(coding_.points[0]);
        const auto labels = static_cast<int16_t>(coding_.count);
        const auto unseen = static_cast<int16_t>(coding_.unseen);
        const auto missing = static_cast<int16_t>(coding_.missing);
        for (size_t b = 0; b < count; ++b) {
            const auto level = static_cast<int16_t>(levels[b]);
            auto code = static_cast<int16_t>(level - first);
            code = code >= 0 ? code : unseen;
            code = code < labels ? code : unseen;
            out[b] = static_cast<Cell>(level == static_cast<int16_t>(kNaN) ? missing : code);
        }
    }

    void look_up(const uint16_t* __restrict levels, size_t count, Cell* __restrict out) const {
        const Cell* table = table_.data();
        for (size_t b = 0; b < count; ++b) out[b] = table[levels[b]];
    }

    // Replaces the places of labels by their codes.
    void find_codes(const double* numbers, size_t count, uint32_t* places, int64_t* tally) const {
        for (size_t b = 0; b < count; ++b) {
            if (std::isnan(numbers[b])) continue;
            const size_t at = places[b];
            const bool known = at < coding_.count && coding_.points[at] == numbers[b];
            places[b] = known ? coding_.codes[at] : coding_.unseen;
            tally[0] += !known;
        }
    }

    Coding coding_;
    std::vector<Cell> table_;
    bool in_order_ = false;
    FindPositions find_ = best_find_positions();
};

// Encodes some rows of all columns. store(column, first row, rows, fill) must call fill(output).
template <typename T, typename Cell, typename Store>
class RowsEncoder {
public:
    RowsEncoder(const Matrix<T>& matrix, const std::vector<Coder<Cell>>& coders, const Store& store,
                int64_t* tally)
        : matrix_(matrix), coders_(coders), store_(store), tally_(tally) {}

    void encode(size_t first_row, size_t stop) {
        if (matrix_.row_stride == 1)
            for_column_blocks(matrix_, first_row, stop, coders_.size(),
                              [&](size_t j, size_t start, size_t count, const T* values) {
                                  encode_block(j, start, count, values);
                              });
        else
            for_tiles(first_row, stop, coders_.size(),
                      [&](size_t start, size_t count, size_t first, size_t columns) {
                          encode_tile(start, count, first, columns);
                      });
    }

private:
    void encode_tile(size_t start, size_t count, size_t first, size_t columns) {
        const auto* coder = &coders_[first];
        const bool by_level = std::all_of(coder, coder + columns,
                                          [](const auto& c) { return c.by_level(); });
        if (by_level && matrix_.column_stride == 1) {
            const uint16_t* levels =
                levels_.fill(matrix_, start, count, first, columns, fill_levels_);
            for (size_t j = 0; j < columns; ++j)
                encode_levels(first + j, start, count, levels + j * kPitch);
            return;
        }
        if (tile_.empty()) tile_.resize(std::min(coders_.size(), kTileColumns) * kPitch);
        fill_tile(matrix_, start, count, first, columns, tile_.data());
        for (size_t j = 0; j < columns; ++j)
            encode_block(first + j, start, count, &tile_[j * kPitch]);
    }

    void encode_block(size_t j, size_t start, size_t count, const T* values) {
        if (coders_[j].by_level()) {
            uint16_t levels[kStripe];
            fill_levels_(values, count, levels);
            encode_levels(j, start, count, levels);
            return;
        }
        double buffer[kStripe];
        const double* numbers = as_doubles(values, count, buffer);
        store_(j, start, count, [&](Cell* out) {
            coders_[j].encode_numbers(numbers, count, out, tally_ + 2 * j);
        });
    }

    void encode_levels(size_t j, size_t start, size_t count, const uint16_t* levels) {
        bool unseen = false;
        store_(j, start, count, [&](Cell* out) {
            unseen = coders_[j].encode_levels(levels, count, out, tally_ + 2 * j);
        });
        if constexpr (std::is_floating_point_v<T>)
            for (size_t b = 0; unseen && b < count; ++b)
                tally_[2 * j + 1] += std::isinf(*matrix_.at(start + b, j));
    }

    const Matrix<T> matrix_;
    const std::vector<Coder<Cell>>& coders_;
    const Store& store_;
    int64_t* tally_;
    FillLevels<T> fill_levels_ = best_fill_levels<T>();
    LevelTile levels_;
    std::vector<T> tile_;
};

template <typename Cell, typename Store>
void encode_all(const Array& X, const std::vector<Coding>& codings, int threads, int64_t* tally,
                const Store& store) {
    const size_t m = X.shape(0), n = codings.size();
    std::vector<Coder<Cell>> coders;
    coders.reserve(n);
    for (const auto& coding : codings) coders.emplace_back(coding, m > kStripe);
    std::vector<std::vector<int64_t>> tallies(task_count(m), std::vector<int64_t>(2 * n));
    with_matrix(X, [&](auto matrix) {
        using T = std::remove_const_t<std::remove_pointer_t<decltype(matrix.data)>>;
        for_row_tasks(m, threads, [&](size_t task, size_t start, size_t stop) {
            RowsEncoder<T, Cell, Store> rows(matrix, coders, store, tallies[task].data());
            rows.encode(start, stop);
        });
    });
    for (const auto& seen : tallies)
        for (size_t k = 0; k < seen.size(); ++k) tally[k] += seen[k];
}

using Outputs = std::vector<nb::ndarray<nb::device::cpu>>;

// Encodes to 32-bit codes, and narrows them if an output is narrower.
inline void encode_wide(const Array& X, const std::vector<Coding>& codings, int threads,
                        int64_t* tally, const Outputs& outs) {
    encode_all<uint32_t>(X, codings, threads, tally,
                         [&](size_t j, size_t start, size_t count, const auto& fill) {
                             uint32_t codes[kStripe];
                             fill(codes);
                             const int bits = outs[j].dtype().bits;
                             void* out = outs[j].data();
                             if (bits == 8) std::copy_n(codes, count, static_cast<uint8_t*>(out) + start);
                             else if (bits == 16) std::copy_n(codes, count, static_cast<uint16_t*>(out) + start);
                             else std::copy_n(codes, count, static_cast<uint32_t*>(out) + start);
                         });
}

// Fills `outs[j]` with the codes of column j. Returns the numbers of unseen and of infinite values
// per column.
inline Result<int64_t> encode_numbers(const Array& X, const Vector<double>& points,
                                      const Vector<int64_t>& starts, const Vector<uint32_t>& codes,
                                      const Vector<uint8_t>& exact, const Vector<uint32_t>& missing,
                                      const Vector<uint32_t>& unseen, const Outputs& outs,
                                      int threads) {
    const size_t m = X.shape(0), n = X.shape(1);
    if (outs.size() != n || exact.shape(0) != n || starts.shape(0) != n + 1)
        throw std::invalid_argument("There must be one coding per column.");
    for (const auto& out : outs)
        if (out.shape(0) != m || (m > 1 && out.stride(0) != 1))
            throw std::invalid_argument("Outputs must be contiguous, with one code per row.");
    auto result = make_result<int64_t>({n, 2});
    int64_t* tally = result.data();
    nb::gil_scoped_release release;
    std::vector<Coding> codings;
    for (size_t j = 0; j < n; ++j) {
        const size_t start = starts.data()[j];
        codings.push_back({points.data() + start, static_cast<size_t>(starts.data()[j + 1]) - start,
                           exact.data()[j] ? codes.data() + start : nullptr, missing.data()[j],
                           unseen.data()[j]});
    }
    const bool bytes = std::all_of(outs.begin(), outs.end(),
                                   [](const auto& out) { return out.dtype().bits == 8; });
    if (bytes)
        encode_all<uint8_t>(X, codings, threads, tally,
                            [&](size_t j, size_t start, size_t, const auto& fill) {
                                fill(static_cast<uint8_t*>(outs[j].data()) + start);
                            });
    else
        encode_wide(X, codings, threads, tally, outs);
    return result;
}

}  // namespace bayesgrove
