"""Traces: the files and functions that a fit, a prediction and a query run through.

``python benchmarks/traces.py`` prints one section per trace, in the form that
`docs/architecture.md` quotes. Python's profiler sees the functions of the package, but not the
inside of the kernels.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import warnings
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGE = "/bayesgrove/"
READER = "tables/arrow.py", "_read_batches"
"""File and name of the function of which every call is one pass over the files."""


class Trace:
    """The functions of the package that were called, in the order of their first calls."""

    def __init__(self) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()

    def __enter__(self) -> Trace:
        threading.setprofile(self._see)
        sys.setprofile(self._see)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _see(self, frame: Any, event: str, _: Any) -> None:
        path = frame.f_code.co_filename
        if event == "call" and PACKAGE in path and "<" not in frame.f_code.co_name:
            name = path.rsplit(PACKAGE, 1)[1]
            self.calls[name, frame.f_code.co_qualname] += 1

    @property
    def files(self) -> list[str]:
        return list(dict.fromkeys(file for file, _ in self.calls))

    def show(self, title: str, note: str = "") -> None:
        calls = sum(self.calls.values())
        print(f"## {title}\n")
        print(f"{len(self.files)} files, {len(self.calls)} functions, {calls} calls{note}\n")
        for file in self.files:
            names = [name for file_of_call, name in self.calls if file_of_call == file]
            print(f"- `{file}`: {', '.join(f'`{name}`' for name in names)}")
        print()


class Passes:
    """A counter of the calls of the function that reads the files."""

    def __init__(self) -> None:
        self.count = 0
        self._seen: set[int] = set()
        self._frames: list[Any] = []  # Kept, so that no two frames have the same id.

    def __enter__(self) -> Passes:
        threading.setprofile(self._see)
        sys.setprofile(self._see)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _see(self, frame: Any, event: str, _: Any) -> None:
        file, name = READER
        code = frame.f_code
        if event != "call" or code.co_name != name or not code.co_filename.endswith(PACKAGE + file):
            return
        if id(frame) not in self._seen:  # A generator is entered again for every batch.
            self._seen.add(id(frame))
            self._frames.append(frame)
            self.count += 1


def traced(work: Callable[[], Any], title: str, note: str = "") -> None:
    with Trace() as trace:
        work()
    trace.show(title, note)


def main() -> None:
    warnings.simplefilter("ignore")
    import bayesgrove as bg

    X, y = bg.load_dataset("credit-g")
    frame = X.assign(label=y)
    tan = bg.TANClassifier()
    tan.fit(X, y).predict_proba(X)  # Imports and first uses do not count.
    traced(lambda: tan.fit(X, y), "A data frame through `TANClassifier.fit`")
    traced(lambda: tan.predict_proba(X), "A data frame through `predict_proba`")
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "rows.parquet"))
        frame.to_parquet(path)
        learners = {
            "NB": bg.NaiveBayesClassifier(),
            "TAN": bg.TANClassifier(),
            "KDB(2)": bg.KDBClassifier(k=2),
            "K2": bg.K2Classifier(),
            "Info-AS": bg.InfoASClassifier(),
            "K2-AS": bg.K2ASClassifier(),
        }
        counts = {}
        for name, learner in learners.items():
            few = str(Path(folder, "six.parquet"))
            frame[[*X.columns[:6], "label"]].to_parquet(few)
            with Passes() as passes:
                learner.fit(few, "label")
            counts[name] = passes.count
        shown = ", ".join(f"{name} {count}" for name, count in counts.items())
        kdb = bg.KDBClassifier(k=2)
        note = f"; passes over the files of six attributes: {shown}"
        traced(lambda: kdb.fit(path, "label"), "A Parquet path through `KDBClassifier.fit`", note)
    network = tan.network_
    network.posterior("class", {"housing": "own"})
    traced(
        lambda: network.posterior("class", {"housing": "own"}), "A question: `network_.posterior`"
    )


if __name__ == "__main__":
    main()
