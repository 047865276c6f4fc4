// Exact inference: multiply tables and sum out one variable after another.
#pragma once

#include <cfenv>
#include <deque>

#include "ordering.hpp"

namespace bayesgrove {

// Each variable to eliminate has a bucket: the tables that have it and no earlier variable. The
// buckets are the cliques of a junction tree. Each bucket sends its sum, the message, to the bucket
// of the first variable of that sum in the elimination order.
template <typename Domain>
class Buckets {
public:
    Buckets(const Product& product, const int64_t* offsets, const double* values,
            const std::vector<int32_t>& order, const std::vector<int32_t>& keep)
        : cards_(product.cards), position_(product.variables, -1), buckets_(order.size() + 1) {
        const size_t all = order.size() + keep.size();
        for (size_t i = 0; i < all; ++i) {
            const int32_t v = product.variable(i < order.size() ? order[i] : keep[all - 1 - i]);
            if (position_[v] >= 0) throw std::invalid_argument("A variable is named twice.");
            if (product.evidence[v] >= 0)
                throw std::invalid_argument("A known variable cannot be eliminated or kept.");
            position_[v] = static_cast<int32_t>(i);
        }
        for (int32_t f : product.which) put(slice(product, f, offsets[f], values));
        scopes_.resize(buckets_.size());
        scopes_.back() = keep;
    }

    size_t size() const { return buckets_.size() - 1; }
    double log_scale() const { return log_scale_; }
    const std::vector<int32_t>& scope(size_t i) const { return scopes_[i]; }
    const std::vector<const Table*>& bucket(size_t i) const { return buckets_[i]; }
    // The sum of bucket i, and the bucket that received it: the last bucket if the sum is a number.
    const Table& message(size_t i) const { return *messages_[i]; }
    size_t target(size_t i) const { return first_bucket(messages_[i]->scope); }

    // Returns the bucket of the first variable that is eliminated, the last bucket without one.
    size_t first_bucket(const std::vector<int32_t>& scope) const {
        size_t i = size();
        for (int32_t v : scope) i = std::min(i, static_cast<size_t>(position_[v]));
        return i;
    }

    // Eliminates all variables and returns the remaining table over `keep`. reduce(cells, card, i)
    // sums the cells of all states of the variable of bucket i.
    template <typename Reduce>
    Table forward(const Reduce& reduce) {
        for (size_t i = 0; i < size(); ++i) {
            if (buckets_[i].empty()) throw std::invalid_argument("No table has the variable.");
            scopes_[i] = joint_scope(buckets_[i]);
            const size_t card = static_cast<size_t>(cards_[scopes_[i].back()]);
            Table message{{scopes_[i].begin(), scopes_[i].end() - 1}, {}};
            message.cells.reserve(cells_of(message.scope, cards_));
            multiply<Domain>(scopes_[i], cards_, buckets_[i], {}, [&](const auto& block) {
                for (size_t at = 0; at < block.size(); at += card)
                    message.cells.push_back(reduce(&block[at], card, i));
            });
            rescale(message);
            messages_.push_back(put(std::move(message)));
        }
        Table whole{scopes_.back(), {}};
        multiply<Domain>(whole.scope, cards_, buckets_.back(), {}, [&](const auto& block) {
            whole.cells.insert(whole.cells.end(), block.begin(), block.end());
        });
        return whole;
    }

    // Divides by a power of two, which is exact, if the largest cell is far from 1.
    void rescale(Table& table) {
        if constexpr (std::is_same_v<Domain, Linear>) {
            const double peak = *std::max_element(table.cells.begin(), table.cells.end());
            int exponent = 0;
            std::frexp(peak, &exponent);
            if (peak > 0.0 && (exponent < -64 || exponent > 64)) {
                for (double& x : table.cells) x = std::ldexp(x, -exponent);
                log_scale_ += exponent * std::log(2.0);
            }
        }
    }

private:
    const Table* put(Table table) {
        tables_.push_back(std::move(table));
        buckets_[first_bucket(tables_.back().scope)].push_back(&tables_.back());
        return &tables_.back();
    }

    // Returns the variables of some tables in reverse order of elimination.
    std::vector<int32_t> joint_scope(const std::vector<const Table*>& tables) const {
        std::vector<int32_t> scope;
        for (const Table* table : tables)
            scope.insert(scope.end(), table->scope.begin(), table->scope.end());
        std::sort(scope.begin(), scope.end(),
                  [&](int32_t a, int32_t b) { return position_[a] > position_[b]; });
        scope.erase(std::unique(scope.begin(), scope.end()), scope.end());
        return scope;
    }

    // Returns the part of a table that agrees with the evidence.
    Table slice(const Product& product, int32_t f, int64_t offset, const double* values) const {
        const std::vector<int32_t> whole(product.scopes + product.starts[f],
                                         product.scopes + product.starts[f + 1]);
        Table out{product.free(f), {}};
        for (int32_t v : out.scope)
            if (position_[v] < 0)
                throw std::invalid_argument("An unknown variable is neither eliminated nor kept.");
        const double* from = values + offset;
        for (int32_t v : whole)
            if (product.evidence[v] >= 0)
                from += step_of(v, whole, cards_) * static_cast<size_t>(product.evidence[v]);
        out.cells.reserve(cells_of(out.scope, cards_));
        walk(axes_of(out.scope, whole, cards_), [&](size_t at, size_t step, size_t count) {
            for (size_t i = 0; i < count; ++i)
                out.cells.push_back(Domain::load(from[at + i * step]));
        });
        return out;
    }

    const int32_t* cards_;
    std::vector<int32_t> position_;
    std::deque<Table> tables_;
    std::vector<std::vector<const Table*>> buckets_;
    std::vector<const Table*> messages_;
    std::vector<std::vector<int32_t>> scopes_;
    double log_scale_ = 0.0;
};

// Calls work(domain) with plain numbers. If a number underflowed or overflowed, calls it again with
// logarithms.
template <typename Work>
void within_range(const Work& work) {
    std::feclearexcept(FE_UNDERFLOW | FE_OVERFLOW);
    work(Linear{});
    if (std::fetestexcept(FE_UNDERFLOW | FE_OVERFLOW)) work(Log{});
}

// The tables, the evidence and the elimination order of one computation.
struct Question {
    Product product;
    const int64_t* offsets;
    const double* values;
    std::vector<int32_t> order, keep;

    Question(Vector<int32_t>& cards, Vector<int32_t>& starts, Vector<int32_t>& scopes,
             Vector<int64_t>& offsets, Vector<double>& values, std::vector<int32_t> which,
             Vector<int32_t>& evidence)
        : product(cards, starts, scopes, std::move(which), evidence),
          offsets(offsets.data()),
          values(values.data()) {
        if (offsets.shape(0) + 1 != starts.shape(0))
            throw std::invalid_argument("There must be one offset per table.");
        for (int32_t f : product.which) {
            size_t room = offsets(f) < 0 ? 0 : values.shape(0);
            room -= std::min(room, static_cast<size_t>(offsets(f)));
            for (int32_t k = product.starts[f]; k < product.starts[f + 1]; ++k)
                room /= static_cast<size_t>(product.cards[product.scopes[k]]);
            if (room == 0) throw std::invalid_argument("A table is longer than the values.");
        }
    }

    template <typename Domain>
    Buckets<Domain> buckets() const {
        return {product, offsets, values, order, keep};
    }
};

// Computes the logarithm of the product, summed over all variables of the order.
inline void sum_out(const Question& question, double* out) {
    within_range([&](auto domain) {
        using Domain = decltype(domain);
        auto buckets = question.buckets<Domain>();
        const Table table = buckets.forward(
            [](const double* cells, size_t card, size_t) { return Domain::sum(cells, card); });
        for (size_t c = 0; c < table.cells.size(); ++c)
            out[c] = Domain::to_log(table.cells[c]) + buckets.log_scale();
    });
}

inline Result<double> sum_product(Vector<int32_t> cards, Vector<int32_t> starts,
                                  Vector<int32_t> scopes, Vector<int64_t> offsets,
                                  Vector<double> values, Vector<int32_t> which,
                                  Vector<int32_t> evidence, Vector<int32_t> order,
                                  Vector<int32_t> keep) {
    Question question(cards, starts, scopes, offsets, values, listed(which), evidence);
    question.order = listed(order);
    question.keep = listed(keep);
    auto out = make_result<double>({cells_of(question.keep, cards.data())});
    nb::gil_scoped_release release;
    sum_out(question, out.data());
    return out;
}

// Does all steps of a posterior in one call. If more than `limit` cells are needed, only the number
// of cells is returned.
inline nb::tuple posterior(Vector<int32_t> cards, Vector<int32_t> starts, Vector<int32_t> scopes,
                           Vector<int64_t> offsets, Vector<double> values,
                           Vector<uint8_t> has_zeros, Vector<int32_t> evidence, int query,
                           double limit) {
    require_query(starts, scopes, evidence, query);
    if (has_zeros.shape(0) != evidence.shape(0))
        throw std::invalid_argument("There must be one mark for zeros per table.");
    Relevance relevance = find_relevant(starts.data(), scopes.data(), evidence.data(),
                                        evidence.shape(0), query);
    // Tables separated from the query matter only if they could make the evidence impossible.
    bool can_be_impossible = false;
    for (int32_t f : relevance.apart) can_be_impossible |= has_zeros(f) != 0;
    auto& which = relevance.related;
    if (can_be_impossible)
        which.insert(which.end(), relevance.apart.begin(), relevance.apart.end());
    Question question(cards, starts, scopes, offsets, values, std::move(which), evidence);
    const bool known = evidence(query) >= 0;
    std::vector<uint8_t> kept(cards.shape(0));
    if (!known) {
        question.keep = {query};
        kept[query] = 1;
    }
    Order order;
    {
        nb::gil_scoped_release release;
        order = best_order(question.product, kept);
    }
    double needed = 0.0;
    for (size_t i = 0; i < order.cells.size(); ++i)
        needed += order.cells[i] / cards(order.variables[i]);
    const size_t states = static_cast<size_t>(cards(query));
    auto out = make_result<double>({needed > limit ? 0 : states});
    if (needed > limit) return nb::make_tuple(out, needed);
    question.order = std::move(order.variables);
    {
        nb::gil_scoped_release release;
        sum_out(question, out.data());
    }
    double* logs = out.data();
    if (known) {
        const double log_evidence = logs[0];
        std::fill(logs, logs + states, Log::kZero);
        logs[evidence(query)] = log_evidence;
    }
    const double total = Log::sum(logs, states);
    for (size_t s = 0; s < states; ++s)
        logs[s] = total == Log::kZero ? 0.0 : std::exp(logs[s] - total);
    return nb::make_tuple(out, needed);
}

// Fills the asked tables with the sums of the product over all other variables, up to one factor.
// Sums are sent up the tree of buckets. Then the product of everything outside a bucket is sent down
// to it. A table whose variables are not all in one bucket is left empty. Returns the logarithm of
// the whole sum.
template <typename Domain>
double clique_margins(const Question& question, std::vector<Table>& asked) {
    const int32_t* cards = question.product.cards;
    auto buckets = question.buckets<Domain>();
    const Table whole = buckets.forward(
        [](const double* cells, size_t card, size_t) { return Domain::sum(cells, card); });
    const double log_evidence = Domain::to_log(whole.cells[0]) + buckets.log_scale();
    std::vector<std::vector<size_t>> senders(buckets.size() + 1);
    for (size_t i = 0; i < buckets.size(); ++i) senders[buckets.target(i)].push_back(i);
    auto fill = [&](Table& table) { table.cells.assign(cells_of(table.scope, cards), Domain::kZero); };
    std::vector<std::vector<Table*>> margins(buckets.size());
    for (Table& table : asked) {
        table.cells.clear();
        const size_t i = buckets.first_bucket(table.scope);
        const auto& scope = buckets.scope(i);
        if (i == buckets.size() || !std::all_of(table.scope.begin(), table.scope.end(), [&](int32_t v) {
                return std::find(scope.begin(), scope.end(), v) != scope.end();
            }))
            continue;
        fill(table);
        margins[i].push_back(&table);
    }
    std::vector<Table> down(buckets.size());
    for (size_t i = buckets.size(); i-- > 0;) {
        for (size_t child : senders[i]) {
            down[child].scope = buckets.message(child).scope;
            fill(down[child]);
            margins[i].push_back(&down[child]);
        }
        auto factors = buckets.bucket(i);
        if (!down[i].cells.empty()) factors.push_back(&down[i]);
        multiply<Domain>(buckets.scope(i), cards, factors, margins[i], [](const auto&) {});
        down[i] = {};
        for (size_t child : senders[i]) {
            const Table& message = buckets.message(child);
            combine(down[child].cells.data(), message.cells.data(),
                    axes_of(message.scope, message.scope, cards),
                    [](double a, double b) { return Domain::over(a, b); });
            buckets.rescale(down[child]);
        }
    }
    return log_evidence;
}

// Computes the marginals of all variables.
template <typename Domain>
double propagate(const Question& question, double* out, const std::vector<size_t>& places) {
    std::vector<Table> asked;
    for (int32_t v : question.order) asked.push_back({{v}, {}});
    const double log_evidence = clique_margins<Domain>(question, asked);
    for (const auto& [scope, states] : asked) {
        const double total = Domain::to_log(Domain::sum(states.data(), states.size()));
        for (size_t s = 0; s < states.size(); ++s)
            out[places[scope[0]] + s] = std::exp(Domain::to_log(states[s]) - total);
    }
    return log_evidence;
}

inline nb::tuple marginals(Vector<int32_t> cards, Vector<int32_t> starts, Vector<int32_t> scopes,
                           Vector<int64_t> offsets, Vector<double> values, Vector<int32_t> which,
                           Vector<int32_t> evidence, Vector<int32_t> order) {
    Question question(cards, starts, scopes, offsets, values, listed(which), evidence);
    question.order = listed(order);
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
    Question question(cards, starts, scopes, offsets, values, listed(which), evidence);
    question.order = listed(order);
    auto out = make_result<int32_t>({cards.shape(0)});
    for (size_t v = 0; v < cards.shape(0); ++v) out.data()[v] = evidence(v);
    double log_value = 0.0;
    {
        nb::gil_scoped_release release;
        auto buckets = question.buckets<Log>();
        std::vector<std::vector<int32_t>> best(buckets.size());
        const Table whole = buckets.forward([&](const double* cells, size_t card, size_t i) {
            const double* peak = std::max_element(cells, cells + card);
            best[i].push_back(static_cast<int32_t>(peak - cells));
            return *peak;
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
