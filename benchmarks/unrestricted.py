"""K2 compared with pyAgrum and WEKA, and the time of CB."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesgrove import CBClassifier, K2Classifier, load_dataset
from bayesgrove.datasets import data_folder
from benchmarks.helpers import (
    Row,
    best,
    codes,
    is_installed,
    not_installed,
    show_seconds,
    under,
    versus,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

NAME = "unrestricted"
PROMISE = (
    "K2 along one order level with pyAgrum's and WEKA's; CB of 3,000 x 61 variables under 30 s"
)
WEKA = "WEKA_JAR"
SEARCH = "weka.classifiers.bayes.net.search.local.K2"


def run() -> Iterator[Row]:
    for rows, columns in ((3_000, 30), (100_000, 30)):
        X, y = codes(rows, columns, 4, 2)
        yield from _k2(X, y)
        yield _weka(X, y)
    yield from _cb()


def _k2(X: NDArray[Any], y: NDArray[Any]) -> Iterator[Row]:
    rows, columns = X.shape
    names = _class_first(X)
    case = f"K2 {rows:,} x {columns}, pyagrum"
    ours = best(lambda: K2Classifier(order=names).fit(X, y), repeats=3)[0]
    if not is_installed("pyagrum"):
        yield not_installed(case, "pyagrum", ours)
        return
    with tempfile.TemporaryDirectory() as folder:
        learner = _pyagrum(X, y, Path(folder, "rows.csv"))
        peer = best(lambda: learner(names), repeats=1)[0]
        arcs = K2Classifier(order=names).fit(X, y).network_.arcs
        note = "the same network" if learner(names) == arcs else "another network"
    yield versus(case, ours, peer, 1.0, note)


def _pyagrum(X: NDArray[Any], y: NDArray[Any], path: Path) -> Any:
    """Return a function that runs K2 of pyAgrum along an order, on rows from a file."""
    import pandas as pd
    import pyagrum

    pyagrum.setNumberOfThreads(1)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])]).assign(**{"class": y})
    frame.to_csv(path, index=False)

    def learn(names: list[str]) -> set[tuple[str, str]]:
        made = pyagrum.BNLearner(str(path))
        made.useScoreK2()
        made.useNoPrior()
        made.useK2([made.idFromName(name) for name in names])
        graph = made.learnDAG()
        return {(made.nameFromId(a), made.nameFromId(b)) for a, b in graph.arcs()}

    return learn


def _weka(X: NDArray[Any], y: NDArray[Any]) -> Row:
    """Compare with the build time that WEKA reports, without its start and reading the file."""
    case = f"K2 {len(X):,} x {X.shape[1]}, WEKA"
    ours = best(lambda: K2Classifier(order=_class_first(X)).fit(X, y), repeats=3)[0]
    if WEKA not in os.environ:
        return Row(case, show_seconds(ours), f"{WEKA} is not set")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.arff")
        path.write_text(_arff(X, y), encoding="ascii")
        command = ["java", "-cp", os.environ[WEKA], "weka.classifiers.bayes.BayesNet"]
        options = ["-t", str(path), "-no-cv", "-D", "-Q", SEARCH, "--"]
        # No naive Bayes structure to start with, and no effective limit on parents.
        search_options = ["-N", "-P", "100", "-S", "BAYES"]
        done = subprocess.run(
            [*command, *options, *search_options], capture_output=True, text=True, check=True
        )
    seconds = re.search(r"build model: ([\d.]+) seconds", done.stdout)
    assert seconds is not None
    return versus(case, ours, float(seconds[1]), 1.0)


def _arff(X: NDArray[Any], y: NDArray[Any]) -> str:
    domain = ",".join(map(str, range(X.max() + 1)))
    lines = ["@relation rows", *(f"@attribute x{j} {{{domain}}}" for j in range(X.shape[1]))]
    classes = ",".join(map(str, range(y.max() + 1)))
    rows = [",".join(map(str, (*row, c))) for row, c in zip(X.tolist(), y.tolist(), strict=True)]
    return "\n".join([*lines, f"@attribute class {{{classes}}}", "@data", *rows, ""])


def _class_first(X: NDArray[Any]) -> list[str]:
    return ["class", *(f"x{j}" for j in range(X.shape[1]))]


def _cb() -> Iterator[Row]:
    X, y = codes(3_000, 60, 4, 2)
    (seconds,) = best(lambda: CBClassifier().fit(X, y), repeats=1)
    yield under("CB 3,000 x 61 variables", seconds, 30.0)
    if data_folder() is None:
        return
    X, y = load_dataset("splice-3175")
    (seconds,) = best(lambda: CBClassifier().fit(X, y), repeats=1)
    yield under("CB splice, 3,175 x 61 variables", seconds, 30.0)
