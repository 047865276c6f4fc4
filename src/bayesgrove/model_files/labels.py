"""Labels and class labels with their types, in the format of model files."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.model_files.fields import ModelFileError, is_exact_text, repeated, short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.model_files.fields import Field

LARGEST_BITS = 2000
"""Largest number of bits of an integer. Python may fail to read larger ones from text."""
LARGEST_WIDTH = 1024
"""Characters. Fixed-width strings wider than this must not be wider than the longest label."""
LARGEST_ARRAY = 1 << 22
"""Largest number of characters of all fixed-width class labels together."""
CLASS_TYPES = re.compile(
    r"object|bool|u?int(8|16|32|64)|float(16|32|64)|[<>][iuf][248]|[<>]U(?P<width>[1-9]\d{0,6})"
)


def is_plain(value: Any) -> bool:
    """Return whether JSON keeps a value as it is: a string, a finite number or a truth value."""
    if type(value) is str:
        return is_exact_text(value)
    if type(value) is int:
        return value.bit_length() <= LARGEST_BITS
    return type(value) is bool or (type(value) is float and math.isfinite(value))


def describe_labels(labels: Sequence[Any], column: str) -> list[Any]:
    """Return the labels as JSON values; raise for a label that JSON cannot hold."""
    for label in labels:
        if not is_plain(label):
            raise ModelFileError(
                f"Column {column!r} has the label {short(label)} of the type "
                f"{type(label).__name__}, which a model file cannot hold: "
                "use strings or finite numbers, or save the model with pickle or joblib."
            )
    return list(labels)


def read_labels(field: Field) -> tuple[Any, ...]:
    """Return the labels, which must all differ."""
    labels = field.values()
    for index, label in enumerate(labels):
        if not is_plain(label):
            raise field.item(index).error(f"is {short(label)}, which is not a label")
    if len(set(labels)) < len(labels):
        raise field.error(f"holds {short(repeated(labels))} more than once")
    return tuple(labels)


def describe_classes(classes: NDArray[Any], name: str) -> dict[str, Any]:
    """Return the class as JSON values: its name, its labels and the dtype of their array."""
    return {
        "name": name,
        "labels": describe_labels(classes.tolist(), name),
        "dtype": str(classes.dtype),
    }


def read_classes(members: dict[str, Field]) -> NDArray[Any]:
    """Return the array of class labels. Its dtype must hold every label unchanged."""
    labels = list(read_labels(members["labels"]))
    if not labels:
        raise members["labels"].error("is empty: there must be a class")
    dtype = _read_type(members["dtype"], labels)
    try:
        classes = np.array(labels, dtype=dtype)
    except (OverflowError, TypeError, ValueError):
        classes = np.empty(0)
    held = classes.tolist()
    if held != labels or list(map(type, held)) != list(map(type, labels)):
        raise members["dtype"].error(f"is {str(dtype)!r}, which does not hold the labels")
    return classes


def _read_type(field: Field, labels: list[Any]) -> np.dtype[Any]:
    """Return the dtype of the class labels."""
    match = CLASS_TYPES.fullmatch(field.text())
    if match is None:
        raise field.error(
            f"is {short(field.value)}, which is not a dtype of class labels that a file can hold"
        )
    width = int(match["width"] or 0)
    longest = max((len(label) for label in labels if isinstance(label, str)), default=0)
    if width > max(longest, LARGEST_WIDTH) or width * len(labels) > LARGEST_ARRAY:
        raise field.error(f"is {field.text()!r}, too wide for these labels: use dtype=object")
    return np.dtype(field.text())
