"""Checks that enough memory is available, made before the memory is allocated."""

from __future__ import annotations

import os
import sys
from pathlib import Path

SMALL = 1 << 24
"""Bytes. Less than this is allocated without a check."""


class MemoryLimitError(MemoryError, ValueError):
    """Some work would need more memory than is available."""


_NAMES = "memory.max", "memory.current"
_OLD_NAMES = "memory.limit_in_bytes", "memory.usage_in_bytes"
"""Files of the limit and the use of a control group, of version 2 and of version 1."""
_CACHED = ("inactive_file ", "total_inactive_file ")


def available_memory() -> int:
    """Return the number of bytes that can be allocated now without swapping.

    This is the least of what the machine, the control group (of a container) and the limit of the
    address space of the process leave.
    """
    return min(_of_machine(), _of_control_groups(Path("/")), _of_process())


def _of_machine() -> int:
    """Return the bytes that the machine has left."""
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        line = next(line for line in text.splitlines() if line.startswith("MemAvailable:"))
        return int(line.split()[1]) * 1024
    except (OSError, StopIteration, ValueError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def _of_control_groups(root: Path) -> int:
    """Return the bytes that the control group of the process and the groups above it leave."""
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return sys.maxsize
    left = sys.maxsize
    for line in lines:
        _, controllers, path = line.split(":", 2)
        second = not controllers  # Version 2 has one line, without controllers.
        if not second and "memory" not in controllers.split(","):
            continue
        top = root / ("sys/fs/cgroup" if second else "sys/fs/cgroup/memory")
        names = _NAMES if second else _OLD_NAMES
        group = top / path.lstrip("/")
        for place in (group, *group.parents):
            if place.is_relative_to(top):
                left = min(left, _of_group(place, *names))
    return left


def _of_group(place: Path, limit: str, used: str) -> int:
    """Return the bytes that one control group leaves."""
    try:
        most = (place / limit).read_text(encoding="ascii").strip()
        now = int((place / used).read_text(encoding="ascii"))
        # Files that were read a while ago give their memory back when it is needed.
        lines = (place / "memory.stat").read_text(encoding="ascii").splitlines()
        files = [int(line.split()[1]) for line in lines if line.startswith(_CACHED)]
    except (OSError, ValueError):
        return sys.maxsize
    if not most.isdigit():  # "max"
        return sys.maxsize
    return max(int(most) - now + max(files, default=0), 0)


def _of_process() -> int:
    """Return the bytes that the limit of the address space leaves."""
    try:
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if most == resource.RLIM_INFINITY:
            return sys.maxsize
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        return max(most - pages * os.sysconf("SC_PAGE_SIZE"), 0)
    except (ImportError, OSError, ValueError):
        return sys.maxsize


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
