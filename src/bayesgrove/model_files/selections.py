"""Selected attributes and the steps of the selection, in the format of model files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove.estimators.base.selecting import SelectionMixin
from bayesgrove.model_files.fields import repeated, short
from bayesgrove.selection import Step

if TYPE_CHECKING:
    from bayesgrove.encoding import Discrete, Schema
    from bayesgrove.estimators.base.joint import JointClassifier
    from bayesgrove.model_files.fields import Field


def describe_selection(model: JointClassifier) -> dict[str, Any]:
    """Return the selected attributes in order and the steps; nothing if the model cannot select."""
    if not isinstance(model, SelectionMixin):
        return {}
    steps = [{**step._asdict(), "others": list(step.others)} for step in model.path_]
    return {"selection": {"attributes": list(model.selected_), "path": steps}}


def read_selection(
    model: JointClassifier, field: Field | None, schema: Schema, document: Field
) -> list[Discrete]:
    """Put the selection into the model, and return the variables that its network must have.

    Old files have no selection. Then all attributes are used.
    """
    if field is None:
        if isinstance(model, SelectionMixin):
            model.selected_, model.path_ = [coding.name for coding in schema.codings], []
        return schema.variables
    if not isinstance(model, SelectionMixin):
        raise document.error("has a selection, but its classifier does not select attributes")
    known = {coding.name for coding in schema.codings}
    members = field.members("attributes", "path")
    names = [_read_name(item, known) for item in members["attributes"].items()]
    if len(set(names)) < len(names):
        raise members["attributes"].error(f"holds {short(repeated(names))} more than once")
    model.selected_ = names
    model.path_ = [_read_step(item, known) for item in members["path"].items()]
    return used_variables(model, schema)


def used_variables(model: JointClassifier, schema: Schema) -> list[Discrete]:
    """Return the variables that the network must have, in the order of the columns."""
    if not isinstance(model, SelectionMixin):
        return schema.variables
    return [variable for variable in schema.variables if variable.name in model.selected_]


def _read_name(field: Field, known: set[str]) -> str:
    """Return the name of a column."""
    if field.text() not in known:
        raise field.error(f"is {short(field.value)}, which is not a column")
    return field.text()


def _read_step(field: Field, known: set[str]) -> Step:
    """Return one step of the selection."""
    members = field.members("attribute", "value", "cells", "change", optional=("others",))
    value = members["value"].number()
    cells = None if members["cells"].value is None else members["cells"].whole()
    change = members["change"].choice("added", "removed", "joined")
    others = members["others"].items() if "others" in members else []
    names = [_read_name(item, known) for item in (members["attribute"], *others)]
    return Step(names[0], value, cells, change, tuple(names[1:]))
