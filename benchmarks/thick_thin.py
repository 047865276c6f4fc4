"""Greedy thick-thinning compared with greedy hill climbing of pyAgrum, which also reverses arcs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove import ThickThinClassifier, random_rows
from bayesgrove.counts import CountSource, MemoryEngine
from bayesgrove.encoding import Encoded
from bayesgrove.network import Structure
from bayesgrove.scores.decomposable import K2Score, local_score
from bayesgrove.structures import ThickThin
from benchmarks.helpers import Row, best, is_installed, not_installed, versus

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

NAME = "thick-thinning"
PROMISE = "5x faster than pyAgrum's greedy hill climbing at 10,000 x 20"
REPEATS = 3
CASES = ((10_000, 20, 2, 5.0), (10_000, 20, 4, 5.0), (10_000, 50, 2, None), (100_000, 20, 2, None))
"""Rows, attributes, states and the promised ratio."""


def run() -> Iterator[Row]:
    for rows, attributes, states, promise in CASES:
        frame = random_rows(attributes + 1, 3, rows, states=states, random_state=0)
        case = f"{rows:,} x {attributes}, {states} states"
        if not is_installed("pyagrum"):
            X, y = frame.drop(columns="class"), frame["class"]
            ours = best(lambda X=X, y=y: ThickThinClassifier().fit(X, y), repeats=REPEATS)[0]
            yield not_installed(case, "pyagrum", ours)
            continue
        yield _fit(frame, f"{case}, from a data frame", promise)
        yield _search(frame, f"{case}, the search alone", promise)


def _fit(frame: pd.DataFrame, case: str, promise: float | None) -> Row:
    """Compare structure and tables; both programs read the data frame."""
    X, y = frame.drop(columns="class"), frame["class"]
    ours, peer = best(
        lambda: ThickThinClassifier().fit(X, y),
        lambda: _pyagrum(frame).learnBN(),
        repeats=REPEATS,
    )
    return versus(case, ours, peer, promise)


def _search(frame: pd.DataFrame, case: str, promise: float | None) -> Row:
    """Compare the structure search alone; both programs have the rows, but no counts."""
    sources = [_source(frame) for _ in range(REPEATS + 1)]
    learners = [_pyagrum(frame) for _ in range(REPEATS + 1)]  # A learner caches its scores.
    ours, peer = best(
        lambda: ThickThin().learn(sources.pop()),
        lambda: learners.pop().learnDAG(),
        repeats=REPEATS,
    )
    (counts,), (learner,) = sources, learners
    theirs: list[list[int]] = [[] for _ in counts.names]
    for parent, child in learner.learnDAG().arcs():
        parent, child = (counts.names.index(learner.nameFromId(v)) for v in (parent, child))
        theirs[child].append(parent)
    our_score = _score(counts, ThickThin().learn(counts))
    their_score = _score(counts, Structure(tuple(map(tuple, theirs))))
    note = f"log K2 score {our_score - their_score:+.1f} against theirs"
    return versus(case, ours, peer, promise, note)


def _pyagrum(frame: pd.DataFrame) -> Any:
    import pyagrum

    pyagrum.setNumberOfThreads(1)
    learner = pyagrum.BNLearner(frame)
    learner.setNumberOfThreads(1)
    learner.useScoreK2()
    learner.useNoPrior()
    learner.useGreedyHillClimbing()
    return learner


def _source(frame: pd.DataFrame) -> CountSource:
    codes = [frame[name].cat.codes.to_numpy().astype("uint8") for name in frame]
    cards = [len(frame[name].cat.categories) for name in frame]
    encoded = Encoded(codes[:-1], cards[:-1], len(frame), codes[-1], cards[-1])
    return CountSource(MemoryEngine(encoded), list(frame.columns), cards)


def _score(counts: CountSource, structure: Structure) -> float:
    """Return the log-probability of the rows with one pseudo-count per cell."""
    tables = counts.tables([structure.family(v) for v in range(len(counts.names))])
    return sum(local_score(K2Score(), table, counts.total) for table in tables)
