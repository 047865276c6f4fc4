"""Why attributes were not selected, in the format of model files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from bayesgrove.model_files.codec import Codec
from bayesgrove.selection import Redundancy

if TYPE_CHECKING:
    from bayesgrove.encoding import Schema
    from bayesgrove.model_files.fields import Field


class _Model(Protocol):
    """A classifier with the fitted attributes that this codec needs."""

    schema_: Schema
    selected_: list[str]
    redundancy_: list[Redundancy]


def _describe(model: _Model) -> dict[str, Any]:
    """Return one entry per attribute that was not selected."""
    return {"redundancy": [item._asdict() for item in model.redundancy_]}


def _names(_: _Model) -> list[str]:
    return ["redundancy"]


def _restore(model: _Model, members: dict[str, Field]) -> None:
    """Check the entries, and put them into the model."""
    names = [coding.name for coding in model.schema_.codings]
    left_out = [name for name in names if name not in model.selected_]
    items = members["redundancy"].items(len(left_out))
    model.redundancy_ = [
        _read(item, name, model.selected_) for item, name in zip(items, left_out, strict=True)
    ]


def _read(item: Field, attribute: str, selected: list[str]) -> Redundancy:
    """Return the entry of an attribute. It has a neighbour only if an attribute is selected."""
    members = item.members(*Redundancy._fields)
    members["attribute"].choice(attribute)
    information, cost = (members[name].number() for name in ("information", "cost"))
    if not selected:
        for name in ("neighbour", "information_given_neighbour", "cost_given_neighbour"):
            if members[name].value is not None:
                raise members[name].error("must be null, because no attribute is selected")
        return Redundancy(attribute, information, cost, None, None, None)
    neighbour = members["neighbour"].choice(*selected)
    more = (
        members[name].number() for name in ("information_given_neighbour", "cost_given_neighbour")
    )
    return Redundancy(attribute, information, cost, neighbour, *more)


REDUNDANCY = Codec(_describe, _names, _restore)
