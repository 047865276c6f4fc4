"""Structural EM: classifiers with missing="em"."""

from __future__ import annotations

import inspect

import numpy as np
import pandas as pd
import pytest

import bayesgrove
from bayesgrove import (
    BayesianNetworkClassifier,
    CBClassifier,
    K2Classifier,
    KDBClassifier,
    ModelAveragingClassifier,
    NaiveBayesClassifier,
    TANClassifier,
    ThickThinClassifier,
    load_dataset,
    load_model,
    save_model,
)
from bayesgrove._utils.options import OptionError
from bayesgrove.parameters import EM, Dirichlet, MaximumLikelihood
from bayesgrove.structures import TAN
from bayesgrove.structures import structural_em as module

LEARNERS = [TANClassifier, KDBClassifier, K2Classifier, ThickThinClassifier]


def removed(X, share, seed=0):
    """Return a frame of labels with a share of its cells removed at random."""
    rng = np.random.default_rng(seed)
    labels = X.astype(str).to_numpy(dtype=object)
    labels[rng.random(labels.shape) < share] = None
    return pd.DataFrame(labels, columns=X.columns)


@pytest.fixture(scope="module")
def corral():
    X, y = load_dataset("corral")
    return pd.DataFrame(X), y


@pytest.mark.parametrize("classifier", LEARNERS)
def test_complete_rows_give_the_same_model_as_without_em(classifier, corral):
    X, y = corral
    plain, by_em = classifier().fit(X, y), classifier(missing="em").fit(X, y)
    assert by_em.network_.arcs == plain.network_.arcs
    np.testing.assert_allclose(by_em.predict_proba(X), plain.predict_proba(X), rtol=1e-9)
    assert by_em.em_.converged
    assert by_em.em_.rounds == 0  # nothing to complete


@pytest.mark.parametrize("classifier", LEARNERS)
def test_the_structure_is_a_fixed_point_of_the_completed_counts(classifier, corral):
    """The learner finds the same structure from rows that the network itself completes."""
    X, y = corral
    model = classifier(missing="em").fit(removed(X, 0.15), y)
    assert model.em_.converged
    assert model.em_.rounds < module.MAX_ROUNDS
    for path in model.em_.log_likelihoods:
        assert np.diff(path).min() >= -1e-9 * abs(path[0])


def test_a_fixed_structure_with_em_tables_is_at_least_as_likely_as_with_ignored_values(corral):
    """EM maximises the likelihood of the known values, so that no other tables are better."""
    X, y = corral
    X = removed(X, 0.3)
    options = {"missing": "ignore"}
    em = EM(MaximumLikelihood(), max_iter=3000, tol=1e-9)
    by_em = BayesianNetworkClassifier(TAN(), em, **options).fit(X, y)
    ignoring = BayesianNetworkClassifier(TAN(), MaximumLikelihood(), **options).fit(X, y)
    column = np.searchsorted(by_em.classes_, y)
    rows = np.arange(len(y))
    logs = [m.predict_joint_log_proba(X)[rows, column].sum() for m in (by_em, ignoring)]
    assert by_em.network_.arcs == ignoring.network_.arcs
    assert logs[0] > logs[1] + 1e-3


def test_em_finds_a_dependence_that_ignored_pairs_hide():
    """The parent is missing, depending on the child: tables of known pairs are then biased."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 20000)
    b = np.where(rng.random(20000) < 0.9, a, 1 - a)
    shown = np.where((b == 1) & (rng.random(20000) < 0.8), None, a.astype(str))
    X = pd.DataFrame({"a": shown, "b": b.astype(str)})
    y = rng.integers(0, 2, 20000)
    model = TANClassifier(missing="em").fit(X, y)
    p = sum(model.network_.posterior("a", {"class": c})["1"] for c in (0, 1)) / 2
    ignoring = TANClassifier(missing="ignore").fit(X, y)
    q = sum(ignoring.network_.posterior("a", {"class": c})["1"] for c in (0, 1)) / 2
    assert p == pytest.approx(0.5, abs=0.02)
    assert q < 0.35


def test_naive_bayes_with_em_equals_ignoring(corral):
    X, y = corral
    X = removed(X, 0.3)
    em = EM(Dirichlet(), max_iter=5000, tol=1e-13)
    by_em = BayesianNetworkClassifier(None, em, missing="em").fit(X, y)
    ignoring = NaiveBayesClassifier(missing="ignore").fit(X, y)
    np.testing.assert_allclose(by_em.predict_proba(X), ignoring.predict_proba(X), rtol=1e-8)


def test_a_column_that_is_missing_throughout_changes_nothing(corral):
    X, y = corral
    X = removed(X, 0.2)
    empty = X.assign(empty=None)
    one, two = (TANClassifier(missing="em").fit(table, y) for table in (X, empty))
    np.testing.assert_allclose(one.predict_proba(X), two.predict_proba(empty), rtol=1e-9)


@pytest.mark.parametrize("classifier", [*LEARNERS, ModelAveragingClassifier])
def test_the_record_is_saved_with_the_model(classifier, corral, tmp_path):
    X, y = corral
    X = removed(X, 0.2)
    model = classifier(missing="em").fit(X, y)
    save_model(model, tmp_path / "model.json")
    copy = load_model(tmp_path / "model.json")
    assert copy.em_ == model.em_
    assert copy.missing == "em"
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))
    assert not hasattr(classifier().fit(X, y), "em_")


@pytest.mark.parametrize("classifier", LEARNERS)
def test_weights_repeat_rows(classifier, corral):
    X, y = corral
    X = removed(X, 0.2)
    twice = classifier(missing="em").fit(pd.concat([X, X]), np.concatenate([y, y]))
    weighted = classifier(missing="em").fit(X, y, sample_weight=np.full(len(y), 2.0))
    np.testing.assert_allclose(weighted.predict_proba(X), twice.predict_proba(X), rtol=1e-6)


def test_every_classifier_learns_with_em_or_refuses_it_by_name(corral):
    X, y = corral
    X = removed(X, 0.1)
    offered = set()
    for name in bayesgrove.__all__:
        member = getattr(bayesgrove, name)
        if not (isinstance(member, type) and hasattr(member, "short_name")):
            continue
        if "missing" not in inspect.signature(member).parameters:
            continue
        try:
            member(missing="em").fit(X, y)
        except OptionError:
            with pytest.raises(OptionError, match=rf"missing='em' is not .*({name}|CB\()"):
                member(missing="em").fit(X, y)
        else:
            offered.add(name)
    assert offered >= {f.__name__ for f in LEARNERS} | {"ModelAveragingClassifier"}
    assert "NaiveBayesClassifier" not in offered


def test_a_learner_that_needs_rows_is_refused(corral):
    X, y = corral
    with pytest.raises(OptionError, match=r"missing='em' is not possible with CB\("):
        CBClassifier(missing="em").fit(removed(X, 0.1), y)


def test_em_needs_pseudo_counts():
    class Own:
        def estimate(self, structure, counts, states):
            raise AssertionError

    with pytest.raises(OptionError, match="parameters="):
        BayesianNetworkClassifier(TAN(), Own(), missing="em").check_options()


def test_threads_do_not_change_a_bit(corral):
    X, y = corral
    X = removed(pd.concat([X] * 40), 0.2)
    y = np.tile(y, 40)
    one, two = (TANClassifier(missing="em", n_jobs=k).fit(X, y) for k in (1, 3))
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))


@pytest.mark.parametrize("classifier", [TANClassifier, KDBClassifier])
def test_the_warning_of_a_named_classifier_names_a_classifier_with_more_iterations(
    classifier, corral, monkeypatch
):
    X, y = corral
    X = removed(X, 0.4, seed=3)
    monkeypatch.setattr(classifier, "_em", lambda _: EM(max_iter=3, tol=1e-6))
    with pytest.warns(UserWarning, match="EM did not converge with max_iter=3") as caught:
        model = classifier(missing="em").fit(X, y)
    remedy = str(caught[0].message).split("of EM: ")[1]
    names = {**vars(bayesgrove.structures), **vars(bayesgrove.parameters)}
    advised = eval(remedy, {**names, "BayesianNetworkClassifier": BayesianNetworkClassifier})
    advised.set_params(parameters=EM(max_iter=2000, tol=1e-6)).fit(X, y)
    assert advised.em_.converged
    assert len(advised.em_.log_likelihoods[0]) > len(model.em_.log_likelihoods[0])
    assert "max_iter=30," in remedy


@pytest.mark.parametrize("missing", ["em", "ignore"])
def test_em_needs_values_that_are_missing(corral, missing):
    X, y = corral
    model = BayesianNetworkClassifier(TAN(), EM())
    with pytest.raises(OptionError, match="set missing='em', or missing='ignore'"):
        model.fit(X, y)
    assert model.set_params(missing=missing).fit(X, y).score(X, y) > 0.8


def test_the_objective_of_a_network_never_falls_and_that_of_an_average_may(corral):
    """The average with these rows: its log-likelihood falls, as its record says that it may."""
    X, y = corral
    X = removed(X, 0.3)
    for path in TANClassifier(missing="em").fit(X, y).em_.log_likelihoods:
        assert (np.diff(path) >= -1e-9).all()
    model = ModelAveragingClassifier(missing="em", order="information").fit(X, y)
    assert np.diff(model.em_.log_likelihoods[0]).min() < -1e-3


def test_rounds_are_bounded(corral, monkeypatch):
    X, y = corral
    monkeypatch.setattr(module, "MAX_ROUNDS", 1)
    X = removed(X, 0.4, seed=3)
    with pytest.warns(UserWarning, match="Structural EM did not converge: after 1 rounds"):
        model = K2Classifier(missing="em").fit(X, y)
    assert not model.em_.converged
