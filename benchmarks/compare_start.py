"""How soon `compare` gets to work: from the data to the first fit, in a process of its own."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesgrove import NaiveBayesClassifier, compare, load_dataset
from benchmarks.helpers import Row, fresh, show_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NAME = "start of compare"
PROMISE = "the first fit of compare starts within 0.1 s of having read a small data set"
LIMIT = 0.1
REPEATS = 5
FILE = "FIRST_FIT"


class NotesFit(NaiveBayesClassifier):
    """Naive Bayes that notes when any process fits it first."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> NotesFit:
        now = time.monotonic()  # one clock for all processes
        path = Path(os.environ[FILE])
        if not path.exists():
            path.write_text(repr(now), encoding="ascii")
        super().fit(X, y, sample_weight)
        return self


def run() -> Iterator[Row]:
    for way, name in (("call", "compare(...)"), ("command", "bayesgrove compare")):
        for jobs in (1, 2):
            found = [fresh("compare_start", way, str(jobs)) for _ in range(REPEATS)]
            seconds = min(one["read"] for one in found)
            yield Row(
                f"{name}, corral, {jobs} processes: data read to first fit",
                show_seconds(seconds),
                promise=f"< {show_seconds(LIMIT)}",
                met=seconds < LIMIT,
                note=f"from the call to the first fit, reading included: "
                f"{show_seconds(min(one['call'] for one in found))}; seconds of a clock on the wall",
            )


def measure(way: str, jobs: int) -> dict[str, float]:
    """Seconds from the end of reading, and from the call, to the first fit."""
    read: list[float] = []

    def noting(load: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*names: str) -> Any:
            data = tuple(load(*names))
            read.append(time.monotonic())
            return data

        return noted

    with tempfile.TemporaryDirectory() as folder:
        os.environ[FILE] = str(Path(folder, "first"))
        work = _call if way == "call" else _command
        start = work(noting(load_dataset), jobs)
        fitted = float(Path(os.environ[FILE]).read_text(encoding="ascii"))
    return {"read": fitted - read[0], "call": fitted - start}


def _call(load: Callable[..., Any], jobs: int) -> float:
    start = time.monotonic()
    compare({"nb": NotesFit()}, {"corral": lambda: load("corral")}, n_jobs=jobs)
    return start


def _command(load: Callable[..., Any], jobs: int) -> float:
    from bayesgrove import evaluation
    from bayesgrove.cli import app, compare_views

    def with_notes(_: Any, *data: Any, **options: Any) -> Any:
        return compare({"nb": NotesFit()}, *data, **options)

    compare_views.load_dataset = load
    evaluation.compare = with_notes
    start = time.monotonic()
    app(["compare", "corral", "-m", "nb", "-j", str(jobs), "--style", "csv"], standalone_mode=False)
    return start


if __name__ == "__main__":
    stdout, sys.stdout = sys.stdout, sys.stderr
    figures = measure(sys.argv[1], int(sys.argv[2]))
    print(json.dumps(figures), file=stdout)
