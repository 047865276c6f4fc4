"""The kernels of exact inference against sums over every joint value."""

import math
import subprocess
import sys
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

SEEDS = range(40)


@pytest.fixture(params=["numpy", "_native"])
def kernels(request):
    return pytest.importorskip(f"bayesgrove.kernels.{request.param}")


@pytest.fixture
def native():
    return pytest.importorskip("bayesgrove.kernels._native")


def numbers(*values):
    return np.array(values, dtype=np.int32)


@dataclass
class Tables:
    """Some tables, each with its variables, and the same laid out flat with gaps between."""

    cards: list[int]
    tables: list[tuple[list[int], np.ndarray]]

    @property
    def layout(self):
        starts = np.cumsum([0, *(len(scope) for scope, _ in self.tables)], dtype=np.int32)
        return (
            numbers(*self.cards),
            starts,
            numbers(*(v for scope, _ in self.tables for v in scope)),
        )

    @property
    def cells(self):
        offsets, values = [], [np.full(3, np.nan)]
        for _, table in reversed(self.tables):  # neither in order nor side by side
            offsets.append(sum(map(len, values)))
            values += [table.ravel(), np.full(2, np.nan)]
        return np.array(offsets[::-1], dtype=np.int64), np.concatenate(values)

    def whole(self, which, evidence):
        """The product over all variables, zero where it contradicts the evidence."""
        index = np.indices(self.cards)
        out = np.ones(self.cards)
        for f in which:
            scope, table = self.tables[f]
            out *= table[tuple(index[v] for v in scope)]
        for v, code in enumerate(evidence):
            if code >= 0:
                out *= index[v] == code
        return out

    def unknown(self, which, evidence, keep=()):
        """Variables of some tables that are neither known nor kept."""
        used = {v for f in which for v in self.tables[f][0]}
        return [v for v in used if evidence[v] < 0 and v not in keep]

    def summed(self, which, evidence, keep):
        """The product summed over all that is unknown in its tables; axes as in ``keep``."""
        whole = self.whole(which, evidence)
        gone = self.unknown(which, evidence, keep)
        for v in range(len(self.cards)):
            if v in gone or evidence[v] >= 0:
                whole = whole.sum(axis=v, keepdims=True)
            elif v not in keep:
                whole = whole.take([0], axis=v)  # it is in no table
        rest = [v for v in range(len(self.cards)) if v not in keep]
        return whole.transpose(*keep, *rest).ravel()


def random_tables(rng, *, zeros=0.2, most=6):
    """Tables over any variables: not those of a network, and not normalised."""
    cards = rng.integers(1, 5, rng.integers(1, most + 1)).tolist()
    n = len(cards)
    tables = []
    for _ in range(rng.integers(0, 8)):
        scope = rng.permutation(n)[: rng.integers(0, min(n, 4) + 1)].tolist()
        shape = [cards[v] for v in scope]
        table = rng.random(shape) * 10.0 ** rng.integers(-3, 4)
        tables.append((scope, np.asarray(table * (rng.random(shape) >= zeros))))
    return Tables(cards, tables)


def random_question(rng, tables):
    """Which tables, what is known, and what is kept, in any order."""
    count = len(tables.tables)
    which = rng.permutation(count)[: rng.integers(0, count + 1)] if rng.random() < 0.4 else None
    which = np.arange(count) if which is None else which
    share = rng.choice([0.0, 0.3, 0.7])
    evidence = [int(rng.integers(card)) if rng.random() < share else -1 for card in tables.cards]
    free = [v for v, code in enumerate(evidence) if code < 0]
    keep = rng.permutation(free)[: rng.integers(0, len(free) + 1)]
    return which.astype(np.int32), numbers(*evidence), keep.astype(np.int32)


def shuffled(rng, variables):
    return rng.permutation(variables).astype(np.int32)


# Products, summed or maximised


@pytest.mark.parametrize("seed", SEEDS)
def test_sum_product_adds_up_every_joint_value(kernels, seed):
    rng = np.random.default_rng(seed)
    for _ in range(15):
        tables = random_tables(rng)
        which, evidence, keep = random_question(rng, tables)
        expected = tables.summed(which, evidence, keep)
        found, _ = kernels.elimination_order(*tables.layout, which, evidence, keep)
        unknown = tables.unknown(which, evidence, keep)
        for order in (found, shuffled(rng, unknown), shuffled(rng, unknown)):
            logs = kernels.sum_product(*tables.layout, *tables.cells, which, evidence, order, keep)
            assert logs.dtype == np.float64
            assert_allclose(np.exp(logs), expected, rtol=1e-12, atol=0)


def test_sum_product_keeps_axes_in_the_order_asked_for(kernels):
    table = np.arange(1.0, 25.0).reshape(2, 3, 4)
    tables = Tables([2, 3, 4], [([0, 1, 2], table)])
    nothing = numbers(-1, -1, -1)
    for keep in ([], [0], [2, 0], [1, 2, 0], [2, 1, 0], [0, 1, 2]):
        order = numbers(*(v for v in range(3) if v not in keep))
        logs = kernels.sum_product(
            *tables.layout, *tables.cells, numbers(0), nothing, order, numbers(*keep)
        )
        expected = np.einsum(table, [0, 1, 2], keep).ravel()
        assert_allclose(np.exp(logs), expected, rtol=1e-14)


def test_no_tables_and_no_variables(kernels):
    none = numbers()
    tables = Tables([3, 2], [])
    free = numbers(-1, -1)
    layout = *tables.layout, *tables.cells
    assert kernels.sum_product(*layout, none, free, none, none).tolist() == [0.0]
    assert kernels.sum_product(*layout, none, free, none, numbers(1, 0)).tolist() == [0.0] * 6
    order, cells = kernels.elimination_order(*tables.layout, none, free, none)
    assert len(order) == len(cells) == 0
    codes, log_value = kernels.max_product(*layout, none, numbers(1, 0), none)
    assert codes.tolist() == [1, 0]
    assert log_value == 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_max_product_finds_the_largest_cell(kernels, seed):
    rng = np.random.default_rng(seed)
    for _ in range(15):
        tables = random_tables(rng, zeros=rng.choice([0.0, 0.4]))
        _, evidence, _ = random_question(rng, tables)
        which = numbers(*range(len(tables.tables)))
        unknown = tables.unknown(which, evidence)
        whole = tables.whole(which, evidence)
        found, _ = kernels.elimination_order(*tables.layout, which, evidence, numbers())
        for order in (found, shuffled(rng, unknown)):
            codes, log_value = kernels.max_product(
                *tables.layout, *tables.cells, which, evidence, order
            )
            assert math.exp(log_value) == pytest.approx(whole.max(), rel=1e-12, abs=0)
            for v, code in enumerate(evidence):
                if code >= 0:
                    assert codes[v] == code
            if whole.max() > 0:
                cell = tuple(code if v in unknown or evidence[v] >= 0 else 0
                             for v, code in enumerate(codes.tolist()))  # fmt: skip
                assert whole[cell] == pytest.approx(whole.max(), rel=1e-12, abs=0)


@pytest.mark.parametrize("seed", SEEDS)
def test_marginals_add_up_every_joint_value(kernels, seed):
    rng = np.random.default_rng(seed)
    for _ in range(15):
        tables = random_tables(rng, zeros=rng.choice([0.0, 0.3]))
        n = len(tables.cards)
        tables.tables += [([v], rng.random(tables.cards[v])) for v in range(n)]
        which, evidence, _ = random_question(rng, tables)
        which = np.union1d(which, np.arange(len(tables.tables) - n, len(tables.tables)))
        which = which.astype(np.int32)
        whole = tables.whole(which, evidence)
        unknown = tables.unknown(which, evidence)
        found, _ = kernels.elimination_order(*tables.layout, which, evidence, numbers())
        for order in (found, shuffled(rng, unknown)):
            flat, log_sum = kernels.marginals(*tables.layout, *tables.cells, which, evidence, order)
            assert math.exp(log_sum) == pytest.approx(whole.sum(), rel=1e-12, abs=0)
            if whole.sum() == 0:
                assert log_sum == -math.inf
                continue
            sums = [
                whole.sum(axis=tuple(u for u in range(n) if u != v)) / whole.sum() for v in range(n)
            ]
            assert_allclose(flat, np.concatenate(sums), rtol=0, atol=1e-13)


@pytest.mark.parametrize("scale", [1.0, 1e-160], ids=["plain", "in logarithms"])
@pytest.mark.parametrize(
    "cards", [[7, 6, 5, 9, 8], [2] * 15, [3, 20_000, 2], [9000, 2], [1, 97, 1, 89, 2, 1]], ids=str
)
def test_cliques_that_no_cache_holds(kernels, cards, scale):
    """One clique of all variables, also with more states than are worked through at once."""
    rng = np.random.default_rng(len(cards))
    n = len(cards)
    scopes = [[a, b] for a in range(n) for b in range(a) if rng.random() < 0.7]
    scopes += [[v] for v in range(n)] + [rng.permutation(n)[:3].tolist()]
    tables = Tables(
        cards, [(scope, rng.random([cards[v] for v in scope]) * scale) for scope in scopes]
    )
    plain = Tables(cards, [(scope, table / scale) for scope, table in tables.tables])
    shift = len(scopes) * math.log(scale)
    which, evidence = numbers(*range(len(scopes))), numbers(*[-1] * n)
    whole = plain.whole(which, evidence)
    layout = *tables.layout, *tables.cells, which, evidence
    for keep in ([], [n - 1], [n - 1, 0]):
        order = shuffled(rng, [v for v in range(n) if v not in keep])
        logs = kernels.sum_product(*layout, order, numbers(*keep))
        expected = np.einsum(whole, list(range(n)), keep).ravel()
        assert_allclose(np.exp(logs - shift), expected, rtol=1e-9)
    order = shuffled(rng, range(n))
    flat, log_sum = kernels.marginals(*layout, order)
    assert log_sum - shift == pytest.approx(math.log(whole.sum()), abs=1e-9)
    sums = [np.einsum(whole, list(range(n)), [v]) / whole.sum() for v in range(n)]
    assert_allclose(flat, np.concatenate(sums), rtol=0, atol=1e-12 if scale == 1 else 1e-10)
    codes, log_value = kernels.max_product(*layout, order)
    assert log_value - shift == pytest.approx(math.log(whole.max()), abs=1e-9)
    assert tuple(codes) == np.unravel_index(whole.argmax(), whole.shape)


def test_what_is_impossible_has_the_logarithm_of_zero(kernels):
    tables = Tables([2, 2], [([0], np.array([0.0, 1.0])), ([0, 1], np.eye(2))])
    which, none = numbers(0, 1), numbers()
    layout = *tables.layout, *tables.cells
    impossible = numbers(-1, 0)
    _, log_sum = kernels.marginals(*layout, which, impossible, numbers(0))
    assert log_sum == -math.inf
    assert kernels.max_product(*layout, which, impossible, numbers(0))[1] == -math.inf
    logs = kernels.sum_product(*layout, which, impossible, numbers(0), none)
    assert logs.tolist() == [-math.inf]
    _, log_sum = kernels.marginals(*layout, which, numbers(0, 0), none)
    assert log_sum == -math.inf
    logs = kernels.sum_product(*layout, which, numbers(-1, -1), numbers(0), numbers(1))
    assert logs.tolist() == [-math.inf, 0.0]


# Numbers outside the range of floats


@pytest.mark.parametrize("scale", [1e-200, 1e200], ids=repr)
def test_products_beyond_the_range_of_numbers(kernels, scale):
    rng = np.random.default_rng(0)
    chain = [([v, v + 1], rng.random((3, 3)) * scale) for v in range(9)]
    chain += [([v], rng.random(3) * scale) for v in range(10)]
    tables = Tables([3] * 10, chain)
    small = Tables([3] * 10, [(scope, table / scale) for scope, table in chain])
    which, evidence = numbers(*range(len(chain))), numbers(*[-1] * 10)
    whole = small.whole(which, evidence)
    shift = len(chain) * math.log(scale)
    order, _ = kernels.elimination_order(*tables.layout, which, evidence, numbers(4))
    logs = kernels.sum_product(*tables.layout, *tables.cells, which, evidence, order, numbers(4))
    expected = whole.sum(axis=tuple(v for v in range(10) if v != 4))
    assert_allclose(logs - shift, np.log(expected), rtol=0, atol=1e-10)
    order, _ = kernels.elimination_order(*tables.layout, which, evidence, numbers())
    flat, log_sum = kernels.marginals(*tables.layout, *tables.cells, which, evidence, order)
    assert log_sum - shift == pytest.approx(math.log(whole.sum()), abs=1e-10)
    for v in range(10):
        sums = whole.sum(axis=tuple(u for u in range(10) if u != v)) / whole.sum()
        assert_allclose(flat[3 * v : 3 * v + 3], sums, rtol=0, atol=1e-12)
    codes, log_value = kernels.max_product(*tables.layout, *tables.cells, which, evidence, order)
    assert log_value - shift == pytest.approx(math.log(whole.max()), abs=1e-10)
    assert tuple(codes) == np.unravel_index(whole.argmax(), whole.shape)


@pytest.mark.parametrize("seed", SEEDS)
def test_zeros_among_numbers_that_are_too_small(kernels, seed):
    """What is impossible stays so in logarithms, and nothing else becomes so."""
    rng = np.random.default_rng(seed)
    for _ in range(5):
        plain = random_tables(rng, zeros=0.3)
        n = len(plain.cards)
        plain.tables += [([v], rng.random(plain.cards[v]) + 0.1) for v in range(n)]
        plain.tables += [([v], np.ones(plain.cards[v])) for v in range(n)] * 4
        tables = Tables(plain.cards, [(scope, table * 1e-150) for scope, table in plain.tables])
        shift = len(tables.tables) * math.log(1e-150)
        _, evidence, keep = random_question(rng, tables)
        which = numbers(*range(len(tables.tables)))
        layout = *tables.layout, *tables.cells, which, evidence
        whole = plain.whole(which, evidence)
        order = shuffled(rng, tables.unknown(which, evidence, keep))
        logs = kernels.sum_product(*layout, order, keep)
        expected = plain.summed(which, evidence, keep)
        assert_allclose(np.exp(logs - shift), expected, rtol=1e-9, atol=0)
        order = shuffled(rng, tables.unknown(which, evidence))
        flat, log_sum = kernels.marginals(*layout, order)
        assert math.exp(log_sum - shift) == pytest.approx(whole.sum(), rel=1e-9, abs=0)
        if whole.sum() > 0:
            sums = [whole.sum(axis=tuple(u for u in range(n) if u != v)) for v in range(n)]
            assert_allclose(flat, np.concatenate(sums) / whole.sum(), rtol=0, atol=1e-10)


def test_a_state_that_underflows_beside_one_that_turns_out_to_be_impossible(kernels):
    count = 400
    factors = [([0], np.array([0.9, 0.1])) for _ in range(count)]
    factors.append(([0], np.array([0.0, 1.0])))
    factors.append(([0, 1], np.array([[0.5, 0.5], [0.2, 0.8]])))
    tables = Tables([2, 2], factors)
    which, evidence = numbers(*range(len(factors))), numbers(-1, -1)
    layout = *tables.layout, *tables.cells, which, evidence
    logs = kernels.sum_product(*layout, numbers(1), numbers(0))
    assert logs[0] == -math.inf
    assert logs[1] == pytest.approx(count * math.log(0.1), rel=1e-13)
    for order in (numbers(0, 1), numbers(1, 0)):
        flat, log_sum = kernels.marginals(*layout, order)
        assert_allclose(flat, [0.0, 1.0, 0.2, 0.8], rtol=0, atol=1e-12)
        assert log_sum == pytest.approx(count * math.log(0.1), rel=1e-13)
    codes, log_value = kernels.max_product(*layout, numbers(0, 1))
    assert codes.tolist() == [1, 1]
    assert log_value == pytest.approx(count * math.log(0.1) + math.log(0.8), rel=1e-13)


def test_small_numbers_next_to_large_ones_are_not_lost(kernels):
    # The message about variable 1 has cells 600 orders of magnitude apart; what comes next
    # excludes the large one.
    first = np.array([[1e300, 1e-300], [1e-300, 1e-300]])
    tables = Tables([2, 2], [([0, 1], first), ([1], np.array([0.0, 1e-200]))])
    which, evidence = numbers(0, 1), numbers(-1, -1)
    layout = *tables.layout, *tables.cells, which, evidence
    logs = kernels.sum_product(*layout, numbers(0), numbers(1))
    assert logs[0] == -math.inf
    assert logs[1] == pytest.approx(math.log(2) - 500 * math.log(10), rel=1e-13)
    flat, log_sum = kernels.marginals(*layout, numbers(0, 1))
    assert_allclose(flat, [0.5, 0.5, 0.0, 1.0], rtol=0, atol=1e-12)
    assert log_sum == pytest.approx(math.log(2) - 500 * math.log(10), rel=1e-13)


# Orders


def simulated_cells(tables, which, evidence, order):
    """Cells of every table that eliminating in this order makes, with sets of variables."""
    scopes = [{v for v in tables.tables[f][0] if evidence[v] < 0} for f in which]
    sizes = []
    for v in order:
        joined = set().union({v}, *(scope for scope in scopes if v in scope))
        sizes.append(math.prod(tables.cards[u] for u in joined))
        scopes = [scope for scope in scopes if v not in scope] + [joined - {v}]
    return sizes


@pytest.mark.parametrize("seed", SEEDS)
def test_orders_have_every_unknown_variable_once_and_say_what_they_cost(kernels, seed):
    rng = np.random.default_rng(seed)
    for _ in range(15):
        tables = random_tables(rng, most=9 if seed % 2 else 6)
        which, evidence, keep = random_question(rng, tables)
        order, cells = kernels.elimination_order(*tables.layout, which, evidence, keep)
        assert order.dtype == np.int32
        assert cells.dtype == np.float64
        assert sorted(order.tolist()) == sorted(tables.unknown(which, evidence, keep))
        expected = simulated_cells(tables, which, evidence, order.tolist())
        assert_array_equal(cells, expected)


def random_scopes(rng, n, count, size):
    cards = rng.integers(2, 5, n).tolist()
    scopes = [rng.choice(n, size, replace=False).tolist() for _ in range(count)]
    return Tables(cards, [(scope, np.empty(0)) for scope in scopes])


@pytest.mark.parametrize("seed", range(6))
def test_costs_of_large_products_are_those_of_their_order(kernels, seed):
    """Also beyond the size from which other orders are tried, and with more than 64 variables."""
    rng = np.random.default_rng(seed)
    tables = random_scopes(rng, *[(30, 60, 3), (100, 130, 3), (150, 150, 2)][seed % 3])
    which = numbers(*range(len(tables.tables)))
    evidence = numbers(*np.where(rng.random(len(tables.cards)) < 0.1, 0, -1))
    keep = numbers(*[v for v in range(5) if evidence[v] < 0][:2])
    order, cells = kernels.elimination_order(*tables.layout, which, evidence, keep)
    if cells.sum() <= 1e15:  # else it may end early
        assert sorted(order.tolist()) == sorted(tables.unknown(which, evidence, keep))
    expected = simulated_cells(tables, which, evidence, order.tolist())
    assert max(expected) > 1 << 15 or seed % 3 == 2
    assert_allclose(cells, [float(size) for size in expected], rtol=1e-9)


def test_sizes_beyond_floats_are_infinite(kernels):
    n = 55
    tables = Tables([1_000_000] * n, [(list(range(n)), np.empty(0))])
    order, cells = kernels.elimination_order(
        *tables.layout, numbers(0), numbers(*[-1] * n), numbers()
    )
    assert len(set(order.tolist())) == len(order) <= n
    assert cells[0] == math.inf


@pytest.mark.parametrize("seed", range(10))
def test_trees_are_eliminated_without_larger_tables(kernels, seed):
    rng = np.random.default_rng(seed)
    n = 70
    arcs = [([int(rng.integers(v)), v], np.empty(0)) for v in range(1, n)]
    tables = Tables([3] * n, arcs)
    which, evidence = numbers(*range(n - 1)), numbers(*[-1] * n)
    _, cells = kernels.elimination_order(*tables.layout, which, evidence, numbers())
    assert max(cells) == 9
    _, cells = kernels.elimination_order(*tables.layout, which, evidence, numbers(5))
    assert max(cells) == 9


def test_grids_need_little_more_than_a_row(kernels):
    n = 8
    cells = [(i, j) for i in range(n) for j in range(n)]
    pairs = [[i * n + j, (i + 1) * n + j] for i, j in cells if i + 1 < n]
    pairs += [[i * n + j, i * n + j + 1] for i, j in cells if j + 1 < n]
    tables = Tables([2] * n * n, [(pair, np.empty(0)) for pair in pairs])
    which, evidence = numbers(*range(len(pairs))), numbers(*[-1] * n * n)
    _, sizes = kernels.elimination_order(*tables.layout, which, evidence, numbers())
    assert 2 ** (n + 1) <= max(sizes) <= 2 ** (n + 4)  # no order does with less


def test_a_variable_of_many_states_goes_when_it_is_cheap(kernels):
    # A star: the hub first would join all of its leaves.
    leaves = 12
    arcs = [([0, v], np.empty(0)) for v in range(1, leaves + 1)]
    tables = Tables([2] + [50] * leaves, arcs)
    which, evidence = numbers(*range(leaves)), numbers(*[-1] * (leaves + 1))
    order, cells = kernels.elimination_order(*tables.layout, which, evidence, numbers())
    assert sorted(cells) in ([50] + [100] * leaves, [2] + [100] * leaves)
    assert 0 in order[-2:].tolist()


# Tables that matter


def random_network(rng, *, zeros=False):
    """Scopes of the tables of a network: the parents of a variable, and itself, in any order."""
    n = int(rng.integers(1, 9))
    before = rng.permutation(n).tolist()
    density = rng.random()
    scopes = []
    for v in range(n):
        parents = [u for u in before[: before.index(v)] if rng.random() < density]
        scopes.append(rng.permutation([*parents, v]).tolist())
    cards = rng.integers(1, 4, n).tolist()
    tables = []
    for v, scope in enumerate(scopes):
        table = rng.random([cards[u] for u in scope])
        table = np.where(table < 0.4, 0.0, table) if zeros else table
        table += 0.01 * (table.sum(axis=scope.index(v), keepdims=True) == 0)
        tables.append((scope, table / table.sum(axis=scope.index(v), keepdims=True)))
    return Tables(cards, tables)


def relevant_by_definition(tables, evidence, query):
    """Closures of relations as powers of matrices, not as searches."""
    n = len(tables.cards)
    above = np.eye(n, dtype=bool)  # above[v, u]: u is v or an ancestor of it
    for v, (scope, _) in enumerate(tables.tables):
        above[v, scope] = True
    for _ in range(n):
        above |= above @ above
    ancestral = above[query] | above[evidence >= 0].any(axis=0)
    unknown = evidence < 0
    near = np.eye(n, dtype=bool)  # unknown variables that a table of the ancestors has both of
    for f in np.flatnonzero(ancestral):
        scope = [u for u in tables.tables[f][0] if unknown[u] or u == query]
        near[np.ix_(scope, scope)] = True
    if not unknown[query]:
        near[:, query] &= np.arange(n) == query  # a known variable connects no others
    for _ in range(n):
        near |= near @ near
    related = [
        f for f in np.flatnonzero(ancestral).tolist() if near[query, tables.tables[f][0]].any()
    ]
    return related, sorted(set(np.flatnonzero(ancestral).tolist()) - set(related))


@pytest.mark.parametrize("seed", SEEDS)
def test_relevant_tables_by_definition_and_by_what_they_give(kernels, seed):
    rng = np.random.default_rng(seed)
    for _ in range(15):
        tables = random_network(rng)
        n = len(tables.cards)
        share = rng.choice([0.0, 0.2, 0.5, 1.0])
        evidence = numbers(
            *(int(rng.integers(card)) if rng.random() < share else -1 for card in tables.cards)
        )
        query = int(rng.integers(n))
        _, starts, scopes = tables.layout
        related, apart = kernels.relevant(starts, scopes, evidence, query)
        expected = relevant_by_definition(tables, evidence, query)
        assert (related.tolist(), apart.tolist()) == expected
        whole = tables.whole(range(n), evidence)
        marginal = whole.sum(axis=tuple(v for v in range(n) if v != query))
        keep = [query] if evidence[query] < 0 else []
        parts = tables.summed(related, evidence, keep) * tables.summed(apart, evidence, [])
        assert_allclose(parts, marginal if keep else [marginal.sum()], rtol=1e-12)


def known_inserted(scope, table, evidence):
    """The part of a table that agrees with the evidence, over what is unknown."""
    cell = tuple(slice(None) if evidence[v] < 0 else evidence[v] for v in scope)
    return [v for v in scope if evidence[v] < 0], np.asarray(table[cell])


@pytest.mark.parametrize("seed", SEEDS)
def test_posteriors_add_up_every_joint_value(kernels, seed):
    rng = np.random.default_rng(seed)
    for number in range(15):
        tables = random_network(rng, zeros=number % 3 == 0)
        n = len(tables.cards)
        share = rng.choice([0.0, 0.2, 0.5, 1.0])
        evidence = numbers(
            *(int(rng.integers(card)) if rng.random() < share else -1 for card in tables.cards)
        )
        query = int(rng.integers(n))
        if number % 4 == 0:  # sparse tables come without what is known, even without their own
            sliced = rng.random(n) < 0.5
            tables.tables = [
                known_inserted(*table, evidence) if sliced[f] else table
                for f, table in enumerate(tables.tables)
            ]
        has_zeros = np.array([not table.all() for _, table in tables.tables], dtype=np.uint8)
        arguments = *tables.layout, *tables.cells, has_zeros, evidence, query
        found, cells = kernels.posterior(*arguments, 1e9)
        whole = tables.whole(range(n), evidence)
        marginal = whole.sum(axis=tuple(v for v in range(n) if v != query))
        expected = marginal / (marginal.sum() or 1.0)
        assert_allclose(found, expected, rtol=0, atol=1e-12)
        assert cells <= n * whole.size
        assert_array_equal(kernels.posterior(*arguments, cells)[0], found)
        if cells > 0:
            left_out, again = kernels.posterior(*arguments, cells - 0.5)
            assert len(left_out) == 0
            assert again == cells


def test_a_posterior_that_is_too_large_says_so(kernels):
    n = 60
    parents = list(range(1, n))
    roots = [([v], np.full(2, 0.5)) for v in parents]
    pairs = [([u, v, n + k], np.full((2, 2, 2), 0.5))
             for k, (u, v) in enumerate(combinations(parents, 2))]  # fmt: skip
    tables = Tables([2] * (n + len(pairs)), [([0], np.full(2, 0.5)), *roots, *pairs])
    evidence = numbers(*[-1] * n, *[0] * len(pairs))
    zeros = np.zeros(len(tables.tables), dtype=np.uint8)
    for query, size in ((1, 2**58), (0, 0)):
        found, cells = kernels.posterior(*tables.layout, *tables.cells, zeros, evidence, query, 1e6)
        assert len(found) == (0 if size else 2)
        assert 0.999 * size <= cells <= 2 * size


# Bad arguments of the native kernels: two tables, P(0) and P(1 | 0)

PRELUDE = """
import importlib.util, sys
import numpy as np
spec = importlib.util.spec_from_file_location("bayesgrove.kernels._native", sys.argv[1])
kernels = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kernels)
"""
REFUSED = {
    "order lacks a variable": "kernels.sum_product(*layout, *cells, both, free, I(), I(1))",
    "marginals lack one": "kernels.marginals(*layout, *cells, both, free, I(0))",
    "maximum lacks one": "kernels.max_product(*layout, *cells, both, free, I(1))",
    "order has one twice": "kernels.sum_product(*layout, *cells, both, free, I(0, 0), I(1))",
    "order has an unknown one": "kernels.sum_product(*layout, *cells, both, free, I(0, 7), I(1))",
    "order has a negative one": "kernels.max_product(*layout, *cells, both, free, I(0, 1, -1))",
    "keep has an unknown one": "kernels.sum_product(*layout, *cells, both, free, I(0, 1), I(9))",
    "keep has a negative one": "kernels.sum_product(*layout, *cells, both, free, I(0), I(-1))",
    "order keeps an unknown one": "kernels.elimination_order(*layout, both, free, I(2))",
    "no such table": "kernels.sum_product(*layout, *cells, I(0, 2), free, I(0), I(1))",
    "no such table to order": "kernels.elimination_order(*layout, I(-1), free, I())",
    "table beyond the values": "kernels.marginals(*layout, L(0, 3), values, both, free, I(0, 1))",
    "offset beyond the values": "kernels.marginals(*layout, L(9, 2), values, both, free, I(0, 1))",
    "offset below zero": "kernels.max_product(*layout, L(-1, 2), values, both, free, I(0, 1))",
    "an offset too few": "kernels.max_product(*layout, L(0), values, both, free, I(0, 1))",
    "evidence beyond a state": "kernels.sum_product(*layout, *cells, both, I(2, -1), I(), I(1))",
    "evidence too short": "kernels.marginals(*layout, *cells, both, I(-1), I(0, 1))",
    "scope of an unknown one": "kernels.elimination_order(I(2, 3), I(0, 1, 3), I(0, 0, 2), both, "
    "free, I())",
    "starts that end early": "kernels.elimination_order(I(2, 3), I(0, 1, 2), I(0, 0, 1), both, "
    "free, I())",
    "posterior of no variable": "kernels.posterior(*layout, *cells, marks, free, 2, 1e6)",
    "posterior below zero": "kernels.posterior(*layout, *cells, marks, free, -1, 1e6)",
    "posterior lacks a mark": "kernels.posterior(*layout, *cells, marks[:1], free, 0, 1e6)",
    "posterior beyond the values": "kernels.posterior(*layout, L(0, 3), values, marks, free, 1, "
    "1e6)",
    "posterior beyond a state": "kernels.posterior(*layout, *cells, marks, I(2, -1), 1, 1e6)",
    "posterior of no states": "kernels.posterior(I(2, 0), *layout[1:], *cells, marks, free, 1, "
    "1e6)",
    "no starts": "kernels.elimination_order(I(2, 3), I(), I(), I(), free, I())",
}
DANGEROUS = {
    "order has a known one": "kernels.sum_product(*layout, *cells, both, I(1, -1), I(0), I(1))",
    "order has one of no table": "kernels.sum_product(I(2, 3, 2), *layout[1:], *cells, both, "
    "I(-1, -1, -1), I(0, 2), I(1))",
    "marginals of a known one": "kernels.marginals(*layout, *cells, both, I(1, -1), I(0, 1))",
    "maximum of a known one": "kernels.max_product(*layout, *cells, both, I(1, -1), I(0, 1))",
    "kept and eliminated": "kernels.sum_product(*layout, *cells, both, free, I(0, 1), I(1))",
    "kept twice": "kernels.sum_product(*layout, *cells, both, free, I(0), I(1, 1))",
    "no states": "kernels.sum_product(I(2, 0), *layout[1:], *cells, both, free, I(0), I(1))",
    "fewer than no states": "kernels.marginals(I(2, 3, -4), *layout[1:], *cells, both, "
    "I(-1, -1, -9), I(0, 1))",
    "starts that fall": "kernels.elimination_order(I(2, 3), I(0, 5, 3), I(0, 0, 1), both, free, "
    "I())",
    "cells that overflow": "kernels.sum_product(I(65536, 65536, 65536, 65536), I(0, 4), "
    "I(0, 1, 2, 3), L(0), values, I(0), I(-1, -1, -1, -1), I(0, 1, 2, 3), I())",
    "query of no variable": "kernels.relevant(*layout[1:], free, 7)",
    "query below zero": "kernels.relevant(*layout[1:], free, -1)",
    "fewer tables than variables": "kernels.relevant(I(0, 1), I(0), I(-1, -1, -1, -1), 3)",
    "scope of none": "kernels.relevant(I(0, 1, 3), I(0, 43046721, 1), free, 1)",
    "starts beyond the scopes": "kernels.relevant(I(0, 1, 100000000), I(0, 0, 1), free, 1)",
}
NAMES = """
def I(*values): return np.array(values, dtype=np.int32)
def L(*values): return np.array(values, dtype=np.int64)
layout = I(2, 3), I(0, 1, 3), I(0, 0, 1)
values = np.array([0.4, 0.6, 0.1, 0.2, 0.7, 0.3, 0.3, 0.4])
cells, both, free = (L(0, 2), values), I(0, 1), I(-1, -1)
marks = np.zeros(2, dtype=np.uint8)
"""


@pytest.mark.parametrize("case", REFUSED)
def test_bad_arguments_are_refused(native, case):
    names = {"np": np, "kernels": native}
    exec(NAMES, names)
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        eval(REFUSED[case], names)


@pytest.mark.parametrize("case", DANGEROUS)
def test_bad_arguments_do_not_crash(native, case):
    """In a process of its own, which a crash may end."""
    attempt = (
        f"try:\n    {DANGEROUS[case]}\nexcept ValueError as error:\n    print('refused', error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + NAMES + attempt, native.__file__],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"ended by signal {-done.returncode}\n{done.stderr}"
    assert done.stdout.startswith("refused")
