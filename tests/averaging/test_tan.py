"""The average over all trees against the enumeration of all trees, in exact arithmetic."""

import itertools
import json
import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from bayesgrove import (
    AveragedTANClassifier,
    ModelFileError,
    TANClassifier,
    load_dataset,
    load_model,
    save_model,
)
from bayesgrove.averaging import tan
from bayesgrove.kernels import numpy_kernels
from bayesgrove.search.tree_sums import eliminate


def trees(n):
    """The edges of all labelled trees of n vertices, from their Pruefer sequences."""
    if n == 1:
        yield []
    for sequence in itertools.product(range(n), repeat=max(n - 2, 0)) if n > 1 else ():
        degrees = [1 + sequence.count(v) for v in range(n)]
        edges = []
        for v in sequence:
            leaf = degrees.index(1)
            edges.append((min(leaf, v), max(leaf, v)))
            degrees[leaf] -= 1
            degrees[v] -= 1
        edges.append(tuple(v for v in range(n) if degrees[v] == 1))
        yield edges


def parents_of(edges, n):
    """The parent of every vertex, with the last vertex as the root."""
    parents, waiting = {n - 1: None}, [n - 1]
    while waiting:
        v = waiting.pop()
        for a, b in edges:
            for u, w in ((a, b), (b, a)):
                if u == v and w not in parents:
                    parents[w] = v
                    waiting.append(w)
    return parents


class Urns:
    """One directed tree with its counts: every row has a probability given the rows before it."""

    def __init__(self, edges, cards, classes, sample):
        self.parents = parents_of(edges, len(cards))
        self.cards, self.classes, self.sample = cards, classes, Fraction(sample)
        self.counts = {}

    def probability(self, label, row):
        result = self._share(("class",), label, self.classes, 1)
        for v, parent in self.parents.items():
            given = (v, label) if parent is None else (v, label, row[parent])
            ways = self.classes * (1 if parent is None else self.cards[parent])
            result *= self._share(given, row[v], self.cards[v], ways)
        return result

    def add(self, label, row):
        for v, parent in self.parents.items():
            given = (v, label) if parent is None else (v, label, row[parent])
            self._count(given, row[v])
        self._count(("class",), label)

    def _count(self, given, value):
        cells = self.counts.setdefault(given, {})
        cells[value] = cells.get(value, 0) + 1

    def _share(self, given, value, states, ways):
        prior = self.sample / (ways * states)
        cells = self.counts.get(given, {})
        return (cells.get(value, 0) + prior) / (sum(cells.values()) + prior * states)


def enumerated(rows, labels, cards, classes, sample=1, prior=None):
    """All trees with their probabilities given the rows, as exact fractions."""
    weighted = []
    for edges in trees(len(cards)):
        urns, weight = Urns(edges, cards, classes, sample), Fraction(1)
        for edge in edges:
            weight *= Fraction((prior or {}).get(edge, 1))
        for row, label in zip(rows, labels, strict=True):
            weight *= urns.probability(label, row)
            urns.add(label, row)
        weighted.append((edges, urns, weight))
    total = sum(weight for *_, weight in weighted)
    return [(edges, urns, weight / total) for edges, urns, weight in weighted]


def joint(average, row, classes, cards):
    """P(class, row) of every class; missing values (None) are summed over all completions."""
    ways = [range(card) if x is None else [x] for x, card in zip(row, cards, strict=True)]
    return [
        float(
            sum(
                weight * urns.probability(label, complete)
                for _, urns, weight in average
                for complete in itertools.product(*ways)
            )
        )
        for label in range(classes)
    ]


def draw(rng, cards, classes, rows):
    """Rows with dependent columns; all values and classes occur."""
    labels = np.arange(rows) % classes
    columns = [rng.integers(0, card, rows) for card in cards]
    for j in range(1, len(cards)):
        same = rng.random(rows) < 0.6
        columns[j][same] = (columns[j - 1][same] + labels[same]) % cards[j]
    for j, card in enumerate(cards):
        columns[j][:card] = np.arange(card)
    return np.stack(columns, axis=1), labels


def fitted(table, labels, **options):
    frame = pd.DataFrame(table, columns=[f"x{j}" for j in range(table.shape[1])])
    model = AveragedTANClassifier(categorical_features="all", **options)
    return model.fit(frame, labels), frame


@pytest.mark.parametrize(
    ("cards", "classes", "sample"),
    [
        ((2, 2, 2, 2, 2), 2, 1),
        ((2, 3, 2, 4, 2), 3, 1),
        ((3, 2, 2, 3), 2, Fraction(1, 4)),
        ((2, 3, 2, 2), 4, 10),
        ((2, 3, 4), 2, 1),
        ((3, 2), 2, 2),
        ((3,), 2, 1),
    ],
)
def test_predictions_and_edges_are_those_of_all_trees(cards, classes, sample):
    rng = np.random.default_rng(len(cards))
    table, labels = draw(rng, cards, classes, 14)
    average = enumerated(table.tolist(), labels.tolist(), cards, classes, sample)
    model, frame = fitted(table, labels, equivalent_sample_size=float(sample))
    expected = [joint(average, row, classes, cards) for row in table.tolist()]
    assert np.exp(model.predict_joint_log_proba(frame)) == pytest.approx(
        np.array(expected), rel=1e-12
    )
    for a, b in itertools.combinations(range(len(cards)), 2):
        share = float(sum(weight for edges, _, weight in average if (a, b) in edges))
        assert model.edge_probabilities_[f"x{a}", f"x{b}"] == pytest.approx(share, abs=1e-12)
    assert len(model.edge_probabilities_) == len(cards) * (len(cards) - 1) // 2
    best = max(average, key=lambda item: item[2])[0]
    skeleton = {tuple(sorted(arc)) for arc in model.network_.arcs if "class" not in arc}
    assert skeleton == {(f"x{a}", f"x{b}") for a, b in best}


def test_six_attributes_are_1296_trees():
    rng = np.random.default_rng(6)
    cards = (2, 2, 3, 2, 2, 2)
    table, labels = draw(rng, cards, 2, 9)
    average = enumerated(table.tolist(), labels.tolist(), cards, 2)
    assert len(average) == 1296
    model, frame = fitted(table, labels)
    rows = [0, 5]
    expected = [joint(average, table[r].tolist(), 2, cards) for r in rows]
    got = np.exp(model.predict_joint_log_proba(frame.iloc[rows]))
    assert got == pytest.approx(np.array(expected), rel=1e-12)


def test_prior_weights_of_edges():
    cards = (2, 3, 2, 2)
    table, labels = draw(np.random.default_rng(1), cards, 2, 12)
    prior = {(0, 2): Fraction(7), (1, 3): Fraction(1, 8)}
    average = enumerated(table.tolist(), labels.tolist(), cards, 2, prior=prior)
    model, frame = fitted(table, labels, edge_prior={("x2", "x0"): 7.0, ("x1", "x3"): 0.125})
    expected = [joint(average, row, 2, cards) for row in table.tolist()]
    assert np.exp(model.predict_joint_log_proba(frame)) == pytest.approx(np.array(expected))
    for a, b in ((0, 2), (1, 3)):
        share = float(sum(weight for edges, _, weight in average if (a, b) in edges))
        assert model.edge_probabilities_[f"x{a}", f"x{b}"] == pytest.approx(share, abs=1e-12)


def test_weights_of_rows_are_repeated_rows():
    cards = (2, 3, 2, 2)
    table, labels = draw(np.random.default_rng(2), cards, 2, 10)
    weights = np.arange(10) % 3 + 1
    repeated = np.repeat(np.arange(10), weights)
    average = enumerated(table[repeated].tolist(), labels[repeated].tolist(), cards, 2)
    frame = pd.DataFrame(table)
    model = AveragedTANClassifier(categorical_features="all").fit(
        frame, labels, sample_weight=weights
    )
    expected = [joint(average, row, 2, cards) for row in table.tolist()]
    assert np.exp(model.predict_joint_log_proba(frame)) == pytest.approx(np.array(expected))


@pytest.mark.parametrize("hidden", [(0,), (2,), (0, 3), (1, 2), (0, 1, 2), (0, 1, 2, 3)])
def test_missing_values_are_summed_out(hidden):
    cards = (2, 3, 2, 3)
    table, labels = draw(np.random.default_rng(3), cards, 2, 15)
    average = enumerated(table.tolist(), labels.tolist(), cards, 2)
    model, frame = fitted(table, labels, missing="ignore")
    rows = frame.astype(object)
    for j in hidden:
        rows.iloc[:, j] = None
    expected = [
        joint(average, [None if j in hidden else x for j, x in enumerate(row)], 2, cards)
        for row in table.tolist()
    ]
    assert np.exp(model.predict_joint_log_proba(rows)) == pytest.approx(
        np.array(expected), rel=1e-12
    )
    unseen = frame.astype(object)
    for j in hidden:
        unseen.iloc[:, j] = 99
    with pytest.warns(UserWarning, match="99"):
        assert np.exp(model.predict_joint_log_proba(unseen)) == pytest.approx(np.array(expected))


def chained(rows, columns, seed):
    """Columns that each repeat the one before, but for a few rows: the tree is certain."""
    rng = np.random.default_rng(seed)
    table = np.zeros((rows, columns), dtype=int)
    table[:, 0] = rng.integers(0, 2, rows)
    for j in range(1, columns):
        table[:, j] = table[:, j - 1] ^ (rng.random(rows) < 0.02)
    return table, rng.integers(0, 2, rows)


def test_one_tree_is_certain_with_many_rows():
    table, labels = chained(20_000, 12, 1)
    model, frame = fitted(table, labels)
    assert len(model.edge_probabilities_) == 11  # all other edges are dropped
    assert min(model.edge_probabilities_.values()) == pytest.approx(1.0, abs=1e-12)
    by_tree = model.network_.log_joint(encoded_of(model, frame), 1)
    assert model.predict_joint_log_proba(frame) == pytest.approx(by_tree, rel=1e-12)
    assert model.beyond_network() == ""
    tan_model = TANClassifier(categorical_features="all").fit(frame, labels)
    assert model.complexity() == tan_model.complexity()


def encoded_of(model, frame):
    (encoded,) = model._encoded_batches(frame, model._used, model._places)
    return encoded


def test_leaves_of_certain_trees_need_no_sum(monkeypatch):
    table, labels = chained(20_000, 40, 2)
    model, frame = fitted(table, labels, missing="ignore")
    rows = frame[:50].astype(object)
    rows.iloc[:, 20:] = (
        None  # 2^20 joint values, but they are summed out from the last to the first
    )
    by_tree = model.network_.log_joint(encoded_of(model, rows), 1)
    monkeypatch.setattr(type(model.network_), "log_joint", None)  # the fallback is not asked
    assert model.predict_joint_log_proba(rows) == pytest.approx(by_tree, rel=1e-12)


def test_a_missing_centre_of_a_certain_star_is_summed_out():
    rng = np.random.default_rng(9)
    centre = rng.integers(0, 3, (20_000, 1))
    others = np.where(rng.random((20_000, 4)) < 0.1, rng.integers(0, 3, (20_000, 4)), centre)
    model, frame = fitted(np.hstack([centre, others]), rng.integers(0, 2, 20_000), missing="ignore")
    assert len(model.edge_probabilities_) == 4
    rows = frame[:200].astype(object)
    rows.iloc[:, :2] = None  # the centre, and a leaf
    by_tree = model.network_.log_joint(encoded_of(model, rows), 1)
    assert model.predict_joint_log_proba(rows) == pytest.approx(by_tree, rel=1e-12)


def test_too_many_joint_values_are_left_to_the_most_probable_tree():
    rng = np.random.default_rng(4)
    table, labels = rng.integers(0, 2, (30, 14)), np.arange(30) % 2
    model, frame = fitted(table, labels, missing="ignore")
    rows = frame.astype(object)
    rows.iloc[:, 1:] = None  # 2^13 joint values
    by_tree = model.network_.log_joint(encoded_of(model, rows), 1)
    assert model.predict_joint_log_proba(rows) == pytest.approx(by_tree, rel=1e-12)


# Sums over trees


def tree_sum(weights, n, having=None):
    """The sum over all trees of the products of their weights, with 60 digits."""
    return sum(
        math.prod((weights[edge] for edge in edges), start=Decimal(1))
        for edges in trees(n)
        if having is None or having in edges
    )


@pytest.mark.parametrize("spread", [1.0, 100.0, 5000.0])
def test_weights_that_differ_by_thousands_of_orders_of_magnitude(spread):
    n, rng = 6, np.random.default_rng(5)
    pairs = list(itertools.combinations(range(n), 2))
    logs = rng.normal(0.0, spread, len(pairs))
    program = eliminate(n, np.array(pairs), logs)
    with localcontext(prec=60):
        weights = {p: Decimal(log).exp() for p, log in zip(pairs, logs.tolist(), strict=True)}
        total = tree_sum(weights, n)
        shares = [float(tree_sum(weights, n, pair) / total) for pair in pairs]
        assert program.log_sum == pytest.approx(float(total.ln()), rel=1e-13)
    assert program.edge_probabilities(len(pairs)) == pytest.approx(shares, abs=1e-12)


@pytest.mark.parametrize("spread", [0.5, 30.0, 2000.0])
def test_factors_of_rows_change_the_sum_by_the_exact_ratio(spread):
    native = pytest.importorskip("bayesgrove.kernels._native")
    rng = np.random.default_rng(7)
    n, classes, rows = 6, 3, 11
    pairs = np.array(list(itertools.combinations(range(n), 2)))
    logs = rng.normal(0.0, spread, len(pairs))
    values = np.exp(rng.normal(0.0, 6.0, (len(pairs), 3, 3, classes)))
    columns = [rng.integers(0, 3, rows).astype(np.uint8) for _ in range(n)]
    program = eliminate(n, pairs, logs)
    arguments = (
        columns,
        pairs.astype(np.int32).ravel(),
        np.full(len(pairs), 3),
        np.arange(len(pairs)) * 9 * classes,
        values.ravel(),
        *program[:-1],
        rows,
        classes,
    )
    twin = numpy_kernels.tree_ratios(*arguments, 1)
    assert native.tree_ratios(*arguments, 3) == pytest.approx(twin, rel=1e-14, abs=1e-14)
    with localcontext(prec=60):
        edges = map(tuple, pairs.tolist())
        plain = {p: Decimal(log).exp() for p, log in zip(edges, logs.tolist(), strict=True)}
        for row, label in ((0, 0), (4, 2), (10, 1)):
            scaled = {
                (a, b): plain[a, b]
                * Decimal(float(values[e, columns[a][row], columns[b][row], label]))
                for e, (a, b) in enumerate(pairs.tolist())
            }
            expected = float((tree_sum(scaled, n) / tree_sum(plain, n)).ln())
            assert twin[row, label] == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_dropped_edges_change_no_prediction(monkeypatch):
    """Rows that contradict the certain edges: with all edges the predictions are the same."""
    table, labels = chained(400, 7, 3)
    model, frame = fitted(table, labels)
    assert len(model.edge_probabilities_) < 21
    rows = pd.DataFrame(list(itertools.product([0, 1], repeat=7)), columns=frame.columns)
    few = model.predict_joint_log_proba(rows)
    monkeypatch.setattr(tan, "NEGLIGIBLE", 1e-300)
    every, _ = fitted(table, labels)
    assert len(every.edge_probabilities_) > len(model.edge_probabilities_)
    assert few == pytest.approx(every.predict_joint_log_proba(rows), rel=1e-13)


def test_the_smallest_equivalent_sample_size_stays_finite():
    X, y = load_dataset("vote")
    model = AveragedTANClassifier(equivalent_sample_size=1e-6).fit(X[:40], y[:40])
    logs = model.predict_joint_log_proba(X)
    assert np.isfinite(logs).all()
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(1.0)


# Options and files


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"equivalent_sample_size": 0}, "equivalent_sample_size=0 must be a number of at least"),
        ({"edge_prior": 0.5}, "edge_prior=0.5 must be None or a dict"),
        ({"edge_prior": {("x0", "x1"): 0}}, r"edge_prior of .*=0 must be a number"),
        ({"edge_prior": {("x0", "y"): 1.0}}, r"\('x0', 'y'\), which is not a pair of columns"),
        ({"edge_prior": {("x0", "x1"): 1.0, ("x1", "x0"): 2.0}}, "twice, in both orders"),
    ],
)
def test_options_that_mean_nothing(options, message):
    table, labels = draw(np.random.default_rng(1), (2, 2, 2), 2, 8)
    with pytest.raises(ValueError, match=message):
        fitted(table, labels, **options)


def test_columns_with_many_values_are_counted_pair_by_pair(monkeypatch):
    table, labels = draw(np.random.default_rng(8), (2, 5, 3, 4), 2, 40)
    model, frame = fitted(table, labels)
    expected = model.predict_joint_log_proba(frame)
    monkeypatch.setattr(tan, "WIDE", 3)
    again, _ = fitted(table, labels)
    assert again.predict_joint_log_proba(frame) == pytest.approx(expected, rel=1e-13)


def test_one_column_and_constant_columns():
    labels = np.arange(12) % 2
    for table in (labels[:, None], np.zeros((12, 3), dtype=int)):
        model, frame = fitted(table, labels)
        assert math.isclose(model.predict_proba(frame).sum(), 12.0)


def test_a_model_file_holds_the_whole_average(tmp_path):
    X, y = load_dataset("vote")
    prior = {("crime", "immigration"): 10.0}
    model = AveragedTANClassifier(edge_prior=prior).fit(X[:80], y[:80])
    save_model(model, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert loaded.edge_prior == prior
    assert loaded.edge_probabilities_ == model.edge_probabilities_
    assert (loaded.predict_joint_log_proba(X) == model.predict_joint_log_proba(X)).all()
    assert loaded.complexity() == model.complexity()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda extra: extra["edges"].clear(), "does not connect all columns"),
        (lambda extra: extra["edges"].append(extra["edges"][0]), "holds an edge more than once"),
        (lambda extra: extra["edges"][0]["columns"].reverse(), "order of the table"),
        (lambda extra: extra["edges"][0]["table"].append(0.5), "table"),
        (lambda extra: extra["edges"][0].update(log_weight="x"), "log_weight"),
        (lambda extra: extra["edges"][0]["table"].__setitem__(0, 0.0), "table"),
        (lambda extra: extra["marginals"][0].__setitem__(0, 0.9), "do not sum to 1"),
        (lambda extra: extra["marginals"].pop(), "marginals"),
    ],
)
def test_model_files_that_are_damaged(tmp_path, change, message):
    table, labels = draw(np.random.default_rng(1), (2, 3, 2), 2, 12)
    path = tmp_path / "model.json"
    save_model(fitted(table, labels)[0], path)
    described = json.loads(path.read_text("utf-8"))
    change(described["extra"])
    path.write_text(json.dumps(described), "utf-8")
    with pytest.raises(ModelFileError, match=message):
        load_model(path)
