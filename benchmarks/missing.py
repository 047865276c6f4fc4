"""Prediction with missing values, which are summed out exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove import KDBClassifier, NaiveBayesClassifier, TANClassifier
from bayesgrove.counts import CountSource, MemoryEngine
from bayesgrove.encoding import Encoded
from bayesgrove.parameters import EM, Dirichlet
from bayesgrove.parameters.expected_counts import IncompleteRows
from bayesgrove.structures import TAN
from benchmarks.helpers import best, codes, is_installed, not_installed, under, versus
from benchmarks.posterior import to_pgmpy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from bayesgrove.network import BayesianNetwork
    from benchmarks.helpers import Row

NAME = "missing values"
PROMISE = (
    "predict_proba of 100,000 x 30 with every tenth cell missing; "
    "TAN at least 100x faster per row than pgmpy; an EM iteration of 10,000 x 30 TAN with 20% "
    "missing under 0.2 s"
)

ROWS = 100_000
FEW = 20  # Rows for pgmpy.


def run() -> Iterator[Row]:
    X, y = codes(ROWS, 30, 4, 2)
    is_missing = np.random.default_rng(1).random(X.shape) < 0.1
    incomplete = np.where(is_missing, np.nan, X)
    for model in (NaiveBayesClassifier(), TANClassifier(), KDBClassifier(k=2)):
        model.fit(X, y)
        seconds = best(lambda: model.predict_proba(incomplete), repeats=2)[0]  # noqa: B023
        yield under(type(model).__name__, seconds, None)
        if isinstance(model, TANClassifier):
            yield from _against_pgmpy(model, incomplete, seconds)
    yield under("EM iteration, TAN, 10,000 x 30, 20% missing", _em_iteration(), 0.2)


def _em_iteration() -> float:
    """Return the seconds of one EM iteration of TAN: 10,000 x 30, a fifth of the cells missing."""
    X, y = codes(10_000, 30, 4, 2)
    is_missing = np.random.default_rng(1).random(X.shape) < 0.2
    columns = [c.astype(np.uint8) for c in np.where(is_missing, 4, X).T]
    columns = [np.ascontiguousarray(column) for column in columns]
    rows = Encoded(columns, [4] * 30, len(X), target=y.astype(np.uint8), n_classes=2)
    counts = CountSource(MemoryEngine(rows), [f"x{v}" for v in range(31)], [4] * 30 + [2])
    states = [tuple(range(card)) for card in counts.cards]
    start = Dirichlet().estimate(TAN().learn(counts), counts, states)
    em, incomplete = EM(max_iter=5, tol=1e-15), IncompleteRows.of(counts)
    return best(lambda: em.improve(start, counts, incomplete), repeats=2)[0] / 6  # 6 E steps


def _against_pgmpy(
    model: TANClassifier, incomplete: NDArray[np.float64], seconds: float
) -> Iterator[Row]:
    """Yield the seconds for a few rows and for all rows; pgmpy answers one query per row."""
    few = incomplete[:FEW]
    cases = f"TANClassifier, {FEW} rows, pgmpy", f"TANClassifier, {ROWS:,} rows, pgmpy"
    if not is_installed("pgmpy"):
        ours, *_ = best(lambda: model.predict_proba(few))
        for case, our_seconds in zip(cases, (ours, seconds), strict=True):
            yield not_installed(case, "pgmpy", our_seconds)
        return
    ask = pgmpy_predict(model.network_)
    np.testing.assert_allclose(model.predict_proba(few), ask(few), rtol=0, atol=1e-9)
    ours, peer = best(lambda: model.predict_proba(few), lambda: ask(few), repeats=3)
    yield versus(cases[0], ours, peer, note="one call for all rows; pgmpy: one query per row")
    note = f"pgmpy's time for {FEW} rows is scaled to all of them"
    yield versus(cases[1], seconds, peer * (ROWS / FEW), 100.0, note)


def pgmpy_predict(
    network: BayesianNetwork,
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """Return a function from rows to class probabilities by pgmpy; NaN is not evidence."""
    engine = to_pgmpy(network)
    place = {
        node: {float(state): code for code, state in enumerate(network.states(node))}
        for node in network.nodes[:-1]
    }

    def predict(rows: NDArray[np.float64]) -> NDArray[Any]:
        answers = []
        for row in rows:
            known = {
                node: place[node][value]
                for node, value in zip(place, row.tolist(), strict=True)
                if value in place[node]
            }
            answers.append(engine.query([network.class_node], known, show_progress=False).values)
        return np.array(answers)

    return predict
