"""What ``compare`` and ``reproduce`` need: data sets by name or file, and views."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from bayesgrove.cli.columns import attribute_column, attributes, read, require_columns
from bayesgrove.cli.console import emit, say
from bayesgrove.cli.errors import UsageError
from bayesgrove.datasets import has_dataset, load_dataset
from bayesgrove.encoding import class_column
from bayesgrove.evaluation import METRICS, Comparison, TextTable
from bayesgrove.evaluation.comparison import TESTS
from bayesgrove.evaluation.results import TIMES
from bayesgrove.tables import ReadOptions

STYLES = ("text", "markdown", "latex", "csv")
PLOTS = {"box": "box.png", "time": "time.png", "critical difference": "ranks.png"}


@dataclass(frozen=True)
class Show:
    """Which view of a comparison is asked for."""

    metric: str
    base: str | None
    test: str
    style: str

    def require(self, models: Sequence[str]) -> None:
        """Refuse what there is not, before any work is done."""
        _require("--metric", self.metric, (*METRICS, "attributes", "arcs", "parameters", *TIMES))
        _require("--test", self.test, tuple(TESTS))
        _require("--style", self.style, STYLES)
        if self.base is not None:
            _require("--base", self.base, models)

    def show(self, result: Comparison) -> None:
        """The view on stdout."""
        if self.metric in result.metrics:
            table = result.summary(self.metric, base=self.base, test=self.test)
            emit(f"{written(table, self.style)}\n")
        else:
            for first in result.failures[:1]:
                say(f"Everything failed; first: {first.model} on {first.dataset}: {first.failure}")


def written(table: TextTable, style: str) -> str:
    """Return a table in a style."""
    if style == "text":
        width = 80
        if sys.stdout.isatty():
            import shutil

            width = max(shutil.get_terminal_size().columns, 40)
        return table.to_text(width)
    texts = {"markdown": table.to_markdown, "latex": table.to_latex, "csv": table.to_csv}
    return texts[style]().rstrip("\n")


def sources(
    tables: Sequence[str],
    target: str | None,
    reading: ReadOptions,
    drop: Sequence[str],
    categorical: Sequence[str],
) -> dict[str, Callable[[], tuple[Any, Any]]]:
    """Data sets to be loaded when their turn comes; a file that cannot be read fails then."""
    named: dict[str, Callable[[], tuple[Any, Any]]] = {}
    for table in tables:
        if has_dataset(table) and not Path(table).is_file():
            named[table] = partial(_dataset, table)
        elif target is None:
            raise UsageError(f"{table} is not a data set at hand; of a file give the --target.")
        else:
            named[_stem(table, named)] = partial(_file, table, target, reading, drop, categorical)
    return named


def require_folder(folder: str | None, resume: bool) -> None:
    """Refuse to go on with a run that is nowhere."""
    if resume and folder is None:
        raise UsageError("--resume needs --folder: the folder of the run.")


def fraction(advance: Callable[[float], None]) -> Callable[[int, int], None]:
    """Report progress in results as shares of the whole."""
    before = 0

    def report(done: int, total: int) -> None:
        nonlocal before
        before = min(before, done - 1)  # another table begins anew
        advance((done - before) / total)
        before = done

    return report


def draw(result: Comparison, folder: str, metric: str) -> None:
    """Pictures beside the results; those that the run is too small for are left out."""
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
    X, y = load_dataset(table)
    return X, y


def _file(
    path: str, target: str, reading: ReadOptions, drop: Sequence[str], categorical: Sequence[str]
) -> tuple[Any, Any]:
    table = read(path, reading, list(drop))
    require_columns(table, [target, *categorical])
    names = attributes(table, target)
    y = class_column(table, target)
    return pd.DataFrame({n: attribute_column(table, n, categorical) for n in names}), y


def _stem(path: str, taken: Any) -> str:
    short = Path(path).name.split(".")[0] or path
    return path if short in taken else short


def _require(option: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise UsageError(f"{option} {value!r} must be one of {', '.join(choices)}.")
