"""Print the summary of all reproductions as markdown, from folders with finished runs.

    python docs/make_reproductions.py singh-1995=run000 dash-2003=run001 drugan-2004=run004

Each argument is a paper and the folder of its run. A run that is not finished is completed. Tables
that are shown only on request are read, too, if the folder has their experiments: other readings of
a table, and results behind claims. The last row of the table counts each printed number once: the
other readings are not in it.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from bayesgrove.reproduce import find_paper, reproduce_tables, tables_of
from bayesgrove.reproduce.views.means import MeansTable

if TYPE_CHECKING:
    from bayesgrove.reproduce.reproduction import Reproduction
    from bayesgrove.reproduce.views.tables import Table, View

HEADER = ("paper", "table", "printed", "run", "agree", "differ", "not testable", "fitted")


def line(texts: tuple[str, ...]) -> str:
    """Return a row of a markdown table."""
    return f"| {' | '.join(texts)} |"


def counted(paper: str, view: View) -> tuple[str, ...]:
    """Return the row of a table: its printed cells by their verdicts."""
    verdicts = Counter(cell.verdict for cell in view.cells if cell.theirs is not None)
    run = verdicts.total() - verdicts["not run"]
    numbers = (verdicts.total(), run, *(verdicts[one] for one in ("agrees", "differs")))
    fitted = "yes" if view.table.fitted else "no"
    untestable = f"{verdicts['not testable']}{coverage(view)}"
    return (paper, name(view.table), *map(str, numbers), untestable, fitted)


def coverage(view: View) -> str:
    """Return how many cells of a table were tested by changed inputs; empty if none could be."""
    table = view.table
    if not isinstance(table, MeansTable) or not table.perturbed:
        return ""
    tested = sum(
        any(table.has(cell.dataset, changed) for changed in table.perturbed.get(cell.method, ()))
        for cell in view.cells
        if cell.theirs is not None
    )
    return f" (of {tested} tested)"


def name(table: Table) -> str:
    """Return the number of a table; the table "3-bounded-ties" is called "3 (bounded, ties)"."""
    number, _, reading = table.number.partition("-")
    return f"{number} ({reading.replace('-', ', ')})" if reading else number


def requested(paper: str, folder: str) -> list[Table]:
    """Return the tables on request whose experiments the folder has.

    Tables that hold alternatives for single choices beside each other are left out.
    """
    return [
        one
        for one in find_paper(paper).tables
        if one.on_request
        and one.experiments
        and (not one.printed_in or one.number.startswith(one.printed_in))
        and all((Path(folder) / experiment.name).is_dir() for experiment in one.experiments)
    ]


def run(paper: str, folder: str) -> Reproduction:
    """Return the tables of a paper, then those on request."""
    tables = [*tables_of(paper), *requested(paper, folder)]
    return reproduce_tables(paper, tables, folder=folder, resume=True)


def compared(paper: Reproduction) -> list[View]:
    """Return the tables of a paper that have printed numbers."""
    return [view for view in paper.tables if any(cell.theirs for cell in view.cells)]


def fitted(paper: Reproduction) -> list[str]:
    """Return what was fitted to the tables of a paper, each sentence once."""
    sentences = dict.fromkeys(text for view in compared(paper) for text in view.table.fitted)
    return [f"- {paper.requested}: {sentence}" for sentence in sentences]


def claims(paper: Reproduction) -> str:
    """Return a sentence that says how many claims are true."""
    true = sum(verdict.outcome == "true" for verdict in paper.claims)
    return f"- {paper.requested}: {true} of {len(paper.claims)} claims are true of our run."


def main(arguments: list[str]) -> None:
    """Print the table of all tables, then what was fitted, then the counts of the claims."""
    papers = [run(paper, folder) for paper, _, folder in (one.partition("=") for one in arguments)]
    rows = [(view.table, counted(one.requested, view)) for one in papers for view in compared(one)]
    lines = [line(row) for _, row in rows]
    print(line(HEADER), line(("---",) * len(HEADER)), *lines, sep="\n")
    literal = [row for table, row in rows if not table.on_request]
    sums = [sum(int(row[place].split()[0]) for row in literal) for place in range(2, 7)]
    print(line(("all", "", *map(str, sums), "")), "", sep="\n")
    print(*(sentence for one in papers for sentence in fitted(one)), "", sep="\n")
    print(*map(claims, papers), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
