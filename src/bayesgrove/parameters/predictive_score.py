"""How well a structure predicts validation rows, with tables from the learning rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesgrove.parameters import Dirichlet
from bayesgrove.scores.prediction import network_score

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource
    from bayesgrove.network import Structure


def predictive_score(
    structure: Structure, learning: CountSource, validation: CountSource, scoring: str = "accuracy"
) -> float:
    """Return the mean score of a structure on validation rows, with tables from the learning rows.

    Parameters
    ----------
    structure : Structure
        Parents of every node.
    learning : CountSource
        Counts of the rows from which the tables are learned, with one pseudo-count per cell.
    validation : CountSource
        The rows that are predicted and scored.
    scoring : {"accuracy", "log_loss"}, default="accuracy"
        "accuracy" is the share of rows whose class is predicted correctly. "log_loss" is the mean
        log probability of the true class.

    Returns
    -------
    float
        The mean score; larger is better.
    """
    states = [tuple(range(card)) for card in learning.cards]
    return network_score(Dirichlet().estimate(structure, learning, states), validation, scoring)
