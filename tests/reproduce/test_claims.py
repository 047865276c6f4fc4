"""Conclusions of papers on our runs: true, not true, not decided."""

import numpy as np
import pytest

from bayesgrove.evaluation import Comparison
from bayesgrove.evaluation.results import Result
from bayesgrove.reproduce import reproduce
from bayesgrove.reproduce.views.checks import (
    all_of,
    higher_or_wider,
    marks,
    often,
    on_first,
    smaller_decrease,
    tally,
    worse_somewhere,
)
from bayesgrove.reproduce.views.claims import Claim, Verdict, claims_table
from bayesgrove.reproduce.views.differences import ACCURACY, Measure

WIGGLE = np.array([0.01, -0.01, 0.01, -0.01])
DATA = ("up", "down", "same")
AB = [(name, "a", "b") for name in DATA]


@pytest.fixture
def results():
    """Method a is better than b on up, worse on down, the same on same."""
    steps = {"up": 0.2, "down": -0.2, "same": 0.0}
    pieces = [
        Result(dataset, method, f"split {i}", i, 90, 10, {"accuracy": value})
        for dataset, step in steps.items()
        for method, own in {"a": 0.5 + step + WIGGLE, "b": np.full(4, 0.5)}.items()
        for i, value in enumerate(own, 1)
    ]
    return Comparison(pieces, {"models": {"a": "", "b": ""}, "data": dict.fromkeys(steps, "")})


def verdict(check, results):
    return Claim("It is so.", check, ()).verdict_on(1, results).outcome


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        (marks("a", "b", {"up": "+", "down": "-", "same": ""}), "true"),
        (marks("b", "a", {"up": "-", "down": "+"}), "true"),
        (marks("a", "b", {"up": "+", "same": "+"}), "not true"),
        (marks("a", "b", {"up": "-"}), "not true"),
        (marks("a", "b", {"down": ""}), "not true"),
        (tally("a", "b", DATA, better=1, worse=1), "true"),
        (tally("a", "b", DATA, better=2, worse=1), "not true"),
        (tally("a", "b", ("up", "same"), better=1, worse=0), "true"),
        (tally("a", "b", DATA, worse=1), "true"),
        (tally("a", "b", DATA, better=0), "not true"),
        (tally("a", "b", DATA, either=2), "true"),
        (tally("a", "b", DATA, either=1), "not true"),
        (worse_somewhere(["a"], "b", DATA, ACCURACY, count=1), "true"),
        (worse_somewhere(["a", "b"], "b", DATA, ACCURACY, count=0), "not true"),
        (often(AB, "-", least=1), "true"),
        (often(AB, "-", least=2), "not true"),
        (often(AB, "+", least=1), "true"),
        (often(AB, "+", least=2), "not true"),
        (often(AB, "not -", least=2), "true"),
        (often(AB, "not -", least=3), "not true"),
        (often(AB, "not +", least=3), "not true"),
        (often(AB, "not lower", least=2), "true"),
        (often(AB, "higher", least=2), "not true"),
        (all_of(marks("a", "b", {"up": "+"}), marks("a", "b", {"down": "-"})), "true"),
        (all_of(marks("a", "b", {"up": "+"}), marks("a", "b", {"down": "+"})), "not true"),
    ],
)
def test_what_becomes_of_claims(results, check, expected):
    assert verdict(check, results) == expected


def test_lower_need_not_be_significantly_lower(results):
    shift = np.array([-0.2, 0.1, -0.2, 0.1])
    more = _on_one("accuracy", {"a": 0.5 + shift, "b": np.full(4, 0.5)})
    assert verdict(often([("d", "a", "b")], "-", least=1), more) == "not true"
    assert verdict(often([("d", "a", "b")], "lower", least=1), more) == "true"


def test_only_what_does_not_hold_is_shown_of_many(results):
    *shown, whole = often(AB, "not -", least=2, each=False)(results)
    assert [(one.dataset, one.comparison) for one in shown] == [("down", "a minus b")]
    assert (whole.ours, whole.claimed, whole.holds) == ("2 of 3 not -", "2 or more not -", "yes")


def test_a_smaller_decrease_by_hand():
    """Method b loses 2 points to a, and d loses 5 to c."""
    means = {"a": 0.9, "b": 0.88, "c": 0.9, "d": 0.85}
    values = _on_one("accuracy", {name: own + WIGGLE for name, own in means.items()})
    (found,) = smaller_decrease("b", "a", "d", "c", ["d"])(values)
    assert (found.ours, found.claimed, found.holds) == ("2.00", "below 5.00", "yes")
    (other,) = smaller_decrease("d", "c", "b", "a", ["d"])(values)
    assert other.holds == "no"


def test_the_level_of_a_measure():
    """t = 3 with 3 degrees of freedom has p = 0.058."""
    step = 0.03 + 0.01 * np.sqrt(3) * np.array([-1, 1, -1, 1])
    values = _on_one("accuracy", {"a": 0.5 + step, "b": np.full(4, 0.5)})
    (strict,) = marks("a", "b", {"d": "+"})(values)
    (kind,) = marks("a", "b", {"d": "+"}, Measure("accuracy", 100.0, "paired", 0.1))(values)
    assert (strict.holds, kind.holds) == ("no", "yes")


def test_fewer_attributes_are_better():
    sizes = _on_one("attributes", {"a": 10 + WIGGLE, "b": np.full(4, 20.0)})
    (found,) = marks("a", "b", {"d": "+"}, Measure("attributes", 1.0, "paired"))(sizes)
    assert found.holds == "yes"


@pytest.mark.parametrize(
    "check",
    [
        marks("a", "b", {"up": "+", "down": "+"}),
        tally("a", "b", DATA, better=1, worse=1),
        often(AB, "-", least=1),
        worse_somewhere(["a"], "b", DATA, ACCURACY, count=1),
        higher_or_wider("a", "b", DATA, "accuracy", but=1),
    ],
)
def test_nothing_is_decided_by_what_failed(results, check):
    broken = Result("up", "a", "split 5", 5, failure="took too long")
    failed = Comparison([*results.results, broken], results.plan)
    verdict = Claim("It is so.", check, ()).verdict_on(1, failed)
    assert verdict.outcome == "not decided"
    assert "FAILED" in [one.ours for one in verdict.evidence]


def test_worse_than_the_base_on_one_data_set_by_two_methods():
    """Methods a and c are worse on the same data set: it counts once, and both are shown."""
    values = {"a": 0.4 + WIGGLE, "b": np.full(4, 0.5), "c": 0.45 + WIGGLE}
    check = worse_somewhere(["a", "c"], "b", ["d"], ACCURACY, count=1)
    *shown, whole = check(_on_one("accuracy", values))
    assert [one.comparison for one in shown] == ["a minus b", "c minus b"]
    assert (whole.ours, whole.holds) == ("- on 1", "yes")


def test_a_lower_error_is_better():
    measure = Measure("rrse", 1.0, "paired")
    errors = _on_one("rrse", {"a": 60 + 100 * WIGGLE, "b": np.full(4, 70.0)})
    (found,) = marks("a", "b", {"d": "+"}, measure)(errors)
    assert (found.ours.split()[0], found.claimed, found.holds) == ("-10.00", "better", "yes")
    (whole,) = tally("b", "a", ["d"], measure, worse=1, each=False)(errors)
    assert (whole.ours, whole.claimed, whole.holds) == ("0 +, 1 -", "1 -", "yes")


@pytest.mark.parametrize(("first", "but", "expected"), [("a", 0, "true"), ("b", 1, "true")])
def test_a_higher_mean_or_a_larger_spread(first, but, expected):
    values = {"a": 50 + WIGGLE, "b": np.full(4, 50.0)}  # the same mean, wider
    second = "b" if first == "a" else "a"
    check = higher_or_wider(first, second, ["d"], "rrse", but=but)
    assert verdict(check, _on_one("rrse", values)) == expected


def test_only_the_first_splits(results):
    """Two of the four are left: the difference is the same, and its t is another."""
    check = marks("a", "b", {"up": "+"})
    (whole,), (half,) = check(results), on_first(2, check)(results)
    assert whole.ours.split()[0] == half.ours.split()[0] == "20.00"
    assert half.ours.split()[1] == "(20.00)"  # 0.2 / sqrt(0.0002 / 2)
    assert half.holds == "yes"


def _on_one(metric, values):
    """Results on one data set, by method."""
    pieces = [
        Result("d", method, f"split {i}", i, 90, 10, {metric: value})
        for method, own in values.items()
        for i, value in enumerate(own, 1)
    ]
    return Comparison(pieces, {"models": dict.fromkeys(values, ""), "data": {"d": ""}})


def test_the_figures_that_decide_are_shown(results):
    claims = [
        Claim("Up.", marks("a", "b", {"up": "+", "same": "-"}), ()),
        Claim("One each.", tally("a", "b", DATA, better=1, worse=1), ()),
    ]
    grid = claims_table(
        "Paper 900: its conclusions on our run",
        [own.verdict_on(i, results) for i, own in enumerate(claims, 1)],
    )
    assert grid.header == ["claim", "data set", "comparison", "ours", "claimed", "holds"]
    up, same, *single, whole = grid.rows
    assert up[:3] == ["1", "up", "a minus b"]
    assert up[3].startswith("20.00 (")
    assert up[3].endswith("+")
    assert up[4:] == ["better", "yes"]
    assert same[4:] == ["worse", "no"]
    assert [row[1] for row in single] == list(DATA)
    assert all(row[4:] == ["", ""] for row in single)
    assert whole == ["2", "all", "a minus b", "1 +, 1 -", "1 +, 1 -", "yes"]
    assert grid.notes[0] == "1 of 2 conclusions are true of our run."
    assert grid.notes[-2:] == ("(1) NOT TRUE: Up.", "(2) TRUE: One each.")


def test_claims_come_after_the_tables(made_up):
    found = reproduce("900")
    assert [own.number for own in found.claims] == [1, 2, 3]
    assert all(isinstance(own, Verdict) for own in found.claims)
    assert [own.outcome for own in found.claims] == ["true", "not true", "true"]
    assert found.text_tables()[-1].title == "Paper 900: its conclusions on our run"


def test_only_claims_whose_experiments_were_run(made_up):
    assert [own.number for own in reproduce("900", "2").claims] == [1, 2]
    assert [own.number for own in reproduce("900", "4").claims] == [3]
    alone = reproduce("900", "3")
    assert alone.claims == []
    assert len(alone.text_tables()) == 1
