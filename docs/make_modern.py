"""Write the results on the page of the comparison "modern", from the folder of its run.

    python docs/make_modern.py run

Everything on the page below the line MARK is replaced by tables and diagrams of the results that
are in the folder. Nothing is run: if a run is not finished, the page says what is missing. The
packages whose results are shown must be installed.
"""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from bayesgrove.evaluation.plots import critical_difference
from bayesgrove.reproduce.experiment import together
from bayesgrove.reproduce.papers.modern import PAPER, TABLES
from bayesgrove.reproduce.reproduction import Reproduction, experiments_of
from bayesgrove.reproduce.views.standings import OwnTable, Standings

if TYPE_CHECKING:
    from bayesgrove.evaluation import Comparison
    from bayesgrove.reproduce.experiment import Experiment

DOCS = Path(__file__).parent
PAGE = DOCS / "reproductions" / "modern.md"
MARK = "<!-- Everything below is written by docs/make_modern.py. -->"
DIAGRAMS = {"clipped_log_loss": "log-loss", "brier": "Brier score", "error": "error"}


def experiments() -> list[Experiment]:
    """Return all experiments, each once."""
    return experiments_of(list(TABLES))


def stored(folder: Path) -> Comparison:
    """Return all results in the folder; stop if it has results of a package that is not there."""
    others = {path.parent.name for path in folder.glob("*/run.json")}
    others -= {one.name for one in experiments()}
    if others:
        raise SystemExit(
            f"{folder} has results that have no place: {', '.join(sorted(others))}. Install the "
            'packages first: pip install "bayesgrove[modern]".'
        )
    return together(one.stored(folder) for one in experiments())


def tables() -> list[OwnTable]:
    """Return the tables of the page: those of the command, then all sets."""
    return [one for one in TABLES if not one.on_request or one.number == "sets"]


def diagrams(table: Standings, results: Comparison) -> list[str]:
    """Draw the critical differences of a table; return the lines that show them."""
    kept = table.complete(results).results
    if not kept.datasets:
        return []
    lines = []
    for metric, title in DIAGRAMS.items():
        name = f"modern-{table.number}-{metric.replace('_', '-')}.png"
        figure = critical_difference(kept, metric)
        figure.axes[0].set_title(f"{title}, {len(kept.datasets)} sets")
        figure.set_size_inches(8.0, 4.5)
        figure.savefig(DOCS / "images" / name, dpi=110)
        lines.append(f"![Average ranks by {title}](../images/{name})")
    return lines


def progress(results: Comparison) -> list[str]:
    """Return one line per method: its options, and how many results there are."""
    sets: dict[str, list[str]] = {}
    for one in experiments():
        for method in one.methods:
            sets.setdefault(method, []).extend(one.data)
    lines = ["| method | sets | results | failed | as run |", "|---|---|---|---|---|"]
    for method, names in sets.items():
        cells = [result for name in names for result in results.results_of(name, method)]
        done = len({result.dataset for result in cells})
        failed = sum(bool(result.failure) for result in cells)
        text = results.plan["models"][method]
        lines.append(
            f"| {method} | {done} of {len(names)} | {len(cells)} | {failed} | `{text or '-'}` |"
        )
    return lines


def page(folder: Path) -> str:
    """Return the part of the page below the mark."""
    results = stored(folder)
    views = [one.view("modern", results, []) for one in tables()]
    verdicts = [one.verdict_on(number, results) for number, one in enumerate(PAPER.claims, 1)]
    *shown, sets, claims = Reproduction("modern", PAPER, results, views, verdicts).text_tables()
    ranked = [one for one in tables() if isinstance(one, Standings)]
    parts = [
        f"Written on {date.today()} with `python docs/make_modern.py`, from these results:",
        "\n".join(progress(results)),
        "## Claims",
        claims.to_markdown(),
        "## Tables",
        *(one.to_markdown() for one in shown),
        "## Critical differences",
        "A bar joins methods whose average ranks Nemenyi's test does not separate.",
        *(line for one in ranked for line in diagrams(one, results)),
        "## Set by set",
        sets.to_markdown(),
    ]
    return "\n\n".join(parts) + "\n"


def main(folder: str) -> None:
    """Replace the part of the page below the mark."""
    text, mark, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    PAGE.write_text(f"{text}{mark or MARK}\n\n{page(Path(folder))}", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
