"""Papers by name and number; the one that is asked for is the only one that is imported."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from bayesgrove.cli import app
from bayesgrove.reproduce import NUMBERS, PAPERS, find_paper, has_paper

RUN = """
import sys
from bayesgrove.reproduce import tables_of
tables_of(sys.argv[1])
print(*(name.rpartition(".")[2] for name in sys.modules if "reproduce.papers." in name))
"""


@pytest.mark.parametrize(("number", "name"), NUMBERS.items())
def test_a_number_is_another_name(number, name):
    assert find_paper(number) is find_paper(name)
    assert find_paper(name).number == number


def test_names_are_first_authors_and_years():
    for name in NUMBERS.values():
        author, year = name.split("-")
        names, rest = find_paper(name).citation.split(" (", 1)
        assert names.split(" and ")[0].split()[-1].lower() == author
        assert rest.startswith(f"{year})")


@pytest.mark.parametrize("asked", ["hall-2006", "002"])
def test_no_other_paper_is_imported(asked):
    command = [sys.executable, "-c", RUN, asked]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["hall_2006"]


def test_papers_that_there_are_not():
    assert has_paper("sahami-1996")
    assert has_paper("modern")
    assert has_paper("003")
    assert not has_paper("sahami")
    with pytest.raises(ValueError, match=r"paper='sahami' must be one of .*sahami-1996 \(003\)"):
        find_paper("sahami")


def test_a_paper_can_be_asked_for_by_name(made_up, monkeypatch):
    monkeypatch.setitem(NUMBERS, "900", "nobody-1900")
    monkeypatch.setitem(PAPERS, "nobody-1900", lambda: made_up.paper)
    shown = []
    for asked in ("nobody-1900", "900"):
        done = CliRunner().invoke(app, ["reproduce", asked, "--table", "3", "-j", "1"])
        assert done.exit_code == 0
        title, _, rest = done.stdout.partition("\n")
        assert title == f"Paper {asked}, table 3: first"
        shown.append(rest)
    assert shown[0] == shown[1] != ""


def test_help_lists_the_names():
    done = CliRunner().invoke(app, ["reproduce", "--help"], env={"COLUMNS": "200"})
    shown = " ".join(done.stdout.split())
    assert all(name in shown for name in PAPERS)
