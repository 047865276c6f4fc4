"""Options of classifiers and of the parts they are put together from.

Classes are found in the packages' own lists of public names, never by what a file says; the
types of options are those that the constructors are annotated with.
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
    """The public classes of a package that can be made and that have some method, by name."""
    public = [getattr(module, name) for name in module.__all__]
    return {
        found.__name__: found
        for found in public
        if isinstance(found, type) and hasattr(found, has) and not inspect.isabstract(found)
    }


PARTS: dict[str, dict[str, type]] = {
    "StructureLearner": concrete(structures, "learn"),
    "ParameterLearner": concrete(parameters, "estimate"),
    "Discretizer": concrete(encoding, "cuts_for_table"),
    "Selector": concrete(selection, "select"),
    "Guide": concrete(selection, "values"),
    "SubsetScorer": concrete(selection, "evaluator"),
    "Weighting": concrete(weighting, "weights"),
}
"""What an option of such a type may be made of."""

TYPES: dict[str, list[type]] = {
    "None": [type(None)],
    "bool": [bool],
    "int": [int],
    "float": [int, float],
    "str": [str],
}
ARRAYS = {"Any", "Weights"}
"""Types whose values may be arrays."""
PLAIN: list[type] = [type(None), bool, int, float, str]


def option_types(owner: type) -> dict[str, list[str]]:
    """The options of a class, each with the names of the types that it may have."""
    constructor: Any = owner.__init__  # type: ignore[misc]
    if constructor is object.__init__:
        return {}
    options = list(inspect.signature(constructor).parameters.values())[1:]
    return {option.name: _type_names(option.annotation) for option in options}


def describe_options(owner: Any, instead: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The options of a classifier or a part as JSON has them; of some other values ``instead``."""
    others = instead or {}
    return {
        name: _describe(name, others[name] if name in others else getattr(owner, name), types)
        for name, types in option_types(type(owner)).items()
    }


def read_options(field: Field, owner: type) -> dict[str, Any]:
    """Arguments of the constructor; what a file does not mention has its default."""
    types = option_types(owner)
    for name in field.any_members():
        if (new := new_name(owner, name)) is not None:
            raise field.error(f"has the option {name!r}, which is now called {new!r}")
    members = field.members(*_required(owner), optional=tuple(types))
    return {name: _read(member, types[name]) for name, member in members.items()}


def _required(owner: type) -> list[str]:
    """Options without a default."""
    options = inspect.signature(owner).parameters.values()
    return [option.name for option in options if option.default is option.empty]


def _type_names(annotation: Any) -> list[str]:
    """Names such as "float" and "None"; annotations are strings, and stay so: nothing is run."""
    return str(getattr(annotation, "__name__", annotation)).split(" | ")


def _describe(name: str, value: Any, types: list[str]) -> Any:
    kind = type(value)
    if any(kind in PARTS[role].values() for role in types if role in PARTS):
        return {"type": kind.__name__, "options": describe_options(value)}
    plain: Any = value.item() if isinstance(value, np.generic) else value
    if plain is None or is_plain(plain):
        return plain
    if "Arcs" in types and isinstance(value, Mapping):
        return [[*map(str, arc), _describe(name, own, ["float"])] for arc, own in value.items()]
    arrays = not ARRAYS.isdisjoint(types)
    items: Any = np.asarray(value, dtype=object).tolist() if arrays else value
    if (arrays or "Levels" in types) and isinstance(items, (list, tuple)):  # all become lists
        return [_describe(name, item, ["Any"] if "Levels" in types else []) for item in items]
    raise ModelFileError(
        f"The option {name}={short(value)} is of the type {kind.__name__}, which a model "
        "file cannot hold: save the model with pickle or joblib."
    )


def _read(field: Field, types: list[str]) -> Any:
    parts = {name: part for role in types for name, part in PARTS.get(role, {}).items()}
    if parts and isinstance(field.value, dict):
        return _read_part(field, parts)
    if "Arcs" in types and isinstance(field.value, list):
        return dict(map(_read_arc, field.items()))
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
    """The ends of an arc, and its probability."""
    parent, child, probability = field.items(3)
    return (parent.text(), child.text()), probability.number()


def _read_plain(field: Field, allowed: list[type]) -> Any:
    if type(field.value) not in allowed or not (field.value is None or is_plain(field.value)):
        raise field.error(f"is {short(field.value)}, which this option cannot be")
    return field.value


def _read_part(field: Field, known: dict[str, type]) -> Any:
    members = field.members("type", "options")
    part = known[members["type"].choice(*known)]
    return part(**read_options(members["options"], part))
