"""Singh and Provan (1995): what is run, and that every printed figure has a place."""

from collections import Counter
from dataclasses import replace

import pytest

from bayesgrove.evaluation import Comparison, RandomSplits
from bayesgrove.evaluation.results import Result
from bayesgrove.reproduce import experiments_of, find_paper, tables_of
from bayesgrove.reproduce.papers.singh_1995 import (
    CLAIMS,
    FIGURES,
    INFO,
    K2_AS_TIES,
    SIZES,
    SPLITS,
    TABLES,
)
from bayesgrove.reproduce.published import published

EXPERIMENTS = experiments_of(list(TABLES))


@pytest.fixture(scope="module")
def alike():
    """Results in which all methods are alike."""
    pieces = [
        Result(dataset, method, f"split {i}", i, 10, 10, {"accuracy": 0.9 + 0.001 * i})
        for own in EXPERIMENTS
        for dataset in own.data
        for method in own.methods
        for i in range(1, 31)
    ]
    models = {method: "" for own in EXPERIMENTS for method in own.methods}
    return Comparison(pieces, {"models": models, "data": dict.fromkeys(SIZES, "")})


def test_the_sizes_are_those_of_table_1():
    assert {name: (own.train, own.test) for name, own in SPLITS.items()} == SIZES
    assert SPLITS["splice"] == RandomSplits(2000, 1175, 30, random_state=0)
    assert SIZES["soybean"] == (430, 200)


def test_no_method_is_run_twice_on_a_data_set():
    names = [own.name for own in EXPERIMENTS]
    assert len(set(names)) == len(names)
    runs = Counter((d, m) for own in EXPERIMENTS for d in own.data for m in own.methods)
    assert set(runs.values()) == {1}
    assert ("splice", "K2-AS") in runs
    assert ("splice", "K2-AS<") not in runs
    assert set(K2_AS_TIES.data) == set(SIZES) - {"splice"}


def test_a_run_of_the_tables_is_without_the_variants():
    assert "5.6" not in [own.number for own in tables_of("000")]
    assert [own.number for own in tables_of("000", "5.6")] == ["5.6"]


@pytest.mark.parametrize("table", TABLES, ids=lambda own: own.number)
def test_every_printed_figure_has_a_cell(table, alike):
    printed = [figure for figure in published("000") if figure.table == table.number]
    cells = table.cells(alike, printed)
    shown = [cell.theirs for cell in cells if cell.theirs is not None]
    if table.number == "5.6":
        assert (printed, shown, len(cells)) == ([], [], 24)
    else:
        assert shown == printed
        assert len(shown) == len(cells)


def test_the_misprint_of_table_8(alike):
    (table,) = tables_of("000", "8")
    printed = [figure for figure in published("000") if figure.table == "8"]
    cells = {(c.dataset, c.method): c for c in table.cells(alike, printed)}
    assert cells["voting", "K2-AS"].figures[1] == "-0.21 (-1.06) -"
    assert "misprint" in cells["voting", "K2-AS"].reason
    assert [key for key, c in cells.items() if c.reason] == [("voting", "K2-AS")]


def test_marks_against_trees_are_over_the_first_20_splits(alike):
    """C4.5 is worse than CIG-AS on chess there; the ten splits after them would hide it."""
    worse = [
        replace(piece, values={"accuracy": piece.values["accuracy"] + step})
        for piece in alike.results
        if (piece.dataset, piece.model) == ("chess", "C4.5")
        for step in [-0.01 if piece.repeat <= 20 else 0.5]
    ]
    rest = [one for one in alike.results if (one.dataset, one.model) != ("chess", "C4.5")]
    (table,) = tables_of("000", "10")
    printed = [figure for figure in published("000") if figure.table == "10"]
    cells = table.cells(Comparison([*rest, *worse], alike.plan), printed)
    marks = {(c.dataset, c.method): c.difference and c.difference.mark for c in cells}
    assert [key for key, mark in marks.items() if mark is None] == [
        (name, "C4.5") for name in ("chess", "voting", "voting1")
    ]
    assert {key for key, mark in marks.items() if mark == "+"} == {
        ("chess", info) for info in INFO.methods
    }
    (chess,) = (c for c in cells if (c.dataset, c.method) == ("chess", "CIG-AS"))
    assert chess.figures[2:4] == ["96.33 -", "0.90"]
    assert table.summary(cells).endswith("0 of 9 marks are the same.")


def test_the_text_on_trees_is_not_what_its_marks_say():
    marks = {name: Counter() for name in INFO.methods}
    for figure in published("000"):
        if figure.table in ("10", "11") and figure.method in marks:
            marks[figure.method][figure.mark] += 1
    found = {name: (own["+"], own["-"]) for name, own in marks.items()}
    assert found == {"CIG-AS": (3, 2), "CGR-AS": (3, 3), "CDC-AS": (3, 3)}
    texts = [own.text for own in CLAIMS if own.text.startswith("5.5")]
    assert "tables 10 and 11, it is worse on 3" in texts[0]
    assert "tables 10 and 11, CIG-AS is worse on 2" in texts[1]


def test_conclusions_where_all_are_alike(alike):
    """Only "not significantly worse" is true of methods that are alike."""
    verdicts = [own.verdict_on(i, alike).outcome for i, own in enumerate(CLAIMS, 1)]
    true = [own.text for own, outcome in zip(CLAIMS, verdicts, strict=True) if outcome == "true"]
    assert len(CLAIMS) == 27
    assert [text[:4] for text in true] == ["5.4:", "5.6:"]
    assert all("not significantly worse" in text for text in true)
    assert set(verdicts) == {"true", "not true"}


def test_figures_end_at_the_sizes_of_the_tables():
    assert [(own.number, own.dataset) for own in FIGURES] == [
        ("1", "chess"),
        ("2", "mushroom"),
        ("3", "soybean"),
        ("4", "voting"),
    ]
    for own in FIGURES:
        assert (own.protocol.sizes[-1], own.protocol.test) == SIZES[own.dataset]
        assert own.protocol.repeats == 20
        assert list(own.methods) == ["naive-ALL", "naive-AS", "CB", *INFO.methods]
    folders = [own.experiment.name for own in FIGURES] + [own.name for own in EXPERIMENTS]
    assert len(set(folders)) == len(folders)


def test_it_is_registered():
    assert find_paper("000").claims == CLAIMS


def test_the_full_training_set_of_a_curve_is_a_split_of_the_tables():
    y = ["a", "b"] * 1598
    curve, splits = FIGURES[0].protocol.splits(y), SPLITS["chess"].splits(y)
    last = [split for split in curve if len(split.train) == 1000]
    for one, other in zip(last, splits[:20], strict=True):
        assert (one.train == other.train).all()
        assert (one.test == other.test).all()
