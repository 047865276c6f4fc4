"""Checks of claims about methods, based on significant differences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bayesgrove.reproduce.experiment import failure_of, first_splits
from bayesgrove.reproduce.views.claims import FAILED, NO, YES, Evidence
from bayesgrove.reproduce.views.differences import ACCURACY, Difference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bayesgrove.evaluation import Comparison
    from bayesgrove.reproduce.views.claims import Check
    from bayesgrove.reproduce.views.differences import Measure

RELATIONS: dict[str, Callable[[Difference], bool]] = {
    "+": lambda one: one.mark == "+",
    "-": lambda one: one.mark == "-",
    "not +": lambda one: one.mark != "+",
    "not -": lambda one: one.mark != "-",
    "higher": lambda one: one.points > 0,
    "lower": lambda one: one.points < 0,
    "not lower": lambda one: one.points >= 0,
}
"""Relations of two methods, by the name that evidence shows."""
_MEANING = {"+": "better", "-": "worse", "": "no difference"}


def all_of(*checks: Check) -> Check:
    """Return a check that holds if all the checks hold."""
    return lambda results: [one for check in checks for one in check(results)]


def on_first(splits: int, check: Check) -> Check:
    """Return the check, restricted to the first splits of every data set."""
    return lambda results: check(first_splits(results, splits))


def marks(
    first: str, second: str, expected: Mapping[str, str], measure: Measure = ACCURACY
) -> Check:
    """Check per data set whether the difference of two methods has the expected mark.

    The mark is + if the first method is significantly better, - if it is worse, else empty.
    """

    def check(results: Comparison) -> list[Evidence]:
        evidence = []
        for dataset, mark in expected.items():
            ours = Difference.between(results, dataset, first, second, measure)
            holds = FAILED if ours.failure else YES if ours.mark == mark else NO
            evidence.append(
                Evidence(dataset, f"{first} minus {second}", str(ours), _MEANING[mark], holds)
            )
        return evidence

    return check


def tally(
    first: str,
    second: str,
    datasets: Sequence[str],
    measure: Measure = ACCURACY,
    *,
    better: int | None = None,
    worse: int | None = None,
    either: int | None = None,
    each: bool = True,
) -> Check:
    """Check the number of data sets on which the first method is significantly better or worse.

    ``better``, ``worse`` and ``either`` are the claimed numbers; None means that there is no claim.
    ``each`` is whether all differences are shown; otherwise only failures are.
    """
    claimed = {"+": better, "-": worse, "+ or -": either}

    def check(results: Comparison) -> list[Evidence]:
        differences = [
            Difference.between(results, name, first, second, measure) for name in datasets
        ]
        signs = [one.mark for one in differences]
        ours = {kind: sum(sign in kind.split() for sign in signs) for kind in claimed}
        expected = {kind: count for kind, count in claimed.items() if count is not None}
        total = Evidence(
            "all",
            f"{first} minus {second}",
            _counted({kind: ours[kind] for kind in ("+", "-")}),
            _counted(expected),
            _decided(differences, all(ours[kind] == count for kind, count in expected.items())),
        )
        shown = _shown(first, second, datasets, differences)
        return [*(one for one in shown if each or one.ours == FAILED), total]

    return check


def often(
    comparisons: Sequence[tuple[str, str, str]],
    relation: str,
    *,
    least: int,
    measure: Measure = ACCURACY,
    each: bool = True,
) -> Check:
    """Check that a relation holds in at least ``least`` of the comparisons.

    A comparison is a data set with two methods. ``relation`` is a key of `RELATIONS`, such as "+"
    (the first method is significantly better) or "lower" (it has a lower mean). ``each`` is whether
    all comparisons are shown; otherwise only those in which the relation does not hold.
    """

    def check(results: Comparison) -> list[Evidence]:
        differences = [Difference.between(results, *one, measure) for one in comparisons]
        holding = sum(RELATIONS[relation](one) for one in differences)
        total = Evidence(
            "all",
            _compared(comparisons),
            f"{holding} of {len(comparisons)} {relation}",
            f"{least} or more {relation}",
            _decided(differences, holding >= least),
        )
        shown = [
            Evidence(dataset, f"{first} minus {second}", str(one))
            for (dataset, first, second), one in zip(comparisons, differences, strict=True)
            if each or not RELATIONS[relation](one)
        ]
        return [*shown, total]

    return check


def smaller_decrease(
    first: str, before_first: str, second: str, before_second: str, datasets: Sequence[str]
) -> Check:
    """Check that one method loses less accuracy than another, on average over the data sets.

    The loss of a method is its accuracy subtracted from that of the method before it.
    """

    def check(results: Comparison) -> list[Evidence]:
        pairs = ((first, before_first), (second, before_second))
        differences = [
            [Difference.between(results, name, *pair) for name in datasets] for pair in pairs
        ]
        ours, other = (
            -sum(one.points for one in changes) / len(datasets) for changes in differences
        )
        decided = _decided([*differences[0], *differences[1]], ours < other)
        name = f"{before_first} minus {first}"
        return [Evidence("all", name, f"{ours:.2f}", f"below {other:.2f}", decided)]

    return check


def worse_somewhere(
    methods: Sequence[str], base: str, datasets: Sequence[str], measure: Measure, *, count: int
) -> Check:
    """Check the number of data sets on which a method is significantly worse than the base."""

    def check(results: Comparison) -> list[Evidence]:
        differences = {
            (name, method): Difference.between(results, name, method, base, measure)
            for name in datasets
            for method in methods
        }
        places = {name for (name, _), one in differences.items() if one.mark == "-"}
        shown = [
            Evidence(name, f"{method} minus {base}", str(one))
            for (name, method), one in differences.items()
            if one.mark == "-" or one.failure
        ]
        total = Evidence(
            "all",
            f"any minus {base}",
            f"- on {len(places)}",
            f"- on {count}",
            _decided(differences.values(), len(places) == count),
        )
        return [*shown, total]

    return check


def higher_or_wider(
    first: str, second: str, datasets: Sequence[str], metric: str, *, but: int
) -> Check:
    """Check that the first method has a higher mean or spread on all but ``but`` data sets."""
    name, claimed = f"{first} against {second}", f"all but {but}"

    def check(results: Comparison) -> list[Evidence]:
        if any(failure_of(results, dataset, first, second) for dataset in datasets):
            return [Evidence("all", name, FAILED, claimed, FAILED)]
        pairs = [
            [results.values(metric, dataset, one) for one in (first, second)]
            for dataset in datasets
        ]
        others = sum(a.mean() <= b.mean() and a.std() <= b.std() for a, b in pairs)
        holds = YES if others == but else NO
        return [Evidence("all", name, f"all but {others}", claimed, holds)]

    return check


def means_within(
    method: str,
    metric: str,
    factors: Mapping[str, float],
    *,
    lowest: float = -math.inf,
    highest: float = math.inf,
) -> Check:
    """Check that the means of a method, times a factor per data set, lie within bounds."""
    claimed = f"at least {lowest:.0f}" if lowest > -math.inf else f"at most {highest:.0f}"

    def check(results: Comparison) -> list[Evidence]:
        evidence = []
        for dataset, factor in factors.items():
            if failure_of(results, dataset, method):
                evidence.append(Evidence(dataset, method, FAILED, claimed, FAILED))
                continue
            mean = factor * float(results.values(metric, dataset, method).mean())
            holds = YES if lowest <= mean <= highest else NO
            evidence.append(Evidence(dataset, method, f"{mean:.0f}", claimed, holds))
        return evidence

    return check


def _compared(comparisons: Sequence[tuple[str, str, str]]) -> str:
    """Return the two methods of all comparisons, or the number of comparisons."""
    pairs = {(first, second) for _, first, second in comparisons}
    if len(pairs) > 1:
        return f"{len(comparisons)} comparisons"
    return " minus ".join(*pairs)


def _counted(counts: Mapping[str, int]) -> str:
    """Return counts as text, such as "3 +, 2 -"."""
    return ", ".join(f"{count} {kind}" for kind, count in counts.items())


def _shown(
    first: str, second: str, datasets: Sequence[str], differences: Sequence[Difference]
) -> list[Evidence]:
    """Return one row of evidence per data set, which decides nothing alone."""
    return [
        Evidence(name, f"{first} minus {second}", str(one))
        for name, one in zip(datasets, differences, strict=True)
    ]


def _decided(differences: Iterable[Difference], holds: bool) -> str:
    """Return whether a claim holds, or that a method failed."""
    if any(one.failure for one in differences):
        return FAILED
    return YES if holds else NO
