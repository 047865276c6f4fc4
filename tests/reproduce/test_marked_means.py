"""Tables of means with marks against one method, by hand."""

import math

import numpy as np
import pytest
from scipy import stats

from bayesgrove.evaluation import Comparison
from bayesgrove.evaluation.results import Result
from bayesgrove.reproduce.experiment import Experiment
from bayesgrove.reproduce.published import PublishedValue
from bayesgrove.reproduce.views.differences import Difference, Measure
from bayesgrove.reproduce.views.marked_means import MarkedMeansTable

RNG = np.random.default_rng(5)
BASE = 60 + 3 * RNG.standard_normal(50)
SHIFTS = {"base": 0.0, "near": 0.3, "below": -4.0, "above": 4.0}
METHODS = {name: BASE + step + RNG.standard_normal(50) for name, step in SHIFTS.items()}
EXPERIMENT = Experiment("e", dict.fromkeys(METHODS), {"d": None}, {})


def results(**failures):
    """RRSE on 50 splits of 90 training and 10 test rows; methods may fail on the last."""
    pieces = [
        Result(
            "d", name, f"split {i}", i, 90, 10, {"rrse": value}, failures.get(name, "") * (i > 49)
        )
        for name, own in METHODS.items()
        for i, value in enumerate(own, 1)
    ]
    return Comparison(pieces, {"models": dict.fromkeys(METHODS, ""), "data": {"d": ""}})


def table(**options):
    return MarkedMeansTable(
        number="2",
        title="t",
        experiments=(EXPERIMENT,),
        metric="rrse",
        printed_as="RRSE%",
        factor=1.0,
        splits=50,
        base="base",
        test="corrected",
        **options,
    )


def printed(**marks):
    return [
        PublishedValue("900", "2", "d", name, "RRSE%", 60.0, 3.0, marks.get(name, ""), "")
        for name in METHODS
    ]


@pytest.mark.parametrize("method", ["near", "below", "above"])
def test_the_corrected_test_by_hand(method):
    found = Difference.between(results(), "d", method, "base", Measure("rrse", 1.0, "corrected"))
    d = METHODS[method] - METHODS["base"]
    t = d.mean() / math.sqrt(d.var(ddof=1) * (1 / 50 + 10 / 90))
    significant = abs(t) > stats.t.ppf(0.975, 49)
    assert found.points == pytest.approx(d.mean())
    assert found.t == pytest.approx(t)
    assert found.mark == (("+" if t < 0 else "-") if significant else "")
    assert significant == (method != "near")


def test_marks_stand_beside_the_means():
    cells = table().cells(results(), printed(below="+", above="+"))
    rows = {cell.method: cell.figures for cell in cells}
    assert [rows[name][0][-1] for name in METHODS] == [" ", " ", "+", "-"]
    assert [rows[name][2:4] for name in METHODS] == [
        ["60.0  ", "3.0"],
        ["60.0  ", "3.0"],
        ["60.0 +", "3.0"],
        ["60.0 +", "3.0"],
    ]
    assert [cell.same_mark for cell in cells] == [False, True, True, False]  # the base has none


def test_the_summary_counts_marks_where_the_paper_has_some():
    own = table()
    known = own.summary(own.cells(results(), printed(below="+", above="+")))
    assert known.endswith("of 4 cells agree. 2 of 3 marks are the same.")
    assert "marks" not in own.summary(own.cells(results(), printed()))
    assert (
        "better than base, -: significantly worse (corrected resampled t-test, 5% level)"
        in own.legend
    )


def test_a_base_that_failed_leaves_no_mark():
    cells = table().cells(results(base="no memory"), printed(below="+"))
    assert [cell.failure for cell in cells] == ["no memory", "", "", ""]
    assert not any(cell.same_mark for cell in cells)
    assert cells[2].figures[0].endswith(" ")
