"""Hall (2006): what is run, that every printed figure has a place, and the folds."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from bayesgrove import (
    CFSSelector,
    NaiveBayesClassifier,
    WeightedNaiveBayesClassifier,
    compare,
    load_dataset,
)
from bayesgrove.evaluation import Comparison, PredefinedFolds
from bayesgrove.evaluation.results import Result
from bayesgrove.reproduce import PAPERS, experiments_of, find_paper, reproduce, tables_of
from bayesgrove.reproduce.folds import PublishedFolds, published_folds
from bayesgrove.reproduce.papers.hall_2006 import (
    ALL,
    BAGGED,
    BAGGING_MARKS,
    BASE,
    BY_AUC,
    CLAIMS,
    DATA,
    NAIVE,
    PAPER,
    SHAKEN,
    SHAKEN_DATA,
    STABILITY,
    TABLES,
    TWO_CLASSES,
    UNWEIGHTED,
    WRAPPED,
    Selecting,
    last_column_first,
)
from bayesgrove.reproduce.published import published
from bayesgrove.weighting import ReliefF

EXPERIMENTS = experiments_of(list(TABLES))
METHODS = {name: model for own in EXPERIMENTS for name, model in own.methods.items()}
WEKA = json.loads((Path(__file__).parents[1] / "weighting" / "data" / "weka.json").read_text())
WIGGLE = np.array([0.01, -0.01, 0.02, -0.02])


def figures(number):
    return [figure for figure in published("002") if figure.table == number]


def made_up(marks):
    """Results with these marks, by (metric, data set, method); all else is alike."""
    step = {"+": -20, "-": 20, "": 0}
    pieces = [
        Result(
            dataset,
            method,
            f"split {i}",
            i,
            90,
            10,
            {
                "rrse": 50 + wiggle + step[marks.get(("rrse", dataset, method), "")],
                "auc": 0.7 + wiggle - 0.01 * step[marks.get(("auc", dataset, method), "")],
            },
        )
        for own in EXPERIMENTS
        for dataset in own.data
        for method in own.methods
        for i, wiggle in enumerate(WIGGLE if method == BASE else 0.5 * WIGGLE, 1)
    ]
    return Comparison(pieces, {"models": dict.fromkeys(METHODS, ""), "data": dict.fromkeys(ALL)})


# What is run ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "count"),
    [*zip(TABLES, (8 * 28, 8 * 16, 7 * 28, 7 * 16), strict=True)],
    ids=lambda own: getattr(own, "number", None),
)
def test_every_printed_figure_has_a_cell(table, count):
    cells = table.cells(made_up({}), figures(table.number))
    assert [cell.theirs for cell in cells] == figures(table.number)
    assert len(cells) == count
    assert table.same_splits
    named = {cell.method for cell in cells} - {figure.method for figure in figures(table.number)}
    assert named == ({BY_AUC} if table.number == "5" else set())


def test_no_method_is_run_twice_on_a_data_set():
    names = [own.name for own in EXPERIMENTS]
    assert len(set(names)) == len(names)
    runs = Counter((d, m) for own in EXPERIMENTS for d in own.data for m in own.methods)
    assert set(runs.values()) == {1}
    shaken = {name for names in SHAKEN.values() for name in names}
    assert len([m for _, m in runs if m not in shaken]) == 14 * 28 + 16
    assert len([m for _, m in runs if m in shaken]) == len(SHAKEN_DATA) * 2 * 7
    assert {d for d, m in runs if m == BY_AUC} == set(TWO_CLASSES)


def test_methods_are_those_of_the_paper():
    assert all((own.cv, own.ridge) == (10, 1e-8) for own in METHODS.values())
    inner = {name: own.estimator for name, own in METHODS.items()}
    trees = {
        name: (own.n_trees, own.sample_fraction, own.select_only)
        for name, own in inner.items()
        if name.startswith("A") and "shaken" not in name
    }
    assert trees == {
        "AWNB i=10 j=50": (10, 0.5, False),
        "AWNB i=1 j=100": (1, 1.0, False),
        "AWNB i=10 j=25": (10, 0.25, False),
        "AWNB i=10 j=75": (10, 0.75, False),
        "AWNB i=10 j=100": (10, 1.0, False),
        "ASNB i=10 j=50": (10, 0.5, True),
    }
    assert (inner[BAGGED].n_trees, inner[BAGGED].sample_fraction) == (10, 1.0)
    relief = ReliefF(10, sample_size=250, random_state=0, missing="weka", rescale=True)
    assert (inner["GRW"].weights, inner["RW"].weights) == ("gain_ratio", relief)
    assert (inner["SB"].scoring, inner[BY_AUC].scoring) == ("accuracy", "auc")
    selector = inner["SBC"].weights.selector
    assert (selector.n_trees, selector.sample_fraction, selector.max_depth) == (5, 0.1, 3)
    naive = [inner[name] for name in ("NB", "CFS", "SBC", "SB", "GRW")]
    assert {(own.numeric, own.missing) for own in naive} == {("rounded", "ignore")}


@pytest.mark.parametrize("name", ["hepatitis", "labor"])
def test_relieff_has_missing_values_as_in_weka(name, folder_dataset):
    relief = np.maximum(WEKA[name]["relieff"], 0)
    model = clone(METHODS["RW"].estimator).fit(*folder_dataset(name))
    np.testing.assert_allclose(model.weights_, relief * len(relief) / relief.sum(), atol=1e-9)


def test_the_last_column_is_the_first_to_be_tried():
    X, y = last_column_first(lambda: (pd.DataFrame({"a": [1.0], "b": ["x"]}), ["no"]))
    assert list(X) == ["b", "a"]
    assert y == ["no"]
    assert list(WRAPPED.data["iris"]()[0]) == list(NAIVE.data["iris"]()[0])[::-1]


def test_selected_columns_weigh_one():
    X, y = load_dataset("iris")
    model = WeightedNaiveBayesClassifier(Selecting(CFSSelector())).fit(X, y)
    assert model.selected_ == ["petal length (cm)", "petal width (cm)"]
    naive = NaiveBayesClassifier("gaussian", missing="ignore").fit(X[model.selected_], y)
    np.testing.assert_allclose(
        model.predict_proba(X), naive.predict_proba(X[model.selected_]), rtol=1e-6
    )


# The test of stability ------------------------------------------------------------------------


def test_shaken_methods_are_the_same_up_to_their_weights():
    assert set(SHAKEN) == {"NB", "GRW", BASE, UNWEIGHTED, "RW", "CFS", "SBC"}
    assert set(STABILITY.methods) == {name for names in SHAKEN.values() for name in names}
    for method, names in SHAKEN.items():
        shaken = [METHODS[name].estimator for name in names]
        assert [own.weights.seed for own in shaken] == [1, 2]
        for own in shaken:
            assert own.weights.model is METHODS[method].estimator
            assert (own.numeric, own.missing, own.select_only) == ("rounded", "ignore", False)


@pytest.mark.parametrize("method", SHAKEN)
def test_shaken_weights_are_changed_by_at_most_one_percent(method, folder_dataset):
    X, y = folder_dataset("labor")
    plain = clone(METHODS[method].estimator).fit(X, y)
    weights = getattr(plain, "weights_", np.ones(X.shape[1]))
    used = weights > 0
    changes = []
    for name in SHAKEN[method]:
        shaken = clone(METHODS[name].estimator).fit(X, y)
        np.testing.assert_array_equal(shaken.weights_ > 0, used)
        changes.append(shaken.weights_[used] / weights[used] - 1)
    assert np.abs(changes).max() <= 0.01
    assert np.abs(changes).max() > 0.001
    assert not np.allclose(*changes)


def test_shaken_asnb_still_selects_only(folder_dataset):
    """The same columns are selected; the weights are near 1, not the weights of AWNB."""
    X, y = folder_dataset("zoo")
    asnb = clone(METHODS[UNWEIGHTED].estimator).fit(X, y)
    shaken = clone(METHODS[SHAKEN[UNWEIGHTED][0]].estimator).fit(X, y)
    assert 0 < len(asnb.selected_) < X.shape[1]
    assert shaken.selected_ == asnb.selected_
    np.testing.assert_allclose(shaken.weights_, asnb.weights_, atol=0.01)


@pytest.mark.parametrize("method", ["NB", UNWEIGHTED])
def test_without_a_change_of_weights_the_model_is_the_same(method, monkeypatch, folder_dataset):
    monkeypatch.setattr("bayesgrove.reproduce.papers.hall_2006.SHAKE", 0.0)
    X, y = folder_dataset("zoo")
    plain, shaken = (
        clone(METHODS[name].estimator).fit(X, y) for name in (method, SHAKEN[method][0])
    )
    np.testing.assert_allclose(shaken.predict_proba(X), plain.predict_proba(X), rtol=1e-9)


@pytest.mark.parametrize(("move", "verdict"), [(5, "agrees"), (7, "not testable")])
def test_a_cell_that_a_tiny_change_moves_is_not_testable(move, verdict):
    """The printed 27.77 ± 20.1 over 50 folds allows 5.7; a change by 7 is more."""
    (figure,) = (f for f in figures("2") if (f.dataset, f.method) == ("iris", "NB"))
    size = 2 * figure.spread / np.sqrt(50)
    assert 5 < size < 7
    means = {"NB": figure.value, SHAKEN["NB"][1]: figure.value + move}
    pieces = [
        Result("iris", method, f"split {i}", i, 90, 10, {"rrse": means.get(method, figure.value)})
        for method in ("NB", BASE, *SHAKEN["NB"])
        for i in range(1, 51)
    ]
    found = Comparison(pieces, {"models": dict.fromkeys(METHODS, ""), "data": {"iris": None}})
    (cell,) = TABLES[0].cells(found, [figure])
    assert cell.verdict == verdict
    assert bool(cell.reason) == (verdict == "not testable")


# Folds ----------------------------------------------------------------------------------------


def test_folds_are_five_times_ten():
    assert set(published_folds("002")) == set(DATA.values())
    labels = published_folds("002")["iris"]
    splits = PublishedFolds("002", "iris").splits([*"abc"] * 50)
    assert [split.repeat for split in splits] == [run for run in range(1, 6) for _ in range(10)]
    assert splits[13].name == "repeat 2, fold 4"
    assert splits[13].test.tolist() == [i for i, label in enumerate(labels[1]) if label == "3"]
    for run in range(5):
        tested = np.concatenate([split.test for split in splits[10 * run : 10 * run + 10]])
        assert sorted(tested) == list(range(150))


@pytest.mark.parametrize("rows", [149, 151])
def test_folds_are_of_all_rows(rows):
    with pytest.raises(ValueError, match=rf"folds of 'iris' are for 150 rows, but .* has {rows}:"):
        PublishedFolds("002", "iris").splits(["a"] * rows)


@pytest.mark.parametrize("name", DATA.values())
def test_folds_fit_the_data_and_are_stratified(name, folder_dataset):
    _, y = folder_dataset(name)
    for labels in published_folds("002")[name]:
        counts = pd.crosstab(np.array([*labels]), np.asarray(y, dtype=str))
        assert len(counts) == 10
        assert (counts.max() - counts.min()).max() <= 1


def test_data_sets_are_those_of_the_tables():
    assert set(ALL) == {figure.dataset for figure in figures("2")}
    assert set(TWO_CLASSES) == {figure.dataset for figure in figures("3")}


# Conclusions ----------------------------------------------------------------------------------


def test_conclusions_where_all_are_alike():
    verdicts = [own.verdict_on(i, made_up({})).outcome for i, own in enumerate(CLAIMS, 1)]
    assert verdicts == ["not true"] * 19
    assert len(CLAIMS[3].check(made_up({}))) == 3


def test_the_printed_marks_say_what_the_text_says():
    """The marks of tables 4 and 5 make all conclusions on them true."""
    marks = {
        (
            metric,
            figure.dataset,
            BY_AUC if metric == "auc" and figure.method == "SB" else figure.method,
        ): figure.mark
        for metric, number in (("rrse", "4"), ("auc", "5"))
        for figure in figures(number)
    }
    found = made_up(marks)
    assert [own.verdict_on(1, found).outcome for own in CLAIMS[11:]] == ["true"] * 8
    for table in TABLES[2:]:
        cells = table.cells(found, figures(table.number))
        held = len(cells) - len([cell for cell in cells if cell.method == BASE])
        assert table.summary(cells).endswith(f" {held} of {held} marks are the same.")


def test_the_legible_marks_of_bagging():
    values = {(f.dataset, f.method): f.value for f in figures("2")}
    for dataset, mark in BAGGING_MARKS.items():
        assert (values[dataset, BAGGED] < values[dataset, BASE]) == (mark == "+")
    bagged = {("rrse", dataset, BAGGED): mark for dataset, mark in BAGGING_MARKS.items()}
    assert CLAIMS[6].verdict_on(7, made_up(bagged)).outcome == "not true"
    assert (
        CLAIMS[6].verdict_on(7, made_up(bagged | {("rrse", "vehic", BAGGED): "+"})).outcome
        == "true"
    )


def test_the_single_tree_by_the_printed_figures():
    """Higher, or wider: all but hypo, where the text says all but two."""
    printed = {(f.dataset, f.method): (f.value, f.spread) for f in figures("2")}
    one, ten = (
        {name: printed[name, method] for name in ALL} for method in ("AWNB i=1 j=100", BASE)
    )
    assert [n for n in ALL if one[n][0] <= ten[n][0] and one[n][1] <= ten[n][1]] == ["hypo"]


# A run ----------------------------------------------------------------------------------------


def test_a_small_run(monkeypatch, folder_dataset, tmp_path):
    """Plain naive Bayes in the place of both methods, on the folds of the paper."""
    folder_dataset("iris")
    methods = {"NB": NaiveBayesClassifier(), BASE: NaiveBayesClassifier(alpha=5.0)}
    small = replace(NAIVE, methods=methods, data={"iris": NAIVE.data["iris"]})
    table = replace(TABLES[0], experiments=(small,))
    monkeypatch.setitem(PAPERS, "hall-2006", lambda: replace(PAPER, tables=(table,), claims=()))
    found = reproduce("002", "2", folder=tmp_path)
    folds = PredefinedFolds.from_labels(published_folds("002")["iris"])
    own = compare(methods, {"iris": NAIVE.data["iris"]}, folds).values("rrse", "iris", "NB")
    (base, naive) = found.tables[0].cells
    assert (base.method, naive.method) == (BASE, "NB")
    assert naive.ours == pytest.approx(own.mean())
    error = np.hypot(20.1 / np.sqrt(50), 0.005 / np.sqrt(3))
    assert naive.judgement.distance == pytest.approx((own.mean() - 27.77) / error)
    again = reproduce("002", "2", folder=tmp_path, resume=True)
    assert again.text_tables() == found.text_tables()
    quick = reproduce("002", "2", quick=True).tables[0].cells[1]
    assert quick.ours == pytest.approx(own[:2].mean())


def test_it_is_registered():
    assert find_paper("002") is PAPER
    assert [own.number for own in tables_of("002")] == ["2", "3", "4", "5"]
