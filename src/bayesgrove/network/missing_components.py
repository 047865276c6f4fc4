"""Which missing attributes of a row have to be summed out together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from bayesgrove.network.structure import Structure


@dataclass(frozen=True)
class Component:
    """Rows in which just these attributes are missing together."""

    members: frozenset[int]
    rows: NDArray[np.intp]


def components(structure: Structure, missing: NDArray[np.bool_]) -> Iterator[Component]:
    """Connected missing attributes, rows with the same ones together.

    ``missing[attribute, row]``. A missing attribute all of whose descendants are missing sums to
    one and is left out; two others are connected when a table has both. The number of different
    components is far smaller than that of different patterns of missing values.
    """
    barren = _barren(structure, missing)
    labels = _labels(structure, missing & ~barren, barren)
    for label in range(len(missing)):
        rows = np.flatnonzero(labels[label] == label)
        if not len(rows):
            continue
        inside = labels[:, rows] == label
        packed = np.ascontiguousarray(np.packbits(inside, axis=0).T)
        keys = packed.view(f"V{packed.shape[1]}").ravel()
        _, first, group = np.unique(keys, return_index=True, return_inverse=True)
        order = np.argsort(group, kind="stable")
        parts = np.split(order, np.cumsum(np.bincount(group))[:-1])
        for at, part in zip(first, parts, strict=True):
            yield Component(frozenset(np.flatnonzero(inside[:, at]).tolist()), rows[part])


def _barren(structure: Structure, missing: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Missing attributes without a descendant that is known, or that is the class."""
    barren = missing.copy()
    for child in reversed(structure.order()):
        for parent in structure.parents[child]:
            if parent != structure.class_variable:
                known = child == structure.class_variable
                barren[parent] &= False if known else barren[child]
    return barren


def _labels(
    structure: Structure, active: NDArray[np.bool_], barren: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """For each attribute and row the lowest attribute of its component; n where there is none."""
    n = len(active)
    labels = np.where(active, np.arange(n, dtype=np.int32)[:, None], np.int32(n))
    shared = [
        (v, scope)
        for v, scope in _scopes(structure)
        if active[scope].sum(axis=0).max(initial=0) > 1
    ]
    changed = True
    while changed:
        changed = False
        for v, scope in shared:
            lowest = labels[scope].min(axis=0)
            if v != structure.class_variable:
                lowest[barren[v]] = n  # a table that sums to one connects nothing
            joined = np.where(active[scope], np.minimum(labels[scope], lowest), n)
            if (joined != labels[scope]).any():
                labels[scope] = joined
                changed = True
    return labels


def _scopes(structure: Structure) -> Iterator[tuple[int, list[int]]]:
    """The attributes in the table of every variable."""
    for v, parents in enumerate(structure.parents):
        scope = {v, *parents} - {structure.class_variable}
        if len(scope) > 1:
            yield v, sorted(scope)
