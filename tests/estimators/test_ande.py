"""AnDE against its formula, worked out in plain Python row by row."""

import json
import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from bayesgrove import (
    AnDEClassifier,
    AODEClassifier,
    NaiveBayesClassifier,
    OptionError,
    UnseenValueWarning,
    config_context,
    load_dataset,
    load_model,
    save_model,
)
from bayesgrove._utils import memory
from bayesgrove.averaging import ande
from bayesgrove.averaging.ande import table_cells
from bayesgrove.checks import check_classifier
from bayesgrove.cli.models import model_name, parse_model
from bayesgrove.counts import counter
from bayesgrove.estimators.base.complexity import Complexity
from bayesgrove.model_files import ModelFileError

NO_VALUE = "no value"
"""The state of missing values, where they have one."""


class Formula:
    """The formulas of the papers: every F (`weight`) is a sum over all training rows."""

    def __init__(self, X, y, model, weights=None):
        self.model = model
        self.weights = [1.0] * len(y) if weights is None else list(weights)
        self.classes = sorted(set(y))
        self.labels = [sorted(set(X[name].dropna())) for name in X]
        holes = [X[name].isna().any() for name in X]
        self.has_state = [hole and model.missing == "value" for hole in holes]
        self.rows = [(*values, c) for values, c in zip(self.known(X), y, strict=True)]
        self.states = [
            max(1, len(labels) + extra)
            for labels, extra in zip(self.labels, self.has_state, strict=True)
        ]

    def known(self, X):
        """Values of rows; None is a value that says nothing."""
        return [[self.value(j, cell) for j, cell in enumerate(row)] for row in X.to_numpy(object)]

    def value(self, j, cell):
        if pd.isna(cell):
            return NO_VALUE if self.has_state[j] else None
        return cell if cell in self.labels[j] else None

    def weight(self, conditions, known=()):
        """Weight of the rows with some values, in which some more places are known."""
        return math.fsum(
            weight
            for row, weight in zip(self.rows, self.weights, strict=True)
            if all(row[place] == value for place, value in conditions)
            and all(row[place] is not None for place in known)
        )

    def share(self, part, whole, states):
        alpha = self.model.alpha
        below = whole + alpha * states
        return (part + alpha) / below if below > 0 else 1 / states

    def joint_given(self, values, parents, c):
        """P(y, x_s) prod_j P(x_j | y, x_s)."""
        label = len(values)
        top = [*((i, values[i]) for i in parents), (label, c)]
        cells = len(self.classes) * math.prod(self.states[i] for i in parents)
        joint = self.share(self.weight(top), self.weight([], parents), cells)
        for j, value in enumerate(values):
            if j not in parents and value is not None:
                part = self.weight([*top, (j, value)])
                joint *= self.share(part, self.weight(top, [j]), self.states[j])
        return joint

    def information(self, parents):
        """I(X_s; C) of the rows in which all of X_s is known."""
        table = {}
        for row, weight in zip(self.rows, self.weights, strict=True):
            key = tuple(row[i] for i in parents)
            if None not in key:
                table[key, row[-1]] = table.get((key, row[-1]), 0.0) + weight
        total = sum(table.values())
        by_key, by_class = {}, {}
        for (key, c), n in table.items():
            by_key[key] = by_key.get(key, 0.0) + n
            by_class[c] = by_class.get(c, 0.0) + n
        return sum(
            n / total * math.log(n * total / (by_key[key] * by_class[c]))
            for (key, c), n in table.items()
        )

    def weight_of(self, parents):
        return 1.0 if self.model.weights == "equal" else self.information(parents)

    def resolved(self, values):
        """The values without those that another value implies."""
        threshold = self.model.subsumption_resolution
        if threshold is None:
            return list(values)
        rest = list(values)
        for i, j in ((i, j) for i in range(len(values)) for j in range(len(values)) if i != j):
            if values[i] is None or values[j] is None:
                continue
            both = self.weight([(i, values[i]), (j, values[j])])
            one, other = self.weight([(i, values[i])]), self.weight([(j, values[j])])
            implied = both == other and other >= threshold
            mutual = implied and both == one
            if implied and not (mutual and i < j):
                rest[i] = None
        return rest

    def joint(self, row):
        values = self.resolved(row)
        known = [i for i, value in enumerate(values) if value is not None]
        for n in range(self.model.n, 0, -1):
            sets = [
                s
                for s in combinations(known, n)
                if self.weight([(i, values[i]) for i in s]) >= self.model.min_rows - 1e-6
                and self.weight_of(s) > 1e-12
            ]
            if sets:
                total = math.fsum(self.weight_of(s) for s in sets)
                return [
                    math.fsum(self.weight_of(s) * self.joint_given(values, s, c) for s in sets)
                    / total
                    for c in self.classes
                ]
        return [self.joint_given(values, (), c) for c in self.classes]


def draw(seed, rows=24, cards=(2, 3, 4, 2), classes=2, missing=0.2):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    y[:classes] = range(classes)
    columns = {}
    for k, card in enumerate(cards):
        codes = (y * rng.integers(0, 2, rows) + (rng.random(rows) ** 2 * card).astype(int)) % card
        labels = np.array([f"v{code}" for code in codes], dtype=object)
        columns[f"x{k}"] = np.where(rng.random(rows) < missing, None, labels)
    return pd.DataFrame(columns, dtype=object), [f"c{code}" for code in y]


def hierarchy(seed, rows=40, missing=0.0):
    """A column that two others generalise, a copy of it, and a free column."""
    X, y = draw(seed, rows, (4, 3, 3), missing=missing)
    city = X["x0"]
    country = city.map({"v0": "north", "v1": "north", "v2": "south", "v3": "south"}, "ignore")
    frame = pd.DataFrame(
        {"country": country, "city": city, "code": city, "free": X["x1"], "same": "s"}, dtype=object
    )
    return frame.where(frame.notna(), None), y


def assert_formula(model, X, y, rows, weights=None):
    """The model gives the joint probabilities and posteriors of the formula."""
    model.fit(X, y, sample_weight=weights)
    formula = Formula(X, y, model, weights)
    expected = np.array([formula.joint(values) for values in formula.known(rows)])
    assert_allclose(np.exp(model.predict_joint_log_proba(rows)), expected, rtol=1e-12)
    posterior = expected / expected.sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(rows), posterior, rtol=0, atol=1e-12)
    best = posterior.max(axis=1) - 1e-9
    chosen = [model.classes_.tolist().index(label) for label in model.predict(rows)]
    assert (posterior[range(len(rows)), chosen] >= best).all()
    return model


@pytest.fixture(params=["numpy", "_native"])
def kernels(request, monkeypatch):
    module = pytest.importorskip(f"bayesgrove.kernels.{request.param}")
    monkeypatch.setattr(ande, "kernels", module)
    return module


modes = pytest.mark.parametrize("missing", ["value", "ignore"])
orders = pytest.mark.parametrize("n", [1, 2])


@orders
@modes
@pytest.mark.parametrize("min_rows", [1, 3, 9, 1000])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.filterwarnings("ignore::bayesgrove.UnseenValueWarning")
def test_probabilities_are_those_of_the_formula(kernels, seed, min_rows, missing, n):
    """With 9 rows, some rows have pairs, some only single super-parents, and some none."""
    X, y = draw(seed, classes=2 + seed % 2)
    rows = pd.concat([X, draw(seed + 100)[0], pd.DataFrame([[None] * 4], columns=X.columns)])
    model = AnDEClassifier(n, min_rows, alpha=(1.0, 0.25, 3.0)[seed], missing=missing)
    assert_formula(model, X, y, rows)


@orders
@modes
@pytest.mark.parametrize("seed", range(3))
def test_weights_by_information(kernels, seed, missing, n):
    X, y = draw(seed + 30, classes=2 + seed % 2)
    X["same"] = "s"
    model = AnDEClassifier(n, 2, weights="mutual_information", missing=missing)
    assert_formula(model, X, y, X)


@orders
@modes
@pytest.mark.parametrize("threshold", [1, 5, 12, 1000])
def test_subsumption_resolution(kernels, threshold, missing, n):
    X, y = hierarchy(1, missing=0.1)
    options = {"subsumption_resolution": threshold, "missing": missing}
    model = assert_formula(AnDEClassifier(n, **options), X, y, X)
    if threshold == 1000:
        assert model._implications == []
        plain = AnDEClassifier(n, missing=missing).fit(X, y)
        assert_allclose(model.predict_proba(X), plain.predict_proba(X), rtol=1e-12)


def test_a_value_implies_its_generalisation_and_the_first_of_equal_values_stays():
    X, y = hierarchy(2, rows=200)
    model = AnDEClassifier(1, subsumption_resolution=20).fit(X, y)
    names = model.networks_[0].nodes
    implied = {(names[a], names[b]): codes.tolist() for a, b, codes in model._implications}
    assert implied["country", "city"] == [0, 0, 1, 1]  # north and south
    assert implied["code", "city"] == [0, 1, 2, 3]
    assert ("city", "code") not in implied
    assert ("city", "country") not in implied
    assert implied["same", "free"] == [0, 0, 0]
    # The city stays, and its country, its code and the constant column are left out.
    short = AnDEClassifier(1).fit(X[["city", "free"]], y)
    assert_allclose(model.predict_proba(X), short.predict_proba(X[["city", "free"]]), rtol=1e-12)


def test_both_together_with_row_weights(kernels):
    X, y = hierarchy(3, missing=0.1)
    weights = np.random.default_rng(3).choice([0.5, 1.0, 2.0], len(y))
    options = {"subsumption_resolution": 6, "weights": "mutual_information", "missing": "ignore"}
    assert_formula(AnDEClassifier(2, 2, **options), X, y, X, weights)


def test_weights_that_sum_to_min_rows_up_to_rounding_are_enough():
    X = pd.DataFrame({"a": ["u"] * 10, "b": ["p"] * 10, "c": ["r", "s"] * 5})
    y = ["n", "y", "y", "n", "n"] * 2
    model = assert_formula(AnDEClassifier(), X, y, X, [0.1] * 10)
    assert model.beyond_network() == "the average over 1 pairs of super-parents"


@orders
@modes
def test_without_smoothing(kernels, missing, n):
    X, y = draw(3, rows=80, cards=(2, 2, 2), missing=0.1)
    assert_formula(AnDEClassifier(n, alpha=0, missing=missing), X, y, X)


def test_rows_that_are_impossible_get_the_probabilities_of_the_classes():
    X = pd.DataFrame({"a": ["u", "u", "v", "v"], "b": ["p", "p", "q", "q"], "c": list("rsrs")})
    model = AnDEClassifier(alpha=0).fit(X, ["n", "n", "n", "y"])
    odd = pd.DataFrame({"a": ["u"], "b": ["q"], "c": ["r"]})
    assert_allclose(model.predict_proba(odd), [[0.75, 0.25]], rtol=1e-12)


@modes
@pytest.mark.parametrize("min_rows", [1, 5, 1000])
def test_n_of_one_is_aode_to_the_last_bit(min_rows, missing):
    X, y = draw(4, rows=50)
    one = AnDEClassifier(1, min_rows, missing=missing).fit(X, y)
    aode = AODEClassifier(min_rows, missing=missing).fit(X, y)
    assert one.networks_ == aode.networks_
    assert one.weights_.tolist() == aode.weights_.tolist()
    assert one.complexity() == aode.complexity()
    assert one.beyond_network() == aode.beyond_network()
    for ask in ("predict_joint_log_proba", "predict_proba", "predict_log_proba"):
        assert getattr(one, ask)(X).tobytes() == getattr(aode, ask)(X).tobytes()


def test_a_row_without_a_pair_gets_the_answer_of_aode_and_without_a_super_parent_of_naive_bayes():
    X = pd.DataFrame({"a": ["u"] * 6 + ["v"] * 2, "b": ["p"] * 5 + ["q"] * 3, "c": ["r", "s"] * 4})
    y = ["n", "y", "n", "n", "y", "n", "y", "y"]
    model = AnDEClassifier(2, 5).fit(X, y)
    aode, naive = AODEClassifier(5).fit(X, y), NaiveBayesClassifier().fit(X, y)
    rows = pd.DataFrame({"a": ["u", "u", "v"], "b": ["p", "q", "q"], "c": ["r", "r", "s"]})
    answers = model.predict_joint_log_proba(rows)
    assert np.abs(answers[0] - aode.predict_joint_log_proba(rows)[0]).max() > 1e-3
    assert answers[1].tobytes() == aode.predict_joint_log_proba(rows)[1].tobytes()
    assert_allclose(answers[2], naive.predict_joint_log_proba(rows)[2], rtol=1e-12)


@modes
@pytest.mark.parametrize("columns", [1, 2])
def test_few_attributes(missing, columns):
    X, y = draw(9, cards=(3, 2)[:columns], classes=3)
    assert_formula(AnDEClassifier(missing=missing), X, y, X)


@modes
def test_one_class_and_a_column_without_values(missing):
    X, y = draw(10)
    assert_formula(AnDEClassifier(missing=missing), X, ["c0"] * len(X), X)
    assert_formula(AnDEClassifier(missing=missing), X.assign(x1=None), y, X.assign(x1=None))


def test_if_no_attribute_has_information_naive_bayes_predicts():
    X = pd.DataFrame({"a": ["u", "v"] * 8, "b": ["p", "p", "q", "q"] * 4})
    y = (["n"] * 8 + ["y"] * 8) + (["n"] * 8)
    X = pd.concat([X, X[:8]])
    expected = NaiveBayesClassifier().fit(X, y).predict_joint_log_proba(X)
    for n in (1, 2):
        model = AnDEClassifier(n, weights="mutual_information").fit(X, y)
        assert model.weights_.tolist() == [1.0, 0.0, 0.0]
        assert_allclose(model.predict_joint_log_proba(X), expected, rtol=1e-12)


def test_unseen_values_are_not_super_parents():
    X, y = draw(11)
    model = AnDEClassifier().fit(X, y)
    with pytest.warns(UnseenValueWarning):
        new = model.predict_proba(X.assign(x1="new"))
    unknown = AnDEClassifier(missing="ignore").fit(X.fillna(NO_VALUE), y)
    expected = unknown.predict_proba(X.fillna(NO_VALUE).assign(x1=None))
    assert_allclose(new, expected, rtol=1e-12)


def test_products_below_the_range_of_floats(kernels):
    """The training rows have three b each, and the row to predict has 40."""
    rng = np.random.default_rng(12)
    cells = np.full((100, 40), "a", dtype=object)
    for row in cells:
        row[rng.choice(40, 3, replace=False)] = "b"
    cells, y = np.concatenate([cells, cells]), np.arange(200) // 100
    X = pd.DataFrame(cells, columns=[f"x{j}" for j in range(40)])
    model = AnDEClassifier(alpha=1e-9).fit(X, y)
    joint = model.predict_joint_log_proba(pd.DataFrame([["b"] * 40], columns=X.columns))
    is_b = cells == "b"
    logs = []
    for c in (0, 1):
        terms = []
        for i, j in combinations(range(40), 2):
            both = is_b[:, i] & is_b[:, j]
            if both.any():
                inside = is_b[both & (y == c)]
                log = math.log((len(inside) + 1e-9) / (200 + 8e-9))
                for m in set(range(40)) - {i, j}:
                    log += math.log((inside[:, m].sum() + 1e-9) / (len(inside) + 2e-9))
                terms.append(log)
        logs.append(np.logaddexp.reduce(terms) - math.log(len(terms)))
    assert max(logs) < -750  # the smallest float is about exp(-745)
    assert_allclose(joint[0], logs, rtol=1e-12)


def test_kernels_agree_on_many_rows(monkeypatch):
    native = pytest.importorskip("bayesgrove.kernels._native")
    numpy = pytest.importorskip("bayesgrove.kernels.numpy")
    X, y = draw(13, rows=3000, cards=(3, 4, 2, 5, 3), classes=3, missing=0.1)
    model = AnDEClassifier(2, 5, missing="ignore").fit(X, y)
    answers = []
    for module in (native, numpy):
        monkeypatch.setattr(ande, "kernels", module)
        answers.append(model.predict_joint_log_proba(X))
    assert_allclose(answers[0], answers[1], rtol=1e-12)


@orders
@modes
def test_from_a_file_and_with_threads_the_same_bits(missing, n, tmp_path):
    X, y = hierarchy(14, rows=3000, missing=0.05)
    X.assign(y=y).to_parquet(tmp_path / "rows.parquet", row_group_size=700)
    options = {"missing": missing, "subsumption_resolution": 50, "weights": "mutual_information"}
    here = AnDEClassifier(n, 4, **options).fit(X, y).predict_joint_log_proba(X)
    there = AnDEClassifier(n, 4, n_jobs=3, **options).fit(tmp_path / "rows.parquet", "y")
    with config_context(memory_limit=100), pytest.warns(UserWarning, match="temporary file"):
        spilled = AnDEClassifier(n, 4, **options).fit(tmp_path / "rows.parquet", "y")
    for other in (there, spilled):
        assert other.predict_joint_log_proba(X).tobytes() == here.tobytes()


@orders
@modes
@pytest.mark.parametrize("threshold", [None, 3, 1000])
def test_from_a_model_file_the_same_bits(threshold, missing, n, tmp_path):
    X, y = hierarchy(15, missing=0.1)
    options = {"subsumption_resolution": threshold, "weights": "mutual_information"}
    model = AnDEClassifier(n, 2, missing=missing, **options).fit(X, y)
    save_model(model, tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    assert vars(loaded).keys() == vars(model).keys()
    assert loaded.complexity() == model.complexity()
    assert loaded.beyond_network() == model.beyond_network()
    rows = pd.concat([X, hierarchy(16)[0]])
    for ask in ("predict_joint_log_proba", "predict_proba"):
        assert getattr(loaded, ask)(rows).tobytes() == getattr(model, ask)(rows).tobytes()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda extra: extra["pair_counts"].pop(), "one per pair and per triple"),
        (lambda extra: extra["pair_counts"][0].pop(), "numbers, needs"),
        (lambda extra: extra["pair_counts"][0].__setitem__(0, -1.0), "less than 0"),
        (lambda extra: extra.pop("pair_counts"), "has no 'pair_counts'"),
        (lambda extra: extra["implications"][0].update(given="nobody"), "not 'country' or"),
        (lambda extra: extra["implications"][0]["codes"].append(0), "codes, needs"),
        (lambda extra: extra["implications"][0]["codes"].__setitem__(0, 99), "not a state"),
        (
            lambda extra: extra["implications"][0].update(given=extra["implications"][0]["column"]),
            "implies itself",
        ),
    ],
)
def test_damaged_files(damage, message, tmp_path):
    model = AnDEClassifier(subsumption_resolution=3).fit(*hierarchy(17))
    save_model(model, tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    damage(document["extra"])
    (tmp_path / "m.json").write_text(json.dumps(document))
    with pytest.raises(ModelFileError, match=message):
        load_model(tmp_path / "m.json")


def test_memory_is_asked_for_before_triples_are_counted(monkeypatch):
    X = pd.DataFrame({name: [f"v{k}" for k in range(300)] for name in "abc"})
    monkeypatch.setattr(memory, "available_memory", lambda: 10**8)
    with pytest.raises(MemoryError, match=r"triples of 3 attributes would need .*: use n=1"):
        AnDEClassifier().fit(X, ["n", "y"] * 150)


@pytest.mark.parametrize("cards", [[2], [3, 2], [2, 3, 4, 2], [5, 1, 2, 7, 3, 4]])
def test_the_number_of_cells(cards):
    *attributes, classes = cards
    sets = [s for size in (2, 3) for s in combinations(attributes, size)]
    assert table_cells(cards) == classes * sum(map(math.prod, sets))


def test_values_of_wide_columns_are_implied_too(monkeypatch):
    """Pairs with many values are counted from the joint values that occur."""
    X, y = hierarchy(18, rows=60)
    model = AnDEClassifier(1, subsumption_resolution=4).fit(X, y)
    monkeypatch.setattr(counter, "DENSE_CELLS", 0)
    names = [f"w{k % 25}" for k in range(60)]
    wide = X.assign(free=names, name=[f"{w}!" for w in names])
    assert_formula(AnDEClassifier(1, subsumption_resolution=2), wide, y, wide[:8])
    assert len(model._implications) > 0


def test_the_size_by_hand():
    """Attributes of 2, 3 and 4 values, 3 classes; AODE has 18 arcs and 146 parameters.

    A pair has 6 arcs: one between the parents, two to the class, and three to the last attribute.
    Its parameters are 3 v w - 1, and 3 v w (u - 1) for the other attribute, of u values:
    17 + 18 * 3 = 71, 23 + 24 * 2 = 71, 35 + 36 * 1 = 71.
    """
    places = np.arange(24)
    X = pd.DataFrame({f"x{v}": [f"v{p % v}" for p in places] for v in (2, 3, 4)})
    y = places // 8
    assert AnDEClassifier().fit(X, y).complexity() == Complexity(3, 18 + 3 * 6, 146 + 3 * 71)
    # Joint values of x2 and x3 have 4 rows, of x2 and x4 6 rows or none, of x3 and x4 2 rows.
    assert AnDEClassifier(2, 6).fit(X, y).complexity() == Complexity(3, 18 + 6, 146 + 71)


@pytest.mark.parametrize(
    "option",
    [
        *({"n": 0}, {"n": 3}, {"n": 1.0}, {"n": True}, {"min_rows": 0}, {"min_rows": 10**400}),
        *({"alpha": -1}, {"subsumption_resolution": 0}, {"subsumption_resolution": True}),
        *({"subsumption_resolution": 10**400}, {"weights": "gain_ratio"}),
    ],
)
def test_options_that_cannot_be(option):
    with pytest.raises(OptionError, match=next(iter(option))):
        AnDEClassifier(**option).fit(*draw(19))


@pytest.mark.parametrize(
    "model",
    [
        AnDEClassifier(),
        AnDEClassifier(2, 5, missing="ignore", weights="mutual_information"),
        AnDEClassifier(2, alpha=0, subsumption_resolution=3),
        AnDEClassifier(1, 1000, subsumption_resolution=2),
    ],
    ids=repr,
)
def test_the_checks_of_every_classifier(model):
    check_classifier(model)


def test_the_command_line_knows_it():
    text = "ande:n=2,min_rows=3,subsumption_resolution=100,weights=mutual_information"
    model = parse_model(text).build()
    assert isinstance(model, AnDEClassifier)
    assert (model.n, model.min_rows, model.subsumption_resolution) == (2, 3, 100)
    assert model.weights == "mutual_information"
    assert model_name(model) == "ande"


def test_two_parents_predict_what_one_parent_cannot():
    """The class is the parity of three columns: a pair of parents decides it, one does not."""
    rng = np.random.default_rng(20)
    X = pd.DataFrame(rng.integers(0, 2, (400, 3)).astype(str), columns=list("abc"))
    y = X.astype(int).sum(axis=1) % 2
    assert AnDEClassifier(2).fit(X, y).score(X, y) == 1.0
    assert AnDEClassifier(1).fit(X, y).score(X, y) < 0.8


def test_real_rows():
    X, y = load_dataset("vote")
    assert AnDEClassifier().fit(X, y).score(X, y) > AODEClassifier().fit(X, y).score(X, y)


def test_wrong_arguments_of_the_kernel_raise(kernels):
    column = np.zeros(2, dtype=np.uint8)
    good = {
        "columns": [column] * 3,
        "cards": [2, 2, 2],
        "n_classes": 2,
        "pairs": np.zeros(24),
        "pair_starts": np.array([0, 8, 16, 24]),
        "triples": np.zeros(16),
        "triple_starts": np.array([0, 16]),
        "below": np.zeros(0),
        "below_starts": np.full((3, 3), -1),
        "totals": np.zeros(3),
        "weights": np.ones(3),
        "alpha": 1.0,
        "min_weight": 0.0,
        "rows": 2,
        "threads": 1,
    }
    joint, used = kernels.super_parent_pairs(**good)
    assert_allclose(np.exp(joint), 1 / 16)
    assert used.tolist() == [3.0, 3.0]
    for bad, message in [
        ({"cards": [2, 2]}, "one cardinality"),
        ({"triples": np.zeros(15)}, "do not fit the cardinalities"),
        ({"pair_starts": np.array([0, 8, 16, 23])}, "do not fit the cardinalities"),
        ({"weights": np.ones(2)}, "one weight per pair"),
        ({"below_starts": np.full((3, 3), 0)}, "out of range"),
    ]:
        with pytest.raises(ValueError, match=message):
            kernels.super_parent_pairs(**{**good, **bad})
