"""Networks with tables that back off, against the formula worked out row by row."""

import numpy as np
import pandas as pd
import pytest

from bayesgrove import BayesianNetworkClassifier, load_model, save_model
from bayesgrove.parameters import EM, BackOff
from bayesgrove.parameters.back_off import PENALTIES, STRENGTHS, back_off_tables
from bayesgrove.structures import KDB, TAN, Naive


def rows(seed, n=150, wide=4):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    a = (y + rng.integers(0, 2, n)) % wide
    b = (a + y * rng.integers(0, 2, n)) % 3
    c = (b + rng.integers(0, 3, n) * (rng.random(n) < 0.4)) % 5
    return pd.DataFrame({"a": a, "b": b, "c": c}).astype(str), y


def shorter(key, level):
    """Return a joint value (class, parents, child) without its last parent."""
    return (*key[: max(level, 1)], key[-1])


def levels(columns, y, child, parents):
    """P and leave-one-out twin of each level, in dictionaries, with the best strength of each."""
    x = columns[child].tolist()
    card = len(set(x))
    n = len(x)
    p = {v: (x.count(v) + 1 / card) / (n + 1) for v in set(x)}
    q = {v: (x.count(v) - 1 + 1 / card) / n for v in set(x)}
    classes = sorted(set(y))
    above_p = lambda key: p[key[-1]]  # noqa: E731
    above_q = lambda key: q[key[-1]]  # noqa: E731
    for level in range(len(parents) + 1):
        scope = [columns[v].tolist() for v in parents[:level]]
        joint = [(c, *(column[r] for column in scope), x[r]) for r, c in enumerate(y)]
        count = {key: joint.count(key) for key in joint}
        total = {}
        for key, times in count.items():
            total[key[:-1]] = total.get(key[:-1], 0) + times
        likelihoods = []
        for s, penalty in zip(STRENGTHS, PENALTIES, strict=True):
            terms = [
                t * np.log((t - 1 + s * above_q(shorter(key, level))) / (total[key[:-1]] - 1 + s))
                for key, t in count.items()
            ]
            likelihoods.append(sum(terms) - penalty)
        s = STRENGTHS[int(np.argmax(likelihoods))]

        def next_p(key, s=s, count=count, total=total, before=above_p, level=level):
            return (count.get(key, 0) + s * before(shorter(key, level))) / (
                total.get(key[:-1], 0) + s
            )

        def next_q(key, s=s, count=count, total=total, before=above_q, now=next_p, level=level):
            if key not in count:
                return now(key)
            return (count[key] - 1 + s * before(shorter(key, level))) / (total[key[:-1]] - 1 + s)

        above_p, above_q = next_p, next_q
    return above_p, classes


@pytest.mark.parametrize("seed", range(5))
def test_tables_are_those_of_the_formula(seed):
    X, y = rows(seed)
    model = BayesianNetworkClassifier(KDB(2), BackOff()).fit(X, y)
    network = model.network_
    for child in X:
        table = network.table(child)
        parents = [v for v in network.parents(child) if v in X]
        # The parents in the order of the table, and by their information about the child.
        dense = np.asarray(table)
        names = [network.nodes[v] for v in table.family.parents]
        expected = None
        for order in [parents] if len(parents) < 2 else [parents, parents[::-1]]:
            p, classes = levels(X, y.tolist(), child, order)
            values = np.empty_like(dense)
            states = [network.states(v) for v in names]
            for index in np.ndindex(*dense.shape):
                given = {v: states[at][index[at]] for at, v in enumerate(names)}
                key = (classes[index[-2]], *(given[v] for v in order))
                values[index] = p((*key, network.states(child)[index[-1]]))
            if expected is None or abs(values - dense).max() < abs(expected - dense).max():
                expected = values
        np.testing.assert_allclose(dense, expected, atol=1e-12)
        np.testing.assert_allclose(dense.sum(axis=-1), 1, atol=1e-12)


def test_tables_of_networks_and_of_rows_are_the_same():
    """A table with one parent, from the counts of a network and from the kernel of the grove."""
    X, y = rows(9)
    model = BayesianNetworkClassifier(TAN(), BackOff()).fit(X, y)
    columns = [X[v].astype(int).to_numpy().astype(np.uint8) for v in X]
    cards = [len(model.network_.states(v)) for v in X]
    place = {v: at for at, v in enumerate(X)}
    for child in X:
        parents = [place[v] for v in model.network_.parents(child) if v in X]
        tables = back_off_tables(
            columns, cards, y.astype(np.uint8), 3, None, np.ones(len(y), dtype=bool),
            np.arange(len(y), dtype=np.int32), [place[child]], [tuple(parents)],
        )  # fmt: skip
        slot = len(parents)
        start = tables.layout.slot_starts[slot]
        dense = np.asarray(model.network_.table(child))
        for r in range(len(y)):
            logs = tables.logs[start + tables.cells[0, r]]
            given = tuple(columns[p][r] for p in parents)
            expected = np.log(dense[given][:, columns[place[child]][r]])
            np.testing.assert_allclose(logs, expected, atol=1e-12)


def test_a_wide_table_has_only_observed_configurations():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"c{j}": rng.integers(0, 120, 400).astype(str) for j in range(3)})
    y = rng.integers(0, 2, 400)
    model = BayesianNetworkClassifier(KDB(2), BackOff()).fit(X, y)
    p = model.predict_proba(X.sample(frac=1, random_state=0).reset_index(drop=True))
    assert np.isfinite(p).all()
    last = model.network_.table("c2")
    np.testing.assert_allclose(last.probabilities.sum(axis=-1), 1, atol=1e-12)


def test_missing_values_weights_and_files(tmp_path):
    X, y = rows(3)
    holes = X.mask(np.random.default_rng(0).random(X.shape) < 0.2)
    for missing in ("value", "ignore"):
        model = BayesianNetworkClassifier(KDB(2), BackOff(), missing=missing).fit(holes, y)
        p = model.predict_proba(holes)
        np.testing.assert_allclose(p.sum(axis=1), 1)
        save_model(model, tmp_path / "model.json")
        loaded = load_model(tmp_path / "model.json")
        assert loaded.parameters == BackOff()
        np.testing.assert_array_equal(loaded.predict_proba(holes), p)
    model = BayesianNetworkClassifier(Naive(), BackOff())
    weights = np.random.default_rng(1).random(len(y)) * 0.3
    assert np.isfinite(model.fit(X, y, sample_weight=weights).predict_proba(X)).all()
    holes.assign(target=y).to_parquet(tmp_path / "rows.parquet")
    from_file = BayesianNetworkClassifier(KDB(2), BackOff()).fit(
        tmp_path / "rows.parquet", "target"
    )
    from_frame = BayesianNetworkClassifier(KDB(2), BackOff()).fit(holes, y)
    np.testing.assert_array_equal(from_file.predict_proba(holes), from_frame.predict_proba(holes))


def test_em_needs_pseudo_counts():
    X, y = rows(4)
    with pytest.raises(ValueError, match="must be Dirichlet, BDeu or MaximumLikelihood"):
        BayesianNetworkClassifier(TAN(), EM(BackOff()), missing="em").fit(X, y)
    with pytest.raises(ValueError, match="must be Dirichlet, BDeu or MaximumLikelihood"):
        BayesianNetworkClassifier(TAN(), BackOff(), missing="em").fit(X, y)
