"""Papers' tables: the printed figures, distances and verdicts by hand, and a small run."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bayesgrove import KDBClassifier, compare
from bayesgrove.evaluation import Comparison, CrossValidation, FixedSplit
from bayesgrove.evaluation.results import Result
from bayesgrove.reproduce import PAPERS, find_paper, reproduce
from bayesgrove.reproduce.experiment import Experiment
from bayesgrove.reproduce.papers.sahami_1996 import KDB, TABLE_2
from bayesgrove.reproduce.published import PublishedValue, published
from bayesgrove.reproduce.views.means import MeansTable


def figure(value, spread=None, dataset="d", method="m"):
    return PublishedValue("003", "2", dataset, method, "accuracy%", value, spread, "", "")


def cell(values, printed, rows=100, failure="", explanations=None, same_splits=False):
    """Our values on splits against a printed figure."""
    pieces = [
        Result("d", "m", f"fold {i}", 1, 900, rows, {} if failure else {"accuracy": v}, failure)
        for i, v in enumerate(values)
    ]
    found = Comparison(pieces, {"models": {"m": ""}, "data": {"d": ""}})
    table = MeansTable(
        number="2",
        title="t",
        experiments=(Experiment("e", {"m": None}, {"d": None}, {}),),
        splits=10,
        explanations=explanations or {},
        same_splits=same_splits,
    )
    (found_cell,) = table.cells(found, [printed])
    return found_cell


# Distances and verdicts -----------------------------------------------------------------------


def test_the_distance_is_in_combined_standard_errors():
    values = [0.90, 0.92, 0.94, 0.96]
    found = cell(values, figure(91.0, 1.5))
    spread = 100 * math.sqrt((0.03**2 + 0.01**2 + 0.01**2 + 0.03**2) / 3)
    assert found.ours == pytest.approx(93.0)
    assert found.spread == pytest.approx(spread)
    error = math.sqrt(spread**2 / 4 + 1.5**2 / 10 + 0.1**2 / 12)  # theirs is over ten splits
    assert found.judgement.distance == pytest.approx(2.0 / error)
    assert found.verdict == "agrees"


def test_far_away_differs_with_its_explanation():
    values = [0.900, 0.901, 0.899, 0.900]
    found = cell(values, figure(95.0, 0.5))
    assert found.judgement.distance < -2
    assert (found.agrees, found.verdict) == (False, "differs")
    known = cell(values, figure(95.0, 0.5), explanations={("d", "m"): "other data"})
    assert (known.verdict, known.reason) == ("differs", "other data")


def test_the_printed_spread_is_no_second_chance():
    """Ours is 90.05 without much error, and theirs 92 with the error 3 / sqrt(10) = 0.95."""
    found = cell([0.900, 0.901] * 50, figure(92.0, 3.0))
    assert found.judgement.distance == pytest.approx(-1.95 / 0.95, abs=0.01)
    assert found.verdict == "differs"


@pytest.mark.parametrize(("value", "agrees"), [(92.0, False), (90.0, True), (90.6, True)])
def test_on_the_same_splits_only_the_error_of_the_printed_mean_counts(value, agrees):
    """Our mean is 90.6, and theirs has the standard error 1 / sqrt(10), whatever ours spreads."""
    found = cell([0.806, 1.006] * 5, figure(value, 1.0), same_splits=True)
    error = math.sqrt(0.1 + 0.1**2 / 12)
    assert found.judgement.distance == pytest.approx((90.6 - value) / error, abs=1e-9)
    assert found.agrees == agrees


def test_fewer_of_the_same_splits_have_an_error_of_their_own():
    """Two splits, 89 and 93: the standard error of their mean is 2, and theirs 0.1 / sqrt(10)."""
    found = cell([0.89, 0.93], figure(90.0, 0.1), same_splits=True)
    assert found.judgement.distance == pytest.approx(1 / math.sqrt(4 + 0.001 + 0.01 / 12))
    assert found.agrees
    assert not cell([0.89, 0.93], figure(80.0, 11.0), same_splits=True).agrees


def test_no_spread_on_either_side():
    same = cell([1.0] * 10, figure(100.0, 0.0))
    assert (same.ours, same.judgement.distance, same.verdict) == (100.0, 0.0, "agrees")
    other = cell([1.0] * 10, figure(99.0, 0.0))  # only the error of rounding to one decimal
    assert other.judgement.distance == pytest.approx(1.0 / (0.1 / math.sqrt(12)))
    assert other.verdict == "differs"


def test_one_split_has_the_error_of_a_share():
    """Theirs is taken to have the same error, since no spread is printed."""
    found = cell([0.85], figure(88.0), rows=400)
    error = math.sqrt(2 * 100**2 * 0.85 * 0.15 / 400 + 0.1**2 / 12)
    assert found.judgement.distance == pytest.approx(-3.0 / error)
    assert math.isnan(found.spread)
    assert found.agrees == (3.0 / error <= 2)
    assert not cell([0.70], figure(88.0), rows=400).agrees


def test_a_failure_is_no_agreement():
    found = cell([0, 0], figure(0.0, 100.0), failure="ValueError: no")
    assert (found.agrees, found.verdict) == (False, "FAILED")


# Published figures ----------------------------------------------------------------------------


def test_the_printed_figures_of_sahami():
    figures = {(f.dataset, f.method): (f.value, f.spread) for f in published("003")}
    assert len(published("003")) == len(figures) == 48
    assert {f.table for f in published("003")} == {"2"}
    assert figures["corral", "KDB k=1"] == (100.0, 0.0)
    assert figures["chess", "KDB-theta k=3"] == (95.3, 1.2)
    assert figures["text", "KDB-theta k=2"] == (88.3, None)
    assert {d for d, _ in figures} == set(KDB.data) == set(KDB.protocols)
    assert {m for _, m in figures} == set(KDB.methods)


def test_the_table_is_run_as_the_paper_says():
    plain, theta = KDB.methods["KDB k=2"], KDB.methods["KDB-theta k=3"]
    assert plain.get_params()["k"] == 2
    assert plain.get_params()["theta"] in (None, 0.0)
    assert (theta.k, theta.theta, theta.unit) == (3, 0.03, "bits")
    assert KDB.protocols["chess"] == CrossValidation(10, random_state=0)
    assert KDB.protocols["text"] == FixedSplit(1091)


# Runs -----------------------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch, folder_dataset):
    """The paper with two of its data sets; skipped where the data folder is absent."""
    names = ("corral", "vote-boolean")
    kdb = replace(KDB, data={name: KDB.data[name] for name in names})
    _register(monkeypatch, kdb)
    return kdb


def _register(monkeypatch, kdb):
    table = replace(TABLE_2, experiments=(kdb,))
    paper = replace(find_paper("003"), tables=(table,))
    monkeypatch.setitem(PAPERS, "sahami-1996", lambda: paper)


def test_a_quick_look_has_a_verdict_for_every_cell(small, tmp_path):
    (found,) = reproduce("003", quick=True, folder=tmp_path).tables
    assert len(found.cells) == 16
    assert {c.theirs.dataset for c in found.cells} == {"corral", "vote-boolean"}
    assert all(c.verdict in ("agrees", "differs") for c in found.cells)
    assert found.summary == f"{sum(c.agrees for c in found.cells)} of 16 cells agree."
    model = KDBClassifier(k=1, alpha=1e-6)
    data = {"corral": small.data["corral"]}
    own = compare({"m": model}, data, CrossValidation(10, random_state=0)).values(
        "accuracy", "corral", "m"
    )
    (one,) = [c for c in found.cells if c.theirs.method == "KDB k=1" and c.theirs.spread == 0.0]
    assert one.ours == pytest.approx(100 * np.mean(own[:2]))
    assert (tmp_path / "table-2" / "results.csv").is_file()
    again = reproduce("003", "2", quick=True, folder=tmp_path, resume=True).tables[0]
    assert again.text_table() == found.text_table()


def test_the_grid_shows_both_sides(small):
    (found,) = reproduce("003", quick=True).tables
    grid = found.text_table()
    assert grid.header == [
        *("data set", "method", "ours", "our sd", "theirs", "printed sd", "distance", "verdict")
    ]
    rows = {(row[0], row[1]): row for row in grid.rows}
    assert len(rows) == 16
    assert rows["vote-boolean", "KDB k=3"][4:6] == ["93.0", "2.2"]
    assert grid.notes[0] == found.summary
    text = grid.to_text(80)
    assert max(map(len, text.splitlines())) <= 80
    assert "bits" in text


def test_data_that_are_not_there_fail_in_their_cells(small, monkeypatch):
    def missing():
        raise ValueError("There is no vote.")

    _register(monkeypatch, replace(small, data={**small.data, "vote-boolean": missing}))
    (found,) = reproduce("003", quick=True).tables
    failed = [c for c in found.cells if c.failure]
    assert {c.theirs.dataset for c in failed} == {"vote-boolean"}
    assert len(failed) == 8
    assert failed[0].verdict == "FAILED"
    assert failed[0].reason == "ValueError: There is no vote."
    assert found.text_table().rows[-1][-1] == "FAILED (1)"
    assert "(1) ValueError: There is no vote." in found.text_table().notes
    assert found.text_table().to_text()


def test_papers_and_tables_that_there_are_not():
    with pytest.raises(ValueError, match=r"paper='999' must be one of .*003"):
        reproduce("999")
    with pytest.raises(ValueError, match=r"table='9' is not a table of paper 003; its tables: 2\."):
        reproduce("003", "9")
