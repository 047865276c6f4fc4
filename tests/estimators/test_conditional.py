"""Smoothing, conditional weights and cell corrections of network classifiers."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax
from sklearn.base import clone
from sklearn.metrics import log_loss, mutual_info_score

from bayesgrove import (
    BayesianNetworkClassifier,
    CBClassifier,
    InfoASClassifier,
    JoiningNaiveBayesClassifier,
    K2ASClassifier,
    K2Classifier,
    KDBClassifier,
    NaiveBayesClassifier,
    SelectiveNaiveBayesClassifier,
    SelectiveTANClassifier,
    SKDBClassifier,
    TANClassifier,
    ThickThinClassifier,
    UnseenValueWarning,
    WeightedNaiveBayesClassifier,
    load_model,
    save_model,
)
from bayesgrove._utils.options import OptionError
from bayesgrove.checks import check_classifier
from bayesgrove.encoding import load_rows
from bayesgrove.model_files import ModelFileError
from bayesgrove.parameters import BackOff, BDeu, HierarchicalDirichlet, MaximumLikelihood
from bayesgrove.parameters.network_sum import NetworkSums
from bayesgrove.structures import K2, KDB, TAN, Naive

BOTH = {"weights": "conditional", "corrections": True}
ORDER = ["a", "b", "class", "c", "d"]
MODELS = [
    NaiveBayesClassifier(),
    TANClassifier(),
    KDBClassifier(k=2),
    K2Classifier(ORDER),
    CBClassifier(class_node="free"),
    ThickThinClassifier("bdeu", equivalent_sample_size=3.0),
    InfoASClassifier(),
    K2ASClassifier(),
    SelectiveTANClassifier("mdl"),
    SKDBClassifier(k=2),
    SelectiveNaiveBayesClassifier(),
    JoiningNaiveBayesClassifier("network"),
    BayesianNetworkClassifier(KDB(2)),
]
NAMES = [type(model).__name__ for model in MODELS]


def table(seed=0, n=120, classes=2, missing=0.0):
    """Labels that depend on the class and on each other."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    a = (y + rng.integers(0, 3, n) * (rng.random(n) < 0.6)) % 3
    b = (a + rng.integers(0, 2, n)) % 3
    c = (y * (b > 0) + rng.integers(0, 4, n) * (rng.random(n) < 0.7)) % 4
    d = (a + (rng.random(n) < 0.3)) % 2
    X = pd.DataFrame({"a": a, "b": b, "c": c, "d": d}).map("pqrs".__getitem__).astype(object)
    return X.mask(rng.random(X.shape) < missing, None), np.array(["no", "yes", "so"])[y]


def votes(seed=0, n=160, classes=2):
    """Labels whose votes decide the class: more than a network without corrections can say."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, (n, 5))
    values[:, 1] = np.where(rng.random(n) < 0.5, values[:, 0], values[:, 1])
    sums = values.sum(axis=1) + rng.random(n)
    y = np.searchsorted(np.quantile(sums, np.arange(1, classes) / classes), sums)
    X = pd.DataFrame(values, columns=[*"abcde"]).map("pqr".__getitem__).astype(object)
    return X, np.array(["no", "so", "yes"])[y]


# An independent computation of the objective


def families(model, X, y, alpha=1.0):
    """Child, parents and pseudo-count of every table, by the names of the network."""
    network, cards = model.network_, X.nunique()
    out = [
        (node, [p for p in network.parents(node) if p != "class"], alpha)
        for node in network.nodes[:-1]
        if "class" in network.parents(node)
    ]
    evidence = sorted(network.parents("class"), key=lambda v: -mutual_info_score(X[v], y))
    for at, node in enumerate(evidence):
        out.append((node, evidence[:at], alpha * cards[evidence[at + 1 :]].prod()))
    return out, alpha * cards[evidence].prod()


def logarithms(X, y, w, child, parents, a, *, left_out):
    """``ln P(child | class, parents)`` of every row and class, by counting."""
    grid = X.astype(str)
    same = np.ones((len(X), len(X)), dtype=bool)
    for parent in parents:
        same &= grid[parent].to_numpy()[:, None] == grid[parent].to_numpy()
    value = same & (grid[child].to_numpy()[:, None] == grid[child].to_numpy())
    of_classes = np.equal.outer(y, np.unique(y))
    less = of_classes * w[:, None] * left_out
    n, total = (rows @ (of_classes * w[:, None]) - less for rows in (value, same))
    return np.log((n + a) / (total + a * X[child].nunique()))


def fitted_by_scipy(model, X, y, w, *, corrections):
    """Probabilities of the training rows, by minimising the documented objective."""
    tables, class_alpha = families(model, X, y)
    classes, own = np.unique(y, return_inverse=True)
    prior = np.array([w[y == label].sum() for label in classes]) + class_alpha
    prior = np.log(prior / prior.sum())
    twins, logs = (
        np.stack([logarithms(X, y, w, *t, left_out=left_out) for t in tables], axis=1)
        for left_out in (True, False)
    )
    count, rows = len(tables), np.arange(len(y))

    def log_loss_of(scores):
        return (w * (logsumexp(scores, axis=1) - scores[rows, own])).sum()

    def loss(x):
        common, each, bias = x[0], x[1 : 1 + count], x[1 + count :]
        scores = prior + bias + np.einsum("t,rtc->rc", common + each, twins)
        penalty = (common - 1) ** 2 + 30 * (each**2).sum() + 5 * (bias**2).sum()
        return log_loss_of(scores) + penalty / 2

    start = np.concatenate([[1.0], np.zeros(count + len(classes))])
    x = minimize(loss, start, method="BFGS", options={"gtol": 1e-7}).x
    exponents, offset = x[0] + x[1 : 1 + count], prior + x[1 + count :]
    more = 0.0
    if corrections:
        cells = [
            np.unique(X[[child, *parents[:level]]].astype(str).sum(axis=1), return_inverse=True)[1]
            for child, parents, _ in ranked(X, y, w, tables)
            for level in range(min(len(parents), 2) + 1)
        ]
        incidence = np.concatenate([np.eye(c.max() + 1)[c] for c in cells], axis=1)
        scores = offset + np.einsum("t,rtc->rc", exponents, twins)

        def ridge(flat):
            deltas = flat.reshape(-1, len(classes))
            corrected = scores + incidence @ deltas
            residuals = w[:, None] * (softmax(corrected, axis=1) - np.eye(len(classes))[own])
            value = log_loss_of(corrected) + (deltas**2).sum()  # The penalty is 2, halved.
            return value, (incidence.T @ residuals + 2 * deltas).ravel()

        zeros = np.zeros(incidence.shape[1] * len(classes))
        deltas = minimize(ridge, zeros, jac=True, method="BFGS").x.reshape(-1, len(classes))
        more = model.correction_weight_ * (incidence @ deltas)
    return softmax(offset + np.einsum("t,rtc->rc", exponents, logs) + more, axis=1), exponents


def ranked(X, y, w, tables):
    """Tables with their parents by decreasing information given the class."""

    def information(child, parent):
        joint = (pd.crosstab([y, X[parent]], X[child], w, aggfunc="sum").fillna(0)).to_numpy()
        labels = np.sort(np.unique(y)).repeat(len(joint) // len(np.unique(y)))
        return sum(
            joint[labels == k].sum() * mutual_info_score(None, None, contingency=joint[labels == k])
            for k in np.unique(y)
        )

    return [
        (child, sorted(parents, key=lambda p: -information(child, p)), a)
        for child, parents, a in tables
    ]


@pytest.mark.parametrize("corrections", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("model", "classes"),
    [
        (NaiveBayesClassifier(), 2),  # WANBIA, with penalties
        (TANClassifier(), 2),
        (TANClassifier(), 3),
        (KDBClassifier(k=2), 2),
        (K2Classifier(), 2),  # The class has parents.
    ],
    ids=["naive", "tan", "tan-3", "kdb", "k2"],
)
def test_exponents_and_corrections_minimise_the_objective(model, classes, weighted, corrections):
    X, y = votes(1, classes=classes) if corrections else table(1, classes=classes)
    w = np.random.default_rng(2).uniform(0.5, 2.0, len(y)) if weighted else np.ones(len(y))
    model = clone(model).set_params(weights="conditional", corrections=corrections)
    if isinstance(model, K2Classifier):
        model.set_params(order=["a", "b", "class", *X.columns[2:]])
    model.fit(X, y, sample_weight=w)
    assert bool(model.network_.parents("class")) == isinstance(model, K2Classifier)
    assert not corrections or model.correction_weight_ > 0.5
    p, exponents = fitted_by_scipy(model, X, y, w, corrections=corrections)
    assert list(model.exponents_.values()) == pytest.approx(exponents, abs=0.02)
    # The search for corrections ends when one more step gains nearly nothing.
    difference = np.abs(model.predict_proba(X) - p)
    assert difference.mean() < 0.005


@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_without_fits_the_sum_is_the_network(model):
    """Exponents of 1 and no corrections: the probabilities of the network, for observed rows."""
    X, y = table(3)
    model = clone(model).fit(X, y)
    training = clone(model)._read(X, y)
    nodes = model.network_.nodes
    places = [training.names.index(name) for name in nodes[:-1]]
    found = NetworkSums(weights=False, corrections=False).learn(
        model.network_.structure,
        training.counts(1).restrict(places),
        load_rows(training.rows).select(places),
        [model.network_.states(node) for node in nodes],
        model._parameter_learner(),
    )
    scores = found.scores(load_rows(training.rows).select(places))
    assert found.exponents.tolist() == [1.0] * len(found.exponents)
    np.testing.assert_allclose(softmax(scores, axis=1), model.predict_proba(X), atol=1e-5)


def test_the_sum_of_tables_that_back_off_is_the_score():
    """Two levels of one table by hand, with the strengths that the rows choose."""
    X, y = table(4, n=60)
    model = TANClassifier(smoothing="backoff", corrections=False, weights="conditional").fit(X, y)
    score = model._sum.offset.copy()
    row = X.iloc[[5]]
    for column in X:
        entries = model.score_table(column)
        parents = [p for p in model.network_.parents(column) if p != "class"]
        key = tuple(row[name].iloc[0] for name in [*parents, column])
        score += entries.loc[key].to_numpy().ravel()
    np.testing.assert_allclose(model.predict_proba(row)[0], softmax(score), atol=1e-6)


# What the fits bring


def test_weights_take_back_what_is_counted_twice():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 600)
    x = (y + (rng.random(600) < 0.3)) % 2
    X = pd.DataFrame({f"copy{k}": x for k in range(6)}).astype(str)
    plain = NaiveBayesClassifier().fit(X[:300], y[:300])
    weighted = NaiveBayesClassifier(weights="conditional").fit(X[:300], y[:300])
    losses = [log_loss(y[300:], m.predict_proba(X[300:])) for m in (plain, weighted)]
    assert losses[0] > 0.9
    assert losses[1] < 0.63  # The entropy of the class given x is 0.61.
    assert sum(weighted.exponents_.values()) == pytest.approx(1, abs=0.3)


def test_the_factor_of_corrections_is_0_for_noise_and_near_1_for_what_tables_cannot_say():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 3, (400, 8)).astype(str)).rename(columns=str)
    noise = KDBClassifier(2, **BOTH).fit(X, rng.integers(0, 2, 400))
    assert noise.correction_weight_ < 0.1
    votes = (X.astype(int) == 2).sum(axis=1)
    model = KDBClassifier(2, **BOTH).fit(X, np.where(votes > 2, "many", "few"))
    assert model.correction_weight_ > 0.8
    without = clone(model).set_params(corrections=False).fit(X, np.where(votes > 2, "many", "few"))
    assert model.correction_weight_ > without.correction_weight_ == 0


def test_many_rows_are_drawn_not_taken_from_the_top():
    """9,000 rows sorted by class: the first 4,000 have one class."""
    X, y = table(12, n=9000)
    order = np.argsort(y, kind="stable")
    model, shuffled = (
        TANClassifier(**BOTH).fit(X.iloc[rows], y[rows]) for rows in (order, np.arange(len(y)))
    )
    difference = np.abs(model.predict_proba(X) - shuffled.predict_proba(X))
    assert difference.max() < 0.05


def test_files_give_the_same_model(tmp_path):
    X, y = table(13)
    X.assign(target=y).to_parquet(tmp_path / "rows.parquet")
    model = KDBClassifier(2, smoothing="backoff", **BOTH)
    p = clone(model).fit(tmp_path / "rows.parquet", "target").predict_proba(X)
    np.testing.assert_array_equal(p, model.fit(X, y).predict_proba(X))


@pytest.mark.parametrize("scale", [1e-20, 1e60])
def test_weights_of_any_size(scale):
    X, y = table(14)
    model = TANClassifier(**BOTH).fit(X, y, sample_weight=np.full(len(y), scale))
    p = model.predict_proba(X)
    assert np.isfinite(p).all()
    np.testing.assert_allclose(p.sum(axis=1), 1)


# Unknown values


def test_an_unknown_value_says_nothing_and_stops_its_children_at_level_0():
    X, y = table(5)
    model = TANClassifier("b", weights="conditional").fit(X, y)
    row = X.iloc[[7]].copy()
    row["b"] = "never seen"
    with pytest.warns(UnseenValueWarning):
        p = model.predict_proba(row)[0]
    score = model._sum.offset.copy()
    for column in ("a", "c", "d"):
        parents = [v for v in model.network_.parents(column) if v not in ("class", "b")]
        logs = logarithms(X, y, np.ones(len(y)), column, parents, 1.0, left_out=False)
        score += model.exponents_[column] * logs[7]
    np.testing.assert_allclose(p, softmax(score), atol=1e-6)
    assert any("b" in model.network_.parents(column) for column in ("a", "c", "d"))


def test_missing_values_are_a_value_of_their_own():
    X, y = table(6, missing=0.2)
    model = TANClassifier(**BOTH).fit(X, y)
    assert model.score_table("a").index.get_level_values("a").isna().any()
    whole = X.astype(object).where(X.notna(), "missing")
    copy = TANClassifier(**BOTH).fit(whole, y)
    # The state of missing values is the last one, and "missing" comes before "p": ties may differ.
    np.testing.assert_allclose(model.predict_proba(X), copy.predict_proba(whole), atol=0.01)


# Every classifier


@pytest.mark.parametrize("smoothing", ["dirichlet", "backoff"])
@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_fits_predictions_threads_and_files(model, smoothing, tmp_path):
    X, y = table(7, n=150, classes=3)
    model = clone(model).set_params(**BOTH)
    if "smoothing" in model.get_params():
        model.set_params(smoothing=smoothing)
    model.fit(X, y)
    p = model.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert model.beyond_network() == "the exponents of the tables and the corrections of cells"
    assert set(model.exponents_) <= set(X)
    plain = clone(model).set_params(weights=None, corrections=False).fit(X, y)
    assert plain.network_.arcs == model.network_.arcs
    assert plain.beyond_network() == ""
    assert plain.weights_repeat_rows or not clone(model).set_params(**BOTH).weights_repeat_rows
    assert not model.weights_repeat_rows
    assert model.complexity().parameters > plain.complexity().parameters
    threads = clone(model).set_params(n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(threads.predict_proba(X), p)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), p)
    save_model(model, tmp_path / "model.json")
    copy = load_model(tmp_path / "model.json")
    np.testing.assert_array_equal(copy.predict_proba(X), p)
    assert copy.exponents_ == model.exponents_
    assert copy.correction_weight_ == model.correction_weight_
    save_model(copy, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()
    again = model.set_params(weights=None, corrections=False).fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), plain.predict_proba(X))


@pytest.mark.parametrize(
    "model",
    [
        NaiveBayesClassifier(smoothing="backoff"),
        NaiveBayesClassifier(weights="conditional"),
        TANClassifier(smoothing="backoff", **BOTH),
        K2Classifier(**BOTH),
        CBClassifier(class_node="free", corrections=True),
        SelectiveNaiveBayesClassifier(weights="conditional"),
        JoiningNaiveBayesClassifier(smoothing="backoff", **BOTH),
        BayesianNetworkClassifier(KDB(1), BackOff(), weights="conditional"),
    ],
    ids=repr,
)
def test_all_checks_pass(model):
    check_classifier(model)


@pytest.mark.parametrize("options", [{"weights": "conditional"}, BOTH])
def test_hard_tables(options):
    few = pd.DataFrame({"a": ["p", "q", "p"], "same": ["s"] * 3})
    for y in (["u", "v", "u"], ["u", "u", "u"], ["u", "v", "w"]):
        for model in (TANClassifier(**options), NaiveBayesClassifier(**options)):
            p = model.fit(few, y).predict_proba(few)
            np.testing.assert_allclose(p.sum(axis=1), 1)
    numbers = pd.DataFrame({"x": np.random.default_rng(0).random(30)})
    with pytest.warns(UserWarning, match="No attribute was selected"):
        model = InfoASClassifier(**options).fit(numbers, ["u", "v", "v"] * 10)
    assert model.exponents_ == {}
    np.testing.assert_allclose(model.predict_proba(numbers[:1])[0], [11 / 32, 21 / 32])


def test_back_off_is_the_parameter_learner_of_that_name():
    X, y = table(8)
    model = KDBClassifier(2, smoothing="backoff").fit(X, y)
    other = BayesianNetworkClassifier(KDB(2), BackOff()).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), other.predict_proba(X))


@pytest.mark.parametrize(
    ("classifier", "structure"), [(TANClassifier, TAN()), (NaiveBayesClassifier, Naive())]
)
def test_hdp_is_the_parameter_learner_of_that_name(classifier, structure, tmp_path):
    X, y = table(8, n=100)
    model = classifier(smoothing="hdp").fit(X, y)
    other = BayesianNetworkClassifier(structure, HierarchicalDirichlet()).fit(X, y)
    assert model.network_ == other.network_
    p = model.predict_proba(X)
    np.testing.assert_array_equal(p, other.predict_proba(X))
    assert abs(p - classifier(smoothing="backoff").fit(X, y).predict_proba(X)).max() > 0.001
    save_model(model, tmp_path / "model.json")
    np.testing.assert_array_equal(load_model(tmp_path / "model.json").predict_proba(X), p)


def test_naive_bayes_that_backs_off_can_grow():
    X, y = table(9)
    model = NaiveBayesClassifier(smoothing="backoff").partial_fit(X[:60], y[:60])
    model.partial_fit(X[60:], y[60:])
    whole = NaiveBayesClassifier(smoothing="backoff").fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), atol=1e-12)


# Errors


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            TANClassifier(smoothing="hdp!"),
            "smoothing='hdp!' must be 'dirichlet' or 'backoff' or 'hdp'",
        ),
        (TANClassifier(weights="wanbia"), "weights='wanbia' must be 'conditional'"),
        (TANClassifier(corrections="yes"), "corrections='yes' must be True or False"),
        (TANClassifier(weights="conditional", missing="em"), "set missing='value'"),
        (TANClassifier(smoothing="backoff", missing="em"), "set smoothing='dirichlet'"),
        (TANClassifier(smoothing="hdp", missing="em"), "set smoothing='dirichlet'"),
        (TANClassifier(smoothing="hdp", weights="conditional"), "choose another smoothing"),
        (NaiveBayesClassifier(smoothing="hdp", corrections=True), "choose another smoothing"),
        (TANClassifier(alpha=0, weights="conditional"), "raise alpha"),
        (NaiveBayesClassifier("gaussian", corrections=True), "set numeric='discretize'"),
        (
            BayesianNetworkClassifier(K2(), MaximumLikelihood(), weights="conditional"),
            r"not MaximumLikelihood\(\)",
        ),
        (BayesianNetworkClassifier(K2(), BDeu(0), corrections=True), "above 0"),
    ],
)
def test_what_does_not_fit_together_is_refused(model, message):
    with pytest.raises(OptionError, match=message):
        model.check_options()
    with pytest.raises(OptionError, match=message):
        model.fit(*table())


def test_missing_values_without_a_state_are_refused():
    X, y = table(10, missing=0.1)
    model = TANClassifier(missing="ignore", weights="conditional")
    with pytest.raises(OptionError, match=r"column 'a' without a state.*set missing='value'"):
        model.fit(X, y)
    X, y = table(10)
    p = model.fit(X, y).predict_proba(X.mask(X == "p", None))
    np.testing.assert_allclose(p.sum(axis=1), 1)


def test_exponents_cannot_be_updated():
    with pytest.raises(ValueError, match="partial_fit cannot update exponents"):
        NaiveBayesClassifier(weights="conditional").partial_fit(*table())


def test_a_model_without_a_sum_says_so():
    model = TANClassifier().fit(*table())
    assert not hasattr(model, "exponents_")
    with pytest.raises(AttributeError, match="only after a fit with weights='conditional'"):
        model.exponents_  # noqa: B018
    with pytest.raises(OptionError, match=r"ask network_\.table"):
        model.score_table("a")
    model = TANClassifier(weights="conditional").fit(*table())
    with pytest.raises(OptionError, match="no score table of 'z'; the tables are 'a', 'b'"):
        model.score_table("z")
    assert not hasattr(WeightedNaiveBayesClassifier().fit(*table()), "exponents_")


# Files


def damaged(change):
    """Return a function that changes the sum of a document."""

    def damage(document):
        change(document["extra"]["table_sum"])

    return damage


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (damaged(lambda s: s.pop("offset")), "has no 'offset'"),
        (damaged(lambda s: s["offset"].append(0.0)), "has 3 numbers, needs 2"),
        (damaged(lambda s: s["exponents"].pop()), "has 3 numbers, needs 4"),
        (damaged(lambda s: s.update(correction_weight=2.0)), "not a probability"),
        (damaged(lambda s: s["entries"].pop()), "numbers, needs"),
        (damaged(lambda s: s["entries"].__setitem__(0, 1e300)), "too large"),
        (damaged(lambda s: s["tables"]["children"].__setitem__(0, 9)), "columns that do not exist"),
        (damaged(lambda s: s["tables"]["children"].__setitem__(0, 1)), "do(es)? not|two tables"),
        (damaged(lambda s: s["tables"]["parents"].__setitem__(0, -1)), "out of range"),
        (damaged(lambda s: s["tables"]["cell_codes"].reverse()), "do not|not ascend"),
        (lambda document: document.pop("extra"), "has no 'table_sum'"),
        (lambda d: d["options"].update(weights=None, corrections=False), "not known here"),
        (lambda d: d["options"].update(weights="other"), "cannot be used"),
    ],
)
def test_damaged_files_are_refused(damage, message, tmp_path):
    X, y = table(11)
    save_model(TANClassifier(**BOTH).fit(X, y), tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text())
    damage(document)
    (tmp_path / "model.json").write_text(json.dumps(document))
    with pytest.raises(ModelFileError, match=message):
        load_model(tmp_path / "model.json")


def test_a_model_whose_options_changed_after_fit_is_not_saved(tmp_path):
    model = TANClassifier().fit(*table()).set_params(weights="conditional")
    with pytest.raises(ModelFileError, match="fit it again"):
        save_model(model, tmp_path / "model.json")
