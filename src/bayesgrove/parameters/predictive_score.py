"""How well a structure predicts validation rows, with tables from the learning rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove.parameters import Dirichlet
from bayesgrove.scores.monitor import Monitor
from bayesgrove.scores.prediction import network_score
from bayesgrove.scores.validation_splits import validation_splits

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource
    from bayesgrove.network import Structure


def predictive_score(
    structure: Structure,
    learning: CountSource,
    validation: CountSource,
    scoring: str = "accuracy",
    alpha: float = 1.0,
) -> float:
    """Return the mean score of a structure on validation rows, with tables from the learning rows.

    Parameters
    ----------
    structure : Structure
        Parents of every node.
    learning : CountSource
        Counts of the rows from which the tables are learned.
    validation : CountSource
        The rows that are predicted and scored.
    scoring : {"accuracy", "log_loss", "monitor"}, default="accuracy"
        "accuracy" is the share of rows whose class is predicted correctly. "log_loss" is the mean
        log probability of the true class. "monitor" is the global monitor per row: each validation
        row is predicted from the validation rows before it, and the learning rows are not used.
    alpha : float, default=1.0
        Pseudo-count of every cell of the tables.

    Returns
    -------
    float
        The mean score; larger is better.
    """
    if scoring == "monitor":
        return Monitor(validation, alpha=alpha).of(structure) / validation.total
    states = [tuple(range(card)) for card in learning.cards]
    return network_score(
        Dirichlet(alpha).estimate(structure, learning, states), validation, scoring
    )


def scoring_splits(
    counts: CountSource, cv: Any, random_state: int, scoring: str
) -> list[tuple[CountSource, CountSource]]:
    """Return pairs of learning rows and validation rows for a score.

    Parameters
    ----------
    counts : CountSource
        Counts of the training rows.
    cv : {"halves", "training"} or int
        How rows are split, as in `validation_splits`.
    random_state : int
        Seed of the split.
    scoring : str
        Name of the score. "monitor" predicts every row before it learns the row, so that it uses
        all rows and ignores ``cv``.

    Returns
    -------
    list of tuple of CountSource and CountSource
        The learning rows and the validation rows of each split.
    """
    if scoring == "monitor":
        return [(counts, counts)]
    return validation_splits(counts, cv, random_state)
