"""The public names and where they live: read from ``bayesgrove/__init__.pyi``, the one list."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from typing import Any

_LIST = Path(__file__).parents[1] / "__init__.pyi"

HOMES: dict[str, str] = {
    alias.name: node.module
    for node in ast.parse(_LIST.read_text(encoding="utf-8")).body
    if isinstance(node, ast.ImportFrom) and node.module is not None
    for alias in node.names
}


def public_classes(package: str, has: str) -> dict[str, Any]:
    """Import and return the public classes of a package that have an attribute, by name.

    They are in the order of the list. A class that is abstract is left out.
    """
    public = [
        getattr(importlib.import_module(home), name)
        for name, home in HOMES.items()
        if home.startswith(f"{package}.")
    ]
    return {
        member.__name__: member
        for member in public
        if isinstance(member, type) and hasattr(member, has) and not inspect.isabstract(member)
    }
