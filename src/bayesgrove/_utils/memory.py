"""Memory is estimated before it is taken."""

from __future__ import annotations

import os
from pathlib import Path

SMALL = 1 << 24
"""Less than this is taken without asking."""


class MemoryLimitError(MemoryError, ValueError):
    """A piece of work would need more memory than there is."""


def available_memory() -> int:
    """Bytes that can be taken now without swapping."""
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        line = next(line for line in text.splitlines() if line.startswith("MemAvailable:"))
        return int(line.split()[1]) * 1024
    except (OSError, StopIteration, ValueError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def require_memory(size: int, what: str, remedy: str) -> None:
    """Refuse work that would need ``size`` bytes when they are not to be had."""
    if size < SMALL:
        return
    limit = available_memory()
    if size > limit:
        raise MemoryLimitError(
            f"{what} would need {_gigabytes(size)}, and {limit / 1e9:.1f} GB are available: "
            f"{remedy}."
        )


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size < 1e15 else f"{size / 1e9:.0e} GB"
