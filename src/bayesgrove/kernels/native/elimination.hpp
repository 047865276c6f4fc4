// Exact inference: multiply tables and sum out one variable after another.
#pragma once

#include <cfenv>

#include "ordering.hpp"

namespace bayesgrove {

// Each variable to be eliminated owns a bucket: the tables that have it and no earlier one. The
// buckets are the cliques of a junction tree; each sends its sum to the bucket of the variable of
// that sum which is eliminated next.
template <typename Domain>
class Buckets {
public:
    Buckets(const Product& product, const int64_t* offsets, const double* values,
            const std::vector<int32_t>& order, const std::vector<int32_t>& keep)
        : cards_(product.cards), keep_(keep), position_(product.variables, -1) {
        for (size_t i = 0; i < order.size(); ++i) {
            if (position_[product.variable(order[i])] >= 0)
                throw std::invalid_argument("a variable is eliminated twice");
            position_[order[i]] = static_cast<int32_t>(i);
        }
        const int32_t last = static_cast<int32_t>(order.size() + keep.size()) - 1;
        for (size_t k = 0; k < keep.size(); ++k)
            position_[product.variable(keep[k])] = last - static_cast<int32_t>(k);
        buckets_.resize(order.size() + 1);
        for (int32_t f : product.which) put(slice(product, f, offsets[f], values));
    }

    size_t size() const { return buckets_.size() - 1; }
    double log_scale() const { return log_scale_; }
    const std::vector<int32_t>& scope(size_t i) const { return scopes_[i]; }

    // The product of all tables of a bucket.
    Table product(size_t i) const {
        Table out{scopes_[i], {}};
        out.cells.assign(cells_of(out.scope, cards_), Domain::kOne);
        for (const Table& table : buckets_[i]) combine(out, table, cards_, Domain::times);
        return out;
    }

    // Eliminate all variables; reduce(i, product) gives the sum of a bucket over its variable.
    template <typename Reduce>
    Table forward(const Reduce& reduce) {
        scopes_.resize(buckets_.size());
        for (size_t i = 0; i < size(); ++i) {
            scopes_[i] = joint_scope(buckets_[i]);
            Table message = reduce(i, product(i));
            rescale(message);
            put(std::move(message));
        }
        scopes_.back() = keep_;
        return product(size());
    }

    // Bucket that the sum of bucket i went to; the last one where that was a mere number.
    size_t target(size_t i) const {
        const auto& scope = scopes_[i];
        return scope.size() < 2 ? size() : bucket_of(scope[scope.size() - 2]);
    }

    // Keep the largest cell near 1: an exact power of two is taken out.
    double rescale(Table& table) {
        double taken = 0.0;
        if constexpr (std::is_same_v<Domain, Linear>) {
            const double peak = *std::max_element(table.cells.begin(), table.cells.end());
            int exponent = 0;
            std::frexp(peak, &exponent);
            if (peak > 0.0 && (exponent < -64 || exponent > 64)) {
                for (double& x : table.cells) x = std::ldexp(x, -exponent);
                taken = exponent * std::log(2.0);
            }
        }
        log_scale_ += taken;
        return taken;
    }

private:
    size_t bucket_of(int32_t v) const {
        return std::min(static_cast<size_t>(position_[v]), size());
    }

    void put(Table table) {
        size_t i = size();
        for (int32_t v : table.scope) i = std::min(i, bucket_of(v));
        buckets_[i].push_back(std::move(table));
    }

    // Variables of some tables, those eliminated last first.
    std::vector<int32_t> joint_scope(const std::vector<Table>& tables) const {
        std::vector<int32_t> scope;
        for (const Table& table : tables)
            scope.insert(scope.end(), table.scope.begin(), table.scope.end());
        std::sort(scope.begin(), scope.end(),
                  [&](int32_t a, int32_t b) { return position_[a] > position_[b]; });
        scope.erase(std::unique(scope.begin(), scope.end()), scope.end());
        return scope;
    }

    // The part of a table that agrees with the evidence.
    Table slice(const Product& product, int32_t f, int64_t offset, const double* values) const {
        const int32_t *first = product.scopes + product.starts[f],
                      *last = product.scopes + product.starts[f + 1];
        const std::vector<int32_t> whole(first, last);
        Table out{product.free(f), {}};
        for (int32_t v : out.scope)
            if (position_[v] < 0) throw std::invalid_argument("a variable is not eliminated");
        size_t base = 0, stride = 1;
        for (size_t k = whole.size(); k-- > 0; stride *= cards_[whole[k]])
            if (product.evidence[whole[k]] >= 0) base += stride * product.evidence[whole[k]];
        out.cells.resize(cells_of(out.scope, cards_));
        const double* from = values + offset + base;
        double* to = out.cells.data();
        walk(axes_of(out.scope, whole, cards_), [&](size_t at, size_t step, size_t count) {
            for (size_t i = 0; i < count; ++i) *to++ = Domain::load(from[at + i * step]);
        });
        return out;
    }

    const int32_t* cards_;
    std::vector<int32_t> keep_;
    std::vector<int32_t> position_;
    std::vector<std::vector<Table>> buckets_;
    std::vector<std::vector<int32_t>> scopes_;
    double log_scale_ = 0.0;
};

// Sum over the last, fastest variable.
template <typename Domain>
Table sum_last(const Table& table, const int32_t* cards) {
    Table out{{table.scope.begin(), table.scope.end() - 1}, {}};
    const size_t card = static_cast<size_t>(cards[table.scope.back()]);
    out.cells.resize(table.cells.size() / card);
    for (size_t c = 0; c < out.cells.size(); ++c)
        out.cells[c] = Domain::sum(&table.cells[c * card], card);
    return out;
}

// work(domain) with plain numbers, and once more in logarithms if one left their range.
template <typename Work>
void within_range(const Work& work) {
    std::feclearexcept(FE_UNDERFLOW | FE_OVERFLOW);
    work(Linear{});
    if (std::fetestexcept(FE_UNDERFLOW | FE_OVERFLOW)) work(Log{});
}

struct Question {
    Product product;
    const int64_t* offsets;
    const double* values;
    std::vector<int32_t> order, keep;

    Question(Vector<int32_t>& cards, Vector<int32_t>& starts, Vector<int32_t>& scopes,
             Vector<int64_t>& offsets, Vector<double>& values, Vector<int32_t>& which,
             Vector<int32_t>& evidence, Vector<int32_t>& order)
        : product(cards, starts, scopes, which, evidence),
          offsets(offsets.data()),
          values(values.data()),
          order(order.data(), order.data() + order.shape(0)) {
        if (offsets.shape(0) + 1 != starts.shape(0))
            throw std::invalid_argument("one offset a table is needed");
        for (int32_t f : product.which) {
            const std::vector<int32_t> scope(product.scopes + product.starts[f],
                                             product.scopes + product.starts[f + 1]);
            if (offsets(f) < 0 || offsets(f) + cells_of(scope, product.cards) > values.shape(0))
                throw std::invalid_argument("a table is longer than the values");
        }
    }

    template <typename Domain>
    Buckets<Domain> buckets() const {
        return {product, offsets, values, order, keep};
    }
};

inline Result<double> sum_product(Vector<int32_t> cards, Vector<int32_t> starts,
                                  Vector<int32_t> scopes, Vector<int64_t> offsets,
                                  Vector<double> values, Vector<int32_t> which,
                                  Vector<int32_t> evidence, Vector<int32_t> order,
                                  Vector<int32_t> keep) {
    Question question(cards, starts, scopes, offsets, values, which, evidence, order);
    question.keep.assign(keep.data(), keep.data() + keep.shape(0));
    auto out = make_result<double>({cells_of(question.keep, cards.data())});
    nb::gil_scoped_release release;
    within_range([&](auto domain) {
        using Domain = decltype(domain);
        auto buckets = question.buckets<Domain>();
        const Table table = buckets.forward(
            [&](size_t, const Table& t) { return sum_last<Domain>(t, cards.data()); });
        for (size_t c = 0; c < table.cells.size(); ++c)
            out.data()[c] = Domain::to_log(table.cells[c]) + buckets.log_scale();
    });
    return out;
}

// Beliefs of all variables: sums go up the tree of buckets, and what is outside comes down.
template <typename Domain>
double propagate(const Question& question, double* out, const std::vector<size_t>& places) {
    const int32_t* cards = question.product.cards;
    auto buckets = question.buckets<Domain>();
    std::vector<Table> up(buckets.size()), down(buckets.size());
    const Table whole = buckets.forward([&](size_t i, const Table& table) {
        Table message = sum_last<Domain>(table, cards);
        up[i] = message;
        return message;
    });
    const double log_evidence = Domain::to_log(whole.cells[0]) + buckets.log_scale();
    std::vector<std::vector<size_t>> senders(buckets.size() + 1);
    for (size_t i = 0; i < buckets.size(); ++i) senders[buckets.target(i)].push_back(i);
    for (size_t i = buckets.size(); i-- > 0;) {
        Table belief = buckets.product(i);
        if (!down[i].cells.empty()) combine(belief, down[i], cards, Domain::times);
        down[i] = {};
        const int32_t v = belief.scope.back();
        const Table own = margin(belief, {v}, cards, Domain{});
        const double total = Domain::to_log(Domain::sum(own.cells.data(), own.cells.size()));
        for (size_t s = 0; s < own.cells.size(); ++s)
            out[places[v] + s] = std::exp(Domain::to_log(own.cells[s]) - total);
        for (size_t child : senders[i]) {
            down[child] = margin(belief, up[child].scope, cards, Domain{});
            combine(down[child], up[child], cards, Domain::over);
            buckets.rescale(down[child]);
            up[child] = {};
        }
    }
    return log_evidence;
}

inline nb::tuple marginals(Vector<int32_t> cards, Vector<int32_t> starts, Vector<int32_t> scopes,
                           Vector<int64_t> offsets, Vector<double> values, Vector<int32_t> which,
                           Vector<int32_t> evidence, Vector<int32_t> order) {
    const Question question(cards, starts, scopes, offsets, values, which, evidence, order);
    std::vector<size_t> places{0};
    for (size_t v = 0; v < cards.shape(0); ++v) places.push_back(places.back() + cards(v));
    auto out = make_result<double>({places.back()});
    for (size_t v = 0; v < cards.shape(0); ++v)
        if (evidence(v) >= 0) out.data()[places[v] + evidence(v)] = 1.0;
    double log_evidence = 0.0;
    {
        nb::gil_scoped_release release;
        within_range([&](auto domain) {
            log_evidence = propagate<decltype(domain)>(question, out.data(), places);
        });
    }
    return nb::make_tuple(out, log_evidence);
}

inline nb::tuple max_product(Vector<int32_t> cards, Vector<int32_t> starts, Vector<int32_t> scopes,
                             Vector<int64_t> offsets, Vector<double> values,
                             Vector<int32_t> which, Vector<int32_t> evidence,
                             Vector<int32_t> order) {
    const Question question(cards, starts, scopes, offsets, values, which, evidence, order);
    auto out = make_result<int32_t>({cards.shape(0)});
    for (size_t v = 0; v < cards.shape(0); ++v) out.data()[v] = evidence(v);
    double log_value = 0.0;
    {
        nb::gil_scoped_release release;
        auto buckets = question.buckets<Log>();
        std::vector<std::vector<int32_t>> best(buckets.size());
        const Table whole = buckets.forward([&](size_t i, const Table& table) {
            Table message{{table.scope.begin(), table.scope.end() - 1}, {}};
            const size_t card = static_cast<size_t>(cards(table.scope.back()));
            for (size_t c = 0; c < table.cells.size(); c += card) {
                const double* cells = &table.cells[c];
                const double* peak = std::max_element(cells, cells + card);
                best[i].push_back(static_cast<int32_t>(peak - cells));
                message.cells.push_back(*peak);
            }
            return message;
        });
        log_value = whole.cells[0];
        for (size_t i = buckets.size(); i-- > 0;) {
            const auto& scope = buckets.scope(i);
            size_t cell = 0;
            for (size_t k = 0; k + 1 < scope.size(); ++k)
                cell = cell * cards(scope[k]) + out.data()[scope[k]];
            out.data()[scope.back()] = best[i][cell];
        }
    }
    return nb::make_tuple(out, log_value);
}

}  // namespace bayesgrove
