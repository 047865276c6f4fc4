"""Differences in ROC area trial by trial: means, intervals, quartiles and verdicts by hand."""

import math

import pytest

from bayesgrove.evaluation import Comparison
from bayesgrove.evaluation.results import Result
from bayesgrove.reproduce.published import PublishedValue
from bayesgrove.reproduce.views.auc_gains import AUCGainsTable, Contest, lost, surely
from bayesgrove.reproduce.views.claims import Claim


def results(areas, failure=None):
    """Results from areas by (data set, method); ``failure`` is the cell that has one."""
    pieces = [
        Result(*cell, f"trial {i}", i, 10, 10, {"auc": value})
        for cell, own in areas.items()
        for i, value in enumerate(own, 1)
    ]
    if failure:
        pieces.append(Result(*failure, "trial 9", 9, failure="took too long"))
    datasets, methods = zip(*areas, strict=True)
    return Comparison(pieces, {"models": dict.fromkeys(methods), "data": dict.fromkeys(datasets)})


def figure(dataset, value, spread, mark=""):
    return PublishedValue("001", "3", dataset, "AMA vs GTT", "delta%", value, spread, mark, "")


def table(**contests):
    return AUCGainsTable(number="3", title="t", experiments=(), contests=contests, meaning="delta")


AREAS = {
    ("d", "AMA"): [0.9, 0.8, 0.7, 1.0, 0.95],
    ("d", "GTT"): [0.8, 0.8, 0.6, 1.0, 1.0],  # 50, 0, 25, 0 and none
}
AGAINST = Contest(("d",), "AMA", ("GTT",))


def test_the_summary_by_hand():
    found = AGAINST.summary(results(AREAS))
    assert found.mean == pytest.approx(18.75)
    deviation = math.sqrt((31.25**2 + 6.25**2 + 2 * 18.75**2) / 3)
    assert found.half == pytest.approx(2.576 * deviation / 2)
    assert found.quartiles == pytest.approx((0.0, 31.25))
    assert (found.count, found.out, found.trials) == (4, 1, "4 (1 out)")
    assert found.written(1) == f"18.8 ± {found.half:.1f} [0.0, 31.2]"


def test_what_is_lost_is_a_share_of_the_first_area():
    areas = {("d", "exact"): [0.8, 0.5], ("d", "AMA n=10"): [0.6, 0.55]}
    values = Contest(("d",), "exact", ("AMA n=10",), lost).values(results(areas))
    assert values.tolist() == pytest.approx([25.0, -10.0])


def test_data_sets_are_pooled_and_methods_averaged():
    areas = {
        ("N=1", "exact"): [0.8, 0.8],
        ("N=1", "n=10"): [0.6, 0.8],  # 25, 0
        ("N=1", "n=12"): [0.8, 0.4],  # 0, 50
        ("N=2", "exact"): [0.5],
        ("N=2", "n=10"): [0.4],  # 20
        ("N=2", "n=12"): [0.5],
    }
    found = results(areas)
    by_n = Contest(("N=1", "N=2"), "exact", ("n=10",), lost).summary(found)
    assert (by_n.mean, by_n.count) == (pytest.approx(15.0), 3)
    values = [25.0, 0.0, 20.0]
    deviation = math.sqrt(sum((v - 15.0) ** 2 for v in values) / 2)
    assert by_n.half == pytest.approx(2.576 * deviation / math.sqrt(3))
    by_size = Contest(("N=1",), "exact", ("n=10", "n=12"), lost)
    assert by_size.values(found).tolist() == pytest.approx([12.5, 25.0])
    assert by_size.summary(found).count == 2


@pytest.mark.parametrize("sign", [1, -1])
def test_cells_agree_within_both_intervals(sign):
    half = AGAINST.summary(results(AREAS)).half
    apart = math.hypot(half, 5.0)
    inside = figure("d", 18.75 + sign * 0.999 * apart, 5.0, "1.5..27")
    outside = figure("d", 18.75 + sign * 1.001 * apart, 5.0, "1.5..27")
    own = table(d=AGAINST)
    cells = own.cells(results(AREAS), [inside, outside, figure("another", 1.0, 1.0)])
    assert [cell.verdict for cell in cells] == ["agrees", "differs"]


def test_the_figures_of_a_cell():
    own = table(d=AGAINST)
    printed = [figure("d", 16.0, 1.3, "7.7..27"), figure("d", 0.322, 0.72)]
    with_quartiles, without = own.cells(results(AREAS), printed)
    ours, theirs, trials = with_quartiles.figures
    assert ours.endswith("[0.0, 31.2]")
    assert (theirs, trials) == ("16 ± 1.3 [7.7, 27]", "4 (1 out)")
    assert without.figures[1] == "0.322 ± 0.72"
    assert "[" not in without.figures[0]
    assert len(own.columns) == len(without.figures)


def test_one_failed_trial_of_any_method_fails_the_cell():
    for failed in (("d", "AMA"), ("d", "GTT")):
        (cell,) = table(d=AGAINST).cells(results(AREAS, failed), [figure("d", 18.0, 9.0)])
        assert (cell.verdict, cell.reason) == ("FAILED", "took too long")
        assert cell.figures == ["-", "18 ± 9", "-"]
    assert table(d=AGAINST).cells(results(AREAS, ("d", "SNN")), [figure("d", 18.0, 9.0)])[0].agrees


def test_nothing_but_perfect_areas_and_a_single_trial():
    perfect = {("d", "AMA"): [0.9, 0.8], ("d", "GTT"): [1.0, 1.0]}
    (cell,) = table(d=AGAINST).cells(results(perfect), [figure("d", 0.0, 9.0)])
    assert (cell.verdict, cell.reason) == ("FAILED", "no trial has a value")
    single = {("d", "AMA"): [0.9], ("d", "GTT"): [0.8]}
    (cell,) = table(d=AGAINST).cells(results(single), [figure("d", 50.0, 9.0)])
    assert cell.ours.mean == pytest.approx(50.0)
    assert not cell.agrees  # one trial has no interval


@pytest.mark.parametrize(
    ("bounds", "verdict"),
    [
        ({"above": 0}, "not true"),  # the mean is, its interval is not
        ({"above": -15}, "true"),
        ({"below": 50}, "true"),
        ({"below": 40}, "not true"),
        ({"above": -15, "below": 50}, "true"),
        ({"above": -15, "below": 30}, "not true"),
    ],
)
def test_conclusions_are_about_whole_intervals(bounds, verdict):
    claim = Claim("It is so.", surely({"d": AGAINST}, **bounds), ())
    summary = AGAINST.summary(results(AREAS))
    assert (summary.mean - summary.half, summary.mean + summary.half) == pytest.approx(
        (-12.1, 49.6), abs=0.1
    )
    assert claim.verdict_on(1, results(AREAS)).outcome == verdict
    assert claim.verdict_on(1, results(AREAS, ("d", "GTT"))).outcome == "not decided"
