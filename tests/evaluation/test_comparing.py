"""Comparisons against plain loops over scikit-learn's splitters; failures, kills and resuming."""

import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import metrics
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import RepeatedStratifiedKFold, ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

from bayesgrove import (
    BaggedTreesClassifier,
    KDBClassifier,
    LogisticCalibration,
    NaiveBayesClassifier,
    TANClassifier,
    compare,
    load_dataset,
)
from bayesgrove.evaluation import (
    METRICS,
    CrossValidation,
    FixedSplit,
    PredefinedFolds,
    RandomSplits,
    RunFolderError,
    comparing,
)
from bayesgrove.evaluation.results import TIMES

OUTPUTS = ("results.csv", "summary.md")


@pytest.fixture(scope="module")
def vote():
    X, y = load_dataset("vote", source="package")
    return X, y


@pytest.fixture(scope="module")
def corral():
    X, y = load_dataset("corral", source="generated")
    return X, y


def broken_model(text="the model is broken"):
    """Defined here so that other processes get it by value."""

    class Broken(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            raise RuntimeError(text)

    return Broken()


def hanging_model():
    class Hanging(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            for _ in range(60):
                with contextlib.suppress(Exception):  # as a search over options does
                    time.sleep(60)
            return self

    return Hanging()


def rare_class():
    """Three classes, one of them with a single row."""
    rng = np.random.default_rng(5)
    X = pd.DataFrame(rng.integers(0, 3, (60, 4)), columns=list("abcd")).astype(str)
    y = np.where(X["a"] == X["b"], "same", "other").astype(object)
    y[17] = "rare"
    return X, pd.Series(y)


def loop(model, X, y, splitter):
    """The oracle: every split, with scikit-learn's functions alone."""
    classes = np.unique(np.asarray(y).astype(str))
    truth = np.asarray(y).astype(str)
    rows = []
    for train, test in splitter.split(np.zeros(len(y)), truth):
        own = clone(model).fit(X.iloc[train], y.iloc[train])
        row = {"accuracy": metrics.accuracy_score(truth[test], own.predict(X.iloc[test]))}
        row["error"] = 1 - row["accuracy"]
        if hasattr(own, "predict_proba"):
            found = pd.DataFrame(own.predict_proba(X.iloc[test]), columns=own.classes_)
            p = found.reindex(columns=classes, fill_value=0.0).to_numpy()
            hit = truth[test][:, None] == classes
            areas = [
                metrics.roc_auc_score(hit[:, k], p[:, k])
                for k in range(len(classes))
                if 0 < hit[:, k].sum() < len(test)
            ]
            row["auc"] = np.mean(areas)
            row["brier"] = ((p - hit) ** 2).sum(axis=1).mean()
            row["log_loss"] = -np.log(np.clip(p[hit], 2.220446049250313e-16, 1)).mean()
        rows.append(row)
    return pd.DataFrame(rows)


def check(result, dataset, name, expected):
    for metric, values in expected.items():
        assert_allclose(result.values(metric, dataset, name), values, atol=1e-12, err_msg=metric)


# Values ---------------------------------------------------------------------------------------


def test_values_are_those_of_a_plain_loop(vote):
    models = {
        "nb": NaiveBayesClassifier(),
        "tan": TANClassifier(),
        "trees": BaggedTreesClassifier(4),  # with ties between classes
    }
    result = compare(models, {"vote": vote}, CrossValidation(5, repeats=2, random_state=3))
    splitter = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=3)
    for name, model in models.items():
        expected = loop(model, *vote, splitter)
        assert len(expected) == 10
        check(result, "vote", name, expected)
        assert result.means("auc").loc["vote", name] == pytest.approx(expected["auc"].mean())
    assert result.values("arcs", "vote", "nb").tolist() == [16.0] * 10
    assert result.values("arcs", "vote", "tan").tolist() == [31.0] * 10
    assert (result.values("fit_seconds", "vote", "tan") > 0).all()


def test_any_scikit_learn_classifier_can_take_part(vote):
    ridge = make_pipeline(OneHotEncoder(handle_unknown="ignore"), RidgeClassifier())
    X, y = vote
    X = X.astype(str)
    result = compare({"ridge": ridge, "nb": NaiveBayesClassifier()}, {"vote": (X, y)}, "4")
    splitter = RepeatedStratifiedKFold(n_splits=4, n_repeats=1, random_state=0)
    check(result, "vote", "ridge", loop(ridge, X, y, splitter))
    assert np.isnan(result.values("auc", "vote", "ridge")).all()
    assert np.isnan(result.values("arcs", "vote", "ridge")).all()
    assert not result.failures
    cell = result.summary("auc").rows[0]
    assert cell[1] == "-"
    assert cell[2].startswith("0.9")


def test_a_class_may_be_absent_from_a_training_set():
    X, y = rare_class()
    model = NaiveBayesClassifier()
    result = compare({"nb": model}, (X, y), RandomSplits(30, 30, repeats=6, random_state=1))
    splitter = ShuffleSplit(6, train_size=30, test_size=30, random_state=1)
    sets = list(splitter.split(X))
    assert any(17 not in train for train, _ in sets)
    check(result, "data", "nb", loop(model, X, y, splitter))


def test_arrays_and_lists_are_data_too(corral):
    X, y = corral
    as_frame = compare([TANClassifier()], {"d": (X.astype(str), y)}, "4")
    as_array = compare([TANClassifier()], {"d": (X.astype(str).to_numpy(), y.tolist())}, "4")
    name = "TANClassifier"
    for metric in METRICS:
        assert_array_equal(as_frame.values(metric, "d", name), as_array.values(metric, "d", name))


def test_models_of_a_list_are_named_by_class_and_options(corral):
    models = [NaiveBayesClassifier(), KDBClassifier(k=1), KDBClassifier(k=2)]
    result = compare(models, corral, "2")
    assert result.models == ["NaiveBayesClassifier", "KDBClassifier", "KDBClassifier(k=2)"]
    assert result.datasets == ["data"]


def test_each_data_set_can_have_its_own_protocol(corral, vote):
    calls = []

    def load():
        calls.append(1)
        return vote

    result = compare(
        {"nb": NaiveBayesClassifier()},
        {"corral": corral, "vote": load},
        {"corral": "3", "vote": FixedSplit(300)},
    )
    assert calls == [1]
    assert len(result.values("accuracy", "corral", "nb")) == 3
    X, y = vote
    fitted = NaiveBayesClassifier().fit(X[:300], y[:300])
    expected = metrics.accuracy_score(y[300:], fitted.predict(X[300:]))
    assert result.values("accuracy", "vote", "nb").tolist() == [expected]
    assert [(p.train, p.test) for p in result.results if p.dataset == "vote"] == [(300, 135)]


def test_the_table_has_a_row_for_each_value(corral):
    result = compare({"nb": NaiveBayesClassifier()}, {"corral": corral}, "3")
    table = result.table
    assert list(table.columns) == [
        *("dataset", "model", "split", "repeat", "train", "test", "metric", "value", "failure")
    ]
    assert len(table) == 3 * len(result.metrics)
    own = table[table["metric"] == "accuracy"]
    assert own["split"].tolist() == ["fold 1", "fold 2", "fold 3"]
    assert own["value"].tolist() == result.values("accuracy", "corral", "nb").tolist()
    assert (own["train"] + own["test"] == 128).all()


def test_the_number_of_processes_changes_nothing(corral, vote, tmp_path):
    models = {"nb": NaiveBayesClassifier(), "kdb": KDBClassifier(k=2), "no": broken_model()}
    data = {"corral": corral, "vote": vote}
    seen = []
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        compare(models, data, "4", folder=folder, n_jobs=jobs, progress=lambda *n: seen.append(n))
    for name in OUTPUTS:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
    assert seen == [(done, 24) for done in range(1, 25)] * 2
    results = pd.read_csv(tmp_path / "1" / "results.csv")
    assert not results["metric"].isin(TIMES).any()
    times = pd.read_csv(tmp_path / "1" / "times.csv")
    assert set(times["metric"]) == set(TIMES)


# Processes ------------------------------------------------------------------------------------


class NotesProcess(NaiveBayesClassifier):
    """Not of the package: it may do anything to its process."""


def process(outcome):
    return {"process": float(os.getpid())}


def processes(models, data, protocol="3", **options):
    """In which process each result was worked out."""
    result = compare(models, data, protocol, n_jobs=2, extra_metrics=process, **options)
    assert not result.failures
    return [own.values["process"] for own in result.results]


def test_little_work_starts_no_processes(corral, vote, monkeypatch):
    monkeypatch.setattr(comparing, "START_UP", 60.0)  # however busy the machine is
    models = {"nb": NaiveBayesClassifier(), "tan": LogisticCalibration(TANClassifier())}
    assert set(processes(models, {"corral": corral, "vote": vote})) == {os.getpid()}


def test_processes_are_started_where_they_pay(corral, monkeypatch):
    """The first result takes longer than starting processes seems to take."""
    models = {"nb": NaiveBayesClassifier(), "kdb": KDBClassifier()}
    alone = compare(models, {"corral": corral}, "3")
    monkeypatch.setattr(comparing, "START_UP", 0.0)
    first, *others = processes(models, {"corral": corral})
    assert first == os.getpid()
    assert len(others) == 5
    assert os.getpid() not in others
    both = compare(models, {"corral": corral}, "3", n_jobs=2)
    for name in models:
        for metric in METRICS:
            assert_array_equal(
                both.values(metric, "corral", name), alone.values(metric, "corral", name)
            )


@pytest.mark.parametrize(
    "model",
    [NotesProcess(), LogisticCalibration(NotesProcess()), make_pipeline(NaiveBayesClassifier())],
    ids=["unknown", "unknown inside", "of another package"],
)
def test_models_that_could_end_their_process_get_another(corral, model):
    assert os.getpid() not in processes({"m": model}, {"corral": corral}, "2")


def test_large_tables_and_time_limits_go_to_processes_at_once(corral, monkeypatch):
    models = {"nb": NaiveBayesClassifier()}
    assert os.getpid() not in processes(models, {"corral": corral}, "2", time_limit=60)
    monkeypatch.setattr(comparing, "SMALL", 128 * 6 - 1)
    assert os.getpid() not in processes(models, {"corral": corral}, "2")


# Failures -------------------------------------------------------------------------------------


def test_what_fails_fails_in_its_own_cell(corral, tmp_path):
    def missing():
        raise FileNotFoundError("the disk is gone")

    models = {"bad": broken_model("two\n  lines"), "nb": NaiveBayesClassifier()}
    data = {"corral": corral, "lost": missing}
    result = compare(models, data, "3", folder=tmp_path / "run")
    alone = compare({"nb": NaiveBayesClassifier()}, {"corral": corral}, "3")
    assert_array_equal(
        result.values("accuracy", "corral", "nb"), alone.values("accuracy", "corral", "nb")
    )
    assert {(p.dataset, p.model, p.failure) for p in result.failures} == {
        ("corral", "bad", "RuntimeError: two lines"),
        ("lost", "bad", "FileNotFoundError: the disk is gone"),
        ("lost", "nb", "FileNotFoundError: the disk is gone"),
    }
    rows = result.summary().rows
    assert rows[0][1] == "FAILED"
    assert rows[0][2].strip()[0].isdigit()
    assert rows[1][1:] == ["FAILED", "FAILED"]
    text = result.to_text()
    assert "FAILED: bad on corral, fold 1: RuntimeError: two lines." in text
    assert "FAILED: nb on lost: FileNotFoundError: the disk is gone." in text
    saved = pd.read_csv(tmp_path / "run" / "results.csv", keep_default_na=False)
    assert "RuntimeError: two lines" in set(saved["failure"])


def test_a_model_that_never_ends_is_stopped(corral):
    models = {"hangs": hanging_model(), "nb": NaiveBayesClassifier()}
    start = time.perf_counter()
    result = compare(models, {"corral": corral}, FixedSplit(100), time_limit=0.5)
    assert time.perf_counter() - start < 20
    (failed,) = result.failures
    assert (failed.model, failed.failure) == ("hangs", "took longer than 0.5 seconds")
    assert len(result.values("accuracy", "corral", "nb")) == 1
    assert np.isfinite(result.values("accuracy", "corral", "nb")).all()


def test_processes_stop_models_too(corral):
    models = {"hangs": hanging_model(), "nb": NaiveBayesClassifier()}
    result = compare(models, {"corral": corral}, "2", time_limit=1, n_jobs=2)
    assert {p.failure for p in result.failures} == {"took longer than 1 seconds"}
    assert len(result.failures) == 2
    assert np.isfinite(result.values("accuracy", "corral", "nb")).all()


def test_everything_may_fail(corral, tmp_path):
    result = compare({"bad": broken_model()}, {"corral": corral}, "2", folder=tmp_path / "run")
    assert len(result.failures) == 2
    assert result.summary().rows[0] == ["corral", "FAILED"]
    assert np.isnan(result.means("accuracy").to_numpy()).all()
    assert "the model is broken" in (tmp_path / "run" / "summary.md").read_text()


def test_a_protocol_that_does_not_fit_fails_in_its_own_cells(corral, vote):
    models = {"nb": NaiveBayesClassifier()}
    result = compare(models, {"corral": corral, "vote": vote}, FixedSplit(128))
    (failed,) = result.failures
    assert failed.dataset == "corral"
    assert "train=128" in failed.failure
    assert np.isfinite(result.values("accuracy", "vote", "nb")).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"models": {}}, "no model to compare"),
        ({"models": {"nb": NaiveBayesClassifier}}, "'nb' is not an estimator"),
        ({"models": {"nb": "nb"}}, "'nb' is not an estimator"),
        ({"data": {}}, "no data set to compare on"),
        ({"cv": "ten"}, "cv='ten' is not understood"),
        ({"cv": {"other": "10"}}, "no protocol for the data set 'corral'"),
        ({"time_limit": 0}, "time_limit=0 must be"),
        ({"n_jobs": 0}, "n_jobs=0 must be"),
    ],
)
def test_what_cannot_be_asked_is_refused(corral, change, words):
    asked = {"models": [NaiveBayesClassifier()], "data": {"corral": corral}, "cv": "2"}
    with pytest.raises(ValueError, match=words):
        compare(**(asked | change))


# Folders --------------------------------------------------------------------------------------

SLOW = """
import os, time
from bayesgrove import NaiveBayesClassifier

class SlowClassifier(NaiveBayesClassifier):
    def fit(self, X, y):
        time.sleep(float(os.environ.get("SLEEP", 0)))
        with open(os.environ["FITS"], "a") as file:
            file.write("fit\\n")
        return super().fit(X, y)
"""
RUN = """
import sys
from slow import SlowClassifier
from bayesgrove import TANClassifier, compare, load_dataset

models = {"tan": TANClassifier(), "slow": SlowClassifier()}
data = {"corral": tuple(load_dataset("corral", source="generated"))}
compare(models, data, "3x4", folder=sys.argv[1], n_jobs=int(sys.argv[2]))
"""
PIECES = 24


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_killed_run_goes_on_where_it_was(corral, tmp_path, monkeypatch, jobs):
    (tmp_path / "slow.py").write_text(SLOW)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("FITS", str(tmp_path / "fits"))
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    _run_and_kill(tmp_path, killed / "results.jsonl", jobs)
    lines = (killed / "results.jsonl").read_bytes()
    kept = lines[: lines.rstrip(b"\n").rfind(b"\n") + 1]
    cut = lines[: (len(kept) + len(lines)) // 2]
    assert 4 <= kept.count(b"\n") < PIECES - 2
    assert len(kept) < len(cut) < len(lines)
    (killed / "results.jsonl").write_bytes(cut)
    assert not (killed / "results.csv").exists()

    sys.modules.pop("slow", None)
    from slow import SlowClassifier

    models = {"tan": TANClassifier(), "slow": SlowClassifier()}
    data = {"corral": corral}
    (tmp_path / "fits").write_text("")
    resumed = compare(models, data, "3x4", folder=killed, resume=True)
    done = [json.loads(line) for line in kept.splitlines()]
    slow_before = sum(piece["model"] == "slow" for piece in done)
    assert (tmp_path / "fits").read_text().count("fit") == PIECES // 2 - slow_before
    after = (killed / "results.jsonl").read_bytes()
    assert after.startswith(kept)
    pieces = [json.loads(line) for line in after.splitlines()]
    assert len(pieces) == len({(p["model"], p["split"]) for p in pieces}) == PIECES

    undisturbed = compare(models, data, "3x4", folder=whole)
    for name in OUTPUTS:
        assert (killed / name).read_bytes() == (whole / name).read_bytes()
    assert resumed.to_text() == undisturbed.to_text()
    shown = pd.read_csv(killed / "times.csv")
    own = shown[(shown["model"] == done[0]["model"]) & (shown["split"] == done[0]["split"])]
    assert own["value"].tolist() == pytest.approx([done[0]["values"][name] for name in TIMES])


def _run_and_kill(folder, pieces, jobs):
    """Start a run and kill it, and its processes, when some pieces of the slow model are there."""
    path = os.pathsep.join([str(folder), *filter(None, sys.path)])
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, str(pieces.parent), str(jobs)],
        env={**os.environ, "PYTHONPATH": path, "SLEEP": "0.15", "TMPDIR": str(folder)},
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        end = time.monotonic() + 60
        while not pieces.exists() or pieces.read_bytes().count(b'"slow"') < 3:
            assert process.poll() is None, process.stderr.read().decode()
            assert time.monotonic() < end
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()


def test_a_resumed_run_that_was_finished_does_nothing(corral, tmp_path):
    asked = {"models": {"nb": NaiveBayesClassifier()}, "data": {"corral": corral}, "cv": "3"}
    first = compare(**asked, folder=tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    again = compare(**asked, folder=tmp_path, resume=True)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert again.table.equals(first.table)


def test_models_with_functions_can_be_resumed(corral, tmp_path):
    def asked():
        def as_text(X):
            return X.astype(str)

        model = make_pipeline(FunctionTransformer(as_text), NaiveBayesClassifier())
        return {"models": {"p": model}, "data": {"corral": corral}, "cv": "2"}

    compare(**asked(), folder=tmp_path)
    keep = asked()  # so that the second function has another address
    assert len(compare(**asked(), folder=tmp_path, resume=True).results) == 2
    assert keep


def changes():
    X, y = load_dataset("corral", source="generated")
    other = X.copy()
    other.iloc[0, 0] = next(level for level in X.iloc[:, 0].unique() if level != X.iloc[0, 0])
    moved = y.iloc[::-1].reset_index(drop=True)
    folds = PredefinedFolds([range(64, 128), range(64)])
    return [
        pytest.param({"data": {"corral": (other, y)}}, "data", id="a cell"),
        pytest.param({"data": {"corral": (X, moved)}}, "data", id="classes"),
        pytest.param({"data": {"corral": (X.astype(int), y)}}, "data", id="kinds"),
        pytest.param({"data": {"corral": (X, y), "more": (X, y)}}, "data", id="one more"),
        pytest.param({"models": {"m": KDBClassifier(k=2)}}, "models", id="an option"),
        pytest.param({"models": {"n": KDBClassifier(k=1)}}, "models", id="a name"),
        pytest.param({"calibrate": True}, "models", id="calibrated"),
        pytest.param({"cv": folds}, "splits", id="the rows of given folds"),
        pytest.param({"cv": CrossValidation(2, random_state=1)}, "protocol", id="a seed"),
    ]


@pytest.mark.parametrize(("change", "differs"), changes())
def test_a_folder_goes_on_with_the_same_run_only(corral, tmp_path, change, differs):
    X, y = corral
    asked = {
        "models": {"m": KDBClassifier(k=1)},
        "data": {"corral": (X, y)},
        "cv": PredefinedFolds([range(64), range(64, 128)]),
    }
    compare(**asked, folder=tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(before) == {"run.json", "results.jsonl", "results.csv", "times.csv", "summary.md"}
    with pytest.raises(RunFolderError, match=rf"another run: its .*\b{differs}\b.* differ"):
        compare(**(asked | change), folder=tmp_path, resume=True)
    with pytest.raises(RunFolderError, match="holds a run already"):
        compare(**asked, folder=tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_calibrated_models(vote, tmp_path):
    """Those that give no probabilities fail in their own cells."""
    ridge = make_pipeline(OneHotEncoder(handle_unknown="ignore"), RidgeClassifier())
    models = {"nb": NaiveBayesClassifier(), "tan": TANClassifier(), "ridge": ridge}
    result = compare(models, {"vote": vote}, "3", calibrate=True, folder=tmp_path)
    splitter = RepeatedStratifiedKFold(n_splits=3, n_repeats=1, random_state=0)
    for name in ("nb", "tan"):
        check(result, "vote", name, loop(LogisticCalibration(models[name]), *vote, splitter))
    assert result.values("arcs", "vote", "tan").tolist() == [31.0] * 3
    assert [piece.model for piece in result.failures] == ["ridge"] * 3
    assert "must be a classifier with predict_proba" in result.failures[0].failure
    plan = json.loads((tmp_path / "run.json").read_text())
    assert plan["models"]["tan"].startswith("LogisticCalibration(cv=10, estimator=TANClassifier()")
    again = compare(models, {"vote": vote}, "3", calibrate=True, folder=tmp_path, resume=True)
    assert again.to_text() == result.to_text()


def test_the_folder_says_what_was_run(corral, tmp_path):
    compare({"m": KDBClassifier(k=1)}, {"corral": corral}, "2", folder=tmp_path / "a" / "b")
    plan = json.loads((tmp_path / "a" / "b" / "run.json").read_text())
    assert "k=1" in plan["models"]["m"]
    assert plan["data"]["corral"].startswith("128 rows, 6 columns")
    assert plan["protocol"] == {"corral": "2-fold cross-validation, stratified, seed 0"}
    assert plan["versions"]["numpy"] == np.__version__


def test_values_that_are_not_there_survive_a_folder(vote, tmp_path):
    ridge = make_pipeline(OneHotEncoder(handle_unknown="ignore"), RidgeClassifier())
    asked = {"models": {"r": ridge}, "data": {"v": (vote[0].astype(str), vote[1])}}
    compare(**asked, cv="2", folder=tmp_path)
    again = compare(**asked, cv="2", folder=tmp_path, resume=True)
    assert all(math.isnan(value) for value in again.values("auc", "v", "r"))
    assert np.isfinite(again.values("accuracy", "v", "r")).all()


def sure(outcome):
    """How sure the model is of every class, at most."""
    return {
        f"most of {k}": value
        for k, value in enumerate(outcome.class_probabilities.max(axis=0).tolist())
    }


@pytest.mark.parametrize("jobs", [1, 2])
def test_extra_metrics_stand_beside_the_metrics(corral, tmp_path, jobs):
    asked = {"models": {"nb": NaiveBayesClassifier()}, "data": {"corral": corral}, "cv": "3"}
    plain = compare(**asked)
    more = compare(**asked, folder=tmp_path, extra_metrics=sure, n_jobs=jobs)
    assert more.metrics == [*plain.metrics, "most of 0", "most of 1"]
    for name in METRICS:
        assert_array_equal(more.values(name, "corral", "nb"), plain.values(name, "corral", "nb"))
    X, y = corral
    for split, value in zip(
        CrossValidation(3).splits(y), more.values("most of 1", "corral", "nb"), strict=True
    ):
        model = NaiveBayesClassifier().fit(X.iloc[split.train], y.iloc[split.train])
        assert value == model.predict_proba(X.iloc[split.test])[:, 1].max()
    again = compare(**asked, folder=tmp_path, extra_metrics=sure, resume=True)
    assert again.table.equals(more.table)


class Dies(NaiveBayesClassifier):
    """Takes its process along."""

    def fit(self, X, y=None, sample_weight=None):
        os._exit(9)


def test_a_process_that_dies_is_a_failure_of_its_own_piece():
    data = {"corral": load_dataset("corral")}
    models = {"nb": NaiveBayesClassifier(), "dies": Dies()}
    result = compare(models, data, "3", n_jobs=2)
    assert [piece.model for piece in result.failures] == ["dies"] * 3
    assert "the process died" in result.failures[0].failure
    assert np.isfinite(result.values("accuracy", "corral", "nb")).all()


def test_what_failed_is_tried_again(tmp_path):
    def gone():
        raise OSError("not mounted")

    corral = load_dataset("corral")
    models = {"nb": NaiveBayesClassifier()}
    first = compare(models, {"corral": corral, "vote": gone}, "3", folder=tmp_path)
    assert [piece.dataset for piece in first.failures] == ["vote"]
    data = {"corral": corral, "vote": load_dataset("vote")}
    again = compare(models, data, "3", folder=tmp_path, resume=True)
    assert not again.failures
    whole = compare(models, data, "3", folder=tmp_path / "whole")
    assert (tmp_path / "results.csv").read_bytes() == (
        tmp_path / "whole" / "results.csv"
    ).read_bytes()
    assert len(whole.results) == 6


def test_failures_may_be_kept(corral, tmp_path):
    models = {"nb": NaiveBayesClassifier(), "no": broken_model()}
    compare(models, {"corral": corral}, "3", folder=tmp_path)
    before = (tmp_path / "results.jsonl").read_bytes()
    kept = compare(
        models, {"corral": corral}, "3", folder=tmp_path, resume=True, retry_failures=False
    )
    assert [one.model for one in kept.failures] == ["no"] * 3
    assert (tmp_path / "results.jsonl").read_bytes() == before
    again = compare(models, {"corral": corral}, "3", folder=tmp_path, resume=True)
    assert len(again.failures) == 3
    assert (tmp_path / "results.jsonl").read_bytes() != before


class Busy(NaiveBayesClassifier):
    """Waits, and computes in a program of its own."""

    def fit(self, X, y, sample_weight=None):
        time.sleep(0.5)
        code = "import time\nwhile time.process_time() < 0.3: pass"
        subprocess.run([sys.executable, "-c", code], check=True)
        return super().fit(X, y, sample_weight)


def test_cpu_time_has_programs_that_ended_and_no_waiting(corral):
    result = compare({"busy": Busy()}, {"corral": corral}, FixedSplit(100))
    (clock,) = result.values("fit_seconds", "corral", "busy")
    (cpu,) = result.values("fit_cpu_seconds", "corral", "busy")
    assert 0.28 < cpu < clock - 0.4
    assert result.values("predict_cpu_seconds", "corral", "busy") < 0.25
