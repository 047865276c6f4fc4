"""Public names and their modules, read from the only list, ``bayesgrove/__init__.pyi``."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from typing import Any

_STUB = Path(__file__).parents[1] / "__init__.pyi"

HOMES: dict[str, str] = {
    alias.name: node.module
    for node in ast.parse(_STUB.read_text(encoding="utf-8")).body
    if isinstance(node, ast.ImportFrom) and node.module is not None
    for alias in node.names
}
"""Module of each public name, in the order of the list."""


def public_classes(package: str, has: str) -> dict[str, Any]:
    """Import and return the public classes of a package that have an attribute, by name.

    The classes are in the order of the list. Abstract classes are left out.
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
