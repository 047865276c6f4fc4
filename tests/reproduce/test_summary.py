"""The script that prints the summary of all reproductions."""

import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from bayesgrove.reproduce import PAPERS, reproduce, tables_of
from bayesgrove.reproduce.papers.dash_2003 import OVER_NODES, PAPER
from bayesgrove.reproduce.synthetic import Trials

SCRIPT = Path(__file__).parents[2] / "docs" / "make_reproductions.py"


@pytest.fixture
def two_rows(monkeypatch):
    """Table 3 of dash-2003 and other readings, with two of its rows and a few trials."""
    few = {
        name: replace(OVER_NODES.data[name], trials=Trials(60, 80, 6))
        for name in ("synthetic N=5", "synthetic N=10")
    }
    small = replace(OVER_NODES, data=few, protocols={name: d.trials for name, d in few.items()})
    shown = [*tables_of("001", "3"), *tables_of("001", "3-bounded"), *tables_of("001", "3-ties")]
    reduced = [
        replace(one, experiments=(small,), contests={name: one.contests[name] for name in few})
        for one in shown
    ]
    not_run = tables_of("001", "3-uniform")
    tables = (*reduced, *not_run)
    monkeypatch.setitem(PAPERS, "dash-2003", lambda: replace(PAPER, tables=tables, claims=()))


@pytest.mark.usefixtures("two_rows")
def test_readings_have_rows_that_the_sum_leaves_out(tmp_path, capsys):
    (view,) = reproduce("dash-2003", folder=tmp_path).tables
    runpy.run_path(str(SCRIPT))["main"]([f"dash-2003={tmp_path}"])
    lines = capsys.readouterr().out.splitlines()
    rows = [[text.strip() for text in line.split("|")[1:-1]] for line in lines[2:6]]
    assert [row[1] for row in rows] == ["3", "3 (bounded)", "3 (ties)", ""]
    assert [row[-1] for row in rows] == ["no", "yes", "yes", ""]
    verdicts = [cell.verdict for cell in view.cells]
    counts = [verdicts.count(one) for one in ("agrees", "differs", "not testable")]
    assert rows[0][2:-1] == rows[3][2:-1] == ["2", "2", *map(str, counts)]
    assert sum("was found by looking at the table" in line for line in lines) == 2
    assert lines[-1] == "- dash-2003: 0 of 0 claims are true of our run."
