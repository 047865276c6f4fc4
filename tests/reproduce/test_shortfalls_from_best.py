"""Shortfalls from the best method, class by class, by hand."""

import math

import numpy as np
import pytest

from bayesgrove.evaluation import Comparison, Outcome
from bayesgrove.evaluation.results import Result
from bayesgrove.reproduce.experiment import Experiment
from bayesgrove.reproduce.published import PublishedValue
from bayesgrove.reproduce.views.claims import Claim
from bayesgrove.reproduce.views.shortfalls_from_best import (
    ShortfallsTable,
    areas_by_class,
    gap,
    leading,
    leads_most_often,
    no_zero,
    shortfalls,
    shortfalls_are,
)

NONE = math.nan
METHODS = ("a", "b", "c")
# Two folds of three classes; the second class is only in the second fold, the third in none.
AREAS = {
    "a": [[0.8, NONE, NONE], [0.6, 0.9, NONE]],  # 0.7 and 0.9
    "b": [[0.9, NONE, NONE], [0.9, 0.8, NONE]],  # 0.9 and 0.8
    "c": [[0.5, NONE, NONE], [0.5, 1.0, NONE]],  # 0.5 and 1.0
}
EXPECTED = {
    "a": (2 / 3 + 1.0) / 2,  # (0.9 - 0.7) / 0.3 and (1 - 0.9) / 0.1
    "b": (0.0 + 1.0) / 2,
    "c": (0.8 + 0.0) / 2,
}


def pieces(dataset, areas):
    return [
        Result(dataset, method, f"fold {i}", 1, 9, 9, {f"auc of {k}": v for k, v in enumerate(own)})
        for method, folds in areas.items()
        for i, own in enumerate(folds)
    ]


def results(**data):
    found = [piece for dataset, areas in data.items() for piece in pieces(dataset, areas)]
    return Comparison(found, {"models": dict.fromkeys(METHODS), "data": dict.fromkeys(data)})


def even(**areas):
    """Areas of one class on one fold."""
    return {method: [[area]] for method, area in areas.items()}


def test_areas_are_named_by_class():
    known = np.array([[0.9, 0.1, 0.0], [0.2, 0.8, 0.0], [0.6, 0.4, 0.0]])
    outcome = Outcome(np.array([0, 1, 1]), known.argmax(axis=1), known, np.ones(3))
    found = areas_by_class(outcome)
    assert list(found) == ["auc of 0", "auc of 1", "auc of 2"]
    assert list(found.values()) == pytest.approx([1.0, 1.0, NONE], nan_ok=True)


def test_shortfalls_by_hand():
    assert shortfalls(results(d=AREAS), "d", METHODS) == pytest.approx(EXPECTED)


def test_all_perfect_is_no_shortfall():
    found = shortfalls(results(d=even(a=1.0, b=1.0, c=0.5)), "d", METHODS)
    assert found == {"a": 0.0, "b": 0.0, "c": 1.0}


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ({"a": 0.1, "b": 0.2, "c": 0.3}, "ab"),
        ({"a": 0.3, "b": 0.2, "c": 0.204}, "bc"),
        ({"a": 0.0, "b": 0.2, "c": 0.204}, "a"),  # two share one place
        ({"a": 0.0, "b": 0.2, "c": 0.206}, "ab"),
        ({"a": 0.0, "b": 0.0, "c": 0.1}, "ab"),
        ({"a": 0.0, "b": 0.0, "c": 0.0}, ""),  # three share two places
    ],
)
def test_the_two_best_and_ties(scores, expected):
    assert leading(scores) == set(expected)


@pytest.fixture
def table():
    data = dict.fromkeys(["d", "e"])
    return ShortfallsTable(
        number="5",
        title="t",
        experiments=(Experiment("x", dict.fromkeys(METHODS), data, {}),),
        methods=METHODS,
        underlined={"d": frozenset("ab"), "e": frozenset("ab")},
    )


def printed(*datasets):
    metric = "delta to the best"
    return [
        PublishedValue("001", "5", name, method, metric, 0.5, None, "", "")
        for name in datasets
        for method in METHODS
    ]


def test_cells_agree_by_value_beside_the_marks(table):
    found = table.cells(results(d=AREAS), printed("d"))
    assert [cell.figures for cell in found] == [
        ["0.83  ", "0.50 *", "+0.33"],
        ["0.50 *", "0.50 *", "+0.00"],
        ["0.40 *", "0.50  ", "-0.10"],
    ]
    assert [cell.verdict for cell in found] == ["differs", "agrees", "differs"]
    assert [cell.same_mark for cell in found] == [False, True, False]
    # All printed numbers are the same, so shuffling ours changes nothing.
    assert table.summary(found) == (
        "1 of 3 cells agree. 2 differ by at most 0.1. If our numbers were shuffled, 1 would agree "
        "and 2 differ by at most 0.1. 1 of 3 are among the two best in both or in neither; with "
        "two methods drawn at random it would be 2."
    )


def test_statements_on_single_data_sets():
    found = results(d=AREAS, e=even(a=0.9, b=0.8, c=0.7))
    claimed = {"a": 0.80, "b": 0.5}
    assert verdict(shortfalls_are("d", claimed, METHODS), found) == "true"  # 0.83 and 0.50
    assert verdict(shortfalls_are("d", claimed | {"c": 0.3}, METHODS), found) == "not true"
    assert verdict(no_zero("d", METHODS), found) == "true"
    assert verdict(no_zero("e", METHODS), found) == "not true"


def test_a_failed_method_fails_all_cells_of_its_data_set(table):
    whole = results(d=AREAS, e=even(a=0.9, b=0.8, c=0.7))
    whole.results.append(Result("d", "b", "fold 9", failure="no memory"))
    found = table.cells(whole, printed("d", "e"))
    assert [cell.verdict for cell in found] == ["FAILED"] * 3 + ["differs", "agrees", "differs"]
    assert found[0].figures == ["-", "0.50 *", "-"]
    assert found[0].reason == "no memory"


def verdict(check, found):
    return Claim("It is so.", check, ()).verdict_on(1, found).outcome


def test_who_leads_most_often():
    found = results(d=even(a=0.9, b=0.8, c=0.7), e=even(a=0.9, b=0.7, c=0.8))
    counts = {"a": 2, "b": 1, "c": 1}
    most = leads_most_often("a", METHODS, ("d", "e"), counts)
    assert verdict(most, found) == "true"
    assert [one.ours for one in most(found)] == ["2", "1", "1", "2"]
    assert [one.claimed for one in most(found)] == ["2", "1", "1", "over 1"]
    assert verdict(leads_most_often("b", METHODS, ("d", "e"), counts), found) == "not true"
    only = leads_most_often("a", METHODS, ("d",), counts)  # as often as b
    assert verdict(only, found) == "not true"


def test_gaps_by_hand():
    # b falls short by 0.5, 0.5 and 0.2, a by nothing: 40 ± 10
    data = {"d": even(a=0.9, b=0.8, c=0.1), "e": even(a=0.8, b=0.6, c=0.1)}
    found = results(**data, f=even(a=0.5, b=0.375, c=0.1))
    names = ("d", "e", "f")
    check = gap("b", "a", METHODS, names, level=0.99)
    (one,) = check(found)
    assert (one.ours, one.claimed, one.holds) == ("40.0 ± 10.0", "99%", "yes")
    assert verdict(gap("a", "b", METHODS, names, level=0.5), found) == "not true"
    between = gap("b", "a", METHODS, names, level=0.75, not_at=0.95)
    assert between(found)[0].claimed == "75%, not 95%"
    assert verdict(between, found) == "not true"
    broken = Result("d", "c", "fold 9", failure="no memory")
    assert verdict(check, Comparison([*found.results, broken], found.plan)) == "not decided"
