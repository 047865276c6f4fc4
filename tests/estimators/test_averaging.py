"""The averaging classifiers on tables: orders, arcs, and the bound on parents."""

import itertools
import json
import math
import warnings
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from bayesgrove import (
    ModelAveragingClassifier,
    ModelFileError,
    OptionError,
    ThickThinClassifier,
    UnseenValueWarning,
    load_dataset,
    load_model,
    random_rows,
    save_model,
)
from bayesgrove.averaging import GreedyOrder, OrderedAverage, OrderScores
from support import make_source


@pytest.fixture(scope="module")
def votes():
    X, y = load_dataset("vote")
    return X.iloc[:, :7], y


@pytest.mark.parametrize("order", ["thick-thin", "information", "random"])
@pytest.mark.parametrize("k", [1, 2])
def test_a_bound_of_all_nodes_is_no_bound(votes, order, k):
    X, y = votes
    exact = ModelAveragingClassifier(k, None, order).fit(X, y)
    bound = ModelAveragingClassifier(k, X.shape[1], order).fit(X, y)
    found = bound.predict_joint_log_proba(X)
    assert_allclose(found, exact.predict_joint_log_proba(X), rtol=1e-12)
    narrow = ModelAveragingClassifier(k, k, order).fit(X, y)
    most = max(len(narrow.network_.parents(node)) for node in narrow.network_.nodes)
    assert most <= k


def joint_by_hand(columns, k, rows):
    """Equation 13 of the paper, node by node along the columns, for complete rows of the table."""
    states = [sorted(set(own)) for own in columns]
    total = np.zeros(len(rows))
    for v, child in enumerate(columns):
        r, logs, values = len(states[v]), [], []
        for parents in (s for m in range(k + 1) for s in itertools.combinations(range(v), m)):
            keys = list(zip(*(columns[p] for p in parents), strict=True)) or [()] * len(child)
            cells, whole = Counter(zip(keys, child, strict=True)), Counter(keys)
            logs.append(
                sum(math.lgamma(n + 1) for n in cells.values())
                + sum(math.lgamma(r) - math.lgamma(r + n) for n in whole.values())
            )
            values.append([(cells[keys[i], child[i]] + 1) / (whole[keys[i]] + r) for i in rows])
        weights = np.exp(np.array(logs) - max(logs))
        total += np.log(weights @ np.array(values) / weights.sum())
    return total


@pytest.mark.parametrize("bound", [None, 16])
def test_real_data_against_the_equation_of_the_paper(bound):
    X, y = load_dataset("vote")
    names = ["class", *X.columns]
    model = ModelAveragingClassifier(2, bound, order=names).fit(X, y)
    assert model._averages[0].means  # some nodes have no table of their own
    columns = [y.astype(str).tolist(), *(X[c].astype(object).fillna("?").tolist() for c in X)]
    rows = list(range(0, len(X), 29))
    joint = model.predict_joint_log_proba(X.iloc[rows])
    found = joint[np.arange(len(rows)), np.searchsorted(model.classes_, y.iloc[rows])]
    assert_allclose(found, joint_by_hand(columns, 2, rows), rtol=1e-12)


def test_one_table_or_the_tables_of_all_sets_is_the_same(votes, monkeypatch):
    X, y = votes
    one = ModelAveragingClassifier(2, None).fit(X, y).predict_joint_log_proba(X)
    monkeypatch.setattr("bayesgrove.averaging.ordered.SUMMARY_CELLS", 30)
    assert_allclose(ModelAveragingClassifier(2, None).fit(X, y).predict_joint_log_proba(X), one)


def test_orders_are_averaged(votes):
    X, y = votes
    options = {"order": "opposite", "random_state": 3}
    both = ModelAveragingClassifier(2, **options).fit(X, y)
    assert len(both.networks_) == 2
    assert both.weights_.tolist() == [0.5, 0.5]
    first = both.networks_[0].topological_order()
    arcs = set(both.arc_probabilities_)
    assert arcs == {(b, a) for a, b in arcs}
    one = ModelAveragingClassifier(2, order="random", random_state=3).fit(X, y)
    place = {name: k for k, name in enumerate(first)}
    assert set(one.network_.arcs) == set(both.networks_[0].arcs)
    forwards = list(one.arc_probabilities_)
    levels = sorted(place, key=lambda name: sum(child == name for _, child in forwards))
    back = ModelAveragingClassifier(2, order=levels[::-1]).fit(X, y)
    mean = (one.predict_proba(X) + back.predict_proba(X)) / 2
    assert_allclose(both.predict_proba(X), mean, rtol=1e-12)
    evidence = [np.exp(m.predict_joint_log_proba(X)).sum(axis=1) for m in (one, back, both)]
    assert_allclose(evidence[2], (evidence[0] + evidence[1]) / 2, rtol=1e-12)
    for arc in forwards:
        assert both.arc_probabilities_[arc] == pytest.approx(one.arc_probabilities_[arc] / 2)
    several = ModelAveragingClassifier(1, order="random", n_orders=3).fit(X, y)
    assert len(several.networks_) == 3


def test_orders_that_are_quite_sure_are_averaged_without_underflow():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    X = np.where(rng.random((300, 800)) < 0.03, 1 - y[:, None], y[:, None]).astype(str)
    model = ModelAveragingClassifier(1, order="opposite").fit(X, y)
    assert np.isfinite(model.predict_log_proba(X)).all()
    assert (model.predict(X) == y).all()


@pytest.mark.parametrize("kind", [np.array, pd.Index, tuple])
def test_orders_of_any_kind_of_list(votes, kind):
    X, y = votes
    names = ["class", *X.columns]
    model = ModelAveragingClassifier(1, order=kind(names)).fit(X, y)
    assert model.network_.parents("class") == ()
    levels = [["class"], kind(list(X.columns))]
    arcs = ModelAveragingClassifier(1, order=levels).fit(X, y).arc_probabilities_
    assert {parent for parent, _ in arcs} == {"class"}


def test_missing_leaves_cost_no_completions(monkeypatch):
    monkeypatch.setattr("bayesgrove.averaging.ordered.SUMMARY_CELLS", 8)
    frame = random_rows(7, 3, 300, states=3, random_state=2)
    X, y = frame.drop(columns="class"), frame["class"].astype(str)
    order = ["class", "x0", "x1", "x2", ["x3", "x4", "x5"]]
    model = ModelAveragingClassifier(2, order=order).fit(X, y)
    holes = X.copy()
    holes.loc[::2, ["x4", "x5"]] = None
    holes.loc[::3, "x1"] = None
    whole = model.predict_joint_log_proba(holes)
    monkeypatch.setattr("bayesgrove.network.mixture.MAX_COMPLETIONS", 3)  # those of x1
    assert_allclose(model.predict_joint_log_proba(holes), whole, rtol=1e-12)
    filled = [holes["x1"].fillna(value) for value in ("0", "1", "2")]
    parts = [model.predict_joint_log_proba(holes.assign(x1=own)) for own in filled]
    gone = holes["x1"].isna().to_numpy()
    assert_allclose(np.exp(whole[gone]), np.exp(parts).sum(axis=0)[gone], rtol=1e-11)


def test_the_most_probable_parent_sets(votes):
    X, y = votes
    model = ModelAveragingClassifier(2, order=["class", *X.columns]).fit(X, y)
    assert model.parent_sets_["class"] == [((), 1.0)]
    node = X.columns[2]
    own = model.parent_sets_[node]
    assert len(own) == 7  # all subsets of three nodes, of at most two
    for parent in ("class", *X.columns[:2]):
        total = sum(p for parents, p in own if parent in parents)
        assert total == pytest.approx(model.arc_probabilities_[parent, node])
    assert [p for _, p in own] == sorted((p for _, p in own), reverse=True)
    assert len(model.parent_sets_[X.columns[-1]]) == 10


def test_a_probability_of_one_arc_by_names(votes):
    X, y = votes
    order = ["class", *X.columns]
    arc = ("class", X.columns[1])
    plain = ModelAveragingClassifier(1, order=order).fit(X, y).arc_probabilities_[arc]
    less = ModelAveragingClassifier(1, order=order, arc_prior={arc: 0.01}).fit(X, y)
    own = less.arc_probabilities_[arc]
    others = 1 - plain  # no parent, or the other one
    assert own / (1 - own) == pytest.approx(plain / others / 99)


@pytest.mark.parametrize("listed", [True, False])
def test_a_model_file_holds_all_of_it(votes, listed, tmp_path, monkeypatch):
    X, y = votes
    if listed:
        monkeypatch.setattr("bayesgrove.averaging.ordered.SUMMARY_CELLS", 30)
    arc = (X.columns[0], X.columns[1])
    model = ModelAveragingClassifier(
        2, order="opposite", arc_prior={arc: 0.7}, missing="ignore"
    ).fit(X, y)
    save_model(model, tmp_path / "model.json")
    back = load_model(tmp_path / "model.json")
    assert_allclose(back.predict_proba(X), model.predict_proba(X), rtol=1e-14)
    assert back.arc_probabilities_ == model.arc_probabilities_
    assert back.parent_sets_ == model.parent_sets_
    assert back.arc_prior == model.arc_prior
    levels = [["class", *X.columns[:3]], list(X.columns[3:])]
    save_model(ModelAveragingClassifier(1, order=levels).fit(X, y), tmp_path / "model.json")
    assert load_model(tmp_path / "model.json").order == levels


def test_hardly_anything_to_average():
    X = np.array([["a", "u"], ["b", "u"], ["a", "u"], ["b", "u"]])
    one = ModelAveragingClassifier(9).fit(X, ["yes"] * 4)  # one class, a constant, large k
    assert one.predict(X).tolist() == ["yes"] * 4
    assert one.predict_proba(X).tolist() == [[1.0]] * 4
    none = ModelAveragingClassifier(0).fit(X, [0, 1, 0, 1])
    assert none.arc_probabilities_ == {}
    assert_allclose(none.predict_proba(X), 0.5)
    unseen = np.array([["c", None]], dtype=object)
    with pytest.warns(UnseenValueWarning):
        assert_allclose(none.predict_proba(unseen), 0.5)


def test_arcs_follow_the_order_and_have_probabilities(votes):
    X, y = votes
    model = ModelAveragingClassifier(order="information").fit(X, y)
    levels = [["class"], *([c] for c in X.columns)]
    own = ModelAveragingClassifier(order=levels).fit(X, y)
    place = {name: k for k, (name,) in enumerate(levels)}
    assert set(own.arc_probabilities_) == {
        (a, b) for a in place for b in place if place[a] < place[b]
    }
    assert all(0 <= p <= 1 + 1e-12 for p in model.arc_probabilities_.values())
    for node, expected in own.expected_parents_.items():
        arcs = [p for (_, child), p in own.arc_probabilities_.items() if child == node]
        assert expected == pytest.approx(sum(arcs))
        assert expected <= 2 + 1e-12


def test_levels_allow_no_arc_within_one(votes):
    X, y = votes
    first, second = list(X.columns[:3]), list(X.columns[3:])
    model = ModelAveragingClassifier(order=[["class", *first], second]).fit(X, y)
    assert {child for _, child in model.arc_probabilities_} == set(second)
    assert model.network_.parents("class") == ()


def test_the_default_order_is_that_of_thick_thinning(votes):
    X, y = votes
    model = ModelAveragingClassifier().fit(X, y)
    order = ThickThinClassifier().fit(X, y).network_.topological_order()
    place = {name: k for k, name in enumerate(order)}
    assert all(place[a] < place[b] for a, b in model.arc_probabilities_)


def test_the_seed_fixes_a_random_order(votes):
    X, y = votes
    arcs = [
        set(
            ModelAveragingClassifier(1, order="random", random_state=s).fit(X, y).arc_probabilities_
        )
        for s in (0, 0, 1)
    ]
    assert arcs[0] == arcs[1] != arcs[2]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"order": "alphabetical"}, "order='alphabetical'"),
        ({"order": 5}, "order=5"),
        ({"order": [["class"], ["x0"]]}, "lacks the column 'x1'"),
        ({"order": [["class"], ["x0", "x0"], ["x1"]]}, "'x0' more than once"),
        ({"order": [["class"], ["x0", "z"], ["x1"]]}, "'z', which is not a node"),
        ({"max_parents": -1}, "max_parents=-1"),
        ({"summary_parents": 1.5}, "summary_parents=1.5"),
        ({"criterion": "bic"}, "criterion='bic'"),
        ({"arc_prior": {("x0", "x0"): 0.1}}, "not a \\(parent, child\\) pair"),
        ({"arc_prior": {("x0", "x1"): 1.2}}, "of \\('x0', 'x1'\\)=1.2 must lie between"),
        ({"arc_prior": 0}, "arc_prior=0"),
        ({"arc_prior": {("class", "x9"): 0.1}}, "'x9'"),
        ({"arc_prior": {"class": 0.1}}, "'class', which is no"),
        ({"parent_penalty": -1}, "parent_penalty=-1"),
        ({"n_orders": 0, "order": "random"}, "n_orders=0"),
        ({"n_orders": 2}, "n_orders=2 needs order='random'"),
        ({"random_state": -1, "order": "random"}, "random_state=-1"),
    ],
)
def test_options_without_a_meaning_are_refused(options, complaint):
    X = np.array([["a", "u"], ["b", "v"], ["a", "v"], ["b", "u"]])
    with pytest.raises(ValueError, match=complaint):
        ModelAveragingClassifier(**options).fit(X, [0, 1, 1, 0])


@pytest.fixture(scope="module")
def sampled():
    X, y = load_dataset("vote")
    X = X.iloc[:, :5]
    options = {"n_orders": 40, "burn_in": 200, "thinning": 50, "random_state": 2}
    return X, y, ModelAveragingClassifier(2, None, "mcmc", **options).fit(X, y)


def test_sampled_orders_are_averaged_by_their_joint_probabilities(sampled):
    X, y, model = sampled
    assert model.weights_.sum() == pytest.approx(1.0)
    assert_allclose(model.weights_ * 40, (model.weights_ * 40).round(), atol=1e-9)
    orders = [_full_order(network) for network in model.networks_]
    single = [ModelAveragingClassifier(2, None, order).fit(X, y) for order in orders]
    joint = sum(
        w * np.exp(own.predict_joint_log_proba(X))
        for w, own in zip(model.weights_, single, strict=True)
    )
    assert_allclose(np.exp(model.predict_joint_log_proba(X)), joint, rtol=1e-9)
    assert_allclose(model.predict_proba(X), joint / joint.sum(axis=1, keepdims=True), rtol=1e-9)
    for arc, probability in model.arc_probabilities_.items():
        own = [one.arc_probabilities_.get(arc, 0.0) for one in single]
        assert probability == pytest.approx(model.weights_ @ own, rel=1e-9)
        assert 0 <= model.arc_errors_[arc] < 0.5
    assert model.order_scores_.shape == (4, 10)
    for node, pairs in model.parent_sets_.items():
        own = [dict(one.parent_sets_[node]) for one in single]
        for parents, mean in pairs[:2]:
            means = model.weights_ @ [sets.get(parents, 0.0) for sets in own]
            assert mean == pytest.approx(means, abs=0.02)  # only ten sets of each are known


def _full_order(network):
    """The order of a network in which every node has all earlier nodes as parents."""
    order = sorted(network.nodes, key=lambda node: len(network.parents(node)))
    assert [len(network.parents(node)) for node in order] == list(range(len(order)))
    return order


def test_a_model_file_holds_sampled_orders_and_their_errors(sampled, tmp_path):
    X, _, model = sampled
    save_model(model, tmp_path / "model.json")
    back = load_model(tmp_path / "model.json")
    assert (back.predict_proba(X) == model.predict_proba(X)).all()
    for name in ("arc_errors_", "arc_probabilities_", "r_hat_", "arc_r_hat_", "effective_size_"):
        assert getattr(back, name) == getattr(model, name)
    assert (back.order_scores_ == model.order_scores_).all()
    assert (back.weights_ == model.weights_).all()


@pytest.mark.parametrize(
    ("member", "value", "message"),
    [
        ("order_scores", [[1e308, -1e308, 0.0, 1.0]] * 4, r"score beyond 1e\+100"),
        ("arcs", [["class", "class", 0.5]], "an arc from 'class' to itself"),
        ("arcs", [["class", "physician-fee-freeze", -0.5]], "is -0.5, not a probability"),
        ("sets", [["class", ["physician-fee-freeze"], 1.5]], "is 1.5, not a probability"),
    ],
)
def test_a_damaged_model_file_of_sampled_orders_is_refused(
    sampled, tmp_path, member, value, message
):
    save_model(sampled[2], tmp_path / "model.json")
    content = json.loads((tmp_path / "model.json").read_text())
    assert member in content["extra"]
    content["extra"][member] = value
    (tmp_path / "model.json").write_text(json.dumps(content))
    with pytest.raises(ModelFileError, match=message):
        load_model(tmp_path / "model.json")


def test_more_proposals_than_can_ever_be_made_are_refused():
    X, y = load_dataset("corral")
    with pytest.raises(OptionError, match=r"burn_in=1000000000000000.* proposals, more than"):
        ModelAveragingClassifier(order="mcmc", burn_in=10**15).fit(X, y)


def test_no_probability_of_an_arc_or_set_exceeds_1_by_rounding():
    X, y = load_dataset("vote")
    model = ModelAveragingClassifier(2, order="information").fit(X, y)
    assert max(model.arc_probabilities_.values()) == 1.0
    assert max(p for sets in model.parent_sets_.values() for _, p in sets) <= 1.0


@pytest.mark.parametrize("n_orders", [16, 80])
def test_chains_that_have_not_mixed_are_a_warning_with_r_hat(n_orders):
    X, y = load_dataset("vote")
    options = {"order": "mcmc", "n_orders": n_orders, "burn_in": 0, "thinning": 5}
    message = r"not mixed: R-hat is [\d.]+ for the scores of orders.*above 1.1.*burn_in"
    with pytest.warns(UserWarning, match=message):
        model = ModelAveragingClassifier(1, **options).fit(X, y)
    assert max(model.r_hat_, model.arc_r_hat_) > 1.1


@pytest.mark.parametrize("n_orders", [16, 40])
def test_chains_that_have_mixed_seldom_warn_if_few_orders_are_kept(n_orders):
    """At most 1 fit in 20 warns, although R-hat of the arcs is above 1.1 in most of them."""
    X, y = load_dataset("corral")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        models = [
            ModelAveragingClassifier(
                2, order="mcmc", n_orders=n_orders, burn_in=2000, random_state=seed
            ).fit(X, y)
            for seed in range(20)
        ]
    assert sum(model.arc_r_hat_ > 1.1 for model in models) > 10
    assert sum("not mixed" in str(warning.message) for warning in caught) <= 1


def test_the_greedy_order_is_that_of_hill_climbing():
    frame = random_rows(6, 2, 200, random_state=4)
    X, y = frame.drop(columns="class"), frame["class"]
    columns = [frame[name].cat.codes.to_numpy() for name in [*X.columns, "class"]]
    scores = OrderScores.of(OrderedAverage(2), make_source(columns, [2] * 6))
    names = [*X.columns, "class"]
    order = [names[v] for v in GreedyOrder(random_state=3).search(scores)]
    model = ModelAveragingClassifier(2, order="greedy", random_state=3).fit(X, y)
    own = ModelAveragingClassifier(2, order=order).fit(X, y)
    assert model.arc_probabilities_ == own.arc_probabilities_
    assert (model.predict_proba(X) == own.predict_proba(X)).all()
    assert len(model.networks_) == 1


def test_a_table_of_structure_priors_is_saved_and_a_function_is_not(votes, tmp_path):
    X, y = votes
    first, second = X.columns[:2]
    prior = {first: {("class",): 2.0, (): 1.0}, second: {frozenset([first, "class"]): 1.0}}
    names = ["class", *X.columns]
    model = ModelAveragingClassifier(2, order=names, structure_prior=prior).fit(X, y)
    assert model.arc_probabilities_["class", second] == pytest.approx(1.0)
    assert model.arc_probabilities_[first, second] == pytest.approx(1.0)
    save_model(model, tmp_path / "model.json")
    back = load_model(tmp_path / "model.json")
    assert {frozenset(p) for p in back.structure_prior[second]} == {frozenset([first, "class"])}
    assert (back.fit(X, y).predict_proba(X) == model.predict_proba(X)).all()
    function = ModelAveragingClassifier(2, order=names, structure_prior=lambda node, parents: 1.0)
    plain = ModelAveragingClassifier(2, order=names).fit(X, y)
    assert (function.fit(X, y).predict_proba(X) == plain.predict_proba(X)).all()
    with pytest.raises(ModelFileError, match=r"structure_prior=.*save the model with pickle"):
        save_model(function, tmp_path / "function.json")
