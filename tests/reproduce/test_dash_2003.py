"""Dash and Cooper (2003): what is run, that every printed figure has a place, and a small run."""

from collections import Counter
from dataclasses import replace

import pytest

from bayesgrove.evaluation import Comparison
from bayesgrove.evaluation.results import Result
from bayesgrove.reproduce import PAPERS, experiments_of, find_paper, reproduce, tables_of
from bayesgrove.reproduce.papers.dash_2003 import (
    AGAINST_GREEDY,
    ALARM,
    APPROXIMATED,
    BOUNDED,
    BY_NEARNESS,
    BY_PARENTS,
    CLAIMS,
    DATA,
    LEADS,
    METHODS,
    OVER_DENSITY,
    OVER_LIMIT,
    OVER_NODES,
    OVER_RECORDS,
    OVER_SPARSE_NODES,
    OVER_UNIFORM,
    PAPER,
    REAL,
    TABLES,
    UNIFORM,
)
from bayesgrove.reproduce.published import published
from bayesgrove.reproduce.synthetic import KnownNetwork, RandomNetworks, Trials
from bayesgrove.reproduce.views.shortfalls_from_best import areas_by_class, leading

EXPERIMENTS = experiments_of(list(TABLES))


@pytest.fixture(scope="module")
def alike():
    """Results in which all methods are alike."""
    names = ("auc", "auc without ties", "auc of 20 thresholds", "auc of 50 thresholds")
    areas = dict.fromkeys(names, 0.9) | {"auc of 0": 0.9, "auc of 1": 0.8, "fit_seconds": 1.0}
    pieces = [
        Result(dataset, method, f"trial {i}", i, 10, 10, areas)
        for own in EXPERIMENTS
        for dataset in own.data
        for method in own.methods
        for i in (1, 2)
    ]
    return Comparison(pieces, {"models": {}, "data": {}})


def figures(number):
    return [figure for figure in published("001") if figure.table == number]


PRINTED = [own for own in TABLES if own.number not in ("orders", "near-N", "redrawn")]


@pytest.mark.parametrize("table", PRINTED, ids=lambda own: own.number)
def test_every_printed_figure_has_a_cell(table, alike):
    (number,) = table.printed_in or (table.number,)
    cells = table.cells(alike, figures(number))
    expected = [
        figure
        for figure in figures(number)
        if "uniform" not in table.number or figure.dataset in UNIFORM
    ]
    assert [cell.theirs for cell in cells] == expected
    count = {"2a": 6, "2b": 6, "2c": 4, "3": 24, "4": 12, "5": 84}[number]
    assert len(cells) == (8 if "uniform" in table.number else count)
    assert not any(cell.failure for cell in cells)


def test_no_method_is_run_twice_on_a_data_set():
    names = [own.name for own in EXPERIMENTS]
    assert len(set(names)) == len(names)
    runs = Counter((d, m) for own in EXPERIMENTS for d in own.data for m in own.methods)
    assert set(runs.values()) == {1}
    drawn = [own for own in EXPERIMENTS if own not in REAL]
    seeds = [one.seed for own in drawn for one in own.data.values()]
    assert len(set(seeds)) == len(seeds)


def test_bounded_greedy_search_has_the_bound_of_its_rival():
    for own in (*AGAINST_GREEDY, OVER_SPARSE_NODES, *OVER_UNIFORM, ALARM):
        assert own.methods[BOUNDED].max_parents == own.methods["AMA"].max_parents
        assert own.methods["GTT"].max_parents is None


def test_readings_are_on_other_data_or_other_areas():
    tables = {own.number: own for own in TABLES}
    contest = tables["3-bounded-sparse-grid20"].contests["synthetic N=80"]
    assert (contest.datasets, contest.others, contest.metric) == (
        ("synthetic N=80, K to 10",),
        (BOUNDED,),
        "auc of 20 thresholds",
    )
    assert tables["3-sparse"].contests["synthetic N=20"].datasets == ("synthetic N=20",)
    assert tables["4-grid50"].contests["ALARM anaphylaxis Nr=50"].metric == "auc of 50 thresholds"
    uniform = tables["3-uniform"]
    assert uniform.contests["synthetic Nr=25"].datasets == ("synthetic Nr=25, uniform",)
    assert all(table.has(name, "AMA") for table in (uniform,) for name in UNIFORM.values())
    assert (uniform.fitted, len(tables["3-grid20"].fitted)) == ((), 1)
    assert tables["3-bounded-uniform"].fitted == tables["3-bounded"].fitted
    sources = [data.source for own in OVER_UNIFORM for data in own.data.values()]
    assert all(source.uniform for source in sources)
    assert {data.source.densest for data in OVER_SPARSE_NODES.data.values()} == {10}


def test_near_n_is_every_node():
    assert [own.first for own in BY_NEARNESS.values()] == [f"AMA k={k}" for k in (1, 2, 3, 5, 9)]


def test_tables_2_and_3_are_run_as_the_paper_says():
    exact = APPROXIMATED.methods["exact"]
    assert (exact.max_parents, exact.summary_parents) == (1, None)
    assert APPROXIMATED.methods["AMA n=7"].summary_parents == 7
    assert set(APPROXIMATED.protocols.values()) == {Trials(100, 1000, 40)}
    assert APPROXIMATED.data["synthetic N=30"].source == RandomNetworks(30, None)
    assert [own.methods["exact"].max_parents for own in BY_PARENTS.values()] == [1, 2, 3, 4]
    for own, k in ((OVER_NODES, 2), (OVER_DENSITY, 2), (OVER_RECORDS, 3)):
        assert (own.methods["AMA"].max_parents, own.methods["AMA"].summary_parents) == (k, 12)
    assert OVER_DENSITY.data["synthetic K=8"].source == RandomNetworks(50, 8)
    assert OVER_RECORDS.data["synthetic Nr=25"].source == RandomNetworks(20, None)
    assert OVER_RECORDS.protocols["synthetic Nr=25"].train == 25
    assert [own.methods["AMA"].max_parents for own in OVER_LIMIT] == [1, 2, 3, 4, 5, 6]
    every = [one for own in EXPERIMENTS if own not in REAL for one in own.protocols.values()]
    assert {one.test for one in every} == {1000}


def test_table_4_is_run_as_the_paper_says():
    assert (ALARM.methods["AMA"].max_parents, ALARM.methods["AMA"].summary_parents) == (3, 10)
    drawn = ALARM.data["ALARM anaphylaxis Nr=400"]
    assert drawn.source == KnownNetwork("alarm", "ANAPHYLAXIS")
    assert drawn.trials == ALARM.protocols["ALARM anaphylaxis Nr=400"]
    assert drawn.trials.train == 400


def test_table_5_is_run_with_the_printed_k():
    bounds = {name: own.methods["AMA"].max_parents for own in REAL for name in own.data}
    printed = {figure.dataset: figure.note.split()[1] for figure in figures("5")}
    assert {name: f"k={k}" for name, k in bounds.items()} == printed
    assert all(tuple(own.methods) == METHODS for own in REAL)
    assert all(own.extra_metrics is areas_by_class for own in REAL)


def test_underlines_are_counted_as_in_the_paper():
    scores = {name: {} for name in DATA}
    for figure in figures("5"):
        scores[figure.dataset][figure.method] = figure.value
    underlined = {name: set(best.split()) for name, (_, _, best) in DATA.items()}
    # By our rule SNN and NMA share one place on connect-4, so that neither has it.
    shared = {
        name: leading(own) for name, own in scores.items() if leading(own) != underlined[name]
    }
    assert shared == {"connect-4": {"GTT"}}
    assert Counter(method for own in underlined.values() for method in own) == LEADS


def test_conclusions_where_all_are_alike(alike):
    outcomes = [own.verdict_on(i, alike).outcome for i, own in enumerate(CLAIMS, 1)]
    assert len(CLAIMS) == 28
    true = [i for i, outcome in enumerate(outcomes, 1) if outcome == "true"]
    assert true == [1, 2, 3, 5, 14]  # no difference, comparable, insensitive


def test_the_paper_agrees_with_itself():
    """Conclusions on areas that make the printed table: its own figures decide as it does."""
    pieces = [
        Result(figure.dataset, figure.method, "all", 1, 9, 9, {"auc of 0": _area(figure.value)})
        for figure in figures("5")
    ]
    real = [own for own in CLAIMS if own.experiments == REAL]
    verdicts = [own.verdict_on(1, Comparison(pieces, {})).outcome for own in real]
    # One class per data set: the best method of wine has no shortfall.
    assert verdicts == ["true", "true", "not true", "true", "true", "true"]
    (snn,) = CLAIMS[-3].check(Comparison(pieces, {}))
    assert abs(float(snn.ours.split()[0]) - 15.8) < 1


def _area(shortfall):
    """The area that falls short of 0.999 by a share."""
    return (0.999 - shortfall) / (1 - shortfall)


def test_data_that_are_prepared(folder_dataset):
    folder_dataset("credit-a")
    data = {name: load for own in REAL for name, load in own.data.items()}
    X, y = data["credit-scrn"]()
    assert (X.shape, len(y)) == ((653, 15), 653)
    assert not X.isna().any(axis=None)
    X, y = data["cpu-perf"]()
    assert X.shape == (209, 9)
    assert "ERP" in X
    assert "PRP" not in X
    assert sorted(y.value_counts()) == [2, 4, 4, 7, 13, 27, 31, 121]  # of its documentation


def test_a_small_run(monkeypatch, tmp_path):
    (table,) = tables_of("001", "3")
    few = {
        name: replace(drawn, trials=Trials(60, 80, 6))
        for name, drawn in OVER_NODES.data.items()
        if name in ("synthetic N=5", "synthetic N=10")
    }
    small = replace(OVER_NODES, data=few, protocols={name: d.trials for name, d in few.items()})
    contests = {name: table.contests[name] for name in few}
    reduced = replace(table, experiments=(small,), contests=contests)
    monkeypatch.setitem(PAPERS, "dash-2003", lambda: replace(PAPER, tables=(reduced,), claims=()))
    quick = reproduce("001", "3", quick=True, folder=tmp_path / "quick")
    whole = reproduce("001", "3", folder=tmp_path / "whole")
    assert [cell.ours.count for cell in quick.tables[0].cells] == [2, 2]
    assert [cell.ours.count for cell in whole.tables[0].cells] == [6, 6]
    name = "synthetic N=10"
    both = [run.results.values("auc", name, "AMA").tolist() for run in (quick, whole)]
    assert both[0] == both[1][:2]
    (grid,) = whole.text_tables()
    assert [row[0] for row in grid.rows] == list(few)
    assert grid.rows[0][3] == "16 ± 1.3 [7.7, 27]"
    again = reproduce("001", "3", folder=tmp_path / "whole", resume=True)
    assert again.text_tables() == whole.text_tables()


def test_real_data_in_a_small_run(monkeypatch, folder_dataset):
    folder_dataset("haberman")
    (table,) = tables_of("001", "5")
    (own,) = [one for one in REAL if "haberman" in one.data]
    reduced = replace(table, experiments=(own,))
    monkeypatch.setitem(PAPERS, "dash-2003", lambda: replace(PAPER, tables=(reduced,), claims=()))
    (view,) = reproduce("001", "5", quick=True).tables
    assert [(cell.dataset, cell.method) for cell in view.cells] == [
        ("haberman", method) for method in METHODS
    ]
    assert min(cell.ours for cell in view.cells) >= 0
    assert all(cell.verdict in ("agrees", "differs") for cell in view.cells)


def test_it_is_registered():
    assert find_paper("001") is PAPER
    assert [own.number for own in tables_of("001")] == ["2a", "2b", "2c", "3", "4", "5"]
