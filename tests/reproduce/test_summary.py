"""The script that prints the summary of all reproductions."""

import re
import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from bayesgrove.reproduce import PAPERS, reproduce, tables_of
from bayesgrove.reproduce.papers.dash_2003 import OVER_NODES, PAPER
from bayesgrove.reproduce.published import published
from bayesgrove.reproduce.synthetic import Trials
from bayesgrove.reproduce.views.means import MeanCell
from bayesgrove.reproduce.views.tables import View

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


PAGES = SCRIPT.parent / "reproductions"


def summary_rows():
    """Return the rows of the counts on the page: paper, table, and five numbers."""
    rows = re.findall(r"^\| (\S*) \| ([^|]*) \| (\d.*) \| (?:yes|no)? ?\|$", page("README"), re.M)
    return [
        (paper, table.strip(), [int(text.split()[0]) for text in numbers.split("|")])
        for paper, table, numbers in rows
    ]


def page(name):
    return (PAGES / f"{name}.md").read_text()


def test_the_last_row_of_the_page_is_the_sum_of_the_others():
    rows = summary_rows()
    last = next(numbers for paper, _, numbers in rows if paper == "all")
    literal = [n for paper, table, n in rows if paper != "all" and "(" not in table]
    assert len(literal) == 23
    assert [sum(column) for column in zip(*literal, strict=True)] == last
    for printed, run, *verdicts in literal:
        assert run == sum(verdicts) <= printed


@pytest.mark.parametrize(
    ("paper", "count"),
    [
        ("singh-1995", r"\*\*(\d+) of 158 cells agree within two combined\s"),
        ("dash-2003", r"\*\*(\d+) of 136 cells agree\*\*"),
        ("hall-2006", r"\*\*(\d+) of 660 cells agree within two standard errors\*\*"),
        ("sahami-1996", r"\*\*(\d+) of 48\s+cells agree within two combined standard errors\*\*"),
        ("drugan-2004", r"\*\*(\d+) of the 16 cells that can be run agree within two combined"),
    ],
)
def test_the_page_of_a_paper_has_the_counts_of_the_summary(paper, count):
    rows = [n for name, table, n in summary_rows() if name == paper and "(" not in table]
    (found,) = re.findall(count, page(paper))
    assert int(found) == sum(numbers[2] for numbers in rows)
    tables = page(paper).split("## What was tried\n")[0]
    verdicts = re.findall(r"\| (agrees|differs|not testable)(?: \(\d+\))? \|$", tables, re.M)
    if paper not in ("dash-2003", "drugan-2004"):  # Their pages have other readings, too.
        assert verdicts.count("agrees") == int(found)
        assert verdicts.count("differs") == sum(numbers[3] for numbers in rows)
        assert verdicts.count("not testable") == sum(numbers[4] for numbers in rows)


def test_the_summary_says_how_many_cells_were_tested_by_changed_inputs():
    coverage = runpy.run_path(str(SCRIPT))["coverage"]
    table = tables_of("hall-2006", "5")[0]
    cells = [
        MeanCell(dataset=figure.dataset, method=figure.method, theirs=figure)
        for figure in published("002")
        if figure.table == "5"
    ]
    assert coverage(View("hall-2006", table, cells)) == " (of 5 tested)"  # labor, with five methods
    assert coverage(View("singh-1995", tables_of("singh-1995", "4")[0], [])) == ""
