"""Info-AS: attributes with the most information about the class, given the selected attributes.

M. Singh and G. Provan (1995). Efficient learning of selective Bayesian network classifiers.
MS-CIS-95-36, University of Pennsylvania.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import require_choice, require_level
from bayesgrove._utils.renamed import renamed
from bayesgrove._utils.ties import row_noise
from bayesgrove.contracts import selection_from_moves
from bayesgrove.scores.independence import p_values
from bayesgrove.scores.information import conditional_entropies
from bayesgrove.search import Move, first_best

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.contracts import Selection
    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats

METRICS = ("cig", "cgr", "cdc")


@renamed(alpha="level", stop="stop_by")
@dataclass(frozen=True)
class InfoAS:
    """The node selection phase of Info-AS: forward selection by a conditional information metric.

    The selection starts with no attributes. It repeatedly adds the attribute A whose metric is
    largest, given the set D of attributes selected so far (section 4.2 of the paper). Ties (equal
    up to rounding) go to the earlier column. If the denominator of a metric is 0, the metric is 0.

    Parameters
    ----------
    metric : {"cig", "cgr", "cdc"}, default="cgr"
        The information metric (section 4.1 of the paper), where C is the class. "cig" is the
        conditional information gain I(A;C|D) (definition 4.1). "cgr" is the conditional gain ratio
        I(A;C|D) / H(A|D) (definition 4.2). "cdc" is the complement of the conditional distance,
        I(A;C|D) / H(A,C|D) (definition 4.3).
    stop_by : {"zero", "chi2"}, default="zero"
        When the selection stops. "zero" adds attributes while one has a positive metric (larger
        than rounding errors). "chi2" also excludes attributes that a chi-squared test finds
        independent of the class, given D.
    level : float, default=0.05
        The significance level of the test of ``stop_by="chi2"``, between 0 and 1.

    References
    ----------
    M. Singh and G. Provan (1995). Efficient learning of selective Bayesian network classifiers.
    MS-CIS-95-36, University of Pennsylvania, section 4.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier
    >>> from bayesgrove.selection import InfoAS
    >>> X = [[a, b, c, a] for a in "ny" for b in "ny" for c in "ny"] * 6
    >>> y = [row[0] + row[1] for row in X]
    >>> BayesianNetworkClassifier(selection=InfoAS("cgr")).fit(X, y).selected_
    ['x0', 'x1']
    """

    metric: str = "cgr"
    stop_by: str = "zero"
    level: float = 0.05

    def select(self, counts: CountSource) -> Selection:
        """Add attributes while one has a positive metric.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        Selection
            The selected attributes, and one step per attribute with its metric.
        """
        self._check()
        selected: list[int] = []
        remaining = list(range(counts.n_attributes))
        moves = []
        while remaining:
            values = self.values(counts, selected, remaining)
            best = first_best(values, row_noise(counts.rows))
            if not values[best] > 0:
                break
            moves.append(Move(remaining[best], float(values[best])))
            selected.append(remaining.pop(best))
        return selection_from_moves(counts, moves)

    def values(
        self, counts: CountSource, selected: Sequence[int], remaining: Sequence[int]
    ) -> Floats:
        """Return the metric of each remaining attribute, given the selected attributes.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.
        selected : sequence of int
            The numbers of the attributes selected so far (the paper's set D).
        remaining : sequence of int
            The numbers of the attributes to evaluate.

        Returns
        -------
        ndarray of shape (n_remaining,)
            The metric of each remaining attribute. It is 0 where the metric is not larger than
            rounding errors, and where the chi-squared test excludes the attribute.
        """
        self._check()
        gain, attribute_entropy, joint_entropy = conditional_entropies(counts, selected, remaining)
        one = np.ones_like(gain)
        denominator = {"cig": one, "cgr": attribute_entropy, "cdc": joint_entropy}[self.metric]
        noise = row_noise(counts.rows)
        metric = np.divide(gain, denominator, out=np.zeros_like(gain), where=denominator > noise)
        metric[metric <= noise] = 0.0
        if self.stop_by == "chi2":
            target = [counts.n_attributes] * len(remaining)
            metric[p_values(counts, remaining, target, selected) > self.level] = 0.0
        values: Floats = metric
        return values

    def _check(self) -> None:
        require_choice("metric", self.metric, METRICS)
        require_choice("stop_by", self.stop_by, ("zero", "chi2"))
        require_level("level", self.level)
