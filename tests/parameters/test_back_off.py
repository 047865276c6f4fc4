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


def shares(x, weight_left_out):
    """The probability of each value before any other variable."""
    card = len(set(x))
    total = len(x) - weight_left_out + 1
    return {v: (x.count(v) - weight_left_out + 1 / card) / total for v in set(x)}


def along(x, variables, strengths):
    """P(x | variables) as a function of the values of the variables, added one by one."""
    base_p, base_q = shares(x, 0), shares(x, 1)
    above_p = lambda key: base_p[key[-1]]  # noqa: E731
    above_q = lambda key: base_q[key[-1]]  # noqa: E731
    for level in range(len(variables)):
        joint = list(zip(*variables[: level + 1], x, strict=True))
        count = {key: joint.count(key) for key in joint}
        total = {}
        for key, times in count.items():
            total[key[:-1]] = total.get(key[:-1], 0) + times
        likelihoods = []
        for s, penalty in strengths:
            terms = [
                t * np.log((t - 1 + s * above_q((*key[:-2], key[-1]))) / (total[key[:-1]] - 1 + s))
                for key, t in count.items()
            ]
            likelihoods.append(sum(terms) - penalty)
        s = strengths[int(np.argmax(likelihoods))][0]

        def next_p(key, s=s, count=count, total=total, before=above_p):
            smaller = before((*key[:-2], key[-1]))
            return (count.get(key, 0) + s * smaller) / (total.get(key[:-1], 0) + s)

        def next_q(key, s=s, count=count, total=total, before=above_q, now=next_p):
            if key not in count:
                return now(key)
            return (count[key] - 1 + s * before((*key[:-2], key[-1]))) / (total[key[:-1]] - 1 + s)

        above_p, above_q = next_p, next_q
    return above_p


ALL = list(zip(STRENGTHS, PENALTIES, strict=True))


@pytest.mark.parametrize("seed", range(5))
def test_tables_are_the_mean_of_two_orders_of_the_formula(seed):
    X, y = rows(seed)
    network = BayesianNetworkClassifier(KDB(2), BackOff()).fit(X, y).network_
    from_four = [(s, penalty) for s, penalty in ALL if s > 3]
    for child in X:
        table = network.table(child)
        dense = np.asarray(table)
        names = [network.nodes[v] for v in table.family.parents]
        columns = {v: X[v].tolist() for v in X}
        candidates = []
        for order in {tuple(names), tuple(names[::-1])}:  # which parent tells more is not tested
            parents = [columns[v] for v in order]
            first = along(columns[child], [y.tolist(), *parents], from_four)
            last = along(columns[child], [*parents, y.tolist()], from_four)
            values = np.empty_like(dense)
            for index in np.ndindex(*dense.shape):
                given = {v: network.states(v)[index[at]] for at, v in enumerate(names)}
                of_parents = [given[v] for v in order]
                c, x = sorted(set(y.tolist()))[index[-2]], network.states(child)[index[-1]]
                values[index] = (first((c, *of_parents, x)) + last((*of_parents, c, x))) / 2
            candidates.append(values)
        best = min(candidates, key=lambda values: abs(values - dense).max())
        np.testing.assert_allclose(dense, best, atol=1e-12)
        np.testing.assert_allclose(dense.sum(axis=-1), 1, atol=1e-12)


def test_tables_of_rows_are_those_of_the_formula():
    """Tables of the kernel, with the class first and all strengths."""
    X, y = rows(9)
    columns = [X[v].astype(int).to_numpy().astype(np.uint8) for v in X]
    cards = [int(column.max()) + 1 for column in columns]
    for child, parents in ((0, ()), (1, (0,)), (2, (1, 0))):
        tables = back_off_tables(
            columns, cards, y.astype(np.uint8), 3, None, np.ones(len(y), dtype=bool),
            np.arange(len(y), dtype=np.int32), np.array([child]),
            np.array([parents], dtype=int).reshape(1, -1),
        )  # fmt: skip
        slot = len(parents)
        start = tables.layout.slot_starts[slot]
        lists = [columns[p].tolist() for p in parents]
        p = along(columns[child].tolist(), [y.tolist(), *lists], ALL)
        for r in range(len(y)):
            logs = tables.logs[start + tables.cells[0, r]]
            given = [values[r] for values in lists]
            expected = [np.log(p((c, *given, int(columns[child][r])))) for c in range(3)]
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
