"""Time of Info-AS by the size of the table, compared with K2-AS."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from bayesgrove import InfoSelector, K2ASClassifier, SelectiveNaiveBayesClassifier, load_dataset
from bayesgrove.datasets import data_folder
from benchmarks.helpers import Row, best, codes, show_ratio, show_seconds, under, versus

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "selection"
PROMISE = (
    "Info-AS on mushroom under 50 ms, on splice under 200 ms, on 100,000 x 100 (card 4) under 10 s "
    "and linear in rows; K2-AS as a ratio"
)
LIMITS = {"mushroom": 0.05, "splice-3175": 0.2}


def run() -> Iterator[Row]:
    warnings.simplefilter("ignore")
    for metric in ("cig", "cgr", "cdc"):
        yield from _real(metric)
        yield from _made_up(metric)
    yield from _wrapped()


def _real(metric: str) -> Iterator[Row]:
    for name, limit in LIMITS.items():
        if data_folder() is None:
            yield Row(f"{metric}, {name}", note="no data folder")
            continue
        X, y = load_dataset(name)
        (ours,) = best(lambda: InfoSelector(metric).fit(X, y))  # noqa: B023
        yield under(f"{metric}, {name}, {len(X):,} x {X.shape[1]}", ours, limit)


def _made_up(metric: str) -> Iterator[Row]:
    X, y = codes(100_000, 100, 4, 2)
    many, few = best(
        lambda: InfoSelector(metric).fit(X, y),
        lambda: InfoSelector(metric).fit(X[:10_000], y[:10_000]),
        repeats=3,
    )
    yield under(f"{metric}, 100,000 x 100", many, 10.0)
    ratio = many / few
    yield Row(
        f"{metric}, 100,000 against 10,000 rows",
        show_seconds(many),
        f"{show_seconds(few)} (ours)",
        show_ratio(ratio),
        "<= 15x",
        ratio <= 15,
    )


def _wrapped() -> Iterator[Row]:
    """Compare with selection by accuracy, as the paper does."""
    if data_folder() is None:
        return
    for name, rows in (("kr-vs-kp", 1000), ("mushroom", 500), ("vote", 200)):
        X, y = load_dataset(name)
        X, y = X.sample(rows, random_state=0), y.sample(rows, random_state=0)
        (ours,) = best(lambda: InfoSelector("cgr").fit(X, y))  # noqa: B023
        for label, model in (
            ("K2-AS", K2ASClassifier()),
            ("K2-AS<", K2ASClassifier("continue")),
            ("naive-AS", SelectiveNaiveBayesClassifier()),
        ):
            (peer,) = best(lambda: model.fit(X, y), repeats=1)  # noqa: B023
            yield versus(f"cgr against {label} (ours), {name}, {rows} rows", ours, peer)
