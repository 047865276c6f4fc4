"""Checks that enough memory is available, made before the memory is allocated."""

from __future__ import annotations

import os
from pathlib import Path

SMALL = 1 << 24
"""Bytes. Less than this is allocated without a check."""


class MemoryLimitError(MemoryError, ValueError):
    """Some work would need more memory than is available."""


def available_memory() -> int:
    """Return the number of bytes that can be allocated now without swapping."""
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        line = next(line for line in text.splitlines() if line.startswith("MemAvailable:"))
        return int(line.split()[1]) * 1024
    except (OSError, StopIteration, ValueError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def require_memory(size: int, what: str, remedy: str) -> None:
    """Raise unless ``size`` bytes of memory are available.

    Parameters
    ----------
    size : int
        Bytes that the work needs.
    what : str
        Name of the work, as the subject of the message, such as ``"Reading table.csv"``.
    remedy : str
        How to reduce the memory, as the end of the message.
    """
    if size < SMALL:
        return
    limit = available_memory()
    if size > limit:
        raise MemoryLimitError(
            f"{what} would need {_gigabytes(size)}, and {limit / 1e9:.1f} GB are available: "
            f"{remedy}."
        )


def _gigabytes(size: int) -> str:
    """Return a number of bytes as text in GB."""
    return f"{size / 1e9:.1f} GB" if size < 1e15 else f"{size / 1e9:.0e} GB"
