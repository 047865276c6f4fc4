"""The conclusions of a paper, checked on our results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesgrove.evaluation import TextTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bayesgrove.evaluation import Comparison
    from bayesgrove.reproduce.experiment import Experiment

    Check = Callable[[Comparison], list["Evidence"]]

YES, NO, FAILED = "yes", "no", "FAILED"
ACCURACIES = (
    "ours: difference in accuracy in percentage points, t of the paired t-test in parentheses, and "
    "+ or - if the difference is significant at 95%."
)


@dataclass(frozen=True)
class Evidence:
    """A number of our results that a claim depends on.

    ``holds`` is "yes", "no" or "FAILED". It is empty if the number alone decides nothing.
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
    text : str
        The conclusion.
    check : callable
        Function that takes our results and returns the evidence for or against the conclusion.
    experiments : tuple of Experiment
        Experiments that the check needs.
    legend : str
        How to read the numbers of the evidence. The default is for differences in accuracy.
    """

    text: str
    check: Check
    experiments: tuple[Experiment, ...]
    legend: str = ACCURACIES

    def verdict_on(self, number: int, results: Comparison) -> Verdict:
        """Check the claim on our results; ``number`` is its position in the list of the paper."""
        return Verdict(number, self, self.check(results))


@dataclass(frozen=True)
class Verdict:
    """A claim with its evidence; ``number`` is its position in the list of the paper."""

    number: int
    claim: Claim
    evidence: list[Evidence]

    @property
    def outcome(self) -> str:
        """The text "true", "not true" or "not decided"."""
        holds = {one.holds for one in self.evidence}
        return "not decided" if FAILED in holds else "not true" if NO in holds else "true"


def claims_table(title: str, verdicts: Sequence[Verdict]) -> TextTable:
    """Return a table of all claims: the evidence in rows, and the verdicts as notes."""
    rows = [
        [f"{verdict.number}", one.dataset, one.comparison, one.ours, one.claimed, one.holds]
        for verdict in verdicts
        for one in verdict.evidence
    ]
    true = sum(verdict.outcome == "true" for verdict in verdicts)
    notes = (
        f"{true} of {len(verdicts)} conclusions are true of our run.",
        *dict.fromkeys(verdict.claim.legend for verdict in verdicts),
        *(
            f"({verdict.number}) {verdict.outcome.upper()}: {verdict.claim.text}"
            for verdict in verdicts
        ),
    )
    header = ["claim", "data set", "comparison", "ours", "claimed", "holds"]
    return TextTable(title, header, rows, notes=notes)
