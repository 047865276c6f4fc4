"""The global monitor: how well a structure predicts each class from the rows before it.

R. Cowell, A. P. Dawid and D. Spiegelhalter (1993). Sequential model criticism in probabilistic
expert systems. IEEE Transactions on Pattern Analysis and Machine Intelligence 15(3), 209-219.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.memory import require_memory
from bayesgrove._utils.options import OptionError
from bayesgrove.counts import Partition
from bayesgrove.kernels import kernels
from bayesgrove.scores.prediction import row_scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats
    from bayesgrove.network import Structure


class Monitor:
    """The global monitor of structures: the prequential log score of the class.

    It is ``sum_m ln P(c_m | x_m, rows before m)`` over the rows m in the order of the table. The
    tables start with pseudo-counts and are updated after each row. Every row is predicted before
    it is learned, so no rows need to be held out. A row of weight w is counted, and scored, w
    times. A table whose child or attribute parent is missing in a row neither predicts this row
    nor learns from it.

    Parameters
    ----------
    counts : CountSource
        Counts of the rows, which must be in memory.
    option : str, default="scoring"
        Name of the option that chose the monitor, for messages.
    alpha : float, default=1.0
        Pseudo-count per cell, above 0.

    References
    ----------
    R. Cowell, A. P. Dawid and D. Spiegelhalter (1993). Sequential model criticism in probabilistic
    expert systems. IEEE Transactions on Pattern Analysis and Machine Intelligence 15(3), 209-219.
    """

    def __init__(self, counts: CountSource, option: str = "scoring", alpha: float = 1.0) -> None:
        if not counts.in_memory:
            raise OptionError(
                f"{option}='monitor' predicts each row from the rows before it, and needs all rows "
                "in memory. Rows that EM completes are not in memory either: raise the limit by "
                f"set_config(memory_limit=...), use another {option}, or another missing= than "
                "'em'."
            )
        if not alpha > 0:
            raise OptionError(
                f"alpha={alpha!r} must be above 0 with {option}='monitor': the first row is "
                "predicted by the pseudo-counts alone."
            )
        require_memory(
            48 * counts.rows * counts.n_classes,
            f"{option}='monitor'",
            f"choose another {option}, or fewer rows",
        )
        self._cards, self._class, self._alpha = counts.cards, counts.n_attributes, alpha
        self._rows: Encoded = counts.reduce(lambda part: part, lambda first, _: first)

    def of(self, structure: Structure) -> float:
        """Return the monitor of a structure.

        Parameters
        ----------
        structure : Structure
            Parents of every node.

        Returns
        -------
        float
            The sum of the log-probabilities of the true classes; larger is better.
        """
        terms = (self.terms(child, parents) for child, parents in enumerate(structure.parents))
        return self.score(sum(terms, self.nothing()))

    def gains(
        self, joint: Floats, child: int, parents: Sequence[int], candidates: Sequence[int]
    ) -> Floats:
        """Return how much each candidate adds to the monitor as one more parent of a child.

        Parameters
        ----------
        joint : ndarray of shape (n_rows, n_classes)
            The summed terms of the other nodes.
        child : int
            Number of the child.
        parents : sequence of int
            Numbers of its parents.
        candidates : sequence of int
            Numbers of the candidates.

        Returns
        -------
        ndarray of shape (n_candidates,)
            One gain per candidate.
        """
        now = self.score(joint + self.terms(child, parents))
        then = [self.score(joint + self.terms(child, [*parents, v])) for v in candidates]
        return np.array(then) - now

    def score(self, joint: Floats) -> float:
        """Return the sum of the log-probabilities of the true classes.

        Parameters
        ----------
        joint : ndarray of shape (n_rows, n_classes)
            Summed terms of all nodes.

        Returns
        -------
        float
            The weighted sum over the rows.
        """
        return row_scores(joint, self._rows, "log_loss")

    def nothing(self) -> Floats:
        """Return the summed terms of no node: zeros of shape (n_rows, n_classes)."""
        return np.zeros((self._rows.rows, self._cards[-1]))

    def terms(self, child: int, parents: Sequence[int]) -> Floats:
        """Return ``ln P(child | parents)`` of each row for every class, from the rows before it.

        Parameters
        ----------
        child : int
            Number of the child.
        parents : sequence of int
            Numbers of its parents.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The terms. The terms of a family without the class are 0.
        """
        configurations = Partition.whole(self._rows.rows)
        for v in sorted(set(parents) - {self._class}):
            configurations = configurations.refine(self._rows.column(v), self._cards[v])
        if child == self._class:
            return self._class_terms(configurations)
        if self._class not in parents:
            return self.nothing()
        card = self._cards[child]
        cells = configurations.refine(self._rows.column(child), card)
        known = cells.ids >= 0
        ids = np.where(known, configurations.ids, np.int32(-1))
        terms = np.log(self._before(cells.ids, cells.size) + self._alpha)
        terms -= np.log(self._before(ids, configurations.size) + self._alpha * card)
        terms[~known] = 0.0
        return terms

    def _class_terms(self, configurations: Partition) -> Floats:
        """Return ``ln P(class | configuration)`` of each row, from the rows before it."""
        weights = self._before(configurations.ids, configurations.size) + self._alpha
        terms: Floats = np.log(weights) - np.log(weights.sum(axis=1, keepdims=True))
        terms[configurations.ids < 0] = 0.0
        return terms

    def _before(self, ids: NDArray[np.int32], groups: int) -> Floats:
        """Return the weight of the earlier rows of the same group, by class."""
        target = self._rows.column(self._class)
        return kernels.counts_before(ids, groups, target, self._cards[-1], self._rows.weights)
