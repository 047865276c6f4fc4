"""Classifiers of other packages behind one interface: columns, classes and limits."""

import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from bayesgrove.reproduce.peers import MISSING, PACKAGES, Peer, _Columns, limited, peer

# Khiops writes to the temporary folder and starts programs: it is tested by hand.
NAMES = [name for name in PACKAGES if name != "Khiops"]


def table(rows=120):
    """Numbers and labels with missing values; the class depends on both."""
    rng = np.random.default_rng(3)
    number = rng.normal(size=rows)
    label = rng.choice(["low [1]", "mid", "high{}"], rows)
    X = pd.DataFrame(
        {
            "a number: {1}": np.where(rng.random(rows) < 0.1, np.nan, number),
            "a label, <2>": pd.Categorical(np.where(rng.random(rows) < 0.1, None, label)),
            "nothing": np.full(rows, np.nan),
        }
    )
    y = np.where(number + (label == "mid") > 0.5, "yes", np.where(number < -1, "no", "so-so"))
    return X, pd.Series(y)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore")
def test_every_package_takes_the_same_frame(name):
    if not PACKAGES[name].version():
        pytest.skip(f"{PACKAGES[name].name} is not installed: pip install bayesgrove[modern]")
    X, y = table()
    test = X.copy()
    test["a label, <2>"] = test["a label, <2>"].astype(object)
    test.iloc[0, 1] = "never seen"
    model = clone(peer(name)).fit(X, y)
    p = model.predict_proba(test)
    assert model.classes_.tolist() == ["no", "so-so", "yes"]
    assert p.shape == (len(X), 3)
    np.testing.assert_allclose(p.sum(axis=1), 1.0, atol=1e-5)
    assert (model.predict(test)[1:] == y[1:]).mean() > 0.7
    assert model.predict(test).tolist() == model.classes_[p.argmax(axis=1)].tolist()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "EBM"])  # it is slow
@pytest.mark.filterwarnings("ignore")
def test_the_same_fit_gives_the_same_probabilities(name):
    if not PACKAGES[name].version():
        pytest.skip(f"{PACKAGES[name].name} is not installed: pip install bayesgrove[modern]")
    X, y = table(60)
    first, second = (peer(name).fit(X, y).predict_proba(X) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_forms_of_columns():
    X = pd.DataFrame({"n": [2.0, np.nan, 1.0], "l": ["b", None, "a"], "t": [True, False, True]})
    new = pd.DataFrame({"n": [5.0, 6.0], "l": ["c", "a"], "t": [True, True]})
    codes = _Columns.of(X, "codes")
    np.testing.assert_array_equal(codes.read(X)["x0"], [2.0, np.nan, 1.0])
    np.testing.assert_array_equal(codes.read(X)["x1"], [1.0, np.nan, 0.0])
    np.testing.assert_array_equal(codes.read(X)["x2"], [1.0, 0.0, 1.0])
    np.testing.assert_array_equal(codes.read(new)["x1"], [np.nan, 0.0])
    categories = _Columns.of(X, "categories").read(new)["x1"]
    assert categories.cat.categories.tolist() == [0, 1]
    assert categories.isna().tolist() == [True, False]
    one_hot = _Columns.of(X, "one-hot")
    assert one_hot.read(X)["x1"].tolist() == [1, 2, 0]
    assert one_hot.read(new)["x1"].tolist() == [-1, 0]
    assert _Columns.of(X, "text").read(X)["x1"].tolist() == ["b", MISSING, "a"]
    assert _Columns.of(X, "text").read(new)["x1"].tolist() == ["c", "a"]


def test_logistic_regression_is_the_one_of_scikit_learn():
    X, y = table()
    number = X[["a number: {1}"]].to_numpy()
    numbers = SimpleImputer(strategy="median", add_indicator=True).fit_transform(number)
    texts = X["a label, <2>"].astype(object).where(X["a label, <2>"].notna(), "none")
    columns = [StandardScaler().fit_transform(numbers), pd.get_dummies(texts).to_numpy(float)]
    expected = LogisticRegression(max_iter=1000).fit(np.hstack(columns), y)
    ours = peer("Logistic regression").fit(X, y)
    p = expected.predict_proba(np.hstack(columns))
    np.testing.assert_allclose(ours.predict_proba(X), p, atol=1e-4)


def test_random_forest_is_the_one_of_scikit_learn():
    X, y = table()
    column = X["a label, <2>"]
    codes = np.where(column.isna(), np.nan, column.cat.codes)
    columns = np.column_stack([X["a number: {1}"], codes])
    expected = RandomForestClassifier(random_state=0).fit(columns, y)
    ours = peer("Random forest").fit(X, y)
    np.testing.assert_array_equal(ours.predict_proba(X), expected.predict_proba(columns))


def burn(seconds):
    start = time.process_time()
    while time.process_time() - start < seconds:
        sum(range(1000))


def test_a_fit_is_given_up_after_its_cpu_time():
    start = time.process_time()
    with pytest.raises(TimeoutError, match=r"more than 0\.2 seconds of CPU time"), limited(0.2):
        burn(60)
    assert time.process_time() - start < 5


def test_waiting_is_no_cpu_time():
    with limited(0.2):
        time.sleep(0.4)


def test_a_fit_that_does_not_return_to_python_fails_at_its_end(monkeypatch):
    monkeypatch.setattr("signal.setitimer", lambda *_: None)
    with pytest.raises(TimeoutError), limited(0.1):
        burn(0.2)


@pytest.mark.filterwarnings("ignore")
def test_catboost_stops():
    pytest.importorskip("catboost", reason="catboost is not installed: bayesgrove[modern]")
    X, y = table()
    start = time.process_time()
    with pytest.raises(TimeoutError):
        Peer("CatBoost", cpu_limit=0.3).fit(X, y)
    assert time.process_time() - start < 1.0  # the whole fit takes longer


def test_a_real_interrupt_is_one():
    with pytest.raises(KeyboardInterrupt), limited(10):
        raise KeyboardInterrupt


def test_no_package_is_imported_before_it_is_fitted():
    command = (
        "import sys, bayesgrove.reproduce.papers.modern;"
        "print(*({'lightgbm', 'xgboost', 'catboost', 'interpret', 'khiops'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
