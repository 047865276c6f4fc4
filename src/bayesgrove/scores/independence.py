"""Tests of conditional independence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import chdtrc

from bayesgrove._utils.options import require_choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats

TESTS = ("chi2", "g2")


def p_values(
    counts: CountSource,
    first: Sequence[int],
    second: Sequence[int],
    given: Sequence[int] = (),
    test: str = "chi2",
) -> Floats:
    """Of the hypothesis that pairs of variables are independent, given some others.

    "chi2" is Pearson's statistic, "g2" the likelihood ratio. The degrees of freedom are summed
    over the joint values of ``given`` and leave out rows and columns of a table that are empty;
    where none is left, nothing speaks against independence, and the value is 1.
    """
    require_choice("test", test, TESTS)
    found = counts.pair_statistics(given, first, second)
    freedom = found[:, 2]
    tail = chdtrc(np.maximum(freedom, 1.0), np.maximum(found[:, TESTS.index(test)], 0.0))
    return np.where(freedom > 0, tail, 1.0)
