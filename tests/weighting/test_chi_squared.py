"""Chi-squared statistics against SciPy."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.stats import chi2_contingency
from scipy.stats.contingency import crosstab

from bayesgrove.contracts import TrainingData
from bayesgrove.weighting import ChiSquared
from support import make_source


def test_statistics_are_those_of_scipy():
    rng = np.random.default_rng(0)
    target = rng.integers(0, 3, 90)
    columns = [np.where(rng.random(90) < p, target, rng.integers(0, 4, 90)) for p in (0.1, 0.5, 1)]
    data = TrainingData.of_counts(make_source([*columns, target], [4, 4, 4, 3]))
    expected = [
        chi2_contingency(crosstab(column, target).count, correction=False).statistic
        for column in columns
    ]
    assert_allclose(ChiSquared().scores(data), expected, rtol=1e-12)
    weights = np.array(expected) / np.mean(expected)
    assert_allclose(ChiSquared().weights(data), weights, rtol=1e-12)


def test_missing_rows_are_shared_out_in_proportion():
    """Of 4 rows that are known 3 are 0: so are 3 of the 4 others, 2 of each class."""
    column, target = [0, 0, 0, 1, 2, 2, 2, 2], [0, 0, 0, 1, 0, 0, 1, 1]
    data = TrainingData.of_counts(make_source([column, target], [2, 2]))
    expected = chi2_contingency([[4.5, 1.5], [0.5, 1.5]], correction=False).statistic
    assert_allclose(ChiSquared().scores(data), [expected], rtol=1e-12)


def test_what_is_missing_throughout_has_no_statistic():
    data = TrainingData.of_counts(make_source([[2, 2, 2], [0, 0, 0], [0, 1, 1]], [2, 1, 2]))
    assert ChiSquared().weights(data).tolist() == [0.0, 0.0]
