"""Selectors made of selectors against transcriptions of section 5.6 of Singh and Provan (1995)."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.special import entr
from scipy.stats import chi2_contingency

from bayesgrove import BayesianNetworkClassifier
from bayesgrove.selection import Chain, Guided, InfoAS, SelectiveNaive, Step, Wrapper, path_text
from bayesgrove.structures import CB, TAN, Naive

NOTHING = "No attribute was selected"
METRICS = ["cig", "cgr", "cdc"]


def random_rows(seed, rows=90):
    """Labels that depend on the class and on each other."""
    rng = np.random.default_rng(seed)
    y = np.array(["n", "p", "y"], dtype=object)[np.arange(rows) % 3]
    common = rng.integers(0, 3, rows) * (rng.random(rows) < 0.4)
    columns = {}
    for name, card in zip("abcde", (2, 3, 4, 3, 2), strict=True):
        noise = rng.integers(0, 4, rows) * (rng.random(rows) < 0.5)
        codes = (common + noise + 2 * (y == "p") + (y == "n")) % card
        columns[name] = pd.Categorical.from_codes(codes, list("qrst")[:card])
    return pd.DataFrame(columns), y


def entropy(*columns):
    counts = np.array(list(Counter(zip(*columns, strict=True)).values()))
    return entr(counts / counts.sum()).sum()


def metric_value(X, y, metric, given, name):
    """I(A;C|D) of a candidate, over H(A|D) or H(A,C|D)."""
    everywhere = [0] * len(y)
    d = [X[own].tolist() for own in given] or [everywhere]
    a, c = X[name].tolist(), list(y)
    h_a, h_c = entropy(*d, a) - entropy(*d), entropy(*d, c) - entropy(*d)
    h_both = entropy(*d, a, c) - entropy(*d)
    below = {"cig": 1.0, "cgr": h_a, "cdc": h_both}[metric]
    return (h_a + h_c - h_both) / below if below > 1e-12 else 0.0


def accuracy(X, y, network, cv, seed):
    """What measures a set of names: learned from all rows or a half, judged by all or the other."""
    labels = np.random.default_rng(seed).permutation(len(y)) % 2
    learn, check = (labels != 0, labels == 0) if cv == "halves" else (labels >= 0, labels >= 0)

    def score(names):
        if not names:
            classes, counts = np.unique(y[learn], return_counts=True)
            return np.mean(y[check] == classes[counts.argmax()])
        model = BayesianNetworkClassifier(network).fit(X.loc[learn, names], y[learn])
        return np.mean(model.predict(X.loc[check, names]) == y[check])

    return score


def info_as(X, y, metric):
    """The node-selection phase of section 4.2."""
    steps = []
    while left := [name for name in X if name not in [step[0] for step in steps]]:
        given = [step[0] for step in steps]
        values = {name: metric_value(X, y, metric, given, name) for name in left}
        best = max(left, key=lambda name: round(values[name], 12))
        if values[best] <= 1e-12:
            break
        steps.append((best, values[best], "added"))
    return steps


def eliminate(names, score, ties):
    """Backward sequential elimination."""
    left, steps, value = list(names), [], score(names)
    while left:
        values = {name: score([own for own in left if own != name]) for name in left}
        best = max(left, key=lambda name: values[name])
        if values[best] < value or (values[best] == value and ties == "stop"):
            break
        value = values[best]
        left.remove(best)
        steps.append((best, value, "removed"))
    return steps, left


def guided(X, y, metric, score, ties):
    """The node that maximizes the metric is added if accuracy rises, else the next one is tried.

    Stops when the addition of no attribute improves accuracy, or when any would degrade it.
    """
    chosen, steps, value = [], [], score([])
    while True:
        left = [name for name in X if name not in chosen]
        values = {name: metric_value(X, y, metric, chosen, name) for name in left}
        for name in sorted(left, key=lambda name: -round(values[name], 12)):
            new = score([*chosen, name])
            if values[name] > 1e-12 and (new > value or (new == value and ties == "continue")):
                break
        else:
            return steps
        chosen.append(name)
        value = new
        steps.append((name, value, "added"))


def fit(X, y, selection, network=None):
    return BayesianNetworkClassifier(network, selection=selection).fit(X, y)


def assert_same_path(model, expected):
    found = [(step.attribute, step.change) for step in model.path_]
    assert found == [(name, change) for name, _, change in expected]
    values = [value for _, value, _ in expected]
    assert_allclose([step.value for step in model.path_], values, rtol=1e-11)


@pytest.mark.parametrize("ties", ["stop", "continue"])
@pytest.mark.parametrize("metric", METRICS)
def test_info_as_is_pruned_by_backward_elimination(metric, ties):
    for seed, network in enumerate([Naive(), TAN(), CB()]):
        X, y = random_rows(seed)
        wrapper = Wrapper(network, "backward", ties, random_state=seed)
        model = fit(X, y, Chain(InfoAS(metric), wrapper), network)
        added = info_as(X, y, metric)
        names = [name for name, _, _ in added]
        removed, left = eliminate(names, accuracy(X, y, network, "halves", seed), ties)
        assert_same_path(model, added + removed)
        assert model.selected_ == [name for name in names if name in left]
        assert list(model.network_.nodes[:-1]) == [name for name in X if name in left]
        for at, step in enumerate(model.path_, 1):
            gone = [name for name, _, _ in removed[: max(0, at - len(added))]]
            present = [name for name in names[:at] if name not in gone]
            assert step.cells == (len(X[present].drop_duplicates()) if present else 1)


@pytest.mark.parametrize("ties", ["stop", "continue"])
@pytest.mark.parametrize("metric", METRICS)
def test_the_metric_guides_a_search_by_accuracy(metric, ties):
    for seed, (network, cv) in enumerate([(Naive(), "halves"), (TAN(), "training")]):
        X, y = random_rows(seed + 10)
        check = Wrapper(network, ties=ties, cv=cv, random_state=seed)
        model = fit(X, y, Guided(InfoAS(metric), check), network)
        score = accuracy(X, y, network, cv, seed)
        expected = guided(X, y, metric, score, ties)
        assert expected
        assert_same_path(model, expected)
        assert model.selected_ == [name for name, _, _ in expected]


def test_the_guide_looks_only_at_what_tells_of_the_class():
    X, y = random_rows(3)
    X = X.assign(constant=pd.Categorical(["k"] * len(y)))
    model = fit(X, y, Guided(InfoAS(), Wrapper(Naive(), ties="continue", cv="training")))
    assert "constant" not in model.selected_
    assert "constant" in fit(X, y, Wrapper(Naive(), ties="continue", cv="training")).selected_


def test_the_test_of_the_guide_leaves_attributes_out():
    X, y = random_rows(4)
    check = Wrapper(Naive(), ties="continue", cv="training")
    p_values = {name: chi2_contingency(pd.crosstab(X[name], y)).pvalue for name in X}
    ranked = sorted(p_values.values())
    assert fit(X, y, Guided(InfoAS(), check)).selected_
    least = fit(X, y, Guided(InfoAS(stop_by="chi2", level=ranked[0] * 1.001), check))
    assert least.selected_[0] == min(p_values, key=p_values.get)
    with pytest.warns(UserWarning, match=NOTHING):
        none = fit(X, y, Guided(InfoAS(stop_by="chi2", level=ranked[0] * 0.999), check))
    assert none.selected_ == []


def test_chains_of_any_selectors():
    X, y = random_rows(5)
    info, naive = InfoAS("cdc"), SelectiveNaive("log_loss", "stop")
    first = fit(X, y, info)
    both = fit(X, y, Chain(info, naive))
    inside = fit(X[first.selected_], y, naive)
    assert both.path_ == [*first.path_, *inside.path_]
    assert set(both.selected_) == set(inside.selected_)
    assert both.selected_ == [name for name in first.selected_ if name in inside.selected_]
    longer = Chain(Chain(info, Wrapper(Naive(), "backward", "continue")), naive)
    assert set(fit(X, y, longer).selected_) <= set(first.selected_)
    for nested in (
        Chain(Wrapper(Naive(), "backward"), Chain(info, naive)),
        Chain(Guided(info, Wrapper(Naive())), naive),
    ):
        assert set(fit(X, y, nested).selected_) <= set(X)


def test_the_second_of_a_chain_sees_only_what_the_first_leaves():
    X, y = random_rows(6)
    seen = []

    class Spy:
        def select(self, counts):
            seen.append((counts.names, counts.cards))
            return InfoAS().select(counts)

    model = fit(X, y, Chain(InfoAS(stop_by="chi2"), Spy()))
    names = list(dict.fromkeys(step.attribute for step in model.path_))
    assert seen == [([*names, "class"], [*(X[name].nunique() for name in names), 3])]


@pytest.mark.parametrize(
    "selection",
    [
        Chain(InfoAS(), Wrapper(direction="backward")),
        Chain(InfoAS(), InfoAS()),
        Guided(InfoAS(), Wrapper(ties="continue")),
    ],
    ids=lambda selection: type(selection).__name__,
)
def test_nothing_to_begin_with(selection):
    X = pd.DataFrame({"a": ["u", "u", "v", "v"] * 5})
    with pytest.warns(UserWarning, match=NOTHING):
        model = fit(X, ["n", "y"] * 10, selection)
    assert model.path_ == model.selected_ == []


@pytest.mark.parametrize(
    ("selection", "match"),
    [
        (Chain(InfoAS("gain"), Wrapper()), "metric='gain'"),
        (Chain(InfoAS(), Wrapper(direction="up")), "direction='up'"),
        (Chain(InfoAS(), SelectiveNaive(cv="me")), "cv='me'"),
        (Guided(InfoAS("gain"), Wrapper()), "metric='gain'"),
        (Guided(InfoAS(stop_by="now"), Wrapper()), "stop_by='now'"),
        (Guided(InfoAS(), Wrapper(ties="maybe")), "ties='maybe'"),
        (Guided(InfoAS(), Wrapper(cv=0)), "cv=0"),
        (Guided(InfoAS(), Wrapper(scoring="f1")), "scoring='f1'"),
        (InfoAS, "selection=<class .*InfoAS.*> must be a selector such as"),
        ("cgr", "selection='cgr' must be a selector"),
        (TAN(), r"selection=TAN\(root=0\) must be a selector"),
    ],
    ids=lambda part: str(part)[:40],
)
def test_options_without_a_meaning_are_refused(selection, match):
    with pytest.raises(ValueError, match=match):
        fit(*random_rows(0), selection)


def test_the_path_as_a_table():
    path = [Step("a long name of an attribute", 1 / 3, 12), Step("b", 0.25, None, "removed")]
    head, first, second = path_text(path).splitlines()
    assert head.split() == ["step", "attribute", "value", "cells"]
    assert first.startswith("1     + a long name of an attribute ")
    assert first.endswith(" 12")
    assert second.split()[:3] + second.split()[-1:] == ["2", "-", "b", "-"]
    assert first.index("0.3333") + len("0.3333") == second.index("0.25") + len("0.25")
    assert len(first) == len(second) == len(head)
    assert path_text([]).split() == head.split()
    X, y = random_rows(0)
    model = fit(X, y, InfoAS())
    assert model.path_text() == path_text(model.path_)
