"""Run the benchmarks, print one table and save it as Markdown."""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
import time
import traceback
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.helpers import Row, is_installed

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).resolve().parent
NOT_BENCHMARKS = {"__init__", "__main__", "development_sets", "helpers", "run", "traces"}
HEAD = ("benchmark", "ours", "peer", "ratio", "promise", "met")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen benchmarks; return 1 if one of them failed with an exception, else 0."""
    options = _options(arguments)
    results: list[tuple[Any, list[Row]]] = []
    any_failed = False
    for name in options.names or _names():
        module = importlib.import_module(f"benchmarks.{name}")
        start = time.perf_counter()
        rows, failed = _run(module, options.full)
        any_failed |= failed
        results.append((module, rows))
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    report = _report(results)
    print(report)
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    (folder / "latest.md").write_text(report, encoding="utf-8")
    return int(any_failed)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"any of {', '.join(_names())}; default: all")
    parser.add_argument("--full", action="store_true", help="also run cases that take many minutes")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - set(_names()))
    if unknown:
        parser.error(
            f"There is no benchmark {unknown[0]!r}; the benchmarks are {', '.join(_names())}."
        )
    return options


def _names() -> list[str]:
    return sorted({path.stem for path in HERE.glob("*.py")} - NOT_BENCHMARKS)


def _run(module: Any, full: bool) -> tuple[list[Row], bool]:
    """Return the rows of one benchmark and whether it failed; a failure becomes a row."""
    run = getattr(module, "run_full", module.run) if full else module.run
    rows: list[Row] = []
    try:
        for row in run():
            rows += [row]  # Rows before a failure are kept.
    except Exception as error:
        traceback.print_exc()
        note = f"{type(error).__name__}: {error}; its further rows are missing above"
        return [*rows, Row("failed", "FAILED", note=note)], True
    return rows, False


def _report(results: list[tuple[Any, list[Row]]]) -> str:
    """Return the report as Markdown: machine, table, promises and notes."""
    rows = [(module.NAME, row) for module, all_rows in results for row in all_rows]
    cells = [_cells(name, row) for name, row in rows]
    promised = [row.met for _, row in rows if row.met is not None]
    failed = sum(row.ours == "FAILED" for _, row in rows)
    notes = dict.fromkeys(f"- {name}, {row.case}: {row.note}" for name, row in rows if row.note)
    parts = [
        "# Benchmarks",
        _machine(),
        _table([HEAD, *cells]),
        f"{sum(promised)} of {len(promised)} promises met; {failed} benchmarks failed.",
        "\n".join(f"- {module.NAME}: {module.PROMISE}" for module, _ in results),
    ]
    if notes:
        parts += ["Notes:", "\n".join(notes)]
    return "\n\n".join(parts) + "\n"


def _cells(name: str, row: Row) -> tuple[str, ...]:
    met = {True: "yes", False: "NO", None: ""}[row.met]
    return (f"{name}: {row.case}", row.ours, row.peer, row.ratio, row.promise, met)


def _table(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    ruled = [lines[0], ["-" * width for width in widths], *lines[1:]]
    return "\n".join(
        "| " + " | ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)) + " |"
        for line in ruled
    )


def _machine() -> str:
    from bayesgrove.kernels import kernels

    packages = ("bayesgrove", "numpy", "scikit-learn", "pandas", "pyagrum", "pgmpy")
    shown = [f"{name} {version(name)}" for name in packages if is_installed(name)]
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{time.strftime('%Y-%m-%d %H:%M')}, Python {platform.python_version()}, "
        f"{platform.machine()} with {os.cpu_count()} cores{load}, "
        f"kernels: {kernels.instruction_set()}; {', '.join(shown)}. "
        "Seconds on one core, best of several alternating repeats."
    )


if __name__ == "__main__":
    sys.exit(main())
