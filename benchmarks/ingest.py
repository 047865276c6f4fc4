"""Data frames: time to encode strings and floats as codes."""

from __future__ import annotations

import cProfile
import pstats
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bayesgrove import NaiveBayesClassifier, TANClassifier
from benchmarks.helpers import best, codes, under

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from benchmarks.helpers import Row

NAME = "ingest"
PROMISE = "nothing promised: seconds to fit a data frame, and the share of encoding"

ROWS, STRINGS, FLOATS = 100_000, 20, 10


def run() -> Iterator[Row]:
    text, y = _strings()
    floats = _floats(y)
    kinds = {
        "str": text.astype("str"),
        "object": text.astype(object),
        "category": text.astype("category"),
    }
    for kind, strings in kinds.items():
        frame = pd.concat([strings, floats], axis=1)
        yield _measure(NaiveBayesClassifier(), f"naive Bayes, {kind} columns", frame, y)
    yield _measure(NaiveBayesClassifier(), "naive Bayes, no strings", floats, y)
    yield _measure(
        TANClassifier(), "TAN, str columns", pd.concat([kinds["str"], floats], axis=1), y
    )


def _measure(model: Any, case: str, frame: pd.DataFrame, y: NDArray[np.int64]) -> Row:
    (seconds,) = best(lambda: model.fit(frame, y), repeats=3)
    profile = cProfile.Profile()
    profile.runcall(model.fit, frame, y)
    return under(case, seconds, None, _encoding(profile))


def _encoding(profile: cProfile.Profile) -> str:
    """Return the share of the time spent in `bayesgrove.encoding`, by the called function."""
    stats: dict[Any, Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    total = max(cumulative for *_, cumulative, _ in stats.values())
    spent: dict[str, float] = {}
    for (file, _, name), (*_, callers) in stats.items():
        for (caller, _, _), (*_, cumulative) in callers.items():
            if _is_encoding(file) and "bayesgrove" in caller and not _is_encoding(caller):
                spent[name] = spent.get(name, 0.0) + cumulative / total
    parts = sorted(spent.items(), key=lambda item: -item[1])[:3]
    detail = ", ".join(f"{name} {share:.0%}" for name, share in parts)
    return f"encoding is {sum(spent.values()):.0%} of fit ({detail})"


def _is_encoding(file: str) -> bool:
    return "bayesgrove/encoding" in file.replace("\\", "/")


def _strings() -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """Return columns of 8 to 27 labels, and classes."""
    X, y = codes(ROWS, STRINGS, 8, 2)
    more = np.random.default_rng(1).integers(0, np.arange(1, STRINGS + 1), X.shape)
    labels = np.array([f"label {value:02d}" for value in range(8 + STRINGS)], dtype=object)
    return pd.DataFrame(labels[X + more], columns=[f"text{j}" for j in range(STRINGS)]), y


def _floats(y: NDArray[np.int64]) -> pd.DataFrame:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(ROWS, FLOATS)) + y[:, None] * rng.uniform(0, 1, FLOATS)
    return pd.DataFrame(values, columns=[f"number{j}" for j in range(FLOATS)])
