"""Checks of options: what is refused, and in which words."""

import ast
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import bayesgrove
from bayesgrove import KDBClassifier, OptionError, TANClassifier, load_dataset
from bayesgrove._utils.options import (
    require_choice,
    require_count,
    require_flag,
    require_fraction,
    require_level,
    require_number,
    require_seed,
)


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
    with pytest.raises(ValueError, match=f"^a={value!r} must be a number above 0 and at most 0.5"):
        require_fraction("a", value, largest=0.5)


def test_truth_values_of_python_and_numpy():
    for value in (True, False, np.True_, np.False_):
        require_flag("a", value)
    for value in (0, 1, "True", None, np.int8(1)):
        with pytest.raises(ValueError, match=r"^a=.* must be True or False"):
            require_flag("a", value)


@pytest.mark.parametrize(
    "refuse",
    [
        lambda: require_number("a", "x"),
        lambda: require_number("a", -1, lowest=0),
        lambda: require_fraction("a", 2),
        lambda: require_flag("a", 1),
        lambda: require_level("a", 1),
        lambda: require_count("a", -1),
        lambda: require_seed("a", -1),
        lambda: require_choice("a", "x", ("y", "z")),
        lambda: KDBClassifier(-1).fit([[1], [2]], [0, 1]),
        lambda: TANClassifier(root="nowhere").fit(*load_dataset("vote")),
        lambda: TANClassifier(n_jobs="two").fit([[1], [2]], [0, 1]),
    ],
)
def test_a_refused_option_is_an_option_error(refuse):
    with pytest.raises(OptionError, match=r"^[a-z_]+=\S"):
        refuse()


def test_wrong_data_are_not_an_option_error():
    with pytest.raises(ValueError, match="sample") as caught:
        TANClassifier().fit([[1], [2]], [0, 1], sample_weight=[-1, 1])
    assert not isinstance(caught.value, OptionError)


OTHERS = {"report"}
"""`report` refuses numbers to draw, not options."""


def test_whatever_names_an_option_and_its_value_is_an_option_error():
    root = Path(bayesgrove.__file__).parent
    for path in sorted(root.rglob("*.py")):
        if path.relative_to(root).parts[0] in OTHERS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and _raises_value_error(node):
                message = ast.unparse(node.exc.args[0])
                wrong = re.match(r"""f?['"]([a-z_]+|\{\w+\})(\[\S*\])?=""", message)
                assert not wrong, f"{path}, line {node.lineno}: {message}"


def _raises_value_error(node):
    return (
        isinstance(node.exc, ast.Call)
        and getattr(node.exc.func, "id", "") == "ValueError"
        and bool(node.exc.args)
    )
