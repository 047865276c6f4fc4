"""The public names of the package: what users import, and what has a page in the reference."""

import importlib
import inspect

from bayesgrove._utils.public_names import HOMES

PACKAGES = (
    "bayesgrove",
    "bayesgrove.structures",
    "bayesgrove.parameters",
    "bayesgrove.selection",
    "bayesgrove.weighting",
    "bayesgrove.averaging",
    "bayesgrove.trees",
    "bayesgrove.contracts",
    "bayesgrove.evaluation",
    "bayesgrove.network",
    "bayesgrove.report",
    "bayesgrove.datasets",
    "bayesgrove.checks",
)


def public_objects():
    """Return the public classes and functions by their full names, each once."""
    objects = {}
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in HOMES if package == "bayesgrove" else module.__all__:
            member = getattr(module, name)
            known = any(member is other for other in objects.values())
            if (inspect.isclass(member) or inspect.isroutine(member)) and not known:
                objects[f"{package}.{name}"] = member
    return objects


def public_methods(owner):
    """Return the names of the public methods that a class of ours defines or inherits from ours."""
    return [
        name
        for name, member in inspect.getmembers(owner, inspect.isroutine)
        if not name.startswith("_")
        and getattr(member, "__module__", "").startswith("bayesgrove")
        and not isinstance(inspect.getattr_static(owner, name), property)
    ]
