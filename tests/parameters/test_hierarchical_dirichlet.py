"""Tables from a hierarchical Dirichlet process, against exact distributions and integrals."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import digamma, gammaln, polygamma

from bayesgrove import BayesianNetworkClassifier, load_model, save_model
from bayesgrove.network import Structure
from bayesgrove.parameters import BackOff, HierarchicalDirichlet, MaximumLikelihood, back_off
from bayesgrove.parameters.hierarchical_dirichlet import concentrations, table_numbers
from bayesgrove.structures import KDB, TAN, Naive

GRID = np.linspace(-16, 16, 321)
"""Log-odds of probabilities, or logarithms of concentrations, at which integrands are summed."""


def stirling(n):
    """Unsigned Stirling numbers of the first kind, exactly: permutations of n with t cycles."""
    row = [1]
    for i in range(n):
        row = [
            (row[t - 1] if t else 0) + (i * row[t] if t < len(row) else 0)
            for t in range(len(row) + 1)
        ]
    return row


@pytest.mark.parametrize("a", [0.02, 0.7, 4.0, 45.0])
@pytest.mark.parametrize("n", [2, 7, 16, 17, 60, 300])
def test_numbers_of_tables_have_the_distribution_of_antoniak(n, a):
    draws = 20_000
    numbers = table_numbers(np.full(draws, float(n)), np.full(draws, a), np.random.default_rng(n))
    logs = np.array([float(np.log(float(s))) if s < 1e300 else _log(s) for s in stirling(n)[1:]])
    t = np.arange(1, n + 1)
    expected = draws * np.exp(logs + t * np.log(a) + gammaln(a) - gammaln(a + n))
    assert expected.sum() == pytest.approx(draws)
    observed = np.bincount(numbers, minlength=n + 1)[1:]
    # Neighbouring numbers of tables are one class until a class has at least ten draws.
    classes = np.minimum(np.cumsum(expected) // 10, (draws - 10) // 10).astype(int)
    _, classes = np.unique(classes, return_inverse=True)
    wanted, seen = np.bincount(classes, expected), np.bincount(classes, observed)
    if len(wanted) > 1:
        assert stats.chisquare(seen, wanted * draws / wanted.sum()).pvalue > 1e-3


def _log(whole):
    """Logarithm of an integer that is too large for a float."""
    shift = whole.bit_length() - 60
    return float(np.log(float(whole >> shift)) + shift * np.log(2))


@pytest.mark.parametrize("a", [0.3, 12.0, 900.0])
def test_numbers_of_tables_of_a_million_customers(a):
    draws, n = 300, 1e6
    numbers = table_numbers(np.full(draws, n), np.full(draws, a), np.random.default_rng(1))
    mean = a * (digamma(a + n) - digamma(a))
    variance = mean + a * a * (polygamma(1, a + n) - polygamma(1, a))
    assert abs(numbers.mean() - mean) < 4 * np.sqrt(variance / draws)
    assert numbers.var() == pytest.approx(variance, rel=0.3)


@pytest.mark.parametrize(
    ("totals", "n_tables"),
    [([5, 9, 2], 7), ([1, 1, 1, 1], 4), ([30] * 50, 50), ([400, 10], 60)],
)
def test_concentrations_have_their_posterior(totals, n_tables):
    """Also far below 1, where the beta variables are below the smallest float."""
    totals = np.array(totals, dtype=float)
    random = np.random.default_rng(3)
    chains = 400
    owner = np.repeat(np.arange(chains), len(totals))
    c = np.full(chains, 2.0)
    draws = []
    for step in range(160):
        numbers = np.full(chains, n_tables)
        c = concentrations(c, np.tile(totals, chains), owner, numbers, random)
        draws += [np.log(c)] if step >= 40 else []
    logs = np.linspace(-20, 8, 20_001)
    grid = np.exp(logs)
    density = 2 * logs - grid + n_tables * logs  # of ln c: prior c exp(-c), times c
    density += sum(gammaln(grid) - gammaln(grid + total) for total in totals)
    density = np.exp(density - density.max())
    density /= density.sum()
    mean = (density * logs).sum()
    deviation = np.sqrt((density * (logs - mean) ** 2).sum())
    assert np.mean(draws) == pytest.approx(mean, abs=0.03 * deviation)
    assert np.std(draws) == pytest.approx(deviation, rel=0.03)
    wanted = np.interp([0.1, 0.5, 0.9], np.cumsum(density), logs)
    np.testing.assert_allclose(np.quantile(draws, [0.1, 0.5, 0.9]), wanted, atol=0.06 * deviation)


def frame(cells):
    """Rows with the given counts, by joint value; the class is last."""
    keys = [key for key, times in cells.items() for _ in range(times)]
    columns = [f"a{j}" for j in range(len(keys[0]) - 1)]
    rows = pd.DataFrame([key[:-1] for key in keys], columns=columns)
    return rows.astype(str), np.array([key[-1] for key in keys])


def likelihood(n, c, theta):
    """Logarithm of the probability of the binary counts n, if theta ~ Beta(c theta, c (1-theta)).

    The array has the axes of ``c`` and, last, those of ``theta``.
    """
    c = np.asarray(c)[..., None]
    value = gammaln(c) - gammaln(c + sum(n))
    for times, p in zip(n, (theta, 1 - theta), strict=True):
        value = value + gammaln(times + c * p) - gammaln(c * p)
    return value


class Copies:
    """All attributes depend on the class; all but the first one also depend on the first one."""

    def learn(self, counts):
        last = len(counts.names) - 1
        return Structure(((last,), *[(0, last)] * (last - 1), ()))


def mean_of_copies(X, y, structure, n_iter):
    """Return the mean table of 20 copies of the last column, which have independent draws."""
    copies = [X.iloc[:, -1].rename(f"copy{j}") for j in range(20)]
    tables = HierarchicalDirichlet(n_iter=n_iter, burn_in=100)
    model = BayesianNetworkClassifier(structure, tables)
    network = model.fit(pd.concat([X.iloc[:, :-1], *copies], axis=1), y).network_
    return np.mean([np.asarray(network.table(copy.name)) for copy in copies], axis=0)


THETA = 1 / (1 + np.exp(-GRID))
C = np.exp(GRID / 2)


@pytest.mark.parametrize("groups", [[(3, 1), (1, 4)], [(6, 0), (5, 1), (0, 3)], [(40, 2), (1, 1)]])
def test_one_level_equals_the_integral(groups):
    """A binary attribute given the class: an integral over the root and the concentration."""
    cells = {(x, c): n for c, pair in enumerate(groups) for x, n in enumerate(pair) if n}
    X, y = frame(cells)
    dense = mean_of_copies(X, y, Naive(), 2500)
    # Uniform root (2/r = 1), prior c exp(-c); both times the derivatives of the grids.
    logs = (np.log(THETA * (1 - THETA)))[None, :] + (2 * np.log(C) - C)[:, None]
    logs = logs + sum(likelihood(n, C, THETA) for n in groups)
    weight = np.exp(logs - logs.max())
    weight /= weight.sum()
    for c, n in enumerate(groups):
        expected = (weight * (n[0] + C[:, None] * THETA) / (sum(n) + C[:, None])).sum()
        assert dense[c, 0] == pytest.approx(expected, abs=0.004)


def test_a_node_without_parents_has_a_symmetric_prior():
    X, y = rows(6)
    network = BayesianNetworkClassifier(Naive(), SHORT).fit(X, y).network_
    count = np.bincount(y)
    expected = (count + 2 / 3) / (len(y) + 2)
    np.testing.assert_allclose(np.asarray(network.table("class")), expected)


def test_two_levels_equal_the_integral():
    """A binary attribute given the class and another attribute, one joint value without rows."""
    groups = {(0, 0): (5, 1), (1, 0): (1, 2), (2, 0): (0, 1), (0, 1): (1, 6), (1, 1): (2, 2)}
    cells = {(x0, x, c): n for (x0, c), pair in groups.items() for x, n in enumerate(pair) if n}
    X, y = frame(cells)
    dense = mean_of_copies(X, y, Copies(), 3500)
    assert dense.shape == (3, 2, 2)
    use = slice(None, None, 4)
    root, inner = THETA[use], THETA[::2]
    c1 = c2 = C[use]
    # prior[c1, root, inner]: density of the log-odds of a class given the root.
    a, b = c1[:, None, None] * root[:, None], c1[:, None, None] * (1 - root[:, None])
    prior = gammaln(a + b) - gammaln(a) - gammaln(b) + a * np.log(inner) + b * np.log1p(-inner)
    prior = np.exp(prior)

    def of_class(c, factor=1.0):
        leaves = sum(likelihood(n, c2, inner) for (_, k), n in groups.items() if k == c)
        return np.einsum("cri,di->crd", prior, np.exp(leaves) * factor)

    outer = np.exp(2 * np.log(c1) - c1)[:, None, None] * (root * (1 - root))[None, :, None]
    outer = outer * np.exp(2 * np.log(c2) - c2)
    both = [of_class(0), of_class(1)]
    evidence = (outer * both[0] * both[1]).sum()
    for x0, c in np.ndindex(3, 2):
        n = groups.get((x0, c), (0, 0))
        mean = (n[0] + c2[:, None] * inner) / (sum(n) + c2[:, None])
        expected = (outer * of_class(c, mean) * both[1 - c]).sum() / evidence
        assert dense[x0, c, 0] == pytest.approx(expected, abs=0.004), (x0, c)


def rows(seed, n=150, wide=4):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    a = (y + rng.integers(0, 2, n)) % wide
    b = (a + y * rng.integers(0, 2, n)) % 3
    c = (b + rng.integers(0, 3, n) * (rng.random(n) < 0.4)) % 5
    return pd.DataFrame({"a": a, "b": b, "c": c}).astype(str), y


SHORT = HierarchicalDirichlet(n_iter=60, burn_in=10)


def test_a_seed_gives_the_same_tables_and_the_order_of_the_rows_does_not_matter():
    X, y = rows(0)
    order = np.random.default_rng(0).permutation(len(y))
    networks = [
        BayesianNetworkClassifier(KDB(2), tables).fit(*data).network_
        for tables, data in [
            (SHORT, (X, y)),
            (SHORT, (X.iloc[order], y[order])),
            (HierarchicalDirichlet(60, 10, 1), (X, y)),
        ]
    ]
    first, same, other = (np.asarray(network.table("c")) for network in networks)
    np.testing.assert_array_equal(first, same)
    assert 0 < abs(first - other).max() < 0.2


def test_other_names_of_states_and_classes_change_only_the_noise():
    X, y = rows(1, n=80)
    tables = HierarchicalDirichlet(n_iter=2000, burn_in=100)
    network = BayesianNetworkClassifier(KDB(2), tables).fit(X, y).network_
    renamed = X.map(lambda value: str(9 - int(value)))
    other = BayesianNetworkClassifier(KDB(2), tables).fit(renamed, 9 - y).network_
    for child in X:
        dense, back = np.asarray(network.table(child)), np.asarray(other.table(child))
        assert network.table(child).family == other.table(child).family
        np.testing.assert_allclose(dense, np.flip(back), atol=0.03)


def test_many_rows_give_maximum_likelihood():
    """Weights that are whole numbers count rows several times."""
    X, y = rows(2)
    weights = np.full(len(y), 200_000)
    fits = [
        BayesianNetworkClassifier(KDB(2), tables).fit(X, y, sample_weight=weights).network_
        for tables in (SHORT, MaximumLikelihood(), BackOff())
    ]
    for child in ("a", "b", "c", "class"):
        mine, likely, backed = (np.asarray(network.table(child)) for network in fits)
        with_rows = abs(backed - likely).max(axis=-1, keepdims=True) < 0.001
        np.testing.assert_allclose(np.where(with_rows, mine - likely, 0), 0, atol=1e-3)
        np.testing.assert_allclose(mine.sum(axis=-1), 1, atol=1e-12)


def test_whole_weights_are_rows_and_others_are_refused():
    X, y = rows(3, n=60)
    weights = np.random.default_rng(0).integers(1, 4, len(y))
    twice = np.repeat(np.arange(len(y)), weights)
    one = BayesianNetworkClassifier(TAN(), SHORT).fit(X, y, sample_weight=weights)
    two = BayesianNetworkClassifier(TAN(), SHORT).fit(X.iloc[twice], y[twice])
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    with pytest.raises(ValueError, match="whole numbers as sample_weight, or use BackOff"):
        BayesianNetworkClassifier(TAN(), SHORT).fit(X, y, sample_weight=weights / 3)


def test_a_wide_table_has_only_observed_configurations(monkeypatch):
    """All others have the probabilities of the class, as in a table with all configurations."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"c{j}": rng.integers(0, 120, 400).astype(str) for j in range(3)})
    y = rng.integers(0, 2, 400)
    sparse = BayesianNetworkClassifier(KDB(2), SHORT).fit(X, y).network_
    monkeypatch.setattr(back_off, "WHOLE_CELLS", 1 << 30)
    dense = BayesianNetworkClassifier(KDB(2), SHORT).fit(X, y).network_
    (child,) = [v for v in X if len(sparse.parents(v)) == 3]
    table, whole = sparse.table(child), np.asarray(dense.table(child))
    assert table.configurations.keys is not None
    assert dense.table(child).configurations.keys is None
    np.testing.assert_array_equal(
        table.probabilities[:-1], whole[tuple(table.configurations.table.T)]
    )
    for c in (0, 1):
        names = [dense.nodes[v] for v in table.family.parents]
        # Values that do not occur in the class.
        given = [
            [at for at, v in enumerate(dense.states(name)) if v not in set(X[name][y == c])]
            for name in names
        ]
        assert all(given)
        np.testing.assert_array_equal(
            table.probabilities[-1, c], whole[given[0][0], given[1][0], c]
        )


def test_missing_values_and_files(tmp_path):
    X, y = rows(4)
    X = X.mask(np.random.default_rng(0).random(X.shape) < 0.2)
    for missing in ("value", "ignore"):
        model = BayesianNetworkClassifier(KDB(2), SHORT, missing=missing).fit(X, y)
        p = model.predict_proba(X)
        np.testing.assert_allclose(p.sum(axis=1), 1)
        save_model(model, tmp_path / "model.json")
        loaded = load_model(tmp_path / "model.json")
        assert loaded.parameters == SHORT
        np.testing.assert_array_equal(loaded.predict_proba(X), p)
    X.assign(target=y).to_parquet(tmp_path / "rows.parquet")
    from_file = BayesianNetworkClassifier(KDB(2), SHORT).fit(tmp_path / "rows.parquet", "target")
    from_frame = BayesianNetworkClassifier(KDB(2), SHORT).fit(X, y)
    np.testing.assert_array_equal(from_file.predict_proba(X), from_frame.predict_proba(X))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_iter": 0}, "n_iter=0 must be a whole number of at least 1"),
        ({"burn_in": -1}, "burn_in=-1 must be a whole number of at least 0"),
        ({"n_iter": 50, "burn_in": 50}, "burn_in=50 must be below n_iter=50"),
        ({"random_state": None}, "random_state=None must be a whole number"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        BayesianNetworkClassifier(TAN(), HierarchicalDirichlet(**options)).fit(*rows(5))
