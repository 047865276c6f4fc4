"""The rule of agreement, by hand."""

import math

import pytest

from bayesgrove.evaluation import Comparison
from bayesgrove.evaluation.results import Result
from bayesgrove.reproduce.experiment import Experiment
from bayesgrove.reproduce.published import PublishedValue
from bayesgrove.reproduce.views.agreement import Estimate, combined_error, compared, perturbation
from bayesgrove.reproduce.views.means import MeansTable
from bayesgrove.reproduce.views.tables import View


@pytest.mark.parametrize(
    ("ours", "distance", "verdict"),
    [(100.0, 0.0, "agrees"), (99.0, -2.0, "agrees"), (101.05, 2.1, "differs")],
)
def test_two_combined_standard_errors(ours, distance, verdict):
    """The errors 0.3 and 0.4 combine to 0.5."""
    found = compared(Estimate(ours, 0.3), Estimate(100.0, 0.4))
    assert found.distance == pytest.approx(distance)
    assert found.verdict == verdict


def test_an_unknown_error_is_taken_to_be_ours():
    assert combined_error(Estimate(1.0, 3.0), Estimate(2.0)) == pytest.approx(3 * math.sqrt(2))
    assert combined_error(Estimate(1.0, 0.0), Estimate(2.0)) == 0.0


def test_the_same_splits_add_no_error_of_ours():
    assert combined_error(Estimate(1.0, 0.0), Estimate(2.0, 0.4)) == pytest.approx(0.4)


def test_rounding_is_a_part_of_the_error():
    """A number that is rounded to whole ones has an error of 1 / sqrt(12)."""
    error = combined_error(Estimate(1.0, 0.0), Estimate(2.0, 0.0), rounding=0.5)
    assert error == pytest.approx(math.sqrt(1 / 12))
    near, far = (
        compared(Estimate(ours, 0.0), Estimate(2.0, 0.0), rounding=0.5) for ours in (2.5, 2.6)
    )
    assert (near.verdict, far.verdict) == ("agrees", "differs")


def test_without_any_error_only_the_same_number_agrees():
    exact = Estimate(2.0, 0.0)
    assert compared(exact, exact) == compared(exact, Estimate(2.0))
    assert compared(exact, exact).verdict == "agrees"
    assert compared(Estimate(2.1, 0.0), exact).distance == math.inf
    assert compared(Estimate(1.9, 0.0), exact).distance == -math.inf


@pytest.mark.parametrize(
    ("ours", "error", "verdict"),
    [
        (5.0, 1.0, "agrees"),
        (5.0, 1.01, "not testable"),
        (9.0, 1.01, "differs"),  # too far in any case
        (9.0, 4.0, "not testable"),  # near only because it is imprecise
    ],
)
def test_a_wide_interval_of_ours_cannot_agree(ours, error, verdict):
    found = compared(Estimate(ours, error), Estimate(4.0, 1.0), widest=1.0)
    assert found.verdict == verdict
    assert bool(found.reason) == (verdict == "not testable")


def test_what_is_not_a_number_does_not_agree():
    assert compared(Estimate(math.nan, 1.0), Estimate(4.0, 1.0)).verdict == "differs"


def test_a_perturbation_by_hand():
    assert perturbation(Estimate(10.0), Estimate(10.5), 0.5) == ""
    reason = perturbation(Estimate(10.0), Estimate(11.0), 0.5)
    assert "from 10.00 to 11.00, by more than the tolerance of 0.50" in reason


def results(**accuracies):
    """Results on one data set from accuracies by method."""
    pieces = [
        Result("d", method, f"split {i}", i, 90, 10, {"accuracy": value})
        for method, own in accuracies.items()
        for i, value in enumerate(own, 1)
    ]
    return Comparison(pieces, {"models": dict.fromkeys(accuracies, ""), "data": {"d": ""}})


@pytest.mark.parametrize(("moved", "verdict"), [(0.01, "agrees"), (0.06, "not testable")])
def test_cells_that_a_tiny_change_moves_are_not_testable(moved, verdict):
    """Our error is 1.15 / 2, theirs 4 / 2, in percent: the tolerance is 4.16."""
    values = [0.69, 0.71] * 2
    found = results(m=values, changed=[value + moved for value in values])
    table = MeansTable(
        number="2",
        title="t",
        experiments=(Experiment("e", {"m": None, "changed": None}, {"d": None}, {}),),
        splits=4,
        perturbed={"m": ("changed",)},
    )
    printed = PublishedValue("900", "2", "d", "m", "accuracy%", 70.5, 4.0, "", "")
    (cell,) = table.cells(found, [printed])
    assert cell.verdict == verdict
    assert ("tiny change" in cell.reason) == (verdict == "not testable")
    expected = "1 of 1 cells agree." if verdict == "agrees" else "0 of 0 cells agree. 1 more"
    assert table.summary([cell]).startswith(expected)


def test_fitted_choices_are_labelled():
    table = MeansTable(number="2", title="t", experiments=(), splits=4, fitted=("The level.",))
    assert "Fitted to these numbers: The level." in View("900", table, []).text_table().notes
