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
    """Return p-values of the independence of pairs of variables, given other variables.

    The degrees of freedom are summed over the joint values of ``given``. They leave out empty rows
    and columns of a table. If there are 0 degrees of freedom, there is no evidence against
    independence, and the p-value is 1.

    Parameters
    ----------
    counts : CountSource
        Counts of the rows.
    first : sequence of int
        Number of the first variable of each pair.
    second : sequence of int
        Number of the second variable of each pair.
    given : sequence of int, default=()
        Numbers of the variables that form the condition.
    test : {"chi2", "g2"}, default="chi2"
        "chi2" is Pearson's chi-squared statistic; "g2" is the likelihood ratio.

    Returns
    -------
    ndarray of shape (n_pairs,)
        One p-value per pair.
    """
    require_choice("test", test, TESTS)
    statistics = counts.pair_statistics(given, first, second)
    freedom = statistics[:, 2]
    tail = chdtrc(np.maximum(freedom, 1.0), np.maximum(statistics[:, TESTS.index(test)], 0.0))
    return np.where(freedom > 0, tail, 1.0)
