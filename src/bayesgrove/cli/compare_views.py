"""Data sources and output of ``compare`` and ``reproduce``."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bayesgrove.cli.columns import attributes_and_class
from bayesgrove.cli.console import emit, say
from bayesgrove.cli.errors import UsageError
from bayesgrove.datasets import has_dataset, load_dataset
from bayesgrove.evaluation import METRICS, Comparison, TextTable
from bayesgrove.evaluation.comparison import TESTS
from bayesgrove.evaluation.results import TIMES
from bayesgrove.tables import ReadOptions

STYLES = ("text", "markdown", "latex", "csv")
"""Formats of a table on stdout."""
PLOTS = {"box": "box.png", "time": "time.png", "critical difference": "ranks.png"}
"""File of each kind of plot."""


@dataclass(frozen=True)
class Show:
    """The requested view of a comparison.

    Parameters
    ----------
    metric : str
        Metric that the table shows.
    base : str or None
        Model against which the others are tested. None means the first one.
    test : str
        Significance test.
    style : str
        Format of the table, one of `STYLES`.
    """

    metric: str
    base: str | None
    test: str
    style: str

    def require(self, models: Sequence[str]) -> None:
        """Raise unless all choices exist. This is called before any work is done."""
        _require("--metric", self.metric, (*METRICS, "attributes", "arcs", "parameters", *TIMES))
        _require("--test", self.test, tuple(TESTS))
        _require("--style", self.style, STYLES)
        if self.base is not None:
            _require("--base", self.base, models)

    def show(self, result: Comparison) -> None:
        """Write the view to stdout."""
        if self.metric in result.metrics:
            table = result.summary(self.metric, base=self.base, test=self.test)
            emit(f"{formatted(table, self.style)}\n")
        else:
            for first in result.failures[:1]:
                say(
                    f"Everything failed; the first failure is {first.model} on {first.dataset}: "
                    f"{first.failure}"
                )


def formatted(table: TextTable, style: str) -> str:
    """Return a table as text in a style."""
    if style == "text":
        width = 80
        if sys.stdout.isatty():
            import shutil

            width = max(shutil.get_terminal_size().columns, 40)
        return table.to_text(width)
    formats = {"markdown": table.to_markdown, "latex": table.to_latex, "csv": table.to_csv}
    return formats[style]().rstrip("\n")


def sources(
    tables: Sequence[str],
    target: str | None,
    reading: ReadOptions,
    drop: Sequence[str],
    categorical: Sequence[str],
) -> dict[str, Callable[[], tuple[Any, Any]]]:
    """Return functions that load the data sets, by name. A file is read when it is called."""
    named: dict[str, Callable[[], tuple[Any, Any]]] = {}
    for table in tables:
        if has_dataset(table) and not Path(table).is_file():
            named[table] = partial(_dataset, table)
        elif target is None:
            raise UsageError(f"{table} is not a data set; for a file, give the --target.")
        else:
            named[_stem(table, named)] = partial(
                attributes_and_class, table, target, reading, drop, categorical
            )
    return named


def require_folder(folder: str | None, resume: bool) -> None:
    """Raise if a run is to be resumed without its folder."""
    if resume and folder is None:
        raise UsageError("--resume needs --folder: the folder of the run.")


def fraction(advance: Callable[[float], None]) -> Callable[[int, int], None]:
    """Return a function that turns counts of results into advances as shares of the whole."""
    before = 0

    def report(done: int, total: int) -> None:
        nonlocal before
        before = min(before, done - 1)  # Each table counts from the start.
        advance((done - before) / total)
        before = done

    return report


def draw(result: Comparison, folder: str, metric: str) -> None:
    """Write plots into the folder of the results; leave out those that need more results."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return
    for kind, file in PLOTS.items():
        try:
            result.plot(kind, metric).savefig(Path(folder, file), dpi=120)
        except ValueError:
            continue


def _dataset(table: str) -> tuple[Any, Any]:
    """Load a data set by name."""
    X, y = load_dataset(table)
    return X, y


def _stem(path: str, taken: Any) -> str:
    """Return the name of a file without its ending, or the whole path if the name is taken."""
    short = Path(path).name.split(".")[0] or path
    return path if short in taken else short


def _require(option: str, value: str, choices: Sequence[str]) -> None:
    """Raise unless the value of an option is one of the choices."""
    if value not in choices:
        raise UsageError(f"{option} {value!r} must be one of {', '.join(choices)}.")
