"""Shared parts of the benchmarks: rows of the table, timing, memory and synthetic data."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Row:
    """One row of the table; ``met`` is None if nothing is promised."""

    case: str
    ours: str = ""
    peer: str = ""
    ratio: str = ""
    promise: str = ""
    met: bool | None = None
    note: str = ""


def versus(
    case: str, ours: float, peer: float, at_least: float | None = None, note: str = ""
) -> Row:
    """Return a row with our seconds and those of a peer; the promise is a ratio, or None."""
    ratio = peer / ours
    return Row(
        case,
        show_seconds(ours),
        show_seconds(peer),
        show_ratio(ratio),
        "" if at_least is None else f">= {at_least:g}x",
        None if at_least is None else ratio >= at_least,
        note,
    )


def under(case: str, ours: float, limit: float | None, note: str = "") -> Row:
    """Return a row with our seconds; the promise is an upper limit, or None."""
    promise = "" if limit is None else f"< {show_seconds(limit)}"
    met = None if limit is None else ours < limit
    return Row(case, show_seconds(ours), promise=promise, met=met, note=note)


def at_most(case: str, ours: float, other: float, limit: float, note: str = "") -> Row:
    """Return a row with our seconds, which should be at most a multiple of other seconds."""
    ratio = ours / other
    return Row(
        case,
        show_seconds(ours),
        show_seconds(other),
        show_ratio(ratio),
        f"<= {limit:g}x",
        ratio <= limit,
        note,
    )


def not_installed(case: str, package: str, ours: float) -> Row:
    """Return a row for a peer that is not installed."""
    return Row(case, show_seconds(ours), f"{package} not installed")


def is_installed(package: str) -> bool:
    """Return whether a distribution of this name is installed."""
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def show_seconds(seconds: float) -> str:
    """Return seconds with a suitable unit, and wall-clock seconds if they are much longer.

    >>> show_seconds(0.0123)
    '12.3 ms'
    >>> show_seconds(Seconds(0.0123, 0.05))
    '12.3 ms (wall 50 ms)'
    """
    scale, unit = (1, "s") if seconds >= 1 else (1e3, "ms") if seconds >= 1e-3 else (1e6, "us")
    wall = getattr(seconds, "wall", 0.0)
    busy = f" (wall {show_seconds(wall)})" if wall > 1.2 * seconds else ""
    return f"{seconds * scale:.3g} {unit}{busy}"


def show_ratio(ratio: float) -> str:
    """Return a ratio as text with three significant digits, or without decimals from 100 on."""
    return f"{ratio:.0f}x" if ratio >= 100 else f"{ratio:.3g}x"


class Seconds(float):
    """CPU seconds of a process; ``wall`` are the wall-clock seconds."""

    wall: float

    def __new__(cls, core: float, wall: float) -> Self:
        """Create the seconds of one measurement by both clocks."""
        seconds = super().__new__(cls, core)
        seconds.wall = wall
        return seconds


def best(*calls: Callable[[], Any], repeats: int = 5) -> list[Seconds]:
    """Return the smallest seconds of each call; the calls alternate, so all see the same noise.

    The seconds are CPU seconds. With one thread they are the wall-clock seconds without the time
    in which other processes use the core.
    """
    core, wall = (np.full((len(calls), repeats), np.inf) for _ in range(2))
    gc.collect()
    gc.disable()
    try:
        for repeat in range(repeats):
            for index, call in enumerate(calls):
                start = time.process_time(), time.perf_counter()
                call()
                core[index, repeat] = time.process_time() - start[0]
                wall[index, repeat] = time.perf_counter() - start[1]
    finally:
        gc.enable()
    return [Seconds(*pair) for pair in zip(core.min(axis=1), wall.min(axis=1), strict=True)]


def memory_rise(call: Callable[[], Any]) -> int:
    """Return by how many bytes the resident memory of this process rises during a call.

    Linux keeps the peak of a process since its start and resets it on request. The peak of
    ``resource.getrusage`` includes the process that started this one, so it is not used.
    """
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = _status("VmRSS")
    call()
    return _status("VmHWM") - before


def peak_memory() -> int:
    """Return the peak of the resident memory of this process, in bytes (Linux only)."""
    return _status("VmHWM")


def _status(field: str) -> int:
    text = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in text.splitlines() if line.startswith(field + ":"))
    return int(line.split()[1]) * 1024


def fresh(name: str, *arguments: str) -> Any:
    """Run ``python -m benchmarks.<name> arguments`` and return what it prints as JSON."""
    command = [sys.executable, "-m", f"benchmarks.{name}", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout)


def codes(
    rows: int, columns: int, card: int, classes: int, dtype: Any = np.int64, seed: int = 0
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return random codes 0..card-1 and classes; a cell with code 0 gets the code of the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    X = rng.integers(0, card, (rows, columns), dtype=dtype)
    for start in range(0, rows, 1 << 14):  # In parts, to avoid a second matrix in memory.
        part = X[start : start + (1 << 14)]
        class_codes = (y[start : start + (1 << 14), None] % card).astype(dtype)
        np.copyto(part, class_codes, where=part == 0)
    return X, y


def columns_of(X: NDArray[Any]) -> list[NDArray[Any]]:
    """Return the columns of a matrix as contiguous arrays of bytes, as the kernels need them."""
    return list(np.ascontiguousarray(X.T.astype(np.uint8)))
