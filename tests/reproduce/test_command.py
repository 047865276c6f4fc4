"""``bayesgrove reproduce`` with tables, figures and conclusions."""

import csv
import io

import pytest
from typer.testing import CliRunner

from bayesgrove.cli import app


@pytest.fixture
def run(made_up):
    """A function from the words after ``reproduce 900`` to what the command left behind."""

    def invoke(*words):
        return CliRunner().invoke(app, ["reproduce", "900", "-j", "1", *map(str, words)])

    return invoke


def test_all_tables_then_the_conclusions(run, made_up):
    found = run()
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    titles = [line for line in lines if line.startswith("Paper 900")]
    assert [title.split(":")[0] for title in titles] == [
        "Paper 900, table 1",
        "Paper 900, table 2",
        "Paper 900, table 3",
        "Paper 900",
    ]
    before = [lines[lines.index(title) - 1] for title in titles[1:]]
    assert before == ["", "", ""]
    assert max(map(len, lines)) <= 80
    assert "(2) NOT TRUE: Tan wins twice." in lines
    assert made_up.Naive.fits == 10


def test_one_table(run):
    found = run("--table", "4", "--style", "csv")
    assert found.exit_code == 0
    rows = list(csv.reader(io.StringIO(found.stdout)))
    assert rows[0] == ["data set", "method", "ours", "theirs", "distance", "verdict"]
    assert rows[1][:2] == ["parity", "late"]


def test_a_figure(run, tmp_path):
    pytest.importorskip("matplotlib")
    found = run("--figure", "1", "--folder", tmp_path / "out")
    assert found.exit_code == 0
    assert found.stdout.startswith("Paper 900, figure 1: curves")
    assert (tmp_path / "out" / "figure-1.png").is_file()
    again = run("--figure", "1", "--folder", tmp_path / "out", "--resume")
    assert again.stdout == found.stdout
    refused = run("--figure", "1", "--folder", tmp_path / "out")
    assert refused.exit_code == 2
    assert "holds a run already" in refused.stderr


def test_failures_are_a_partial_result(run, made_up, tmp_path):
    made_up.Naive.failing = True
    tables = run()
    assert tables.exit_code == 5
    assert tables.stdout.count("FAILED (1)") == 5
    assert "NOT DECIDED: Tan wins." in tables.stdout
    pytest.importorskip("matplotlib")
    figure = run("--figure", "1", "--folder", tmp_path)
    assert figure.exit_code == 5
    assert "FAILED" in figure.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--figure", "9", "-o", "run"),
            "figure='9' is not a figure of paper 900; its figures: 1.",
        ),
        (("--figure", "1"), "--figure needs --folder FOLDER"),
        (("--figure", "1", "--table", "2"), "--table and --figure cannot both be given"),
        (("--resume",), "--resume needs --folder: the folder of the run."),
        (("--table", "9"), "table='9' is not a table of paper 900; its tables: 1, 2, 3, 4."),
    ],
)
def test_what_cannot_be_is_refused(run, made_up, words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = run(*words)
    assert (found.exit_code, found.stdout) == (2, "")
    assert message in " ".join(found.stderr.split())
    assert made_up.Naive.fits == 0
    assert list(tmp_path.iterdir()) == []


def test_a_figure_without_matplotlib(run, made_up, tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    found = run("--figure", "1", "--folder", tmp_path)
    assert found.exit_code == 2
    assert 'pip install "bayesgrove[plot]"' in found.stderr
    assert made_up.Naive.fits == 0


def test_help_says_how_figures_are_asked_for():
    found = CliRunner().invoke(app, ["reproduce", "--help"], env={"COLUMNS": "200"})
    assert "--figure 1 --folder FOLDER" in " ".join(found.stdout.split())
