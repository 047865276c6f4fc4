"""Checks of the output file, made before any work is done."""

import os
import tempfile
from pathlib import Path

from bayesgrove.cli.errors import UsageError


def require_writable(path: str | None, *inputs: str) -> None:
    """Raise unless the output can be written and does not overwrite an input."""
    if path is None:
        return
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise UsageError(f"Cannot write {path}: it is a folder.")
    if target.exists() and not target.is_file():
        return  # A pipe or a terminal.
    for source in inputs:
        if target.exists() and os.path.exists(source) and os.path.samefile(source, target):
            raise UsageError(f"Cannot write {path}: it is also an input of this command.")
    try:
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    except OSError as error:
        raise UsageError(f"Cannot write {path}: {error.strerror}.") from None
