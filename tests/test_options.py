"""Checks of options: what is refused, and in which words."""

import math
from fractions import Fraction

import numpy as np
import pytest

from bayesgrove._utils.options import require_flag, require_number, require_part


@pytest.mark.parametrize(
    ("value", "lowest", "message"),
    [
        (math.nan, -1e100, r"^a=nan must be a finite number\.$"),
        (math.inf, -1e100, r"^a=inf must be a finite number\.$"),
        (np.float64("nan"), 0, r"must be a finite number of at least 0\.$"),
        (True, 0, "a=True must be a finite number of at least 0"),
        ("1", -1e100, "a='1' must be a finite number"),
        (-1, 0, r"a=-1 must be a number of at least 0 and at most 1e\+100"),
        (10**400, 0, r"a=10{39} must be a number of at least 0 and at most 1e\+100"),
        (-2e100, -1e100, r"must be a number of at least -1e\+100 and at most 1e\+100"),
    ],
)
def test_no_number_or_one_out_of_bounds(value, lowest, message):
    with pytest.raises(ValueError, match=message):
        require_number("a", value, lowest=lowest)


def test_numbers_of_all_kinds_are_taken():
    for value in (0, 1e100, np.float32(0.5), np.int8(1), Fraction(1, 3)):
        require_number("a", value, lowest=0)


@pytest.mark.parametrize("value", [0, 0.6, math.nan, -math.inf, True, "0.1", None])
def test_no_part(value):
    with pytest.raises(ValueError, match=f"^a={value!r} must lie above 0 and not above 0.5"):
        require_part("a", value, most=0.5)


def test_truth_values_of_python_and_numpy():
    for value in (True, False, np.True_, np.False_):
        require_flag("a", value)
    for value in (0, 1, "True", None, np.int8(1)):
        with pytest.raises(ValueError, match=r"^a=.* must be True or False"):
            require_flag("a", value)
