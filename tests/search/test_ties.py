"""Rules for ties, against exact arithmetic; and that there are none elsewhere."""

import ast
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import bayesgrove
from bayesgrove._utils.ties import (
    MEAN_NOISE,
    SUM_NOISE,
    first_best,
    is_more,
    nearly,
    rounded_for_ties,
    row_noise,
    whole_above,
    whole_below,
)

PACKAGES = ("averaging", "evaluation", "scores", "search", "selection", "structures", "weighting")


def test_shares_of_rows_are_those_of_exact_arithmetic():
    for percent in range(1, 101):
        for rows in (1, 7, 10, 57, 100, 999, 123_456):
            exact = Fraction(percent * rows, 100)
            assert whole_below(percent / 100 * rows) == math.floor(exact)
            assert whole_above(percent / 100 * rows) == math.ceil(exact)


def test_values_that_differ_by_rounding_have_one_rank():
    tenths = np.array([sum([0.1] * n) for n in range(1, 40)])
    exact = [Fraction(n, 10) * 10**12 for n in range(1, 40)]
    assert (tenths != np.arange(1, 40) / 10).any()
    assert rounded_for_ties(tenths).tolist() == exact


@pytest.mark.parametrize("noise", [SUM_NOISE, MEAN_NOISE])
def test_a_margin_is_absolute_near_0_and_relative_far_from_it(noise):
    for value in (0.0, 1.0, -5.0, 1e6):
        margin = noise * (1 + abs(value))
        assert not is_more(value + 0.9 * margin, value, noise)
        assert is_more(value + 1.2 * margin, value, noise)
        assert first_best(np.array([value - 0.9 * margin, value]), noise) == 0
        assert first_best(np.array([value - 1.2 * margin, value]), noise) == 1
    values = np.array([0.0, -2.0, -np.inf])
    assert nearly(values, noise).tolist() == [nearly(value, noise) for value in values.tolist()]


def test_more_rows_have_more_noise():
    assert row_noise(10) == row_noise(70_000) == MEAN_NOISE
    assert row_noise(1 << 20) == 2.0**-36


def test_no_other_file_has_a_rule_of_its_own():
    root = Path(bayesgrove.__file__).parent
    for package in PACKAGES:
        for path in sorted((root / package).glob("*.py")):
            if path.name == "ties.py":
                continue
            numbers = [
                node.value
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(node, ast.Constant) and isinstance(node.value, float)
            ]
            wrong = {SUM_NOISE, 1e-10, MEAN_NOISE, 1e12} & set(numbers)
            assert not wrong, f"{path}: {wrong} belongs into _utils/ties.py"
