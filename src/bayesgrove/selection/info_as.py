"""Info-AS: the attribute that tells most about the class, given those selected already.

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
from bayesgrove.contracts import walked
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
    """Forward selection by information about the class C, conditional on what is selected, D.

    ``metric`` is "cig", the conditional information gain I(A;C|D); "cgr", the gain ratio
    I(A;C|D) / H(A|D); or "cdc", the complement of the distance, I(A;C|D) / H(A,C|D). A ratio
    with denominator 0 is 0. ``stop_by="zero"`` goes on as long as an attribute has a positive
    metric (beyond rounding); ``stop_by="chi2"`` leaves out attributes that are independent of the
    class given D by the chi-squared test at level ``level``. Of attributes that are equal up to
    rounding the first column is taken.
    """

    metric: str = "cgr"
    stop_by: str = "zero"
    level: float = 0.05

    def select(self, counts: CountSource) -> Selection:
        """Attributes as long as one tells more."""
        self._check()
        selected: list[int] = []
        left = list(range(counts.n_attributes))
        moves = []
        while left:
            values = self.values(counts, selected, left)
            best = first_best(values, row_noise(counts.rows))
            if not values[best] > 0:
                break
            moves.append(Move(left[best], float(values[best])))
            selected.append(left.pop(best))
        return walked(counts, moves)

    def values(self, counts: CountSource, selected: Sequence[int], left: Sequence[int]) -> Floats:
        """The metric of every attribute that is left; 0 where it is nothing but rounding.

        The test, too, leaves out attributes by a metric of 0.
        """
        self._check()
        gain, attribute, both = conditional_entropies(counts, selected, left)
        one = np.ones_like(gain)
        below = {"cig": one, "cgr": attribute, "cdc": both}[self.metric]
        noise = row_noise(counts.rows)
        metric = np.divide(gain, below, out=np.zeros_like(gain), where=below > noise)
        metric[metric <= noise] = 0.0
        if self.stop_by == "chi2":
            target = [counts.n_attributes] * len(left)
            metric[p_values(counts, left, target, selected) > self.level] = 0.0
        chosen: Floats = metric
        return chosen

    def _check(self) -> None:
        require_choice("metric", self.metric, METRICS)
        require_choice("stop_by", self.stop_by, ("zero", "chi2"))
        require_level("level", self.level)
