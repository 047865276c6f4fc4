"""Latency: class probabilities of a single row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove import KDBClassifier, NaiveBayesClassifier, TANClassifier
from benchmarks.helpers import best, codes, under

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from benchmarks.helpers import Row

NAME = "one row"
PROMISE = "predict_proba of one row of 30 columns in under 300 us"


def run() -> Iterator[Row]:
    codes_X, y = codes(10_000, 30, 4, 2)
    floats_X = _floats(y)
    incomplete = floats_X[:1].copy()
    incomplete[0, ::3] = np.nan
    for model in (NaiveBayesClassifier(), TANClassifier(), KDBClassifier(k=2)):
        name = type(model).__name__
        yield under(f"{name}, int", _latency(model, codes_X, y, codes_X[:1]), 300e-6)
        yield under(f"{name}, float", _latency(model, floats_X, y, floats_X[:1]), 300e-6)
        yield under(f"{name}, float, 10 missing", _latency(model, floats_X, y, incomplete), None)


def _latency(model: Any, X: NDArray[Any], y: NDArray[Any], row: NDArray[Any]) -> float:
    model.fit(X, y)
    model.predict_proba(row)
    return best(lambda: model.predict_proba(row), repeats=500)[0]


def _floats(y: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return normal columns with different means per class, so that they get cut points."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(len(y), 30)) + y[:, None] * rng.uniform(0.5, 1.5, 30)
