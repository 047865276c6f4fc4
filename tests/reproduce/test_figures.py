"""Figures of papers: a picture, its numbers, and what goes wrong."""

import csv

import numpy as np
import pytest

from bayesgrove import TANClassifier, compare
from bayesgrove.evaluation import LearningCurve
from bayesgrove.reproduce import draw

pytest.importorskip("matplotlib")


def test_a_figure_is_a_picture_and_its_numbers(made_up, tmp_path):
    found = draw("900", "1", tmp_path)
    assert (tmp_path / "figure-1.png").read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader((tmp_path / "figure-1.csv").read_text().splitlines()))
    assert [(r["method"], r["training_rows"], r["trials"]) for r in rows] == [
        ("naive", "20", "3"),
        ("naive", "50", "3"),
        ("tan", "20", "3"),
        ("tan", "50", "3"),
    ]
    data = {"parity": made_up.data["parity"]}
    own = compare({"tan": TANClassifier()}, data, LearningCurve((20, 50), 40, repeats=3))
    values = own.values("accuracy", "parity", "tan")[1::2]
    assert float(rows[-1]["mean"]) == pytest.approx(np.mean(values), abs=1e-6)
    assert float(rows[-1]["spread"]) == pytest.approx(np.std(values, ddof=1), abs=1e-6)
    grid = found.text_table()
    assert grid.header == ["training rows", "naive", "tan"]
    assert [row[0] for row in grid.rows] == ["20", "50"]
    assert grid.rows[1][2] == f"{100 * np.mean(values):.2f}"
    assert grid.notes[-1] == "It is drawn."
    assert {path.name for path in tmp_path.iterdir()} == {
        "figure-1",
        "figure-1.png",
        "figure-1.csv",
    }


def test_a_figure_goes_on_where_it_was(made_up, tmp_path):
    draw("900", "1", tmp_path)
    before = (tmp_path / "figure-1.csv").read_bytes()
    fits = made_up.Naive.fits
    pieces = tmp_path / "figure-1" / "results.jsonl"
    lines = pieces.read_text().splitlines(keepends=True)
    pieces.write_text("".join(lines[1:]))  # the first is one of naive's
    (tmp_path / "figure-1.png").unlink()
    draw("900", "1", tmp_path, resume=True)
    assert made_up.Naive.fits == fits + 1
    assert (tmp_path / "figure-1.csv").read_bytes() == before
    assert (tmp_path / "figure-1.png").is_file()


def test_a_quick_figure_has_every_size(made_up, tmp_path):
    found = draw("900", "1", tmp_path, quick=True)
    assert found.table()["trials"].unique().tolist() == [2]
    assert sorted(found.table()["training_rows"].unique()) == [20, 50]


def test_a_method_that_fails_is_left_out_of_the_picture(made_up, tmp_path):
    made_up.Naive.failing = True
    found = draw("900", "1", tmp_path)
    grid = found.text_table()
    assert [row[1] for row in grid.rows] == ["FAILED", "FAILED"]
    assert all(float(row[2]) > 0 for row in grid.rows)
    assert "FAILED: naive: ValueError: It has no mind to." in grid.notes
    assert set(found.table()["method"]) == {"tan"}
    assert (tmp_path / "figure-1.png").is_file()


def test_data_that_are_not_there(made_up, tmp_path, monkeypatch):
    from dataclasses import replace

    from bayesgrove.reproduce import PAPERS

    def missing():
        raise ValueError("There is no such thing.")

    (figure,) = made_up.paper.figures
    paper = replace(made_up.paper, figures=(replace(figure, load=missing),))
    monkeypatch.setitem(PAPERS, "900", lambda: paper)
    found = draw("900", "1", tmp_path)
    assert {text for row in found.text_table().rows for text in row[1:]} == {"FAILED"}
    assert (tmp_path / "figure-1.csv").read_text().splitlines() == [
        "method,training_rows,mean,spread,trials"
    ]


def test_figures_that_there_are_not(made_up, tmp_path):
    with pytest.raises(
        ValueError, match=r"figure='7' is not a figure of paper 900; its figures: 1\."
    ):
        draw("900", "7", tmp_path)
    with pytest.raises(
        ValueError, match=r"figure='1' is not a figure of paper 003; its figures: none\."
    ):
        draw("003", "1", tmp_path)
    assert list(tmp_path.iterdir()) == []
