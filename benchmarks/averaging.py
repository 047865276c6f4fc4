"""Model averaging over all networks that follow an order: parent sets, fits and predictions."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from bayesgrove import (
    AveragedTANClassifier,
    ModelAveragingClassifier,
    NaiveBayesClassifier,
    ThickThinClassifier,
    load_dataset,
    random_rows,
)
from bayesgrove.averaging import OrderedAverage, OrderMCMC, OrderScores
from bayesgrove.counts import CountSource, MemoryEngine
from bayesgrove.datasets import data_folder
from bayesgrove.encoding import Encoded
from benchmarks.helpers import Row, at_most, best, under

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

NAME = "averaging"
PROMISE = (
    "all parent sets of 100,000 x 30 with k = 3 under 10 s; a fit at most 3x thick-thinning; "
    "prediction by the summary network at most 3x naive Bayes; averaged TAN fits "
    "100,000 x 50 under 1 s"
)
DATA = (("letter", 5), ("connect-4", 2), ("ann-thyroid", 5))


def run() -> Iterator[Row]:
    for states in (2, 4):
        yield _parent_sets(states)
    for rows in (100, 1000, 10_000):
        frame = random_rows(37, 3, rows, random_state=1)
        yield _against_greedy(frame, f"{rows:,} x 36, k = 2, n = 12")
    for rows in (100, 10_000):
        yield _chain(rows)
    yield _prediction(random_rows(21, 3, 101_000, random_state=1))
    yield from _trees()
    if data_folder() is not None:
        for name, k in DATA:
            yield _data_set(name, k)


def _trees() -> Iterator[Row]:
    """Time averaged TAN with many rows, where few trees are probable, and with few rows."""
    frame = random_rows(51, 3, 100_000, states=4, random_state=1)
    X, y = frame.drop(columns="class"), frame["class"]
    model = AveragedTANClassifier()
    yield under("averaged TAN fit 100,000 x 50", best(lambda: model.fit(X, y))[0], 1.0)
    for rows in (100_000, 300):
        model.fit(X[:rows], y[:rows])
        edges = len(model.edge_probabilities_)
        seconds = best(lambda: model.predict_proba(X), repeats=1)[0]
        case = f"averaged TAN predict_proba 100,000 x 50, {rows:,} training rows, {edges} edges"
        yield under(case, seconds, None)


def _parent_sets(states: int) -> Row:
    """Time the scores of all sets of at most three earlier nodes, for every node; two threads."""
    frame = random_rows(31, 3, 100_000, states=states, random_state=0)
    columns = [frame[name].cat.codes.to_numpy().astype("uint8") for name in frame]
    encoded = Encoded(columns[:-1], [states] * 30, len(frame), columns[-1], states)
    source = CountSource(MemoryEngine(encoded), list(frame.columns), [states] * 31, threads=2)
    start = time.perf_counter()
    sets = OrderedAverage(3).parent_sets(source, [[v] for v in range(31)])
    seconds = time.perf_counter() - start
    count = sum(len(sets_of_node.sets) for sets_of_node in sets)
    return under(
        f"100,000 x 30, {states} states: {count:,} parent sets", seconds, 10.0, "two threads, wall"
    )


def _chain(rows: int) -> Row:
    """Time 1,000 proposals of a Markov chain over orders, as the mean of 20,000; one thread."""
    frame = random_rows(21, 3, rows, random_state=0)
    codes = [frame[name].cat.codes.to_numpy().astype("uint8") for name in frame]
    encoded = Encoded(codes[:-1], [2] * 20, rows, codes[-1], 2)
    source = CountSource(MemoryEngine(encoded), list(frame.columns), [2] * 21)
    scores = OrderScores.of(OrderedAverage(3), source)
    chain = OrderMCMC(n_orders=20, burn_in=0, thinning=1000, n_chains=1)
    (seconds,) = best(lambda: chain.sample(scores), repeats=3)
    case = f"{rows:,} x 20, k = 3: 1,000 orders of a Markov chain"
    return under(case, seconds / 20, 1.0, f"{20_000 / seconds:,.0f} orders per second")


def _against_greedy(frame: pd.DataFrame, case: str) -> Row:
    X, y = frame.drop(columns="class"), frame["class"]
    ours, greedy = best(
        lambda: ModelAveragingClassifier(2, 12).fit(X, y),
        lambda: ThickThinClassifier().fit(X, y),
    )
    return at_most(f"{case}: fit, against thick-thinning", ours, greedy, 3.0)


def _prediction(frame: pd.DataFrame) -> Row:
    X, y = frame.drop(columns="class"), frame["class"]
    average = ModelAveragingClassifier(2, 12).fit(X[:1000], y[:1000])
    naive = NaiveBayesClassifier().fit(X[:1000], y[:1000])
    rows = X[1000:]
    ours, theirs = best(lambda: average.predict_proba(rows), lambda: naive.predict_proba(rows))
    return at_most("100,000 x 20: predict_proba, against naive Bayes", ours, theirs, 3.0)


def _data_set(name: str, k: int) -> Row:
    X, y = load_dataset(name)
    start = time.perf_counter()
    ModelAveragingClassifier(k, n_jobs=2).fit(X, y)
    seconds = time.perf_counter() - start
    case = f"{name}, {len(X):,} x {X.shape[1]}, k = {k}: fit"
    return under(case, seconds, 60.0, "two threads, wall")
