"""Decision trees, weights from trees, and ReliefF."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from bayesgrove import C45Classifier, WeightedNaiveBayesClassifier, load_dataset
from bayesgrove.contracts import TrainingData
from bayesgrove.datasets import data_folder
from bayesgrove.encoding import MixedTable
from bayesgrove.trees import C45
from bayesgrove.weighting import ReliefF
from benchmarks.helpers import Row, at_most, best, fresh, memory_rise, show_ratio, under

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from numpy.typing import NDArray

NAME = "trees"
PROMISE = (
    "C4.5 on adult at most 2x scikit-learn's tree on one-hot columns; AWNB at most 15x one such "
    "tree; ReliefF of 5,000 x 40 under 10 s, without a matrix of all distances: a quarter of it "
    "at most"
)
ROWS, COLUMNS = 5000, 40
RELIEFF_SECONDS = 10
KINDS = ("numbers", "labels", "mixed")


def run() -> Iterator[Row]:
    if data_folder() is None:
        yield Row("adult", note="not run: BAYESGROVE_DATA does not name a folder with adult")
    else:
        yield from _adult(*load_dataset("adult", source="folder"))
    for kind in KINDS:
        yield from _relieff(kind)


def _adult(X: pd.DataFrame, y: pd.Series[Any]) -> Iterator[Row]:
    one_hot = make_column_transformer(
        (OneHotEncoder(sparse_output=False, dtype=np.float32), X.dtypes == "category"),
        remainder="passthrough",
    )
    matrix = one_hot.fit_transform(X).astype(np.float32)  # The type that scikit-learn's trees use.
    peer = DecisionTreeClassifier(criterion="entropy", random_state=0)
    unpruned = C45Classifier(pruned=False)
    table = unpruned._read(X, y).mixed()
    encoded, alone, fit, raw, awnb = best(
        lambda: C45(pruned=False).grow(table),
        lambda: peer.fit(matrix, y),
        lambda: unpruned.fit(X, y),
        lambda: make_pipeline(one_hot, peer).fit(X, y),
        lambda: WeightedNaiveBayesClassifier().fit(X, y),
        repeats=3,
    )
    size = f"{len(X):,} x {X.shape[1]}"
    leaves = f"{unpruned.tree_.leaves:,} leaves, scikit-learn {peer.get_n_leaves():,}"
    yield at_most(f"adult, {size}: the tree alone, scikit-learn", encoded, alone, 2.0, leaves)
    yield at_most(f"adult, {size}: from a data frame, scikit-learn", fit, raw, 2.0)
    yield at_most(f"adult, {size}: AWNB, against one tree (ours)", awnb, fit, 15.0)


def _relieff(kind: str) -> Iterator[Row]:
    table = _table(kind)
    (seconds,) = best(lambda: _weights(table), repeats=2)
    yield under(f"ReliefF, {ROWS:,} x {COLUMNS}, {kind}", seconds, RELIEFF_SECONDS)
    if sys.platform.startswith("linux"):
        rise, matrix = fresh("trees", kind), 8 * ROWS**2
        yield Row(
            f"ReliefF, {ROWS:,} x {COLUMNS}, {kind}: memory",
            f"{rise / 1e6:.0f} MB",
            f"{matrix / 1e6:.0f} MB for all distances",
            show_ratio(rise / matrix),
            "<= 0.25x",
            rise <= matrix / 4,
        )


def _table(kind: str) -> MixedTable:
    """Return Breiman's waveform data as numbers, as labels of quartiles, or alternating."""
    X, y = load_dataset("waveform", rows=ROWS, noise_attributes=COLUMNS - 21)
    cards = {"numbers": [0, 0], "labels": [4, 4], "mixed": [0, 4]}[kind] * (COLUMNS // 2)
    numbers = [np.ascontiguousarray(X[name]) for name in X]
    columns = [_cut(c, card) if card else c for c, card in zip(numbers, cards, strict=True)]
    return MixedTable(columns, cards, y.cat.codes.to_numpy().astype(np.uint8), 3)


def _cut(column: NDArray[Any], card: int) -> NDArray[np.uint8]:
    cuts = np.quantile(column, np.arange(1, card) / card)
    return np.searchsorted(cuts, column).astype(np.uint8)


def _weights(table: MixedTable) -> Any:
    return ReliefF().weights(TrainingData.of_table(table))


def measure(kind: str) -> int:
    table = _table(kind)
    _weights(table.take(np.arange(100)))  # The imports do not count.
    return memory_rise(lambda: _weights(table))


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
