"""Tables as views of experiments that are run once: means, differences, and what fails."""

import json
import math

import numpy as np
import pytest
from scipy import stats

from bayesgrove import TANClassifier, compare
from bayesgrove.evaluation import Comparison
from bayesgrove.evaluation.results import Result
from bayesgrove.reproduce import reproduce
from bayesgrove.reproduce.experiment import Experiment, first_splits, together
from bayesgrove.reproduce.published import PublishedValue
from bayesgrove.reproduce.views.differences import Difference, DifferencesTable
from bayesgrove.reproduce.views.means import MeansTable


@pytest.fixture
def values(made_up):
    """Accuracies of the made-up paper's methods on all splits, run apart."""
    models = {"naive": made_up.Naive(), "tan": TANClassifier(), "late": TANClassifier(alpha=0.5)}
    found = compare(models, made_up.data, made_up.splits)
    made_up.Naive.fits = 0
    return {(d, m): found.values("accuracy", d, m) for d in found.datasets for m in found.models}


def results(**accuracies):
    """Results on one data set from accuracies by method."""
    pieces = [
        Result("d", method, f"split {i}", i, 90, 10, {"accuracy": value})
        for method, own in accuracies.items()
        for i, value in enumerate(own, 1)
    ]
    return Comparison(pieces, {"models": dict.fromkeys(accuracies, ""), "data": {"d": ""}})


# One run, several views -----------------------------------------------------------------------


def test_experiments_are_run_once_for_all_tables(made_up):
    found = reproduce("900")
    assert [view.table.number for view in found.tables] == ["1", "2", "3"]
    assert made_up.Naive.fits == 10  # two data sets, five splits
    assert len(found.results.results) == 25


def test_means_and_differences_are_of_the_same_values(made_up, values):
    means, differences, first = reproduce("900").tables
    assert [(c.dataset, c.method) for c in means.cells] == [
        ("parity", "naive"),
        ("parity", "tan"),
        ("plain", "naive"),
    ]
    assert means.cells[1].ours == pytest.approx(100 * values["parity", "tan"].mean())
    assert means.cells[1].spread == pytest.approx(100 * values["parity", "tan"].std(ddof=1))
    naive, tan = values["parity", "naive"], values["parity", "tan"]
    own = differences.cells[0].ours
    assert own.points == pytest.approx(100 * (naive - tan).mean())
    expected = stats.ttest_rel(naive, tan)
    assert own.t == pytest.approx(expected.statistic)
    assert (own.mark == "-") == (expected.pvalue <= 0.05)
    assert first.cells[0].ours == pytest.approx(100 * naive[:3].mean())
    assert first.text_table().rows[0][2:4] == [
        f"{100 * naive[:3].mean():.2f}",
        f"{100 * naive[:3].std(ddof=1):.2f}",
    ]


def test_a_table_runs_only_what_it_shows(made_up, tmp_path):
    found = reproduce("900", "4", folder=tmp_path)
    assert made_up.Naive.fits == 0
    assert {path.name for path in tmp_path.iterdir()} == {"tan", "late"}
    (view,) = found.tables
    (cell,) = view.cells  # only parity has both methods
    assert (cell.dataset, cell.method, cell.verdict) == ("parity", "late", "ours only")
    assert cell.figures[1] == "-"
    assert view.summary == "The paper prints no numbers for this table."


def test_choices_are_said_once(made_up):
    first, second, third, claims = reproduce("900").text_tables()
    assert first.notes[-1] == "It is made up."
    assert "It is made up." not in second.notes
    assert second.notes[-1] == "And small."
    assert "It is made up." not in third.notes
    assert "conclusions" in claims.title


def test_a_run_goes_on_experiment_by_experiment(made_up, tmp_path):
    reproduce("900", "2", folder=tmp_path)
    assert made_up.Naive.fits == 10
    pieces = tmp_path / "naive" / "results.jsonl"
    lines = pieces.read_text().splitlines(keepends=True)
    pieces.write_text("".join(lines[:4]))
    whole = reproduce("900", folder=tmp_path, resume=True)
    assert made_up.Naive.fits == 16  # the six that were lost
    assert whole.text_tables() == reproduce("900").text_tables()
    kept = [json.loads(line) for line in pieces.read_text().splitlines()]
    assert len(kept) == 10


def test_the_quick_look_is_the_first_splits(made_up, values):
    found = reproduce("900", quick=True)
    means, *_ = found.tables
    assert found.claims == []
    assert made_up.Naive.fits == 4
    assert means.cells[0].ours == pytest.approx(100 * values["parity", "naive"][:2].mean())


# Differences ----------------------------------------------------------------------------------


def test_a_difference_by_hand():
    a, b = [0.90, 0.88, 0.93, 0.91], [0.85, 0.86, 0.86, 0.88]
    found = Difference.between(results(a=a, b=b), "d", "a", "b")
    expected = stats.ttest_rel(a, b)
    assert found.points == pytest.approx(4.25)
    assert found.t == pytest.approx(expected.statistic)
    assert expected.pvalue < 0.05
    assert str(found) == f"4.25 ({expected.statistic:.2f}) +"
    back = Difference.between(results(a=a, b=b), "d", "b", "a")
    assert (back.points, back.t, back.mark) == (-found.points, -found.t, "-")


@pytest.mark.parametrize(("shift", "mark"), [(0.0, ""), (0.02, "+"), (-0.02, "-")])
def test_marks_are_those_of_the_t_test(shift, mark):
    rng = np.random.default_rng(4)
    a = rng.normal(0.8, 0.02, 30)
    b = a - shift + rng.normal(0, 0.01, 30)
    found = Difference.between(results(a=a, b=b), "d", "a", "b")
    assert found.mark == mark
    assert (stats.ttest_rel(a, b).pvalue <= 0.05) == bool(mark)


def judged_difference(ours, value, t, mark="", widest=math.inf):
    """A cell of our difference ``ours`` in points, with the standard error 1, and a printed one."""
    shift = np.array([-1.0, 1.0, -1.0, 1.0]) * math.sqrt(3)  # of four: 2 / sqrt(4)
    table = DifferencesTable(
        number="4",
        title="t",
        experiments=(Experiment("e", {"a": None, "b": None}, {"d": None}, {}),),
        base="b",
        others=("a",),
        widest=widest,
        explanations={("d", "a"): "known"},
    )
    figure = PublishedValue("000", "4", "d", "a minus b", "accuracy difference", value, t, mark, "")
    (cell,) = table.cells(results(a=0.5 + (ours + shift) / 100, b=[0.5] * 4), [figure])
    return table, cell


@pytest.mark.parametrize(
    ("ours", "value", "t", "verdict"),
    [
        (5.0, 6.0, 3.0, "agrees"),  # their error is 2: the combined error is 2.24
        (5.0, 9.0, 4.5, "agrees"),
        (5.0, 10.0, 5.0, "differs"),
        (1.0, -1.0, -10.0, "agrees"),  # their error is 0.1
        (1.0, -1.1, -11.0, "differs"),
        (1.0, 0.0, 0.0, "agrees"),  # their error is not known: the combined error is 1.41
    ],
)
def test_differences_agree_within_two_combined_standard_errors(ours, value, t, verdict):
    _, cell = judged_difference(ours, value, t)
    assert (cell.verdict, cell.reason) == (verdict, "" if verdict == "agrees" else "known")
    theirs = value / t if t else 1.0
    error = math.sqrt(1.0 + theirs**2 + 0.01**2 / 12)
    assert cell.judgement.distance == pytest.approx((ours - value) / error)
    assert cell.figures[1:] == [f"{value:.2f} ({t:.2f})  ", f"{(ours - value) / error:+.1f}"]


@pytest.mark.parametrize(("t", "verdict"), [(6.0, "agrees"), (7.0, "not testable")])
def test_a_difference_of_ours_may_not_be_much_wider_than_theirs(t, verdict):
    """Ours has the error 1, theirs 6 / 6 or 6 / 7."""
    _, cell = judged_difference(5.0, 6.0, t, widest=1.001)
    assert cell.verdict == verdict
    assert ("wider" in cell.reason) == (verdict == "not testable")


@pytest.mark.parametrize(("ours", "mark"), [(20.0, "+"), (-20.0, "-"), (1.0, "")])
def test_marks_are_counted_beside(ours, mark):
    for theirs in ("+", "-", ""):
        table, cell = judged_difference(ours, 5.0, 9.9, theirs)
        assert cell.ours.mark == mark
        assert cell.same_mark == (mark == theirs)
        assert table.summary([cell]).endswith(f"{int(mark == theirs)} of 1 marks are the same.")


def test_the_grid_of_differences(made_up, values):
    grid = reproduce("900").tables[1].text_table()
    assert grid.header == ["data set", "method", "ours", "theirs", "distance", "verdict"]
    parity, plain = grid.rows
    assert parity[:2] == ["parity", "naive"]
    assert (parity[3], parity[5]) == ("-40.00 (-12.00) -", "agrees")
    assert (plain[3], plain[5]) == ("3.00 (4.00) +", "differs (1)")
    assert grid.notes[0] == "1 of 2 cells agree. 1 of 2 marks are the same."
    assert "minus the accuracy of tan in percentage points" in grid.notes[1]
    assert "(1) a misprint." in grid.notes
    assert max(map(len, grid.to_text(80).splitlines())) <= 80


def test_several_methods_stand_beside_one_printed_figure():
    both = Experiment("both", {"CB, one": None, "CB, two": None}, {"d": None}, {})
    names = {"CB, one": "CB", "CB, two": "CB"}
    table = MeansTable(number="choices", title="t", experiments=(both,), splits=2, names=names)
    printed = [PublishedValue("900", "2", "d", "CB", "accuracy%", 50.0, 5.0, "", "")]
    cells = table.cells(results(**{"CB, one": [0.5, 0.6], "CB, two": [0.1, 0.2]}), printed)
    assert [(c.method, c.ours) for c in cells] == [
        ("CB, one", pytest.approx(55.0)),
        ("CB, two", pytest.approx(15.0)),
    ]
    assert [c.agrees for c in cells] == [True, False]


# Failures -------------------------------------------------------------------------------------


def test_a_failed_piece_shows_in_both_kinds_of_view(made_up):
    made_up.Naive.failing = True
    means, differences, _ = reproduce("900").tables
    failed = [c for c in means.cells if c.failure]
    assert {c.method for c in failed} == {"naive"}
    assert failed[0].figures == ["-", "-", "50.0", "5.0", "-"]
    assert means.cells[1].verdict in ("agrees", "differs")
    for view in (means, differences):
        grid = view.text_table()
        assert grid.rows[0][-1] == "FAILED (1)"
        assert "(1) ValueError: It has no mind to." in grid.notes
    assert [c.verdict for c in differences.cells] == ["FAILED", "FAILED"]
    assert not any(c.agrees for c in differences.cells)


def test_one_failed_split_is_enough():
    found = results(a=[0.9, 0.8, 0.7], b=[0.5, 0.6, 0.5])
    broken = Result("d", "b", "split 4", 4, failure="took too long")
    whole = Comparison([*found.results, broken], found.plan)
    assert str(Difference.between(whole, "d", "a", "b")) == "FAILED"


def test_what_failed_is_tried_again(made_up, tmp_path):
    made_up.Naive.failing = True
    reproduce("900", "2", folder=tmp_path)
    made_up.Naive.failing = False
    again = reproduce("900", "2", folder=tmp_path, resume=True)
    assert not again.results.failures
    assert again.text_tables() == reproduce("900", "2").text_tables()


# Parts ----------------------------------------------------------------------------------------


def test_runs_together_and_their_first_splits():
    both = together([results(a=[0.1, 0.2, 0.3]), results(b=[0.4, 0.5, 0.6])])
    assert (both.models, both.datasets) == (["a", "b"], ["d"])
    few = first_splits(both, 2)
    assert few.values("accuracy", "d", "a").tolist() == [0.1, 0.2]
    assert few.values("accuracy", "d", "b").tolist() == [0.4, 0.5]
