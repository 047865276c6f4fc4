"""Discrete Bayesian network classifiers you can read, trust and compare."""

from __future__ import annotations

import importlib
from typing import Any

from bayesgrove._utils.public_names import HOMES as _HOMES
from bayesgrove._version import __version__ as __version__

# Public names are listed once, in __init__.pyi. Each is imported when it is first used, so that the
# command line starts quickly. Type checkers read the same list.
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'bayesgrove' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
