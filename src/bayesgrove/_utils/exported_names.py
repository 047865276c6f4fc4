"""Public names of a package, collected from the names that its `__init__` imports."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def exported_names(namespace: Mapping[str, Any]) -> list[str]:
    """Return the names that do not begin with an underscore and are not modules.

    Names in capitals come first, then names of classes, then all other names.

    >>> exported_names({"_hidden": 1, "os": __import__("os"), "Naive": 2, "text": 3, "TAN": 4})
    ['TAN', 'Naive', 'text']
    """
    names = [
        name
        for name, value in namespace.items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    ]
    return sorted(names, key=lambda name: (not name.isupper(), name[0].islower(), name))
