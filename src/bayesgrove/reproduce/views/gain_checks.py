"""Checks of claims about differences in ROC area per trial."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.reproduce.experiment import failure_of
from bayesgrove.reproduce.views.auc_gains import Z99, Contest, Summary, points
from bayesgrove.reproduce.views.claims import FAILED, NO, YES, Evidence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bayesgrove.evaluation import Comparison
    from bayesgrove.reproduce.views.claims import Check

ONE_SIDED = 2.326
"""Standard errors above which a difference is positive at the 99% level."""
MOST = 0.9
"""Share of the settings that "almost every" setting is read as."""


def surely(
    contests: Mapping[str, Contest],
    *,
    above: float = -math.inf,
    below: float = math.inf,
    somewhere: bool = False,
) -> Check:
    """Check that the 99% interval of every mean lies within two bounds.

    ``somewhere`` is whether one mean is enough; its interval then allows for the number of means
    (Bonferroni).
    """
    claimed = ", ".join(filter(None, (_bound("above", above), _bound("below", below))))
    z = _quantile(len(contests)) if somewhere else Z99

    def check(results: Comparison) -> list[Evidence]:
        summaries = [(name, one, one.summary(results)) for name, one in contests.items()]
        inside = [
            above < ours.mean - z * ours.error and ours.mean + z * ours.error < below
            for _, _, ours in summaries
        ]
        enough = somewhere and any(inside)
        return [
            Evidence(
                name,
                contest.title,
                ours.written(2, quartiles=False),
                claimed,
                FAILED if ours.failure else YES if holds else "" if enough else NO,
            )
            for (name, contest, ours), holds in zip(summaries, inside, strict=True)
        ]

    return check


def within(contests: Mapping[str, Contest], low: float, high: float) -> Check:
    """Check that every mean lies within two bounds; its interval does not matter."""

    def check(results: Comparison) -> list[Evidence]:
        summaries = [(name, one, one.summary(results)) for name, one in contests.items()]
        return [
            _evidence(name, one.title, ours, f"{low:g} to {high:g}", low <= ours.mean <= high)
            for name, one, ours in summaries
        ]

    return check


def nearly_always_better(first: str, second: str, datasets: Sequence[str]) -> Check:
    """Check that the first method has the larger mean ROC area on almost every data set."""
    least = math.ceil(MOST * len(datasets))

    def check(results: Comparison) -> list[Evidence]:
        contests = {name: Contest((name,), first, (second,), points) for name in datasets}
        summaries = {name: contest.summary(results) for name, contest in contests.items()}
        better = sum(ours.mean > 0 for ours in summaries.values())
        against = f"{first} vs {second}"
        shown = [
            Evidence(name, against, ours.written(2, quartiles=False))
            for name, ours in summaries.items()
            if not ours.mean > 0
        ]
        failed = any(ours.failure for ours in summaries.values())
        holds = FAILED if failed else YES if better >= least else NO
        ours = f"better on {better} of {len(datasets)}"
        return [*shown, Evidence("all", against, ours, f"at least {least}", holds)]

    return check


def larger(first: Mapping[str, Contest], second: Mapping[str, Contest]) -> Check:
    """Check that the mean of the first contests is larger, at the 99% level (one-sided).

    The means of contests have equal weight.
    """

    def check(results: Comparison) -> list[Evidence]:
        (one, failed), (other, also) = (_pooled(group, results) for group in (first, second))
        error = math.hypot(one.error, other.error)
        difference = one.mean - other.mean
        ours = f"{difference:.2f} ± {Z99 * error:.2f}"
        name = f"{_names(first)} minus {_names(second)}"
        holds = FAILED if failed or also else YES if difference > ONE_SIDED * error else NO
        contest = next(iter(first.values()))
        return [Evidence(name, contest.title, ours, "above 0", holds)]

    return check


def lowest_at(lowest: str, contests: Mapping[str, Contest]) -> Check:
    """Check that the mean of one contest is the smallest of all."""

    def check(results: Comparison) -> list[Evidence]:
        summaries = {name: one.summary(results) for name, one in contests.items()}
        least = summaries[lowest]
        return [
            _evidence(name, contests[name].title, ours, f"over {least.mean:.2f}", holds)
            for name, ours in summaries.items()
            if name != lowest
            for holds in [ours.mean > least.mean]
        ]

    return check


def alike(contests: Mapping[str, Contest], spread: float) -> Check:
    """Check that the largest mean is at most ``spread`` larger than the smallest one."""

    def check(results: Comparison) -> list[Evidence]:
        summaries = {name: one.summary(results) for name, one in contests.items()}
        means = [ours.mean for ours in summaries.values()]
        shown = [
            Evidence(name, contests[name].title, ours.written(2, quartiles=False))
            for name, ours in summaries.items()
        ]
        failed = any(ours.failure for ours in summaries.values())
        apart = max(means) - min(means)
        holds = FAILED if failed else YES if apart <= spread else NO
        total = Evidence("all", "largest minus smallest", f"{apart:.2f}", f"to {spread:g}", holds)
        return [*shown, total]

    return check


def mostly_positive(contests: Mapping[str, Contest]) -> Check:
    """Check that more than half of the trials of every contest have a positive value."""

    def check(results: Comparison) -> list[Evidence]:
        evidence = []
        for name, contest in contests.items():
            failure = contest.failure(results)
            share = 0.0 if failure else float(np.mean(contest.values(results) > 0))
            holds = FAILED if failure else YES if share > 0.5 else NO
            shown = FAILED if failure else f"{100 * share:.0f}% of trials"
            evidence.append(Evidence(name, contest.title, shown, "over 50%", holds))
        return evidence

    return check


def takes_times_as_long(
    first: str, second: str, datasets: Sequence[str], low: float, high: float
) -> Check:
    """Check that the ratio of median fit times is within bounds on more than half of the data."""
    against, claimed = f"time of {first} / {second}", f"{low:g} to {high:g}"

    def check(results: Comparison) -> list[Evidence]:
        if any(failure_of(results, name, first, second) for name in datasets):
            return [Evidence("all", against, FAILED, claimed, FAILED)]
        ratios = {
            name: _median_time(results, name, first) / _median_time(results, name, second)
            for name in datasets
        }
        typical = sum(low <= ratio <= high for ratio in ratios.values())
        shown = [Evidence(name, against, f"{ratio:.1f}") for name, ratio in ratios.items()]
        ours = f"{typical} of {len(ratios)} within"
        holds = YES if 2 * typical > len(ratios) else NO
        return [*shown, Evidence("all", against, ours, f"most {claimed}", holds)]

    return check


def _median_time(results: Comparison, dataset: str, method: str) -> float:
    return float(np.median(results.values("fit_seconds", dataset, method)))


def _evidence(name: str, against: str, ours: Summary, claimed: str, holds: bool) -> Evidence:
    """Return evidence that decides alone."""
    decided = FAILED if ours.failure else YES if holds else NO
    return Evidence(name, against, ours.written(2, quartiles=False), claimed, decided)


def _pooled(contests: Mapping[str, Contest], results: Comparison) -> tuple[Summary, bool]:
    """Return the mean of means with its standard error, and whether a method failed."""
    summaries = [contest.summary(results) for contest in contests.values()]
    mean = float(np.mean([ours.mean for ours in summaries]))
    error = math.hypot(*(ours.error for ours in summaries)) / len(summaries)
    return Summary(mean, error), any(ours.failure for ours in summaries)


def _quantile(count: int) -> float:
    """Return half the width of a 99% interval that allows for the number of means."""
    return NormalDist().inv_cdf(1.0 - 0.005 / count)


def _bound(word: str, bound: float) -> str:
    return f"{word} {bound:g}" if math.isfinite(bound) else ""


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)
