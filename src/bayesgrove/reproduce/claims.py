"""What a paper concludes, held against our run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesgrove.evaluation import Grid
from bayesgrove.reproduce.differences import Difference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bayesgrove.evaluation import Comparison
    from bayesgrove.reproduce.experiment import Experiment

    Check = Callable[[Comparison], list["Evidence"]]

YES, NO, FAILED = "yes", "no", "FAILED"
ACCURACIES = "ours: difference in accuracy in points, (paired t), + or - where significant at 95%."
_MEANING = {"+": "higher", "-": "lower", "": "no difference"}


@dataclass(frozen=True)
class Evidence:
    """A figure of our run that a claim rests on.

    ``holds`` is "yes", "no", "FAILED", or empty where the figure alone decides nothing.
    """

    dataset: str
    comparison: str
    ours: str
    claimed: str = ""
    holds: str = ""


@dataclass(frozen=True)
class Claim:
    """A conclusion of a paper, and how it is checked.

    Parameters
    ----------
    text : the statement
    check : from results to the figures that decide
    experiments : that it needs
    legend : how its figures are read
    """

    text: str
    check: Check
    experiments: tuple[Experiment, ...]
    legend: str = ACCURACIES

    def judged(self, number: int, results: Comparison) -> Judgement:
        """What becomes of it on our run."""
        return Judgement(number, self, self.check(results))


@dataclass(frozen=True)
class Judgement:
    """A claim with the figures that decide it; its number is its place in the paper's list."""

    number: int
    claim: Claim
    evidence: list[Evidence]

    @property
    def verdict(self) -> str:
        """In a word or two."""
        found = {one.holds for one in self.evidence}
        return "not decided" if FAILED in found else "not true" if NO in found else "true"


def all_of(*checks: Check) -> Check:
    """All checks must hold."""
    return lambda results: [one for check in checks for one in check(results)]


def marks(first: str, second: str, expected: Mapping[str, str]) -> Check:
    """The first method is significantly better (+), worse (-) or neither (empty), by data set."""

    def check(results: Comparison) -> list[Evidence]:
        found = []
        for dataset, mark in expected.items():
            ours = Difference.between(results, dataset, first, second)
            holds = FAILED if ours.failure else YES if ours.mark == mark else NO
            found.append(
                Evidence(dataset, f"{first} minus {second}", str(ours), _MEANING[mark], holds)
            )
        return found

    return check


def tally(first: str, second: str, datasets: Sequence[str], *, better: int, worse: int) -> Check:
    """The first method is significantly better and worse on so many of the data sets."""

    def check(results: Comparison) -> list[Evidence]:
        found = [Difference.between(results, name, first, second) for name in datasets]
        signs = [one.mark for one in found]
        counts = (signs.count("+"), signs.count("-"))
        whole = Evidence(
            "all",
            f"{first} minus {second}",
            f"{counts[0]} +, {counts[1]} -",
            f"{better} +, {worse} -",
            _decided(found, counts == (better, worse)),
        )
        return [*_shown(first, second, datasets, found), whole]

    return check


def mostly_lower(
    first: str, second: str, datasets: Sequence[str], *, significantly: bool = True
) -> Check:
    """The first method is worse on more than half of the data sets."""

    def check(results: Comparison) -> list[Evidence]:
        found = [Difference.between(results, name, first, second) for name in datasets]
        lower = sum(one.mark == "-" if significantly else one.points < 0 for one in found)
        kind = "-" if significantly else "lower"
        whole = Evidence(
            "all",
            f"{first} minus {second}",
            f"{lower} of {len(datasets)} {kind}",
            f"most {kind}",
            _decided(found, 2 * lower > len(datasets)),
        )
        return [*_shown(first, second, datasets, found), whole]

    return check


def claims_grid(paper: str, judgements: Sequence[Judgement]) -> Grid:
    """All claims: the figures in rows, the statements and what became of them below."""
    rows = [
        [f"{own.number}", one.dataset, one.comparison, one.ours, one.claimed, one.holds]
        for own in judgements
        for one in own.evidence
    ]
    true = sum(own.verdict == "true" for own in judgements)
    notes = (
        f"{true} of {len(judgements)} conclusions are true of our run.",
        *dict.fromkeys(own.claim.legend for own in judgements),
        *(f"({own.number}) {own.verdict.upper()}: {own.claim.text}" for own in judgements),
    )
    header = ["claim", "data set", "comparison", "ours", "claimed", "holds"]
    return Grid(f"Paper {paper}: its conclusions on our run", header, rows, notes=notes)


def _shown(
    first: str, second: str, datasets: Sequence[str], found: Sequence[Difference]
) -> list[Evidence]:
    return [
        Evidence(name, f"{first} minus {second}", str(one))
        for name, one in zip(datasets, found, strict=True)
    ]


def _decided(found: Sequence[Difference], holds: bool) -> str:
    if any(one.failure for one in found):
        return FAILED
    return YES if holds else NO
