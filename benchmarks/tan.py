"""TAN compared with pyAgrum and pgmpy."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from bayesgrove import TANClassifier
from benchmarks.helpers import Row, best, codes, is_installed, not_installed, versus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray


NAME = "TAN"
PROMISE = "fit at least 100x faster than pyAgrum's at 100,000 x 30, card 5"

PROMISED_ROWS = 100_000
LIMIT = 90.0  # Seconds that a peer may take without --full.
NO_THRESHOLD = "with more than two classes, pyAgrum's fit does not search for a ROC threshold"


def run(limit: float = LIMIT) -> Iterator[Row]:
    for package, fit, at_least in (("pyagrum", fit_pyagrum, 100.0), ("pgmpy", fit_pgmpy, None)):
        for classes in (2, 3):
            yield from _compare(package, fit, classes, at_least, limit)


def run_full() -> Iterator[Row]:
    yield from run(limit=float("inf"))


def _compare(
    package: str, fit: Callable[..., Any], classes: int, at_least: float | None, limit: float
) -> Iterator[Row]:
    """Compare with a tenth of the rows first; skip all rows if the peer would take too long."""
    expected = 0.0
    for rows in (PROMISED_ROWS // 10, PROMISED_ROWS):
        X, y = codes(rows, 30, 5, classes)
        case = f"fit {rows:,} x 30, {classes} classes, {package}"
        (ours,) = best(lambda: TANClassifier().fit(X, y), repeats=10)  # noqa: B023
        if not is_installed(package):
            yield not_installed(case, package, ours)
            return
        if expected > limit:
            yield _skipped(case, expected)
            return
        peer = _seconds(fit, X, y)
        expected = 10 * peer
        promised = at_least if rows == PROMISED_ROWS else None
        note = NO_THRESHOLD if (package, classes) == ("pyagrum", 3) else ""
        yield versus(case, ours, peer, promised, note)


def _skipped(case: str, expected: float) -> Row:
    return Row(case, peer="not run", note=f"would take about {expected:.0f} s: use --full")


def _seconds(fit: Callable[..., Any], X: NDArray[Any], y: NDArray[Any]) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit(X[:500], y[:500])  # Imports and caches do not count.
        return best(lambda: fit(X, y), repeats=1)[0]


def fit_pyagrum(X: NDArray[Any], y: NDArray[Any]) -> Any:
    import pyagrum
    from pyagrum import skbn

    pyagrum.setNumberOfThreads(1)
    make = getattr(skbn, "createBNClassifier", skbn.BNClassifier)  # New and old name.
    return make(learningMethod="TAN").fit(X, y)


def fit_pgmpy(X: NDArray[Any], y: NDArray[Any]) -> Any:
    import pandas as pd
    from pgmpy.estimators import TreeSearch
    from pgmpy.models import DiscreteBayesianNetwork

    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])]).assign(y=y)
    search = TreeSearch(frame, root_node="x0", n_jobs=1)
    graph = search.estimate(estimator_type="tan", class_node="y", show_progress=False)
    return DiscreteBayesianNetwork(graph.edges()).fit(frame)
