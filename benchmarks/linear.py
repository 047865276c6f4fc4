"""Time of a fit with ten times the rows: it should be about ten times as long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesgrove import KDBClassifier, NaiveBayesClassifier, TANClassifier
from benchmarks.helpers import Row, best, codes, show_ratio, show_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "linear in rows"
PROMISE = "fit takes at most 15x as long with 1,000,000 rows as with 100,000 (50 columns)"


def run() -> Iterator[Row]:
    X, y = codes(1_000_000, 50, 4, 2)
    for model in (NaiveBayesClassifier(), TANClassifier(), KDBClassifier(k=2)):
        many, few = best(
            lambda: model.fit(X, y),  # noqa: B023
            lambda: model.fit(X[:100_000], y[:100_000]),  # noqa: B023
            repeats=5,
        )
        ratio = many / few
        yield Row(
            f"{type(model).__name__}, 1,000,000 against 100,000 rows",
            show_seconds(many),
            f"{show_seconds(few)} (ours)",
            show_ratio(ratio),
            "<= 15x",
            ratio <= 15,
        )
