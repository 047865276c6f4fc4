"""Warnings that point to the user's line of code, the first one outside the package."""

from __future__ import annotations

import inspect
import warnings


def warn_caller(message: str | Warning, category: type[Warning] = UserWarning) -> None:
    """Warn with the line of the caller outside the package, at any depth of calls inside it."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith("bayesgrove."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
