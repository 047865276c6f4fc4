"""From raw data to codes, to the fitted model and to its predictions."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OrdinalEncoder

from bayesgrove import NaiveBayesClassifier, TANClassifier, load_dataset
from bayesgrove.datasets import data_folder
from bayesgrove.encoding import Intervals, Schema
from bayesgrove.tables import batch_of
from benchmarks.helpers import Row, best, codes, under, versus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

NAME = "way in"
PROMISE = (
    "fit of adult from a data frame under 60 ms; of covtype, TAN, under 500 ms, and its answers "
    "under 150 ms; 1,000,000 x 50 encoded under 32 ms (int64) and 100 ms (float64); at least 400 "
    "million cells per second cut; one row of a data frame of 30 columns under 400 us; naive "
    "Bayes fit of 100,000 x 30 under 9 ms"
)
ADULT = {"naive Bayes fit": 0.06, "TAN fit": 0.06}
MODELS = (("naive Bayes", NaiveBayesClassifier), ("TAN", TANClassifier))
PIPELINE = "the peer is OrdinalEncoder, KBinsDiscretizer (10 quantiles) and CategoricalNB"


def run() -> Iterator[Row]:
    yield from _data_sets()
    yield from _matrices()
    yield from _cuts()
    yield from _one_row()
    yield _small_fit()


def limited(case: str, ours: float, peer: float, limit: float | None, note: str = "") -> Row:
    """Return a row with our seconds and those of a peer; the promise is a limit."""
    limits = under(case, ours, limit)
    return replace(versus(case, ours, peer, note=note), promise=limits.promise, met=limits.met)


# Data sets as a CSV reader returns them.


def _data_sets() -> Iterator[Row]:
    if data_folder() is None:
        note = "not run: BAYESGROVE_DATA does not name a folder with adult and covtype"
        yield Row("adult and covtype", note=note)
        return
    warnings.filterwarnings("ignore", "Bins whose width")  # By scikit-learn, for columns with ties.
    X, y = load_dataset("adult", source="folder")
    adult = X.astype(dict.fromkeys(X.select_dtypes("category"), "str"))
    yield from _data_set("adult, strings and floats", adult, y, ADULT)
    X, y = load_dataset("covtype", source="folder")
    numbers = X.astype(dict.fromkeys(X.select_dtypes("category"), "int64"))
    limits = {"TAN fit": 0.5, "TAN predict": 0.15}
    for case, frame in (("covtype, numbers", numbers), ("covtype, floats and categories", X)):
        yield from _data_set(case, frame, y, limits)


def _data_set(
    case: str, X: pd.DataFrame, y: pd.Series[Any], limits: dict[str, float]
) -> Iterator[Row]:
    """Yield rows for fit, prediction of all rows, and fit with prediction of the first row."""
    peer, models = _pipeline(X), [kind() for _, kind in MODELS]
    for step, call in (("fit", _fit), ("predict", _predict), ("fit and first answer", _first)):
        *ours, theirs = best(*(call(model, X, y) for model in (*models, peer)), repeats=3)
        for (name, _), seconds in zip(MODELS, ours, strict=True):
            limit, note = limits.get(f"{name} {step}"), PIPELINE if step == "fit" else ""
            yield limited(f"{case}: {name} {step}", seconds, theirs, limit, note)


def _pipeline(X: pd.DataFrame) -> Any:
    """Return a scikit-learn pipeline: labels to codes, floats to bins, then CategoricalNB."""
    floats = [name for name in X.select_dtypes("float64") if X[name].nunique() > 2]
    labels = [name for name in X if name not in floats]
    text = make_column_selector(dtype_include=["str", "category", object])
    fill = make_column_transformer(
        (SimpleImputer(strategy="constant", fill_value="missing"), text),
        remainder="passthrough",
        verbose_feature_names_out=False,
    )
    bins = KBinsDiscretizer(10, encode="ordinal", quantile_method="averaged_inverted_cdf")
    cells = make_column_transformer((OrdinalEncoder(), labels), (bins, floats))
    has_missing = bool(X.isna().to_numpy().any())
    steps = [fill.set_output(transform="pandas")] if has_missing else []
    return make_pipeline(*steps, cells, CategoricalNB())


def _fit(model: Any, X: Any, y: Any) -> Callable[[], Any]:
    return lambda: model.fit(X, y)


def _predict(model: Any, X: Any, _: Any) -> Callable[[], Any]:
    return lambda: model.predict(X)


def _first(model: Any, X: Any, y: Any) -> Callable[[], Any]:
    return lambda: model.fit(X, y).predict_proba(X[:1])


# Codes of whole numbers, and of numbers that are discretized.


def _matrices() -> Iterator[Row]:
    X, y = codes(1_000_000, 50, 4, 2)
    for dtype, limit in (("int64", 0.032), ("float64", 0.1)):
        matrix = X.astype(dtype)
        schema = (
            NaiveBayesClassifier(categorical_features="all").fit(X[:10_000], y[:10_000]).schema_
        )
        batch = batch_of(matrix)
        case = f"{dtype} of whole numbers, 1,000,000 x 50: encode"
        yield limited(
            case,
            *best(_encode(schema, batch), _copy(matrix)),
            limit,
            "the peer is astype(uint8), which does not transpose",
        )


def _copy(matrix: NDArray[Any]) -> Callable[[], Any]:
    return lambda: matrix.astype(np.uint8)


def _encode(schema: Schema, batch: Any) -> Callable[[], Any]:
    return lambda: schema.encode(batch)


def _cuts(rows: int = 1_000_000) -> Iterator[Row]:
    """Yield rows for columns with 8 to 28 cut points."""
    rng = np.random.default_rng(0)
    cuts = [np.sort(rng.normal(size=count)) for count in range(8, 29)]
    matrix = rng.normal(size=(rows, len(cuts)))
    names = [f"x{j}" for j in range(len(cuts))]
    codings = tuple(Intervals(name, cut, False) for name, cut in zip(names, cuts, strict=True))
    frame = pd.DataFrame(matrix, columns=names)
    for case, X in (("data frame", frame), ("matrix, row by row", matrix)):
        encode = _encode(Schema(codings, named=X is frame), batch_of(X))
        _check_cuts(encode().columns, cuts, matrix)
        ours, peer = best(encode, _search(cuts, matrix), repeats=3)
        speed = matrix.size / ours / 1e6
        row = versus(f"8 to 28 cuts, {rows:,} x {len(cuts)}, {case}: encode", ours, peer)
        note = f"{speed:.0f} million cells per second; the peer is numpy.searchsorted per column"
        yield replace(row, promise=">= 400 M cells/s", met=speed >= 400, note=note)


def _search(cuts: list[NDArray[Any]], matrix: NDArray[Any]) -> Callable[[], Any]:
    return lambda: [np.searchsorted(cut, matrix[:, j]) for j, cut in enumerate(cuts)]


def _check_cuts(columns: list[Any], cuts: list[NDArray[Any]], matrix: NDArray[Any]) -> None:
    for column, expected in zip(columns, _search(cuts, matrix)(), strict=True):
        np.testing.assert_array_equal(column, expected)


# Few rows.


def _one_row() -> Iterator[Row]:
    """Yield rows for the prediction of one row of a data frame of 30 columns."""
    X, y = codes(2000, 30, 4, 2)
    names = [f"c{j}" for j in range(30)]
    words = pd.DataFrame(np.array(["a", "b", "c", "d"])[X], columns=names)
    floats = np.random.default_rng(0).normal(size=(2000, 10))
    mixed = words.assign(**dict(zip(names, floats.T, strict=False)))
    frames = {
        "codes": pd.DataFrame(X, columns=names),
        "strings": words,
        "10 floats, 20 strings": mixed,
    }
    for case, frame in frames.items():
        peer = CategoricalNB() if case == "codes" else _pipeline(frame)
        row = frame[:1]
        calls = [_answer(model.fit(frame, y), row) for model in (NaiveBayesClassifier(), peer)]
        note = "the peer is CategoricalNB" if case == "codes" else PIPELINE
        ours, theirs = best(*calls, repeats=200)
        yield limited(f"one row of a data frame, {case}", ours, theirs, 400e-6, note)


def _answer(model: Any, row: pd.DataFrame) -> Callable[[], Any]:
    return lambda: model.predict_proba(row)


def _small_fit() -> Row:
    X, y = codes(100_000, 30, 5, 2)
    ours, peer = best(_fit(NaiveBayesClassifier(), X, y), _fit(CategoricalNB(), X, y))
    return limited("naive Bayes fit 100,000 x 30", ours, peer, 0.009, "the peer is CategoricalNB")
