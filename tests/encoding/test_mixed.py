"""Columns of codes and numbers, whose numbers are cut."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bayesgrove.encoding import EqualFrequencyDiscretizer, MDLPDiscretizer, MixedTable

NAN = np.nan
WORDS = np.uint8([0, 2, 1, 3, 0, 1])
CLASSES = np.uint8([0, 0, 0, 1, 1, 1])


def test_halves_by_hand():
    """Of 1, 2, 4 and 5 the halves are cut at 3, and at 1.5 where 1 has a weight of 9."""
    numbers = np.array([2.0, 5, NAN, 1, 4, NAN])
    table = MixedTable([numbers, WORDS], [0, 3], CLASSES, 2)
    cut = table.encoded(EqualFrequencyDiscretizer(2))
    assert cut.cards == [2, 3]
    assert_array_equal(cut.columns[0], [0, 1, 2, 0, 1, 2])
    assert cut.columns[1] is WORDS
    assert (cut.rows, cut.n_classes, cut.continuous, cut.weights) == (6, 2, [], None)
    assert_array_equal(cut.target, CLASSES)
    weights = np.array([1.0, 1, 1, 9, 1, 1])
    heavy = MixedTable([numbers], [0], CLASSES, 2, weights).encoded(EqualFrequencyDiscretizer(2))
    assert_array_equal(heavy.columns[0], [1, 1, 2, 0, 1, 2])
    assert heavy.weights is weights


def test_nothing_to_cut_is_one_interval():
    table = MixedTable([np.full(6, 0.5), np.full(6, NAN)], [0, 0], CLASSES, 2)
    for discretizer in (MDLPDiscretizer(), EqualFrequencyDiscretizer(3)):
        cut = table.encoded(discretizer)
        assert cut.cards == [1, 1]
        assert_array_equal(cut.columns, [[0] * 6, [1] * 6])


@pytest.mark.parametrize("bins", [5, 300])
def test_intervals_are_those_of_the_transformer(bins):
    rng = np.random.default_rng(0)
    numbers = np.where(rng.random(900) < 0.1, NAN, rng.normal(size=900).round(3))
    target = (rng.random(900) < 0.5).astype(np.uint8)
    discretizer = EqualFrequencyDiscretizer(bins)
    cut = MixedTable([numbers], [0], target, 2).encoded(discretizer)
    codes = discretizer.fit_transform(numbers[:, None], target)[:, 0]
    assert cut.cards == [np.nanmax(codes) + 1]
    assert_array_equal(cut.columns[0], np.where(np.isnan(codes), cut.cards[0], codes))
