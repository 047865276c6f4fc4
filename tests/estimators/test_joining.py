"""Naive Bayes over joined attributes: its probabilities, its joins by a network, its refusals."""

import itertools
import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from bayesgrove import (
    BayesianNetworkClassifier,
    JoiningNaiveBayesClassifier,
    NaiveBayesClassifier,
    OptionError,
    load_model,
    save_model,
)
from bayesgrove.network import Structure
from bayesgrove.network.groups import groups_of_structure, structure_of_groups
from bayesgrove.parameters import JointDirichlet
from bayesgrove.selection import MDL, InfoAS
from bayesgrove.structures import TAN, JoinedParents


@dataclass(frozen=True)
class Fixed:
    """A structure learner that always returns the same parents."""

    parents: tuple

    def learn(self, counts):
        return Structure(self.parents)


def table(seed=0, rows=90):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.choice(list("uv"), rows), "b": rng.choice(list("xyz"), rows)})
    X["c"], X["d"] = rng.choice(list("st"), rows), rng.choice(list("lmn"), rows)
    y = np.where((X.a == "u") == (X.c == "s"), "same", "other")
    return X, np.where(rng.random(rows) < 0.1, "third", y)


def by_counts(X, y, w, groups, row, c, alpha):
    """``ln P(c, row)`` directly from the counts of joint values."""
    classes = np.unique(y)
    own = y == c
    log = math.log((w[own].sum() + alpha) / (w.sum() + alpha * len(classes)))
    for group in groups:
        same = own & (X[list(group)] == row[list(group)]).all(axis=1).to_numpy()
        cells = math.prod(X[name].nunique() for name in group)
        log += math.log((w[same].sum() + alpha) / (w[own].sum() + alpha * cells))
    return log


@pytest.mark.parametrize("alpha", [1.0, 0.2])
def test_joint_probabilities_are_those_of_the_counts_of_joint_values(alpha):
    X, y = table()
    w = np.random.default_rng(1).choice([0.5, 1.0, 2.0], len(y))
    parents = ((4,), (4,), (0, 4), (0, 2, 4), ())
    learner = JoinedParents(Fixed(parents))
    model = BayesianNetworkClassifier(learner, JointDirichlet(alpha)).fit(X, y, w)
    assert groups_of_structure(model.network_.structure) == [(0, 2, 3), (1,)]
    groups = [("a", "c", "d"), ("b",)]
    expected = [
        [by_counts(X, y, w, groups, X.iloc[i], c, alpha) for c in model.classes_] for i in range(15)
    ]
    assert_allclose(model.predict_joint_log_proba(X[:15]), expected, rtol=1e-12)


def test_a_missing_member_of_a_group_is_summed_out():
    X, y = table()
    structure = Fixed(((4,), (4,), (0, 4), (1, 4), ()))
    model = JoiningNaiveBayesClassifier("network", structure=structure).fit(X, y)
    assert model.groups_ == [("a", "c"), ("b", "d")]
    unknown = X[:6].astype(object)
    unknown["a"] = None
    either = [model.predict_joint_log_proba(X[:6].assign(a=value)) for value in "uv"]
    assert_allclose(model.predict_joint_log_proba(unknown), np.logaddexp(*either), rtol=1e-12)


def test_without_joins_the_model_is_naive_bayes():
    X, y = table()
    structure = Fixed(((4,), (4,), (4,), (4,), ()))
    model = JoiningNaiveBayesClassifier("network", structure=structure, alpha=0.5).fit(X, y)
    naive = NaiveBayesClassifier(alpha=0.5).fit(X, y)
    assert_allclose(model.predict_joint_log_proba(X), naive.predict_joint_log_proba(X), rtol=1e-13)


@pytest.mark.parametrize(
    ("parents", "groups"),
    [
        # 0 -> 1 -> 2 -> 3: 3 takes its parent 2, then 1 takes its parent 0.
        (((4,), (0, 4), (1, 4), (2, 4), ()), [(0, 1), (2, 3)]),
        # 0 is the parent of all: 3, the last in the order, takes it; 1 and 2 remain alone.
        (((4,), (0, 4), (0, 4), (0, 4), ()), [(0, 3), (1,), (2,)]),
        # 3 has the parents 0 and 1; 2 has the parent 1, which is then in a group.
        (((4,), (4,), (1, 4), (0, 1, 4), ()), [(0, 1, 3), (2,)]),
        # The class is a child, and is in no group; its parent 1 is visited as any attribute.
        (((), (0,), (4,), (4,), (1,)), [(0, 1), (2,), (3,)]),
    ],
)
def test_an_attribute_is_joined_with_its_free_parents_children_first(parents, groups):
    X, y = table()
    model = JoiningNaiveBayesClassifier("network", structure=Fixed(parents)).fit(X, y)
    assert model.groups_ == [tuple("abcd"[v] for v in group) for group in groups]
    assert model.selected_ == list("abcd")
    assert model.path_ == []


def test_a_selector_may_come_before_the_network_or_the_search():
    X, y = table()
    X["noise"] = "same"
    first = InfoAS("cgr")
    for search in ("network", "backward"):
        model = JoiningNaiveBayesClassifier(search, selection=first, structure=TAN()).fit(X, y)
        assert "noise" not in model.selected_
        assert sorted(name for group in model.groups_ for name in group) == sorted(model.selected_)
        added = [step.attribute for step in model.path_ if step.change == "added"]
        assert set(model.selected_) <= set(added)


def test_joins_with_more_joint_values_than_rows_are_refused():
    X, y = table(rows=35)
    structure = Fixed(((4,), (0, 4), (0, 1, 4), (0, 1, 2, 4), ()))
    message = (
        r"The columns 'a', 'b', 'c', 'd' are joined\. They have 36 joint values, more "
        r"than the 35 rows\. Join fewer columns"
    )
    with pytest.raises(ValueError, match=message):
        JoiningNaiveBayesClassifier("network", structure=structure).fit(X, y)
    more, classes = table(rows=36)
    assert JoiningNaiveBayesClassifier("network", structure=structure).fit(more, classes).groups_


@pytest.mark.parametrize(
    "parents",
    [
        ((4,), (0, 4), (1, 4), (4,), ()),
        ((4,), (4,), (0, 1, 4), (4,), ()),
        ((4,), (0,), (4,), (4,), ()),
        ((), (4,), (4,), (4,), (0,)),
    ],
)
def test_tables_of_joined_attributes_need_groups(parents):
    model = BayesianNetworkClassifier(Fixed(parents), JointDirichlet())
    with pytest.raises(ValueError, match="not naive Bayes over joined attributes"):
        model.fit(*table())


def test_the_order_inside_a_group_does_not_change_its_tables():
    X, y = table()
    one, two = (
        BayesianNetworkClassifier(Fixed(parents), JointDirichlet()).fit(X, y)
        for parents in (
            ((4,), (4,), (0, 4), (0, 2, 4), ()),
            ((2, 3, 4), (4,), (3, 4), (4,), ()),
        )
    )
    assert groups_of_structure(two.network_.structure) == [(1,), (3, 2, 0)]
    assert_allclose(one.predict_proba(X), two.predict_proba(X), rtol=1e-12)


def test_groups_and_structures_are_inverse():
    for labels in itertools.product(range(4), repeat=4):
        groups = {}
        for v, label in enumerate(labels):
            groups.setdefault(label, []).append(v)
        found = groups_of_structure(structure_of_groups(groups.values()))
        assert found == sorted(tuple(group) for group in groups.values())


def test_parity_is_learned_exactly():
    X = pd.DataFrame(list(itertools.product("ny", repeat=3)) * 5, columns=["p", "q", "r"])
    y = np.where(X.p == X.r, "same", "other")
    assert NaiveBayesClassifier().fit(X, y).score(X, y) == 0.5
    model = JoiningNaiveBayesClassifier().fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.groups_ == [("p", "r"), ("q",)]


def test_a_file_keeps_the_groups_and_the_joins_of_the_path(tmp_path):
    X, y = table()
    options = {"selection": InfoAS("cig"), "structure": JoinedParents(TAN()), "scoring": "log_loss"}
    model = JoiningNaiveBayesClassifier("backward", **options).fit(X, y)
    assert any(step.others for step in model.path_)
    save_model(model, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert loaded.groups_ == model.groups_
    assert loaded.path_ == model.path_
    assert loaded.get_params() == model.get_params()
    assert (loaded.predict_proba(X) == model.predict_proba(X)).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "both"}, "search='both' must be 'backward' or 'forward' or 'network'"),
        ({"structure": "tan", "search": "network"}, "structure='tan' must be a structure learner"),
        ({"selection": MDL}, "must be a selector"),
        ({"cv": "some"}, "cv='some' must be 'leave-one-out'"),
        ({"alpha": -0.5, "search": "network"}, "alpha=-0.5 must be"),
        ({"structure": "tan"}, "structure='tan' must be a structure learner"),
        ({"random_state": -1, "search": "network"}, "random_state=-1 must be"),
        ({"search": np.array(["a", "b"])}, "search=array.* must be 'backward'"),
        ({"cv": np.array(["a", "b"])}, "cv=array.* must be"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(OptionError, match=message):
        JoiningNaiveBayesClassifier(**options).fit(*table())
