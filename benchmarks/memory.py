"""Peak memory of a fit, measured in a separate process."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import numpy as np

import bayesgrove
from benchmarks.helpers import Row, codes, fresh, memory_rise, show_ratio

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "memory"
PROMISE = "fit takes at most 3 times the encoded matrix (one byte per cell) on top of the data"

ROWS, COLUMNS = 1_000_000, 50
MODELS = {
    "naive Bayes": ("NaiveBayesClassifier", {}),
    "TAN": ("TANClassifier", {}),
    "KDB(2)": ("KDBClassifier", {"k": 2}),
}


def run() -> Iterator[Row]:
    encoded = ROWS * COLUMNS
    if not sys.platform.startswith("linux"):
        yield Row("all", note="measured on Linux only")
        return
    for name in MODELS:
        for dtype in ("int64", "uint8"):
            rise = fresh("memory", name, dtype)
            yield Row(
                f"{name} fit, {dtype}",
                f"{rise / 1e6:.0f} MB",
                f"{encoded / 1e6:.0f} MB encoded",
                show_ratio(rise / encoded),
                "<= 3x",
                rise <= 3 * encoded,
            )


def measure(name: str, dtype: str) -> int:
    X, y = codes(ROWS, COLUMNS, 4, 2, np.dtype(dtype))
    class_name, parameters = MODELS[name]
    model = getattr(bayesgrove, class_name)(**parameters)
    model.fit(X[:200], y[:200])  # The imports do not count.
    return memory_rise(lambda: model.fit(X, y))


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
