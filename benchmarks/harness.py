"""Overhead of `compare` on top of fitting and predicting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sklearn.base import clone

from bayesgrove import KDBClassifier, NaiveBayesClassifier, TANClassifier, compare, load_dataset
from bayesgrove.datasets import data_folder
from bayesgrove.evaluation import CrossValidation
from benchmarks.helpers import Row, best, show_ratio, show_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "harness"
PROMISE = "compare takes at most 5% more than a plain loop over the same splits of adult"


def run() -> Iterator[Row]:
    if data_folder() is None:
        yield Row("adult", note="not run: BAYESGROVE_DATA does not name a folder with adult")
        return
    X, y = load_dataset("adult", source="folder")
    models = {"nb": NaiveBayesClassifier(), "tan": TANClassifier(), "kdb": KDBClassifier(k=2)}
    protocol = CrossValidation(10)

    def loop() -> None:
        for split in protocol.splits(y):
            for model in models.values():
                fitted = clone(model).fit(X.iloc[split.train], y.iloc[split.train])
                fitted.predict_proba(X.iloc[split.test])

    ours, plain = best(lambda: compare(models, {"adult": (X, y)}, protocol), loop, repeats=3)
    ratio = ours / plain
    times = show_seconds(ours), f"{show_seconds(plain)} (plain loop)", show_ratio(ratio)
    yield Row("three models, adult, 10-fold", *times, "<= 1.05x", ratio <= 1.05)
