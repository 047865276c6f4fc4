"""Greedy thick-thinning against pyAgrum's greedy hill climbing, which also reverses arcs."""

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
"""Rows, attributes, states, and what is promised."""


def run() -> Iterator[Row]:
    for rows, attributes, states, promise in CASES:
        frame = random_rows(attributes + 1, 3, rows, states=states, random_state=0)
        case = f"{rows:,} x {attributes}, {states} states"
        if not is_installed("pyagrum"):
            X, y = frame.drop(columns="class"), frame["class"]
            ours = best(lambda X=X, y=y: ThickThinClassifier().fit(X, y), repeats=REPEATS)[0]
            yield not_installed(case, "pyagrum", ours)
            continue
        yield _whole(frame, f"{case}, from a data frame", promise)
        yield _search(frame, f"{case}, the search alone", promise)


def _whole(frame: pd.DataFrame, case: str, promise: float | None) -> Row:
    """Structure and tables; both read the data frame."""
    X, y = frame.drop(columns="class"), frame["class"]
    ours, peer = best(
        lambda: ThickThinClassifier().fit(X, y),
        lambda: _pyagrum(frame).learnBN(),
        repeats=REPEATS,
    )
    return versus(case, ours, peer, promise)


def _search(frame: pd.DataFrame, case: str, promise: float | None) -> Row:
    """Structure alone; both have the rows already, and nothing counted."""
    sources = [_source(frame) for _ in range(REPEATS + 1)]
    learners = [_pyagrum(frame) for _ in range(REPEATS + 1)]  # one remembers what it has scored
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
    more = _score(counts, ThickThin().learn(counts)) - _score(
        counts, Structure(tuple(map(tuple, theirs)))
    )
    return versus(case, ours, peer, promise, f"log K2 score {more:+.1f} against theirs")


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
    """The logarithm of the probability of the rows with one pseudo-count a cell."""
    tables = counts.tables([structure.family(v) for v in range(len(counts.names))])
    return sum(local_score(K2Score(), table, counts.total) for table in tables)
