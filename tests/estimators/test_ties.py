"""Rows that tell the same about the class have the very same class probabilities."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bayesgrove import ModelAveragingClassifier, ThickThinClassifier, random_rows


@pytest.mark.parametrize("seed", range(8))
def test_probabilities_depend_on_the_markov_blanket_alone(seed):
    frame = random_rows(8, 2, 400, states=3, random_state=seed)
    X, y = frame.drop(columns="class"), frame["class"].astype(str)
    model = ThickThinClassifier().fit(X[:200], y[:200])
    found = model.predict_proba(X)
    blanket = sorted(model.network_.markov_blanket("class"))
    groups = X[blanket].astype(str).agg("".join, axis=1) if blanket else np.zeros(len(X))
    for group in set(groups):
        assert len(np.unique(found[groups == group], axis=0)) == 1
    joint = model.predict_joint_log_proba(X)
    assert_allclose(found, np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True), rtol=1e-11)
    assert_allclose(np.exp(model.predict_log_proba(X)), found, rtol=1e-12)


@pytest.mark.parametrize("listed", [True, False])
def test_averages_leave_out_what_has_no_class(listed, monkeypatch):
    if listed:
        monkeypatch.setattr("bayesgrove.averaging.ordered.SUMMARY_CELLS", 8)
    frame = random_rows(7, 2, 300, states=3, random_state=1)
    X, y = frame.drop(columns="class"), frame["class"].astype(str)
    levels = [["x0", "x1"], ["class"], ["x2", "x3"]]
    model = ModelAveragingClassifier(2, order=[*levels, ["x4", "x5"]]).fit(X, y)
    joint = model.predict_joint_log_proba(X)
    expected = np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(X), expected, rtol=1e-11)
    holes = X.copy()
    holes.loc[::3, "x2"] = None
    joint = model.predict_joint_log_proba(holes)
    expected = np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(holes), expected, rtol=1e-11)
