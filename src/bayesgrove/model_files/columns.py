"""Columns of a table, in the format of model files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.encoding import Continuous, Intervals, Nominal
from bayesgrove.model_files.fields import repeated, short
from bayesgrove.model_files.labels import describe_labels, read_labels

if TYPE_CHECKING:
    from bayesgrove.encoding import Coding
    from bayesgrove.model_files.fields import Field


def describe_column(coding: Coding) -> dict[str, Any]:
    """Return a column as JSON values: its name, its kind, and the members that the kind needs."""
    if isinstance(coding, Continuous):
        return {"name": coding.name, "kind": "numeric", "step": coding.step}
    if isinstance(coding, Nominal):
        kind = {"kind": "nominal", "labels": describe_labels(coding.labels, coding.name)}
    else:
        kind = {"kind": "intervals", "cuts": coding.cuts.tolist()}
    return {"name": coding.name, **kind, "missing_state": coding.missing_state}


def read_columns(field: Field) -> tuple[Coding, ...]:
    """Return all columns. There must be at least one, and their names must differ."""
    codings = tuple(_read_column(item) for item in field.items())
    if not codings:
        raise field.error("is empty: there must be a column")
    names = [coding.name for coding in codings]
    if len(set(names)) < len(names):
        raise field.error(f"has two columns with the name {short(repeated(names))}")
    return codings


def _read_column(field: Field) -> Coding:
    """Return the coding of one column."""
    members = field.members("name", "kind", optional=("labels", "cuts", "missing_state", "step"))
    name = members["name"].text()
    kind = members["kind"].choice("nominal", "intervals", "numeric")
    if kind == "numeric":
        field.members("name", "kind", optional=["step"])  # Old files have no step.
        return Continuous(name, _read_step(members["step"]) if "step" in members else 0.0)
    detail = "labels" if kind == "nominal" else "cuts"
    members = field.members("name", "kind", detail, "missing_state")
    missing_state = members["missing_state"].flag()
    if kind == "nominal":
        return Nominal(name, read_labels(members["labels"]), missing_state)
    cuts = members["cuts"].floats()
    if (np.diff(cuts) <= 0).any():
        raise members["cuts"].error("is not in ascending order")
    return Intervals(name, cuts, missing_state)


def _read_step(field: Field) -> float:
    """Return the mean gap between adjacent values of a numeric column, at least 0."""
    step = field.number()
    if step < 0:
        raise field.error(f"is {step:g}, less than 0")
    return step
