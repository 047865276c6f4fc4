"""Conclusions of papers on our runs: true, not true, not decided."""

import numpy as np
import pytest

from bayesgrove.evaluation import Comparison
from bayesgrove.evaluation.pieces import Piece
from bayesgrove.reproduce import reproduce
from bayesgrove.reproduce.claims import (
    Claim,
    Judgement,
    all_of,
    claims_grid,
    marks,
    mostly_lower,
    tally,
)

WIGGLE = np.array([0.01, -0.01, 0.01, -0.01])
DATA = ("up", "down", "same")


@pytest.fixture
def results():
    """Method a is better than b on up, worse on down, the same on same."""
    steps = {"up": 0.2, "down": -0.2, "same": 0.0}
    pieces = [
        Piece(dataset, method, f"split {i}", i, 90, 10, {"accuracy": value})
        for dataset, step in steps.items()
        for method, own in {"a": 0.5 + step + WIGGLE, "b": np.full(4, 0.5)}.items()
        for i, value in enumerate(own, 1)
    ]
    return Comparison(pieces, {"models": {"a": "", "b": ""}, "data": dict.fromkeys(steps, "")})


def verdict(check, results):
    return Claim("It is so.", check, ()).judged(1, results).verdict


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
        (mostly_lower("a", "b", DATA), "not true"),
        (mostly_lower("a", "b", ("down", "down", "up")), "true"),
        (mostly_lower("a", "b", ("down", "up")), "not true"),  # half is not most
        (all_of(marks("a", "b", {"up": "+"}), marks("a", "b", {"down": "-"})), "true"),
        (all_of(marks("a", "b", {"up": "+"}), marks("a", "b", {"down": "+"})), "not true"),
    ],
)
def test_what_becomes_of_claims(results, check, expected):
    assert verdict(check, results) == expected


def test_lower_need_not_be_significantly_lower(results):
    shift = np.array([-0.2, 0.1, -0.2, 0.1])
    pieces = [
        Piece("slightly", method, f"split {i}", i, 90, 10, {"accuracy": value})
        for method, own in {"a": 0.5 + shift, "b": np.full(4, 0.5)}.items()
        for i, value in enumerate(own, 1)
    ]
    more = Comparison(pieces, {"models": {"a": "", "b": ""}, "data": {"slightly": ""}})
    assert verdict(mostly_lower("a", "b", ["slightly"]), more) == "not true"
    assert verdict(mostly_lower("a", "b", ["slightly"], significantly=False), more) == "true"


@pytest.mark.parametrize(
    "check",
    [
        marks("a", "b", {"up": "+", "down": "+"}),
        tally("a", "b", DATA, better=1, worse=1),
        mostly_lower("a", "b", DATA),
    ],
)
def test_nothing_is_decided_by_what_failed(results, check):
    broken = Piece("up", "a", "split 5", 5, failure="took too long")
    failed = Comparison([*results.pieces, broken], results.plan)
    judgement = Claim("It is so.", check, ()).judged(1, failed)
    assert judgement.verdict == "not decided"
    assert "FAILED" in [one.ours for one in judgement.evidence]


def test_the_figures_that_decide_are_shown(results):
    claims = [
        Claim("Up.", marks("a", "b", {"up": "+", "same": "-"}), ()),
        Claim("One each.", tally("a", "b", DATA, better=1, worse=1), ()),
    ]
    grid = claims_grid("900", [own.judged(i, results) for i, own in enumerate(claims, 1)])
    assert grid.header == ["claim", "data set", "comparison", "ours", "claimed", "holds"]
    up, same, *single, whole = grid.rows
    assert up[:3] == ["1", "up", "a minus b"]
    assert up[3].startswith("20.00 (")
    assert up[3].endswith("+")
    assert up[4:] == ["higher", "yes"]
    assert same[4:] == ["lower", "no"]
    assert [row[1] for row in single] == list(DATA)
    assert all(row[4:] == ["", ""] for row in single)
    assert whole == ["2", "all", "a minus b", "1 +, 1 -", "1 +, 1 -", "yes"]
    assert grid.notes[0] == "1 of 2 conclusions are true of our run."
    assert grid.notes[-2:] == ("(1) NOT TRUE: Up.", "(2) TRUE: One each.")


def test_claims_come_after_the_tables(made_up):
    found = reproduce("900")
    assert [own.number for own in found.claims] == [1, 2, 3]
    assert all(isinstance(own, Judgement) for own in found.claims)
    assert [own.verdict for own in found.claims] == ["true", "not true", "true"]
    assert found.grids()[-1].title == "Paper 900: its conclusions on our run"


def test_only_claims_whose_experiments_were_run(made_up):
    assert [own.number for own in reproduce("900", "2").claims] == [1, 2]
    assert [own.number for own in reproduce("900", "4").claims] == [3]
    alone = reproduce("900", "3")
    assert alone.claims == []
    assert len(alone.grids()) == 1
