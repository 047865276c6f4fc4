// Expected tables of rows with missing values: the weight of a row is spread over the posterior of
// its missing attributes.
#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include "elimination.hpp"

namespace bayesgrove {

constexpr size_t kEnumerated = 4096;          // largest joint of a component that is enumerated
constexpr size_t kRememberedCells = 1 << 21;  // cells of the posteriors that a task remembers
constexpr size_t kRowsPerChunk = 1024, kMaxChunks = 16;

using Scope = std::vector<int32_t>;

// The tables of each variable of a network, and its neighbours: the other attributes of its tables.
struct Neighbourhood {
    std::vector<Scope> scopes, tables, neighbours;

    explicit Neighbourhood(const Product& product)
        : scopes(product.which.size()), tables(product.variables), neighbours(product.variables) {
        const int32_t target = static_cast<int32_t>(product.variables) - 1;
        for (int32_t f : product.which) {
            scopes[f].assign(product.scopes + product.starts[f],
                             product.scopes + product.starts[f + 1]);
            for (int32_t v : scopes[f]) {
                tables[v].push_back(f);
                for (int32_t u : scopes[f])
                    if (u != v && u != target) neighbours[v].push_back(u);
            }
        }
        for (Scope& near : neighbours) {
            std::sort(near.begin(), near.end());
            near.erase(std::unique(near.begin(), near.end()), near.end());
        }
    }
};

// The posterior of connected missing attributes: their joint probabilities if these are few, and
// the probabilities of some sets of members.
struct Posterior {
    Scope members;
    std::vector<double> joint;
    double log_total = 0.0;
    std::map<Scope, std::vector<double>> margins;
};

// Scales probabilities so that they sum to 1, and returns the logarithm of their sum.
template <typename Domain>
double to_probabilities(std::vector<double>& cells) {
    const double total = Domain::to_log(Domain::sum(cells.data(), cells.size()));
    for (double& x : cells)
        x = total == Log::kZero ? 0.0 : std::exp(Domain::to_log(x) - total);
    return total;
}

// The expected tables of some rows, which one thread computes.
class ExpectedTables {
public:
    ExpectedTables(const Question& network, const Neighbourhood& near,
                   const std::vector<Column>& columns, const std::vector<Scope>& families,
                   const std::vector<size_t>& places, double limit)
        : network_(network), near_(near), columns_(columns), families_(families), places_(places),
          limit_(limit), users_(columns.size()), evidence_(columns.size()),
          component_(columns.size()), seen_table_(near.scopes.size()), seen_(families.size()),
          kept_(columns.size()), tables(places.back()) {
        for (size_t f = 0; f < families.size(); ++f)
            for (int32_t v : families[f]) users_[v].push_back(static_cast<int32_t>(f));
    }

    // Adds one row. Does nothing after a row that needs too many cells: the result is not used.
    void add(size_t row, double weight) {
        if (largest > limit_) return;
        find_components(row);
        if (largest > limit_) return;
        for (const Posterior* posterior : posteriors_) log_total += weight * posterior->log_total;
        for (int32_t f : touched_) spread(f, weight);
    }

private:
    const Question& network_;
    const Neighbourhood& near_;
    const std::vector<Column>& columns_;
    const std::vector<Scope>& families_;
    const std::vector<size_t>& places_;
    double limit_;
    std::vector<Scope> users_;
    std::vector<int32_t> evidence_, component_;
    std::vector<size_t> seen_table_, seen_;
    std::vector<uint8_t> kept_;
    std::vector<Posterior*> posteriors_;
    std::deque<Posterior> large_;
    Scope touched_, missing_;
    std::unordered_map<std::u32string, Posterior> remembered_;
    std::u32string key_;
    size_t remembered_cells_ = 0, stamp_ = 0, stamp_table_ = 0;

public:
    std::vector<double> tables;
    double log_total = 0.0, largest = 0.0;
    size_t largest_row = 0;

private:
    const int32_t* cards() const { return network_.product.cards; }

    // Reads a row, and finds the families with a missing member and the posteriors of all
    // components.
    void find_components(size_t row) {
        touched_.clear();
        missing_.clear();
        posteriors_.clear();
        large_.clear();
        if (remembered_cells_ > kRememberedCells) {
            remembered_.clear();
            remembered_cells_ = 0;
        }
        ++stamp_;
        for (size_t v = 0; v < columns_.size(); ++v) {
            const uint32_t code = columns_[v].code(row);
            const bool known = code < static_cast<uint32_t>(cards()[v]);
            evidence_[v] = known ? static_cast<int32_t>(code) : -1;
            component_[v] = -1;
            if (known) continue;
            missing_.push_back(static_cast<int32_t>(v));
            for (int32_t f : users_[v])
                if (seen_[f] != stamp_) {
                    seen_[f] = stamp_;
                    touched_.push_back(f);
                }
        }
        for (int32_t v : missing_)
            if (component_[v] < 0) posteriors_.push_back(posterior(connected(v), row));
    }

    // Marks and returns the missing attributes that are connected with an attribute.
    Scope connected(int32_t first) {
        const int32_t label = static_cast<int32_t>(posteriors_.size());
        Scope members{first};
        component_[first] = label;
        for (size_t k = 0; k < members.size(); ++k)
            for (int32_t u : near_.neighbours[members[k]])
                if (evidence_[u] < 0 && component_[u] < 0) {
                    component_[u] = label;
                    members.push_back(u);
                }
        std::sort(members.begin(), members.end());
        return members;
    }

    // Returns the posterior of a component; equal work is done once.
    Posterior* posterior(Scope members, size_t row) {
        double cells = 1.0;
        for (int32_t v : members) cells *= cards()[v];
        if (cells > static_cast<double>(kEnumerated)) {
            large_.push_back({std::move(members), {}, 0.0, {}});
            eliminate(large_.back(), row);
            return &large_.back();
        }
        key_.assign(1, static_cast<char32_t>(evidence_.back()));
        for (int32_t v : members) {
            key_.push_back(static_cast<char32_t>(v));
            for (int32_t u : near_.neighbours[v])
                key_.push_back(static_cast<char32_t>(evidence_[u]));
        }
        auto [at, is_new] = remembered_.try_emplace(key_);
        if (is_new) {
            at->second.members = std::move(members);
            within_range([&](auto domain) {
                enumerate<decltype(domain)>(at->second, static_cast<size_t>(cells));
            });
            remembered_cells_ += 2 * at->second.joint.size() + key_.size() + 32;
        }
        return &at->second;
    }

    // Returns the tables that have a member of a component.
    Scope tables_of(const Scope& members) {
        Scope tables;
        ++stamp_table_;
        for (int32_t v : members)
            for (int32_t f : near_.tables[v])
                if (seen_table_[f] != stamp_table_) {
                    seen_table_[f] = stamp_table_;
                    tables.push_back(f);
                }
        return tables;
    }

    template <typename Domain>
    void enumerate(Posterior& out, size_t cells) {
        out.joint.assign(cells, Domain::kOne);
        for (int32_t f : tables_of(out.members)) {
            const Scope& scope = near_.scopes[f];
            const double* from = network_.values + network_.offsets[f];
            size_t step = 1;
            for (size_t k = scope.size(); k-- > 0; step *= static_cast<size_t>(cards()[scope[k]]))
                if (evidence_[scope[k]] > 0) from += step * static_cast<size_t>(evidence_[scope[k]]);
            combine(out.joint.data(), from, axes_of(out.members, scope, cards()),
                    [](double a, double b) { return Domain::times(a, Domain::load(b)); });
        }
        out.log_total = to_probabilities<Domain>(out.joint);
    }

    // Computes the probabilities that the families need, by elimination: those inside a clique of
    // one junction tree together, each of the others alone.
    void eliminate(Posterior& out, size_t row) {
        std::vector<Table> asked;
        for (int32_t f : touched_) {
            const Scope members = part_of(f, out.members);
            if (!members.empty() && out.margins.try_emplace(members).second)
                asked.push_back({members, {}});
        }
        Question question = network_;
        question.product.evidence = evidence_.data();
        question.product.which = tables_of(out.members);
        if (!set_order(question, row)) return;
        within_range([&](auto domain) {
            using Domain = decltype(domain);
            out.log_total = clique_margins<Domain>(question, asked);
            for (Table& table : asked) {
                if (!table.cells.empty()) to_probabilities<Domain>(table.cells);
                out.margins[table.scope] = table.cells;
            }
        });
        for (const Table& table : asked)
            if (table.cells.empty()) out.margins[table.scope] = alone(question, table.scope, row);
    }

    // Returns the probabilities of some members, by one elimination of all others.
    std::vector<double> alone(Question& question, const Scope& members, size_t row) {
        question.keep = members;
        for (int32_t v : members) kept_[v] = 1;
        const bool is_small = set_order(question, row);
        for (int32_t v : members) kept_[v] = 0;
        std::vector<double> cells(cells_of(members, cards()));
        if (!is_small) return cells;
        sum_out(question, cells.data());
        to_probabilities<Log>(cells);
        return cells;
    }

    // Sets the elimination order; returns whether its tables are within the limit.
    bool set_order(Question& question, size_t row) {
        Order order = best_order(question.product, kept_);
        double needed = static_cast<double>(cells_of(question.keep, cards()));
        for (size_t i = 0; i < order.cells.size(); ++i)
            needed += order.cells[i] / cards()[order.variables[i]];
        question.order = std::move(order.variables);
        if (needed > largest) {
            largest = needed;
            largest_row = row;
        }
        return needed <= limit_;
    }

    // Returns the members of a component that are in a family, in ascending order.
    Scope part_of(int32_t family, const Scope& members) const {
        Scope part;
        for (int32_t v : members)
            if (std::find(families_[family].begin(), families_[family].end(), v) !=
                families_[family].end())
                part.push_back(v);
        return part;
    }

    const std::vector<double>& margin(Posterior& posterior, const Scope& members) {
        if (!posterior.joint.empty() && members.size() == posterior.members.size())
            return posterior.joint;
        auto [at, is_new] = posterior.margins.try_emplace(members);
        if (is_new) {
            at->second.assign(cells_of(members, cards()), 0.0);
            add_margin<Linear>(posterior.joint.data(), at->second.data(),
                               axes_of(posterior.members, members, cards()));
            remembered_cells_ += at->second.size() + 16;
        }
        return at->second;
    }

    // Adds the weight of the row to the table of a family.
    void spread(int32_t family, double weight) {
        const Scope& scope = families_[family];
        double* table = tables.data() + places_[family];
        Scope labels;
        for (int32_t v : scope) {
            if (evidence_[v] >= 0)
                table += step_of(v, scope, cards()) * static_cast<size_t>(evidence_[v]);
            else if (std::find(labels.begin(), labels.end(), component_[v]) == labels.end())
                labels.push_back(component_[v]);
        }
        std::sort(labels.begin(), labels.end());
        spread_parts(family, labels, 0, table, weight);
    }

    // Members of different components are independent given the row.
    void spread_parts(int32_t family, const Scope& labels, size_t k, double* table, double weight) {
        Posterior& posterior = *posteriors_[labels[k]];
        const Scope part = part_of(family, posterior.members);
        const double* p = margin(posterior, part).data();
        const bool is_last = k + 1 == labels.size();
        walk(axes_of(part, families_[family], cards()), [&](size_t at, size_t step, size_t count) {
            for (size_t i = 0; i < count; ++i, ++p) {
                if (is_last)
                    table[at + i * step] += weight * *p;
                else
                    spread_parts(family, labels, k + 1, table + at + i * step, weight * *p);
            }
        });
    }
};

inline nb::tuple expected_tables(Vector<int32_t> cards, Vector<int32_t> starts,
                                 Vector<int32_t> scopes, Vector<int64_t> offsets,
                                 Vector<double> values, const std::vector<Array>& arrays,
                                 const Weights& weights, Vector<int32_t> family_starts,
                                 Vector<int32_t> family_scopes, double limit, int threads) {
    const auto columns = as_columns(arrays);
    const size_t variables = cards.shape(0);
    if (columns.size() != variables || starts.shape(0) != variables + 1)
        throw std::invalid_argument("There must be one table and one column per variable.");
    const size_t rows = columns.empty() ? 0 : columns[0].rows;
    const double* weight = weight_data(weights, rows);
    for (size_t r = 0; r < rows; ++r)
        if (columns.back().code(r) >= static_cast<uint32_t>(cards(variables - 1)))
            throw std::invalid_argument("The class of every row must be known.");
    std::vector<int32_t> all_tables, unknown(variables, -1);
    for (size_t v = 0; v < variables; ++v) all_tables.push_back(static_cast<int32_t>(v));
    Vector<int32_t> evidence(unknown.data(), {variables});
    const Question network(cards, starts, scopes, offsets, values, all_tables, evidence);
    const int32_t count = require_scopes(family_starts, family_scopes, variables);
    std::vector<Scope> families;
    std::vector<size_t> places{0};
    for (int32_t f = 0; f < count; ++f) {
        families.emplace_back(family_scopes.data() + family_starts(f),
                              family_scopes.data() + family_starts(f + 1));
        places.push_back(places.back() + cells_of(families.back(), cards.data()));
    }
    auto result = make_result<double>({places.back()});
    double log_total = 0.0, largest = 0.0;
    size_t largest_row = 0;
    {
        nb::gil_scoped_release release;
        const Neighbourhood near(network.product);
        const size_t chunks = std::clamp<size_t>(rows / kRowsPerChunk, 1, kMaxChunks);
        std::vector<std::unique_ptr<ExpectedTables>> parts(chunks);
        parallel_for(chunks, threads, [&](size_t c) {
            parts[c] = std::make_unique<ExpectedTables>(network, near, columns, families, places,
                                                        limit);
            for (size_t r = rows * c / chunks; r < rows * (c + 1) / chunks; ++r)
                parts[c]->add(r, weight ? weight[r] : 1.0);
        });
        for (const auto& part : parts) {
            for (size_t i = 0; i < places.back(); ++i) result.data()[i] += part->tables[i];
            log_total += part->log_total;
            if (part->largest > largest) {
                largest = part->largest;
                largest_row = part->largest_row;
            }
        }
    }
    return nb::make_tuple(result, log_total, largest, largest_row);
}

}  // namespace bayesgrove
