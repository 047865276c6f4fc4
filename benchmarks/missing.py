"""Prediction with holes: missing attributes are summed out exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove import KDBClassifier, NaiveBayesClassifier, TANClassifier
from benchmarks.helpers import best, codes, under

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.helpers import Row

NAME = "missing values"
PROMISE = "none: predict_proba of 100,000 x 30 with every tenth cell missing"


def run() -> Iterator[Row]:
    X, y = codes(100_000, 30, 4, 2)
    holes = np.random.default_rng(1).random(X.shape) < 0.1
    holed = np.where(holes, np.nan, X)
    for model in (NaiveBayesClassifier(), TANClassifier(), KDBClassifier(k=2)):
        model.fit(X, y)
        seconds = best(lambda: model.predict_proba(holed), repeats=2)[0]  # noqa: B023
        yield under(type(model).__name__, seconds, None)
