"""Discrete Bayesian network classifiers you can read, trust and compare."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path
from typing import Any

from bayesgrove._version import __version__ as __version__

# Public names are listed once, in __init__.pyi, and come from the layers below when they are first
# used: the command line stays quick, and type checkers see the same list.
_HOMES = {
    alias.name: node.module
    for node in ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")).body
    if isinstance(node, ast.ImportFrom) and node.module is not None
    for alias in node.names
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'bayesgrove' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
