"""Options of classifiers and of their parts, in the format of model files.

Classes are looked up in the lists of public names of the packages, never imported by a name from
a file. The types of options are the annotations of the constructors.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove import encoding, parameters, selection, structures, weighting
from bayesgrove._utils.renamed import new_name
from bayesgrove.model_files.fields import ModelFileError, short
from bayesgrove.model_files.labels import is_plain

if TYPE_CHECKING:
    from types import ModuleType

    from bayesgrove.model_files.fields import Field


def concrete(module: ModuleType, has: str) -> dict[str, type]:
    """Return the public classes of a package that are not abstract and have a method, by name."""
    public = [getattr(module, name) for name in module.__all__]
    return {
        member.__name__: member
        for member in public
        if isinstance(member, type) and hasattr(member, has) and not inspect.isabstract(member)
    }


PARTS: dict[str, dict[str, type]] = {
    "StructureLearner": concrete(structures, "learn"),
    "ParameterLearner": concrete(parameters, "estimate"),
    "PseudoCounts": concrete(parameters, "pseudo_count"),
    "Discretizer": concrete(encoding, "cuts_for_table"),
    "Selector": concrete(selection, "select"),
    "Guide": concrete(selection, "values"),
    "SubsetScorer": concrete(selection, "evaluator"),
    "Weighting": concrete(weighting, "weights"),
}
"""Classes of the objects that an option of each type may hold, by name."""

TYPES: dict[str, list[type]] = {
    "None": [type(None)],
    "bool": [bool],
    "int": [int],
    "float": [int, float],
    "str": [str],
}
"""Types of JSON values that an option of each type may hold."""
ARRAYS = {"Any", "Weights"}
"""Types of options whose values may be arrays."""
PLAIN: list[type] = [type(None), bool, int, float, str]
"""Types of JSON values that an option of type `Any` may hold, alone or in a list."""


def option_types(owner: type) -> dict[str, list[str]]:
    """Return the options of a class, each with the names of its types."""
    constructor: Any = owner.__init__  # type: ignore[misc]
    if constructor is object.__init__:
        return {}
    options = list(inspect.signature(constructor).parameters.values())[1:]
    return {option.name: _type_names(option.annotation) for option in options}


def describe_options(owner: Any, replaced: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the options of a classifier or a part as JSON values; ``replaced`` overrides some."""
    others = replaced or {}
    return {
        name: _describe(name, others[name] if name in others else getattr(owner, name), types)
        for name, types in option_types(type(owner)).items()
    }


def read_options(field: Field, owner: type) -> dict[str, Any]:
    """Return the arguments of the constructor. Options that the file lacks keep their defaults."""
    types = option_types(owner)
    for name in field.any_members():
        if (new := new_name(owner, name)) is not None:
            raise field.error(f"has the option {name!r}, which is now called {new!r}")
    members = field.members(*_required(owner), optional=tuple(types))
    return {name: _read(member, types[name]) for name, member in members.items()}


def _required(owner: type) -> list[str]:
    """Return the options without a default."""
    options = inspect.signature(owner).parameters.values()
    return [option.name for option in options if option.default is option.empty]


def _type_names(annotation: Any) -> list[str]:
    """Return names such as "float" and "None". Annotations are strings and are not evaluated."""
    return str(getattr(annotation, "__name__", annotation)).split(" | ")


def _describe(name: str, value: Any, types: list[str]) -> Any:
    """Return the value of an option as a JSON value; raise if JSON cannot hold it."""
    kind = type(value)
    if any(kind in PARTS[role].values() for role in types if role in PARTS):
        return {"type": kind.__name__, "options": describe_options(value)}
    plain: Any = value.item() if isinstance(value, np.generic) else value
    if plain is None or is_plain(plain):
        return plain
    if "Arcs" in types and isinstance(value, Mapping):
        return [
            [*map(str, arc), _describe(name, probability, ["float"])]
            for arc, probability in value.items()
        ]
    if "SetTable" in types and isinstance(value, Mapping):
        return [
            [str(node), [str(parent) for parent in parents], _describe(name, factor, ["float"])]
            for node, factors in value.items()
            for parents, factor in factors.items()
        ]
    arrays = not ARRAYS.isdisjoint(types)
    items: Any = np.asarray(value, dtype=object).tolist() if arrays else value
    # Tuples and arrays become lists.
    if (arrays or "Levels" in types) and isinstance(items, (list, tuple)):
        return [_describe(name, item, ["Any"] if "Levels" in types else []) for item in items]
    raise ModelFileError(
        f"The option {name}={short(value)} is of the type {kind.__name__}, which a model "
        "file cannot hold: save the model with pickle or joblib."
    )


def _read(field: Field, types: list[str]) -> Any:
    """Return the value of an option; raise unless it has one of the types."""
    parts = {name: part for role in types for name, part in PARTS.get(role, {}).items()}
    if parts and isinstance(field.value, dict):
        return _read_part(field, parts)
    if "Arcs" in types and isinstance(field.value, list):
        return dict(map(_read_arc, field.items()))
    if "SetTable" in types and isinstance(field.value, list):
        return _read_set_table(field)
    if "Levels" in types and isinstance(field.value, list):
        return [_read(item, ["Any"]) for item in field.items()]
    if "Weights" in types and isinstance(field.value, list):
        return [_read_plain(item, TYPES["float"]) for item in field.items()]
    if "Any" not in types:
        return _read_plain(field, [kind for name in types for kind in TYPES.get(name, [])])
    if isinstance(field.value, list):
        return [_read_plain(item, PLAIN) for item in field.items()]
    return _read_plain(field, PLAIN)


def _read_arc(field: Field) -> tuple[tuple[str, str], float]:
    """Return the parent and child of an arc, and its probability."""
    parent, child, probability = field.items(3)
    return (parent.text(), child.text()), probability.number()


def _read_set_table(field: Field) -> dict[str, dict[tuple[str, ...], float]]:
    """Return the factor of each parent set, by node."""
    table: dict[str, dict[tuple[str, ...], float]] = {}
    for item in field.items():
        node, parents, factor = item.items(3)
        names = tuple(parent.text() for parent in parents.items())
        table.setdefault(node.text(), {})[names] = factor.number()
    return table


def _read_plain(field: Field, allowed: list[type]) -> Any:
    """Return a string, number, truth value or None; raise unless it has an allowed type."""
    if type(field.value) not in allowed or not (field.value is None or is_plain(field.value)):
        raise field.error(f"is {short(field.value)}, which is not a valid value of this option")
    return field.value


def _read_part(field: Field, known: dict[str, type]) -> Any:
    """Return a part, such as a structure learner, with its options."""
    members = field.members("type", "options")
    part = known[members["type"].choice(*known)]
    return part(**read_options(members["options"], part))
