"""How well a structure predicts, with tables from one part of the rows, the other part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesgrove.parameters import Dirichlet
from bayesgrove.scores.prediction import network_score

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource
    from bayesgrove.network import Structure


def predictive_score(
    structure: Structure, learning: CountSource, judging: CountSource, scoring: str = "accuracy"
) -> float:
    """Return the mean score on ``judging`` of a structure with tables from ``learning``.

    The tables have one pseudo-count per cell; ``scoring`` is "accuracy" or "log_loss".
    """
    states = [tuple(range(card)) for card in learning.cards]
    return network_score(Dirichlet().estimate(structure, learning, states), judging, scoring)
