"""Drugan and van der Gaag (2004): what is run, that every printed figure has a place, the rows."""

import math

import pytest

from bayesgrove import SelectiveTANClassifier
from bayesgrove.evaluation import Comparison
from bayesgrove.evaluation.results import Result
from bayesgrove.reproduce import experiments_of, reproduce, tables_of
from bayesgrove.reproduce.papers.drugan_2004 import (
    CLAIMS,
    COLUMNS,
    DATA,
    OTHERS,
    SIZED,
    TABLES,
    THEIRS,
)
from bayesgrove.reproduce.published import published


def made_up(shares, accuracy=0.9):
    """Results of ten runs with these shares of attributes, by (data set, method), in percent."""
    pieces = [
        Result(
            dataset,
            method,
            f"split {i}",
            i,
            90,
            10,
            {
                "attributes": shares.get((dataset, method), 50) / 100 * COLUMNS[dataset],
                "accuracy": accuracy + 0.001 * (i % 2),
            },
        )
        for own in (THEIRS, OTHERS)
        for dataset in own.data
        for method in own.methods
        for i in range(1, 11)
    ]
    methods = {**THEIRS.methods, **OTHERS.methods}
    return Comparison(pieces, {"models": dict.fromkeys(methods, ""), "data": dict(DATA)})


def test_every_printed_figure_has_a_place():
    figures = published("004")
    assert len(figures) == 24
    results = made_up({})
    cells = [cell for table in tables_of("004") for cell in table.cells(results, figures)]
    assert {cell.theirs for cell in cells} - {None} == set(figures)
    absent = [cell for cell in cells if cell.absent]
    assert {cell.dataset for cell in absent} == {"oesoca", "ext. oesoca"}
    assert {cell.verdict for cell in absent} == {"not run"}
    assert all(cell.figures[0] == cell.figures[4] == "-" for cell in absent)
    beside = [cell for cell in cells if cell.theirs is None]
    assert len(beside) == 2 * 4 * 3
    assert {cell.verdict for cell in beside} == {"ours only"}


def test_shares_are_of_all_columns_and_rounding_is_a_part_of_the_error():
    printed = {
        f.dataset: f for f in published("004") if f.method == "TAN by MDL-FS" and f.value > 1
    }
    shares = {(name, "TAN by MDL-FS"): printed[name].value + 0.4 for name in DATA}
    table = TABLES[0]
    cells = table.cells(made_up(shares), published("004"))
    own = {cell.dataset: cell for cell in cells if cell.method == "TAN by MDL-FS"}
    for name in DATA:
        assert own[name].ours == pytest.approx(printed[name].value + 0.4)
        error = math.sqrt(printed[name].spread ** 2 / 10 + 1 / 12)
        assert own[name].judgement.distance == pytest.approx(0.4 / error)
    assert table.summary(cells) == "4 of 8 cells agree."
    far = table.cells(made_up({("chess", "TAN by MDL-FS"): 46 + 5.0}), published("004"))
    (chess,) = [c for c in far if (c.dataset, c.method) == ("chess", "TAN by MDL-FS")]
    assert chess.judgement.distance == pytest.approx(5.0 / math.sqrt(2.5 + 1 / 12))
    assert not chess.agrees


def test_the_other_choices_are_those_of_the_table():
    (table,) = tables_of("004", "choices")
    assert len(experiments_of([table])) == 6
    assert [own.protocols["chess"].train for own in SIZED] == [0.5, 2 / 3, 0.7, 0.8, 0.9]
    directions = {model.direction for own in table.experiments for model in own.methods.values()}
    assert directions == {"backward", "forward"}
    assert set(table.names.values()) == set(THEIRS.methods)


def test_claims_are_of_shares_and_of_accuracy():
    good = {
        (name, f"TAN by {score}"): share
        for name in DATA
        for score, share in (("MDL", 90), ("MDL-FS", 40))
    }
    verdicts = [claim.verdict_on(1, made_up(good)).outcome for claim in CLAIMS]
    assert verdicts == ["true", "true", "true", "true"]
    bad = good | {("splice", "TAN by MDL"): 60, ("chess", "TAN by MDL-FS"): 70}
    verdicts = [claim.verdict_on(1, made_up(bad)).outcome for claim in CLAIMS]
    assert verdicts == ["not true", "not true", "true", "true"]
    more = good | {("splice", "TAN by MDL-FS"): 95}
    assert CLAIMS[3].verdict_on(4, made_up(more)).outcome == "not true"
    evidence = CLAIMS[0].verdict_on(1, made_up(bad)).evidence
    assert [one.holds for one in evidence] == ["yes", "yes", "no", "yes"]


def test_rows_are_complete_and_have_their_own_values_only(folder_dataset):
    shapes = {name: load()[0].shape for name, load in DATA.items()}
    assert shapes == {
        "chess": (3196, 36),
        "mushroom": (5644, 22),
        "splice": (3175, 60),
        "spambase": (4601, 57),
    }
    assert {name: columns for name, (_, columns) in shapes.items()} == COLUMNS
    X, y = DATA["mushroom"]()
    assert not X.isna().any(axis=None)
    assert len(X) == len(y)
    model = SelectiveTANClassifier().fit(X, y)
    assert "veil-type" not in model.selected_
    assert len(model.selected_) == 12  # the printed 55%


def test_a_quick_run(folder_dataset):
    found = reproduce("004", quick=True)
    assert not found.results.failures
    shares, accuracies = found.tables
    agree = [cell.agrees for cell in shares.cells if cell.method == "TAN by MDL-FS"]
    assert sum(agree) >= 3
    assert sum(cell.agrees for cell in accuracies.cells) >= 6
