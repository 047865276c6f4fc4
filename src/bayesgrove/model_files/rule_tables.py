"""Rule tables in the format of model files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.trees import RuleSum

if TYPE_CHECKING:
    from bayesgrove.model_files.fields import Field

ARRAYS = ("sizes", "column", "first", "last", "gain", "entries")
LARGEST_SIZE = 8
"""Largest number of questions of a table."""


def describe_rules(rules: RuleSum) -> dict[str, Any]:
    """Return rule tables as JSON values.

    Parameters
    ----------
    rules : RuleSum
        The tables.

    Returns
    -------
    dict of str to list
        The arrays of the sum.
    """
    return {name: getattr(rules, name).ravel().tolist() for name in ARRAYS}


def restore_rules(field: Field, cards: list[int], ordered: list[int], classes: int) -> RuleSum:
    """Return rule tables; every question must be about codes of a column.

    Parameters
    ----------
    field : Field
        The tables in the model file.
    cards : list of int
        Cardinality of each column.
    ordered : list of int
        Number of ordered codes of each column, 0 for a nominal column.
    classes : int
        Number of classes.

    Returns
    -------
    RuleSum
        The tables.
    """
    members = field.members(*ARRAYS)
    sizes, column, first, last = (members[name].integers() for name in ARRAYS[:4])
    if ((sizes < 1) | (sizes > LARGEST_SIZE)).any():
        raise members["sizes"].error(f"holds a number that is not from 1 to {LARGEST_SIZE}")
    questions, cells = int(sizes.sum()), int((1 << sizes).sum())
    if not len(column) == len(first) == len(last) == questions:
        raise field.error(f"does not hold {questions} questions, as its sizes say")
    if ((column < 0) | (column >= len(cards))).any():
        raise members["column"].error("asks a column that does not exist")
    widths = np.array(cards, dtype=np.int64)[column]
    if ((first < 0) | (first > last) | (last >= widths)).any():
        raise field.error("asks for codes that do not exist")
    axis = np.array(ordered, dtype=np.int64)[column]
    threshold = (last < axis) & ((first == 0) != (last == axis - 1))
    if not (threshold | ((first == last) & (first >= axis))).all():
        raise field.error("asks for codes that are neither one value nor one side of a threshold")
    entries = members["entries"].floats(cells * classes).reshape(cells, classes)
    if np.abs(entries).max(initial=0.0) > np.finfo(np.float32).max:
        raise members["entries"].error("holds a number that is too large")
    return RuleSum(
        sizes.astype(np.int32),
        column.astype(np.int32),
        first.astype(np.uint32),
        last.astype(np.uint32),
        members["gain"].floats(questions),
        entries.astype(np.float32),
    )
