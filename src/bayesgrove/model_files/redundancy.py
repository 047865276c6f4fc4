"""Why attributes were not selected, as a file tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from bayesgrove.model_files.codec import Codec
from bayesgrove.selection import Redundancy

if TYPE_CHECKING:
    from bayesgrove.encoding import Schema
    from bayesgrove.model_files.fields import Field


class _Model(Protocol):
    schema_: Schema
    selected_: list[str]
    redundancy_: list[Redundancy]


def _describe(model: _Model) -> dict[str, Any]:
    return {"redundancy": [item._asdict() for item in model.redundancy_]}


def _names(_: _Model) -> list[str]:
    return ["redundancy"]


def _restore(model: _Model, members: dict[str, Field]) -> None:
    names = [coding.name for coding in model.schema_.codings]
    left_out = [name for name in names if name not in model.selected_]
    items = members["redundancy"].items(len(left_out))
    model.redundancy_ = [
        _read(item, name, model.selected_) for item, name in zip(items, left_out, strict=True)
    ]


def _read(item: Field, attribute: str, selected: list[str]) -> Redundancy:
    members = item.members(*Redundancy._fields)
    members["attribute"].choice(attribute)
    tells, costs = (members[name].number() for name in ("tells", "costs"))
    if not selected:
        for name in ("neighbour", "tells_more", "costs_more"):
            if members[name].value is not None:
                raise members[name].error("is of a neighbour, and no attribute is selected")
        return Redundancy(attribute, tells, costs, None, None, None)
    neighbour = members["neighbour"].choice(*selected)
    more = (members[name].number() for name in ("tells_more", "costs_more"))
    return Redundancy(attribute, tells, costs, neighbour, *more)


REDUNDANCY = Codec(_describe, _names, _restore)
