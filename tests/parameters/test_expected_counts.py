"""Expected counts and EM against enumeration of all completions, and direct maximisation."""

from __future__ import annotations

import itertools
import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax

from bayesgrove._utils.memory import MemoryLimitError
from bayesgrove._utils.options import OptionError
from bayesgrove.counts import CountSource, Family, MemoryEngine, StreamEngine
from bayesgrove.encoding import Encoded
from bayesgrove.kernels import kernels, numpy_kernels
from bayesgrove.network import BayesianNetwork, Structure
from bayesgrove.parameters import EM, BDeu, Dirichlet, MaximumLikelihood
from bayesgrove.parameters import expected_counts as module
from bayesgrove.parameters.expected_counts import (
    ExpectedCounts,
    ExpectedEngine,
    IncompleteRows,
    NoRowsError,
)

needs_native = pytest.mark.skipif(kernels is numpy_kernels, reason="no native kernels")


def random_case(seed, rows=30, n=4, share=0.3, weighted=True, cards=None):
    """Return random counts of rows with missing values, their Encoded, and a random structure."""
    rng = np.random.default_rng(seed)
    cards = rng.integers(2, 4, n).tolist() if cards is None else cards
    columns = [rng.integers(0, card, rows) for card in cards]
    target = rng.integers(0, 2, rows).astype(np.uint8)
    columns = [
        np.where(rng.random(rows) < 0.5, c, target % k)
        for c, k in zip(columns, cards, strict=False)
    ]
    columns = [
        np.where(rng.random(rows) < share, k, c).astype(np.uint8)
        for c, k in zip(columns, cards, strict=False)
    ]
    weights = rng.uniform(0.5, 3, rows) if weighted else None
    encoded = Encoded(columns, cards, rows, target=target, n_classes=2, weights=weights)
    order = rng.permutation(n + 1)
    parents = [()] * (n + 1)
    for place, v in enumerate(order):
        count = rng.integers(0, min(place, 3) + 1)
        parents[v] = tuple(sorted(rng.choice(order[:place], count, replace=False).tolist()))
    return encoded, Structure(tuple(parents)), rng


def source(encoded, threads=1):
    cards = [*encoded.cards, encoded.n_classes]
    names = [f"x{v}" for v in range(len(encoded.cards))] + ["class"]
    return CountSource(MemoryEngine(encoded), names, cards, threads)


def states_of(counts):
    return [tuple(range(card)) for card in counts.cards]


def random_network(structure, counts, rng):
    """Return a network with random tables."""
    network = Dirichlet().estimate(structure, counts, states_of(counts))
    tables = []
    for name in network.nodes:
        table = network.table(name)
        shape = table.probabilities.shape
        cells = rng.dirichlet(np.ones(shape[-1]), shape[:-1])
        tables.append(replace(table, probabilities=cells))
    return BayesianNetwork(counts.names, states_of(counts), structure, tables)


def joint_probability(network, values):
    """Return the product of all tables at one joint value."""
    product = 1.0
    for v, name in enumerate(network.nodes):
        family = network.table(name).family
        scope = family.scope(len(network.nodes) - 1)
        assert scope[-1] == v
        product *= network.table(name).dense()[tuple(values[u] for u in scope)]
    return product


def completions(encoded, network):
    """Yield every completion of every row with its expected weight, and the log-likelihood."""
    cards = encoded.cards
    for row in range(encoded.rows):
        known = [int(column[row]) for column in encoded.columns]
        choices = [range(k) if c == k else [c] for c, k in zip(known, cards, strict=False)]
        values = [(*x, int(encoded.target[row])) for x in itertools.product(*choices)]
        p = np.array([joint_probability(network, x) for x in values])
        weight = 1.0 if encoded.weights is None else encoded.weights[row]
        yield values, weight * p / p.sum(), weight * math.log(p.sum())


def brute_tables(encoded, network, families, cards):
    tables = [np.zeros([cards[v] for v in f.scope(len(cards) - 1)]) for f in families]
    log_likelihood = 0.0
    for values, weights, log in completions(encoded, network):
        log_likelihood += log
        for x, weight in zip(values, weights, strict=False):
            for family, table in zip(families, tables, strict=False):
                table[tuple(x[v] for v in family.scope(len(cards) - 1))] += weight
    return tables, log_likelihood


def all_families(n, rng, count=25):
    """Return random families of up to four variables, with the class anywhere."""
    families = []
    for _ in range(count):
        members = rng.permutation(n + 1)[: rng.integers(1, 5)].tolist()
        families.append(Family.of(members[0], members[1:], n))
    return families


def assert_tables(tables, oracle):
    for table, cells in zip(tables, oracle, strict=True):
        np.testing.assert_allclose(table.counts.ravel(), cells.ravel(), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_expected_tables_equal_enumeration_of_all_completions(seed):
    encoded, structure, rng = random_case(seed, weighted=seed % 2 == 0)
    counts = source(encoded)
    network = random_network(structure, counts, rng)
    families = all_families(4, rng)
    engine = ExpectedEngine(counts, network, IncompleteRows.of(counts))
    tables, log_likelihood = engine.expect(families)
    oracle, oracle_log = brute_tables(encoded, network, families, counts.cards)
    assert_tables(tables, oracle)
    assert log_likelihood == pytest.approx(oracle_log, rel=1e-12)


@needs_native
@pytest.mark.parametrize("seed", range(5))
def test_large_components_by_elimination_equal_enumeration(seed):
    """12 binary attributes in one component: 4,096 joint values are enumerated, 8,192 are not."""
    encoded, structure, rng = random_case(seed, rows=6, n=13, cards=[2] * 13, share=0.99)
    chain = Structure((*((v - 1, 13) if v else (13,) for v in range(13)), ()))
    counts = source(encoded)
    network = random_network(chain if seed < 3 else structure, counts, rng)
    families = all_families(13, rng, 12)
    tables, log_likelihood = ExpectedEngine(counts, network, IncompleteRows.of(counts)).expect(
        families
    )
    oracle, oracle_log = brute_tables(encoded, network, families, counts.cards)
    assert_tables(tables, oracle)
    assert log_likelihood == pytest.approx(oracle_log, rel=1e-12)


@needs_native
@pytest.mark.parametrize("seed", range(6))
def test_native_and_numpy_agree(seed, monkeypatch):
    n = 4 if seed < 4 else 14
    encoded, structure, rng = random_case(seed, n=n, share=0.3 if seed < 4 else 0.9, rows=20)
    counts = source(encoded)
    network = random_network(structure, counts, rng)
    families = all_families(n, rng)
    rows = IncompleteRows.of(counts)
    native, native_log = ExpectedEngine(counts, network, rows).expect(families)
    monkeypatch.setattr(module, "kernels", numpy_kernels)
    plain, plain_log = ExpectedEngine(counts, network, rows).expect(families)
    assert_tables(native, [table.counts for table in plain])
    assert native_log == pytest.approx(plain_log, rel=1e-12)


@needs_native
def test_threads_do_not_change_a_bit():
    encoded, structure, rng = random_case(3, rows=5000, n=8)
    one, four = source(encoded), source(encoded, threads=4)
    network = random_network(structure, one, rng)
    families = all_families(8, rng)
    rows = IncompleteRows.of(one)
    tables, log = ExpectedEngine(one, network, rows).expect(families)
    others, other_log = ExpectedEngine(four, network, rows).expect(families)
    assert log == other_log
    for table, other in zip(tables, others, strict=True):
        np.testing.assert_array_equal(table.counts, other.counts)


@needs_native
@pytest.mark.parametrize("seed", range(3))
def test_sixty_percent_missing_of_a_tree_of_thirty_columns_equal_the_posteriors_of_the_network(
    seed,
):
    encoded, _, rng = random_case(seed, rows=4, n=30, cards=[2] * 30, share=0.6, weighted=False)
    tree = Structure((*((int(rng.integers(0, v)), 30) if v else (30,) for v in range(30)), ()))
    counts = source(encoded)
    network = random_network(tree, counts, rng)
    expected = ExpectedCounts(counts, network).class_tables().reshape(2, 30, 2)
    oracle = np.zeros((2, 30, 2))
    for row in range(4):
        known = {f"x{v}": int(c[row]) for v, c in enumerate(encoded.columns) if c[row] < 2}
        known["class"] = int(encoded.target[row])
        for v in range(30):
            p = network.posterior(f"x{v}", {k: s for k, s in known.items() if k != f"x{v}"})
            cells = [p[0], p[1]] if f"x{v}" not in known else np.eye(2)[known[f"x{v}"]]
            oracle[known["class"], v] += cells
    np.testing.assert_allclose(expected, oracle, rtol=1e-10)


def test_a_missing_root_with_a_thousand_children_does_not_underflow():
    """Half of the children speak for each state, so that the posterior is even."""
    n = 1001
    columns = [np.array([2], dtype=np.uint8)] + [np.array([0], dtype=np.uint8)] * (n - 1)
    encoded = Encoded(columns, [2] * n, 1, target=np.zeros(1, dtype=np.uint8), n_classes=1)
    counts = source(encoded)
    structure = Structure(((n,), *((0, n) for _ in range(n - 1)), ()))
    network = Dirichlet().estimate(structure, counts, states_of(counts))
    tables = [network.table(name) for name in network.nodes]
    for v in range(1, n):
        p = np.array([[[0.1, 0.9]], [[0.001, 0.999]]])
        tables[v] = replace(tables[v], probabilities=p if v % 2 else p[::-1].copy())
    network = BayesianNetwork(counts.names, states_of(counts), structure, tables)
    (table,) = ExpectedCounts(counts, network).tables([Family(0, (), given_class=True)])
    np.testing.assert_allclose(table.counts.ravel(), [0.5, 0.5], rtol=1e-9)


def test_every_kind_of_count_comes_from_the_expected_tables():
    encoded, structure, rng = random_case(1)
    counts = source(encoded)
    network = random_network(structure, counts, rng)
    expected = ExpectedCounts(counts, network)
    rows, weights = [], []
    for values, parts, _ in completions(encoded, network):
        rows += values
        weights += parts.tolist()
    # A table of all completions, with weights, has the same counts.
    codes = np.array(rows, dtype=np.uint8).T
    full = source(
        replace(
            encoded,
            columns=[np.ascontiguousarray(c) for c in codes[:-1]],
            target=np.ascontiguousarray(codes[-1]),
            rows=len(rows),
            weights=np.array(weights),
        )
    )
    np.testing.assert_allclose(expected.class_tables(), full.class_tables())
    np.testing.assert_allclose(expected.class_counts, full.class_counts)
    assert expected.total == pytest.approx(full.total)
    for given_class in (True, False):
        np.testing.assert_allclose(
            expected.pair_information(range(4), given_class=given_class),
            full.pair_information(range(4), given_class=given_class),
            atol=1e-12,
        )
    view, other = expected.restrict([3, 1]), full.restrict([3, 1])
    assert isinstance(view, ExpectedCounts)
    for a, b in zip(
        view.tables([Family(0, (1,), True)]), other.tables([Family(0, (1,), True)]), strict=False
    ):
        np.testing.assert_allclose(a.counts, b.counts)
    sets = np.array([[-1, -1], [1, -1], [1, 2], [2, 4]], dtype=np.int32)
    terms = Square()
    np.testing.assert_allclose(
        expected.set_sums(0, sets, terms), full.set_sums(0, sets, terms), rtol=1e-10
    )
    np.testing.assert_allclose(
        expected.cell_sums(0, [1], [2, 3], terms), full.cell_sums(0, [1], [2, 3], terms)
    )
    assert expected.has_no_missing.all()


class Square:
    def outer(self, counts):
        return -(counts**2)

    def inner(self, counts):
        return counts**3


def test_what_needs_rows_is_refused():
    encoded, structure, rng = random_case(1)
    counts = source(encoded)
    expected = ExpectedCounts(counts, random_network(structure, counts, rng))
    for ask in (
        lambda: expected.folds(2, 0),
        lambda: expected.pair_statistics([], [0], [1]),
        lambda: expected.reduce(len, max),
        lambda: expected.moments(),
    ):
        with pytest.raises(NoRowsError, match="no completed rows"):
            ask()


def test_rows_in_parts_give_the_same_counts():
    encoded, structure, rng = random_case(5)
    counts = source(encoded)
    halves = [encoded.take(np.arange(15)), encoded.take(np.arange(15, 30))]
    engine = StreamEngine(lambda _: halves, 30)
    parts = CountSource(engine, counts.names, counts.cards)
    network = random_network(structure, counts, rng)
    np.testing.assert_allclose(
        ExpectedCounts(counts, network).class_tables(),
        ExpectedCounts(parts, network).class_tables(),
    )


@needs_native
def test_a_row_that_is_too_large_is_refused_with_its_columns(monkeypatch):
    encoded, _, rng = random_case(4, rows=3, n=14, share=1.0, cards=[2] * 14)
    chain = Structure((*((v - 1, 14) if v else (14,) for v in range(14)), ()))
    counts = source(encoded)
    monkeypatch.setattr(module, "ELIMINATED_CELLS", 3)
    with pytest.raises(MemoryLimitError, match=r"A row in which x0, x1.*missing=.ignore"):
        ExpectedCounts(counts, random_network(chain, counts, rng)).class_tables()


def test_a_table_that_is_too_large_is_refused(monkeypatch):
    encoded, structure, rng = random_case(4)
    counts = source(encoded)
    monkeypatch.setattr(module, "MAX_CELLS", 2)
    monkeypatch.setattr("bayesgrove.counts.counter.DENSE_CELLS", 2)
    small = replace(encoded.take(np.arange(1)))
    with pytest.raises(MemoryLimitError, match="expected table of 'x0' would have"):
        ExpectedCounts(source(small), random_network(structure, counts, rng)).tables(
            [Family(0, (1, 2), given_class=True)]
        )


# EM


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("parameters", [Dirichlet(1.0), MaximumLikelihood(), BDeu(2.0)])
def test_the_objective_never_falls(seed, parameters):
    encoded, structure, _ = random_case(seed, share=0.5)
    counts = source(encoded)
    start = Dirichlet().estimate(structure, counts, states_of(counts))
    result = EM(parameters, max_iter=40, tol=1e-12).improve(
        start, counts, IncompleteRows.of(counts)
    )
    assert np.diff(result.path).min() >= -1e-9 * abs(result.path[0])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_the_maximum_equals_direct_maximisation(seed, alpha):
    """Two attributes: scipy maximises the likelihood over the logits of all tables."""
    encoded, _, _ = random_case(seed, rows=25, n=2, share=0.35, cards=[2, 2])
    structure = Structure(((2,), (0, 2), ()))
    counts = source(encoded)
    em = EM(Dirichlet(alpha), max_iter=5000, tol=1e-10)
    start = Dirichlet().estimate(structure, counts, states_of(counts))
    reached = em.improve(start, counts, IncompleteRows.of(counts)).path[-1]

    def loss(logits):
        a, b, c = logits[:4].reshape(2, 2), logits[4:12].reshape(2, 2, 2), logits[12:]
        la, lb, lc = log_softmax(a, -1), log_softmax(b, -1), log_softmax(c)
        total = alpha * (la.sum() + lb.sum() + lc.sum())
        for row in range(encoded.rows):
            x0, x1 = (int(column[row]) for column in encoded.columns)
            y = int(encoded.target[row])
            p = 0.0
            for i in range(2) if x0 == 2 else [x0]:
                for j in range(2) if x1 == 2 else [x1]:
                    p += math.exp(la[y, i] + lb[i, y, j] + lc[y])  # Parents, then the class.
            total += encoded.weights[row] * math.log(p)
        return -total

    rng = np.random.default_rng(seed)
    best = max(-minimize(loss, rng.normal(size=14)).fun for _ in range(4))
    assert reached == pytest.approx(best, rel=1e-5)


def test_naive_bayes_by_em_is_the_table_of_the_known_values():
    encoded, _, _ = random_case(8, share=0.4)
    counts = source(encoded)
    naive = Structure(((4,), (4,), (4,), (4,), ()))
    known = Dirichlet(0.7).estimate(naive, counts, states_of(counts))
    by_em = EM(Dirichlet(0.7), max_iter=2000, tol=1e-14).estimate(naive, counts, states_of(counts))
    for name in known.nodes:
        np.testing.assert_allclose(by_em.table(name).dense(), known.table(name).dense(), rtol=1e-9)


def test_complete_rows_need_no_em():
    encoded, structure, _ = random_case(2, share=0.0)
    counts = source(encoded)
    by_em = EM(Dirichlet(0.3)).estimate(structure, counts, states_of(counts))
    plain = Dirichlet(0.3).estimate(structure, counts, states_of(counts))
    for name in plain.nodes:
        np.testing.assert_allclose(by_em.table(name).dense(), plain.table(name).dense())


def test_a_warning_tells_the_last_change():
    encoded, structure, _ = random_case(2, share=0.6)
    counts = source(encoded)
    with pytest.warns(UserWarning, match=r"with max_iter=1: .*changed by.* EM\(.*max_iter=10,"):
        EM(max_iter=1, tol=1e-12).estimate(structure, counts, states_of(counts))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        EM(max_iter=5000).estimate(structure, counts, states_of(counts))


@pytest.mark.parametrize(
    ("em", "message"),
    [
        (EM(max_iter=0), "max_iter=0"),
        (EM(tol=0), "tol=0"),
        (EM(parameters="k2"), "parameters='k2'"),
    ],
)
def test_bad_options(em, message):
    with pytest.raises(OptionError, match=message):
        em.check()


def test_an_impossible_row_is_told():
    column = np.array([0, 2], dtype=np.uint8)
    child = np.array([0, 1], dtype=np.uint8)
    encoded = Encoded([column, child], [2, 2], 2, target=np.zeros(2, np.uint8), n_classes=1)
    counts = source(encoded)
    structure = Structure(((2,), (0, 2), ()))
    network = Dirichlet().estimate(structure, counts, states_of(counts))
    table = replace(network.table("x1"), probabilities=np.array([[[1.0, 0.0]], [[1.0, 0.0]]]))
    tables = [network.table("x0"), table, network.table("class")]
    network = BayesianNetwork(counts.names, states_of(counts), structure, tables)
    with pytest.raises(ValueError, match=r"probability 0.*alpha=1"):
        ExpectedCounts(counts, network).class_tables()
