"""The conclusions of a paper, checked on our run."""

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
ACCURACIES = "ours: difference in accuracy in points, (paired t), + or - where significant at 95%."


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
        """Check the claim on our run."""
        return Judgement(number, self, self.check(results))


@dataclass(frozen=True)
class Judgement:
    """A claim with the figures that decide it; its number is its place in the paper's list."""

    number: int
    claim: Claim
    evidence: list[Evidence]

    @property
    def verdict(self) -> str:
        """True, not true or not decided."""
        holds = {one.holds for one in self.evidence}
        return "not decided" if FAILED in holds else "not true" if NO in holds else "true"


def claims_table(paper: str, judgements: Sequence[Judgement]) -> TextTable:
    """Tabulate all claims: the figures in rows, the statements with their verdicts below."""
    rows = [
        [f"{judgement.number}", one.dataset, one.comparison, one.ours, one.claimed, one.holds]
        for judgement in judgements
        for one in judgement.evidence
    ]
    true = sum(judgement.verdict == "true" for judgement in judgements)
    notes = (
        f"{true} of {len(judgements)} conclusions are true of our run.",
        *dict.fromkeys(judgement.claim.legend for judgement in judgements),
        *(
            f"({judgement.number}) {judgement.verdict.upper()}: {judgement.claim.text}"
            for judgement in judgements
        ),
    )
    header = ["claim", "data set", "comparison", "ours", "claimed", "holds"]
    return TextTable(f"Paper {paper}: its conclusions on our run", header, rows, notes=notes)
