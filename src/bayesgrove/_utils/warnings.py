"""Warnings that point at the line outside of the package that called into it."""

from __future__ import annotations

import inspect
import warnings


def warn_caller(message: str | Warning, category: type[Warning] = UserWarning) -> None:
    """Warn whoever called the package, however deep in it the warning is."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith("bayesgrove."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
