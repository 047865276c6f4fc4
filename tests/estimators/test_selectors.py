"""The selectors as scikit-learn transformers, alone and before a classifier."""

import itertools
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose
from pandas.testing import assert_frame_equal
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.metrics import accuracy_score, f1_score, log_loss, make_scorer
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayesgrove import (
    CFSSelector,
    InfoASClassifier,
    InfoSelector,
    MDLPDiscretizer,
    MDLSelector,
    NaiveBayesClassifier,
    TANClassifier,
    TreeSelector,
    WrapperSelector,
    load_dataset,
)
from bayesgrove.selection import Step
from bayesgrove.structures import TAN

NOTHING = "No attribute was selected"
quiet = pytest.mark.filterwarnings("ignore::bayesgrove.UnseenValueWarning")
tree = DecisionTreeClassifier(random_state=0)


def checks_that_cannot_apply(estimator):
    if not isinstance(estimator, TreeSelector):
        return {}
    reason = "which rows a sample has depends on how many rows there are"
    return {"check_sample_weight_equivalence_on_dense_data": reason}


@parametrize_with_checks(
    [
        InfoSelector(),
        InfoSelector("cig", stop_by="chi2", missing="ignore"),
        CFSSelector(),
        MDLSelector(),
        MDLSelector("mdl", structure="naive", direction="forward", missing="ignore"),
        TreeSelector(sample_fraction=0.5),
        WrapperSelector(NaiveBayesClassifier()),
        WrapperSelector(tree),
    ],
    expected_failed_checks=checks_that_cannot_apply,
)
@pytest.mark.filterwarnings(f"ignore:{NOTHING}")
@quiet
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def mixed_rows(rows=150, seed=0):
    """Strings, categories, numbers, truth values and gaps; some columns tell of the class."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["no", "perhaps", "yes"], rows)
    place = np.searchsorted(["no", "perhaps", "yes"], y)
    colour = np.where(rng.random(rows) < 0.6, place, rng.integers(0, 3, rows))
    shape = np.where(rng.random(rows) < 0.5, place % 2, rng.integers(-1, 2, rows))
    X = pd.DataFrame(
        {
            "noise": rng.choice(np.array(["u", "v", "w"], dtype=object), rows),
            "colour": np.array(["blue", "green", "red"], dtype=object)[colour],
            "size": rng.normal(size=rows) + place,
            "count": rng.integers(0, 4, rows),
            "weight": rng.normal(size=rows),
            "shape": pd.Categorical.from_codes(shape, ["round", "square"]),
            "flag": (place == 2) ^ (rng.random(rows) < 0.3),
        }
    )
    X.loc[rng.random(rows) < 0.1, "size"] = np.nan
    X.loc[rng.random(rows) < 0.05, "colour"] = None
    return X, y


def numbers(rows=120, seed=0):
    """Six columns of numbers, of which three tell of the class and one repeats another."""
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 3
    X = rng.normal(size=(rows, 6))
    X[:, [1, 4]] += y[:, None] * [1.0, 0.6]
    X[:, 2] += 1.5 * (y == 1)
    X[:, 5] = X[:, 1]
    return X, y


# What selected attributes look like


@pytest.mark.parametrize(
    "selector",
    [
        InfoSelector(stop_by="chi2"),
        TreeSelector(max_depth=1),
        WrapperSelector(TANClassifier(), cv="training"),
    ],
    ids=lambda part: type(part).__name__,
)
def test_a_table_gives_a_table_of_its_own_kind(selector):
    X, y = mixed_rows()
    names = [name for name in X if name in clone(selector).fit(X, y).selected_]
    assert 1 < len(names) < 7

    frame = clone(selector).fit_transform(X, y)
    assert_frame_equal(frame, X[names])
    shuffled = X.sample(frac=0.3, random_state=0)
    assert_frame_equal(clone(selector).fit(X, y).transform(shuffled), shuffled[names])

    polars = pl.from_pandas(X)
    found = clone(selector).fit(polars, y).transform(polars)
    assert isinstance(found, pl.DataFrame)
    assert found.equals(polars.select(names))
    assert found.schema == polars.select(names).schema

    arrow = pa.Table.from_pandas(X, preserve_index=False)
    found = clone(selector).fit(arrow, y).transform(arrow)
    assert isinstance(found, pa.Table)
    assert found.equals(arrow.select(names))

    for dtype in (np.float64, np.float32, np.int16):
        array = (X[["count", "weight", "flag"]] * 4).to_numpy().astype(dtype)
        fitted = clone(selector).fit(array, y)
        kept = [int(name[1:]) for name in fitted.get_feature_names_out()]
        found = fitted.transform(array)
        assert type(found) is np.ndarray
        assert found.dtype == dtype
        assert found.tolist() == array[:, kept].tolist()
    objects = X[["noise", "colour"]].to_numpy()
    found = clone(selector).fit(objects, y).transform(objects)
    assert found.dtype == object
    assert found[:, -1].tolist() == objects[:, 1].tolist()


def test_names_places_and_mask():
    X, y = mixed_rows()
    wrapper = WrapperSelector(NaiveBayesClassifier(), cv=3)
    for selector in (InfoSelector("cig"), TreeSelector(max_depth=1), wrapper):
        selector.fit(X, y)
        places = selector.get_support(indices=True)
        assert selector.get_support().dtype == bool
        assert np.flatnonzero(selector.get_support()).tolist() == places.tolist()
        names = selector.get_feature_names_out()
        assert names.dtype == object
        assert names.tolist() == [list(X)[place] for place in places]
        assert sorted(selector.selected_) == sorted(names)
        assert selector.selected_ == [step.attribute for step in selector.path_]
        assert selector.feature_names_in_.tolist() == list(X)
        assert selector.n_features_in_ == 7
        assert len(selector.path_text().splitlines()) == 1 + len(selector.path_)
    assert selector.path_[0] == Step(selector.selected_[0], selector.path_[0].value, None, "added")


def test_columns_without_names_are_numbered():
    X, y = numbers()
    for selector in (InfoSelector(), WrapperSelector(tree)):
        selector.fit(X, y)
        assert set(selector.selected_) <= {f"x{j}" for j in range(6)}
        names = [f"x{j}" for j in selector.get_support(indices=True)]
        assert selector.get_feature_names_out().tolist() == names
        assert not hasattr(selector, "feature_names_in_")


def test_the_order_of_the_choice_is_not_that_of_the_columns():
    X, y = mixed_rows()
    selector = InfoSelector("cig").fit(X, y)
    backwards = InfoSelector("cig").fit(X[list(X)[::-1]], y)
    assert selector.selected_ != selector.get_feature_names_out().tolist()
    assert backwards.selected_ == selector.selected_
    columns = backwards.get_feature_names_out().tolist()
    assert columns == selector.get_feature_names_out().tolist()[::-1]


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_the_container_can_be_chosen(container):
    X, y = mixed_rows()
    array, labels = numbers()
    kind = {"pandas": pd.DataFrame, "polars": pl.DataFrame}[container]
    for selector in (InfoSelector(), WrapperSelector(tree)):
        found = clone(selector).set_output(transform=container).fit(array, labels).transform(array)
        assert isinstance(found, kind)
        plain = clone(selector).fit(array, labels)
        assert list(found.columns) == plain.get_feature_names_out().tolist()
        assert found.to_numpy().tolist() == plain.transform(array).tolist()
    table = InfoSelector().set_output(transform=container).fit_transform(X, y)
    assert isinstance(table, kind)
    assert list(table.columns) == InfoSelector().fit(X, y).get_feature_names_out().tolist()


def test_copies():
    X, y = mixed_rows()
    for selector in (
        InfoSelector("cdc", stop_by="chi2", level=0.2, missing="ignore"),
        TreeSelector(3, sample_fraction=0.2, max_depth=2, random_state=4),
        WrapperSelector(NaiveBayesClassifier(alpha=2.0), direction="backward", scoring="f1_macro"),
    ):
        fitted = selector.fit(X, y)
        same = pickle.loads(pickle.dumps(fitted))
        assert same.path_ == fitted.path_
        assert_frame_equal(same.transform(X), fitted.transform(X))
        blank = clone(fitted)
        assert not hasattr(blank, "selected_")
        assert repr(blank) == repr(selector)
        assert blank.fit(X, y).path_ == fitted.path_
        assert type(selector).__name__ in selector._repr_html_()
    nested = clone(fitted).set_params(estimator__alpha=0.5)
    assert nested.estimator.alpha == 0.5
    assert fitted.estimator.alpha == 2.0
    with pytest.raises(NotFittedError):
        fitted.estimator.predict(X)


@pytest.mark.parametrize(
    "selector", [InfoSelector(), TreeSelector(), WrapperSelector(NaiveBayesClassifier())]
)
def test_another_table_is_refused(selector):
    X, y = mixed_rows()
    with pytest.raises(NotFittedError):
        clone(selector).transform(X)
    with pytest.raises(NotFittedError):
        clone(selector).get_support()
    fitted = clone(selector).fit(X, y)
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.transform(X[list(X)[::-1]])
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.transform(X.drop(columns="noise"))
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.transform(pl.from_pandas(X).rename({"noise": "din"}))
    plain = clone(selector).fit(*numbers())
    with pytest.raises(ValueError, match=r"has 3 features, but .* is expecting 6"):
        plain.transform(np.zeros((2, 3)))


def test_nothing_is_selected_with_a_warning():
    X = pd.DataFrame({"a": ["u", "u", "v", "v"] * 5, "b": ["k"] * 20})
    y = ["n", "y"] * 10
    for selector in (InfoSelector(), WrapperSelector(NaiveBayesClassifier(), cv="training")):
        with pytest.warns(UserWarning, match=NOTHING):
            selector.fit(X, y)
        assert selector.selected_ == selector.path_ == []
        assert not selector.get_support().any()
        assert selector.transform(X).shape == (20, 0)


def test_files_tell_which_columns_to_select(tmp_path):
    X, y = mixed_rows()
    X.assign(target=y).to_parquet(tmp_path / "rows.parquet")
    selector = InfoSelector("cdc").fit(str(tmp_path / "rows.parquet"), "target")
    memory = InfoSelector("cdc").fit(X, y)
    assert selector.selected_ == memory.selected_
    assert_frame_equal(selector.transform(X), memory.transform(X))
    with pytest.raises(ValueError, match="transform needs rows in memory"):
        selector.transform(tmp_path / "rows.parquet")


def test_the_selector_and_the_classifier_select_the_same():
    X, y = mixed_rows()
    weights = np.random.default_rng(0).integers(0, 3, len(y))
    for options in ({"metric": "cig"}, {"stop_by": "chi2", "level": 0.2}, {"missing": "ignore"}):
        selector = InfoSelector(**options).fit(X, y, sample_weight=weights)
        model = InfoASClassifier(**options).fit(X, y, sample_weight=weights)
        assert selector.path_ == model.path_
        assert selector.get_support().tolist() == model.get_support().tolist()
        assert selector.get_feature_names_out().tolist() == model.get_feature_names_out().tolist()


# The wrapper by hand

HALVES = ShuffleSplit(1, test_size=0.5, random_state=0)


class Everything:
    def split(self, X, y):
        return [(np.arange(len(y)), np.arange(len(y)))]


def by_hand(X, y, estimator, splitter, score, direction="forward", ties="stop"):
    """Greedy selection with nothing but fits, predictions and ``score(model, X, y)``."""

    def value(columns):
        values = []
        for train, test in splitter.split(X, y):
            columns = sorted(columns)
            fresh = clone(estimator) if columns else DummyClassifier()
            fresh.fit(X[np.ix_(train, columns)], y[train])
            values.append(score(fresh, X[np.ix_(test, columns)], y[test]))
        return np.mean(values)

    chosen = [] if direction == "forward" else list(range(X.shape[1]))
    best, path = value(chosen), []
    while True:
        if direction == "forward":
            tried = {j: [*chosen, j] for j in range(X.shape[1]) if j not in chosen}
        else:
            tried = {j: [own for own in chosen if own != j] for j in chosen}
        values = {j: value(columns) for j, columns in tried.items()}
        if not values:
            break
        j = max(values, key=lambda j: round(values[j], 12))
        if values[j] < best - 1e-12 or (ties == "stop" and values[j] < best + 1e-12):
            break
        best, chosen = values[j], tried[j]
        path.append((f"x{j}", best))
    return path, [f"x{j}" for j in chosen]


def accuracy(model, X, y):
    return accuracy_score(y, model.predict(X))


def negative_log_loss(model, X, y):
    return -log_loss(y, model.predict_proba(X))


def macro_f1(model, X, y):
    return f1_score(y, model.predict(X), average="macro")


def assert_by_hand(selector, X, y, *arguments):
    path, chosen = by_hand(X, y, selector.estimator, *arguments)
    change = "added" if selector.direction == "forward" else "removed"
    assert [step.attribute for step in selector.path_] == [name for name, _ in path]
    assert {(step.cells, step.change) for step in selector.path_} <= {(None, change)}
    assert_allclose([step.value for step in selector.path_], [value for _, value in path])
    assert selector.selected_ == chosen


@pytest.mark.parametrize("ties", ["stop", "continue"])
@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize(
    ("cv", "splitter"),
    [
        ("halves", HALVES),
        ("training", Everything()),
        (3, StratifiedKFold(3)),
        (KFold(4, shuffle=True, random_state=1), KFold(4, shuffle=True, random_state=1)),
    ],
    ids=["halves", "training", "folds", "splitter"],
)
def test_the_wrapper_is_a_greedy_search(cv, splitter, direction, ties):
    X, y = numbers(60)
    stump = DecisionTreeClassifier(max_depth=2, random_state=0)
    selector = WrapperSelector(stump, direction=direction, ties=ties, cv=cv).fit(X, y)
    assert_by_hand(selector, X, y, splitter, accuracy, direction, ties)


@pytest.mark.parametrize(
    ("scoring", "score"),
    [
        (None, accuracy),
        ("neg_log_loss", negative_log_loss),
        ("f1_macro", macro_f1),
        (make_scorer(f1_score, average="macro"), macro_f1),
        (negative_log_loss, negative_log_loss),
    ],
    ids=["estimator", "log loss", "f1", "scorer", "function"],
)
def test_the_wrapper_judges_by_any_scorer(scoring, score):
    X, y = numbers(90)
    for direction in ("forward", "backward"):
        selector = WrapperSelector(GaussianNB(), scoring=scoring, direction=direction, cv=2)
        assert_by_hand(selector.fit(X, y), X, y, StratifiedKFold(2), score, direction)


def test_the_wrapper_with_a_network_classifier():
    X, y = numbers(90)
    selector = WrapperSelector(TANClassifier(), scoring="neg_log_loss", random_state=3).fit(X, y)
    halves = ShuffleSplit(1, test_size=0.5, random_state=3)
    assert_by_hand(selector, X, y, halves, negative_log_loss)


def test_the_seed_fixes_the_halves():
    X, y = numbers(60, seed=5)
    fits = [WrapperSelector(tree, random_state=seed).fit(X, y).path_ for seed in (0, 0, 1, 2)]
    assert fits[0] == fits[1]
    assert len({str(path) for path in fits}) > 1


def test_processes_do_not_change_the_result():
    X, y = mixed_rows()
    wrapper = WrapperSelector(NaiveBayesClassifier(), direction="backward", scoring="neg_log_loss")
    one, two = (clone(wrapper).set_params(n_jobs=n).fit(X, y) for n in (1, 2))
    assert one.path_ == two.path_
    assert one.selected_ == two.selected_
    one, two = (InfoSelector(n_jobs=n).fit(X, y) for n in (1, 2))
    assert one.path_ == two.path_


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"direction": "sideways"}, "direction='sideways'"),
        ({"ties": "perhaps"}, "ties='perhaps'"),
        ({"cv": "thirds"}, "cv='thirds'"),
        ({"cv": 1}, "k-fold cross-validation requires at least one train/test split"),
        ({"scoring": "beauty"}, "'scoring' parameter .*'beauty'"),
    ],
)
def test_options_of_the_wrapper_without_a_meaning_are_refused(options, match):
    X, y = numbers()
    with pytest.raises(ValueError, match=match):
        WrapperSelector(tree, **options).fit(X, y)


# Before a classifier


def test_a_grid_search_over_the_selection_before_a_tan():
    X, y = mixed_rows()
    pipeline = Pipeline([("select", InfoSelector("cgr")), ("tan", TANClassifier())])
    grid = {"select__metric": ["cig", "cgr", "cdc"], "select__stop_by": ["zero", "chi2"]}
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    search = GridSearchCV(pipeline, grid, cv=folds, error_score="raise").fit(X, y)
    means, chosen = [], []
    for metric, stop in itertools.product(grid["select__metric"], grid["select__stop_by"]):
        accuracies = []
        for train, test in folds.split(X, y):
            learn = X.iloc[train]
            selector = InfoSelector(metric, stop_by=stop).fit(learn, y[train])
            names = [name for name in X if name in selector.selected_]
            chosen.append(tuple(selector.selected_))
            model = TANClassifier().fit(learn[names], y[train])
            hits = model.predict(X.iloc[test][names]) == y[test]
            accuracies.append(sum(hits.tolist()) / len(test))
        means.append(sum(accuracies) / len(accuracies))
    assert len(set(chosen)) > 3
    assert len(set(means)) > 1
    assert_allclose(search.cv_results_["mean_test_score"], means, rtol=1e-12)
    best = search.best_estimator_
    selected = InfoSelector(**{name[8:]: value for name, value in search.best_params_.items()})
    names = selected.fit(X, y).get_feature_names_out().tolist()
    assert best["select"].get_feature_names_out().tolist() == names
    assert best["tan"].feature_names_in_.tolist() == names
    expected = TANClassifier().fit(X[names], y).predict_proba(X[names])
    assert search.predict_proba(X).tolist() == expected.tolist()


def test_a_pipeline_of_any_table_gives_the_same():
    X, y = mixed_rows()
    pipeline = make_pipeline(InfoSelector("cdc"), TANClassifier())
    expected = clone(pipeline).fit(X, y).predict_proba(X)
    for table in (pl.from_pandas(X), pa.Table.from_pandas(X, preserve_index=False)):
        found = clone(pipeline).fit(table, y).predict_proba(table)
        assert_allclose(found, expected, rtol=1e-12)


def test_a_network_of_selected_attributes_has_them_in_the_order_of_their_selection():
    X, y = mixed_rows()
    model = InfoASClassifier("cdc", TAN()).fit(X, y)
    in_order = X[model.selected_]
    assert list(in_order) != [name for name in X if name in model.selected_]
    expected = TANClassifier().fit(in_order, y).predict_proba(in_order)
    assert_allclose(model.predict_proba(X), expected, rtol=1e-12)


def test_a_wrapper_in_a_pipeline_with_a_grid():
    X, y = numbers(90)
    pipeline = Pipeline([("select", WrapperSelector(tree)), ("tree", tree)])
    grid = {"select__ties": ["stop", "continue"], "select__estimator__max_depth": [1, 3]}
    search = GridSearchCV(pipeline, grid, cv=3, error_score="raise").fit(X, y)
    assert len(search.cv_results_["params"]) == 4
    selected = search.best_estimator_["select"].get_support()
    assert search.best_estimator_["tree"].n_features_in_ == selected.sum()


def test_weights_go_to_the_selector_through_the_pipeline():
    X, y = mixed_rows()
    weights = np.random.default_rng(1).integers(1, 4, len(y))
    pipeline = Pipeline([("select", InfoSelector()), ("tan", TANClassifier())])
    pipeline.fit(X, y, select__sample_weight=weights, tan__sample_weight=weights)
    direct = InfoSelector().fit(X, y, weights)
    assert pipeline["select"].path_ == direct.path_


def test_the_criterion_of_mdl_is_an_option():
    selector = MDLSelector("mdl", discretizer=MDLPDiscretizer(count_by="values"))
    assert not hasattr(selector, "score")
    assert selector.get_params()["criterion"] == "mdl"
    assert selector.get_params()["discretizer__count_by"] == "values"
    assert (
        clone(selector).set_params(criterion="mdl-fs").get_params(deep=False)["criterion"]
        == "mdl-fs"
    )
    assert "criterion='mdl'" in repr(selector)
    X, y = load_dataset("vote")
    assert len(selector.fit(X, y).selected_) > len(
        MDLSelector(criterion="mdl-fs").fit(X, y).selected_
    )
    grid = GridSearchCV(
        Pipeline([("select", MDLSelector()), ("tan", TANClassifier())]),
        {"select__criterion": ["mdl-fs", "mdl"]},
        cv=3,
    ).fit(X, y)
    assert grid.best_params_["select__criterion"] in ("mdl-fs", "mdl")
