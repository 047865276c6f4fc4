"""Information gain against scikit-learn."""

import numpy as np
from numpy.testing import assert_allclose
from sklearn.metrics import mutual_info_score

from bayesgrove.contracts import TrainingData
from bayesgrove.weighting import InformationGain
from support import make_source


def test_gains_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    target = rng.integers(0, 3, 90)
    columns = [np.where(rng.random(90) < p, target, rng.integers(0, 4, 90)) for p in (0.1, 0.5, 1)]
    data = TrainingData.of_counts(make_source([*columns, target], [4, 4, 4, 3]))
    expected = [mutual_info_score(column, target) for column in columns]
    assert_allclose(InformationGain().scores(data), expected, rtol=1e-12)
    weights = np.array(expected) / np.mean(expected)
    assert_allclose(InformationGain().weights(data), weights, rtol=1e-12)


def test_missing_rows_are_shared_out_in_proportion():
    """Of 4 rows that are known 3 are 0: so are 3 of the 4 others, 2 of each class."""
    column, target = [0, 0, 0, 1, 2, 2, 2, 2], [0, 0, 0, 1, 0, 0, 1, 1]
    data = TrainingData.of_counts(make_source([column, target], [2, 2]))
    twice = np.array([[9, 3], [1, 3]])  # The rows with each value and class, times 2.
    values, classes = np.repeat([[0, 0, 1, 1], [0, 1, 0, 1]], twice.ravel(), axis=1)
    expected = mutual_info_score(values, classes)
    assert_allclose(InformationGain().scores(data), [expected], rtol=1e-12)
