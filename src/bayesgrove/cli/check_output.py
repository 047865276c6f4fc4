"""Where results go: checked before any work is done."""

import os
import tempfile
from pathlib import Path

from bayesgrove.cli.errors import UsageError


def require_writable(path: str | None, *inputs: str) -> None:
    """Refuse an output that cannot be written, or that would take the place of an input."""
    if path is None:
        return
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise UsageError(f"Cannot write {path}: it is a folder.")
    if target.exists() and not target.is_file():
        return  # a pipe or a terminal
    for given in inputs:
        if target.exists() and os.path.exists(given) and os.path.samefile(given, target):
            raise UsageError(f"Cannot write {path}: it is read here, too.")
    try:
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    except OSError as error:
        raise UsageError(f"Cannot write {path}: {error.strerror}.") from None
