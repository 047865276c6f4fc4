"""Time from the data to the first result of `compare`, measured in a separate process."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

from bayesgrove import NaiveBayesClassifier, compare, load_dataset
from benchmarks.helpers import fresh, under

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.helpers import Row

NAME = "start of compare"
PROMISE = "compare has fitted its first model within 0.1 s of having read a small data set"
LIMIT = 0.1
REPEATS = 5


def run() -> Iterator[Row]:
    for way, name in (("call", "compare(...)"), ("command", "bayesgrove compare")):
        for jobs in (1, 2):
            times = [fresh("compare_start", way, str(jobs)) for _ in range(REPEATS)]
            seconds, from_call = (min(one[key] for one in times) for key in ("read", "call"))
            case = f"{name} corral, --jobs {jobs}: data read to first result"
            note = f"{from_call:.3f} s from the call to the first result; wall-clock seconds"
            yield under(case, seconds, LIMIT, note)


def measure(way: str, jobs: int) -> dict[str, float]:
    """Return the seconds to the first result, from the end of reading and from the call."""
    read: list[float] = []
    results: list[float] = []

    def load(name: str) -> Any:
        data = tuple(load_dataset(name))
        read.append(time.perf_counter())
        return data

    def progress(*_: int) -> None:
        results.append(time.perf_counter())

    start = time.perf_counter()
    (_call if way == "call" else _command)(load, progress, jobs)
    return {"read": results[0] - read[0], "call": results[0] - start}


def _call(load: Callable[[str], Any], progress: Callable[..., None], jobs: int) -> None:
    models = {"nb": NaiveBayesClassifier()}
    compare(models, {"corral": lambda: load("corral")}, n_jobs=jobs, progress=progress)


def _command(load: Callable[[str], Any], progress: Callable[..., None], jobs: int) -> None:
    from bayesgrove import evaluation
    from bayesgrove.cli import app, compare_views

    def with_progress(*arguments: Any, **options: Any) -> Any:
        return compare(*arguments, **options | {"progress": progress})

    compare_views.load_dataset = load
    evaluation.compare = with_progress
    app(["compare", "corral", "-m", "nb", "-j", str(jobs)], standalone_mode=False)


if __name__ == "__main__":
    stdout, sys.stdout = sys.stdout, sys.stderr  # The command prints its own output.
    seconds = measure(sys.argv[1], int(sys.argv[2]))
    print(json.dumps(seconds), file=stdout)
