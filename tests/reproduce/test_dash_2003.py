"""Dash and Cooper (2003): what is run, that every printed figure has a place, and a small run."""

from collections import Counter
from dataclasses import replace

import pytest

from bayesgrove.evaluation import Comparison
from bayesgrove.evaluation.results import Result
from bayesgrove.reproduce import PAPERS, experiments_of, find_paper, reproduce, tables_of
from bayesgrove.reproduce.papers.dash_2003 import (
    AGAINST_BOUNDED,
    AGAINST_GREEDY,
    ALARM,
    APPROXIMATED,
    BY_PARENTS,
    CLAIMS,
    DATA,
    LEADS,
    METHODS,
    OVER_DENSITY,
    OVER_LIMIT,
    OVER_NODES,
    OVER_RECORDS,
    PAPER,
    REAL,
    TABLES,
)
from bayesgrove.reproduce.published import published
from bayesgrove.reproduce.synthetic import KnownNetwork, RandomNetworks, Trials
from bayesgrove.reproduce.views.shortfalls_from_best import areas_by_class, leading

EXPERIMENTS = experiments_of(list(TABLES))


@pytest.fixture(scope="module")
def alike():
    """Results in which all methods are alike."""
    areas = {"auc": 0.9, "auc without ties": 0.9, "auc of 0": 0.9, "auc of 1": 0.8}
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


@pytest.mark.parametrize("table", TABLES, ids=lambda own: own.number)
def test_every_printed_figure_has_a_cell(table, alike):
    (number,) = table.printed_in or (table.number,)
    cells = table.cells(alike, figures(number))
    assert [cell.theirs for cell in cells] == figures(number)
    assert len(cells) == {"2a": 6, "2b": 6, "2c": 4, "3": 24, "4": 12, "5": 84}[number]
    assert not any(cell.failure for cell in cells)


def test_no_method_is_run_twice_on_a_data_set():
    names = [own.name for own in EXPERIMENTS]
    assert len(set(names)) == len(names)
    runs = Counter((d, m) for own in EXPERIMENTS for d in own.data for m in own.methods)
    assert set(runs.values()) == {1}
    drawn = [own for own in EXPERIMENTS if own not in (*REAL, *AGAINST_BOUNDED)]
    seeds = [one.seed for own in drawn for one in own.data.values()]
    assert len(set(seeds)) == len(seeds)


def test_bounded_greedy_search_has_the_trials_and_the_bound_of_its_rival():
    for own, rival in zip(AGAINST_BOUNDED, AGAINST_GREEDY, strict=True):
        assert own.data == rival.data
        (method,) = own.methods.values()
        assert method.max_parents == rival.methods["AMA"].max_parents


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


def test_underlines_are_the_two_best_as_often_as_the_paper_counts():
    scores = {name: {} for name in DATA}
    for figure in figures("5"):
        scores[figure.dataset][figure.method] = figure.value
    underlined = {name: set(best.split()) for name, (_, _, best) in DATA.items()}
    assert {name: leading(own) for name, own in scores.items()} == underlined
    assert Counter(method for own in underlined.values() for method in own) == LEADS


def test_conclusions_where_all_are_alike(alike):
    verdicts = [own.verdict_on(i, alike).outcome for i, own in enumerate(CLAIMS, 1)]
    assert verdicts == ["true"] * 3 + ["not true"] * 7
    assert [len(own.check(alike)) for own in CLAIMS] == [3, 8, 4, 6, 6, 1, 5, 1, 1, 1]


def test_the_paper_agrees_with_itself():
    """Conclusions on areas that make the printed table: its own figures decide as it does."""
    pieces = [
        Result(figure.dataset, figure.method, "all", 1, 9, 9, {"auc of 0": _area(figure.value)})
        for figure in figures("5")
    ]
    verdicts = [own.verdict_on(1, Comparison(pieces, {})).outcome for own in CLAIMS[-4:]]
    assert verdicts == ["true"] * 4
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
