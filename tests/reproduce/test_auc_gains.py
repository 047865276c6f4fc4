"""Differences in ROC area trial by trial: means, intervals, quartiles and verdicts by hand."""

import math

import numpy as np
import pytest

from bayesgrove.evaluation import Comparison
from bayesgrove.evaluation.results import Result
from bayesgrove.reproduce.published import PublishedValue
from bayesgrove.reproduce.views.auc_gains import (
    AUCGainsTable,
    Contest,
    Summary,
    lost,
    points,
    quartile_errors,
)
from bayesgrove.reproduce.views.claims import Claim
from bayesgrove.reproduce.views.gain_checks import (
    alike,
    larger,
    lowest_at,
    mostly_positive,
    nearly_always_better,
    surely,
    takes_times_as_long,
    within,
)


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
def test_cells_agree_within_two_standard_errors(sign):
    found = AGAINST.summary(results(AREAS))
    wide = 2.576 * found.error  # the printed interval is as wide as ours
    apart = 2 * math.hypot(found.error, found.error)
    inside = figure("d", 18.75 + sign * 0.999 * apart, 1.001 * wide, "1.5..27")
    outside = figure("d", 18.75 + sign * 1.01 * apart, 1.001 * wide, "1.5..27")
    narrow = figure("d", 18.75, 0.999 * wide)
    far = figure("d", 18.75 + sign * 1.01 * apart, 0.999 * wide)
    own = table(d=AGAINST)
    printed = [inside, outside, narrow, far, figure("another", 1.0, 1.0)]
    cells = own.cells(results(AREAS), printed)
    assert [cell.verdict for cell in cells] == ["agrees", "differs", "not testable", "differs"]
    assert cells[2].reason == "Our interval is wider than the printed one"
    assert own.summary(cells).startswith("1 of 3 cells agree. 1 more are not testable.")


def test_quartiles_are_judged():
    random = np.random.default_rng(0)
    values = random.normal(size=400)
    low, high = quartile_errors(values)
    # For normal values the standard error of a quartile is sqrt(p (1 - p) / n) / density.
    expected = math.sqrt(0.25 * 0.75 / 400) / 0.3178
    assert (low, high) == pytest.approx((expected, expected), rel=0.25)
    areas = {("d", "AMA"): (0.5 + 0.005 * values).tolist(), ("d", "GTT"): [0.5] * 400}
    ours = AGAINST.summary(results(areas))
    (q1, q3), (e1, e3) = ours.quartiles, ours.quartile_errors
    # The printed interval is 4/3 as wide: combined, the error is 5/3 of ours.
    for inside, text in ((1.9, "2 of 2 quartiles agree."), (2.1, "0 of 2 quartiles agree.")):
        mark = f"{q1 - inside * 5 / 3 * e1}..{q3 + inside * 5 / 3 * e3}"
        own = table(d=AGAINST)
        cells = own.cells(results(areas), [figure("d", ours.mean, 4 / 3 * ours.half, mark)])
        assert own.summary(cells) == f"1 of 1 cells agree. {text}"
        assert cells[0].figures[3:5] == [f"{inside:+.1f}", f"{-inside:+.1f}"]


def test_contests_without_printed_numbers():
    own = table(d=AGAINST)
    (cell,) = own.cells(results(AREAS), [])
    assert (cell.method, cell.verdict) == ("AMA vs GTT", "ours only")
    assert cell.figures[1:] == ["-", "-", "4 (1 out)"]
    assert own.summary([cell]) == "The paper prints no numbers for this table."


def test_the_figures_of_a_cell():
    own = table(d=AGAINST)
    printed = [figure("d", 16.0, 1.3, "7.7..27"), figure("d", 0.322, 0.72)]
    with_quartiles, without = own.cells(results(AREAS), printed)
    ours, theirs, *_, trials = with_quartiles.figures
    assert ours.endswith("[0.0, 31.2]")
    assert (theirs, trials) == ("16 ± 1.3 [7.7, 27]", "4 (1 out)")
    assert without.figures[1] == "0.322 ± 0.72"
    assert "[" not in without.figures[0]
    assert len(own.columns) == len(without.figures)


def test_one_failed_trial_of_any_method_fails_the_cell():
    for failed in (("d", "AMA"), ("d", "GTT")):
        (cell,) = table(d=AGAINST).cells(results(AREAS, failed), [figure("d", 18.0, 9.0)])
        assert (cell.verdict, cell.reason) == ("FAILED", "took too long")
        assert cell.figures == ["-", "18 ± 9", "-", "-"]
    assert table(d=AGAINST).cells(results(AREAS, ("d", "SNN")), [figure("d", 18.0, 99.0)])[0].agrees


def test_nothing_but_perfect_areas_and_a_single_trial():
    perfect = {("d", "AMA"): [0.9, 0.8], ("d", "GTT"): [1.0, 1.0]}
    (cell,) = table(d=AGAINST).cells(results(perfect), [figure("d", 0.0, 9.0)])
    assert (cell.verdict, cell.reason) == ("FAILED", "no trial has a value")
    single = {("d", "AMA"): [0.9], ("d", "GTT"): [0.8]}
    (cell,) = table(d=AGAINST).cells(results(single), [figure("d", 50.0, 9.0)])
    assert cell.ours.mean == pytest.approx(50.0)
    assert cell.verdict == "not testable"  # one trial has no interval


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


def outcome(check, found):
    return Claim("It is so.", check, ()).verdict_on(1, found).outcome


GAINS = {
    ("a", "AMA"): [0.75, 0.7501],  # about 50
    ("b", "AMA"): [0.6, 0.6001],  # about 20
    ("c", "AMA"): [0.4, 0.4001],  # about -20
    **{(name, "GTT"): [0.5, 0.5] for name in "abc"},
}
BY_NAME = {name: Contest((name,), "AMA", ("GTT",)) for name in "abc"}


def only(*names):
    return {name: BY_NAME[name] for name in names}


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        (surely(only("a", "c"), above=0), "not true"),
        (surely(only("a", "c"), above=0, somewhere=True), "true"),
        (surely(only("c"), above=0, somewhere=True), "not true"),
        (within(only("a", "b"), 19, 51), "true"),
        (within(only("a", "b"), 19, 49), "not true"),
        (larger(only("a"), only("b", "c")), "true"),
        (larger(only("b", "c"), only("a")), "not true"),
        (larger(only("a", "c"), only("b", "a")), "not true"),
        (lowest_at("c", BY_NAME), "true"),
        (lowest_at("b", BY_NAME), "not true"),
        (alike(only("a", "b"), 31), "true"),
        (alike(only("a", "b"), 29), "not true"),
        (mostly_positive(only("a", "b")), "true"),
        (mostly_positive(only("a", "c")), "not true"),
        (nearly_always_better("AMA", "GTT", "ab"), "true"),
        (nearly_always_better("AMA", "GTT", "abc"), "not true"),
    ],
)
def test_checks_by_hand(check, verdict):
    assert outcome(check, results(GAINS)) == verdict
    assert outcome(check, results(GAINS, ("a", "AMA"))) in ("not decided", verdict)


def test_a_few_exceptions_are_allowed():
    names = [str(i) for i in range(10)]
    areas = {(name, "GTT"): [0.5] for name in names}
    for worse, verdict in ((1, "true"), (2, "not true")):
        ours = {(name, "AMA"): [0.4 if int(name) < worse else 0.6] for name in names}
        check = nearly_always_better("AMA", "GTT", names)
        assert outcome(check, results(areas | ours)) == verdict
        assert len(check(results(areas | ours))) == worse + 1


def test_times_are_ratios_of_medians():
    seconds = {("d", "AMA"): [4.0, 1.0, 8.0], ("d", "GTT"): [1.0, 1.0, 9.0]}  # 4 and 1
    pieces = [
        Result(*cell, f"trial {i}", i, 9, 9, {"fit_seconds": value})
        for cell, own in seconds.items()
        for i, value in enumerate(own)
    ]
    found = Comparison(pieces, {})
    assert outcome(takes_times_as_long("AMA", "GTT", ["d"], 3, 10), found) == "true"
    assert outcome(takes_times_as_long("AMA", "GTT", ["d"], 5, 10), found) == "not true"


def test_points_and_the_summary_of_nothing():
    assert points(0.75, 0.5) == 25.0
    assert Summary.of(np.array([-math.inf])).failure == "no trial has a value"
