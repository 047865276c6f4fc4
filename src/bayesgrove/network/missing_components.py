"""Groups of missing attributes that have to be summed out together."""

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
    """A connected set of missing attributes, and the rows in which it occurs."""

    members: frozenset[int]
    rows: NDArray[np.intp]


def components(structure: Structure, missing: NDArray[np.bool_]) -> Iterator[Component]:
    """Yield the connected sets of missing attributes, each with all its rows.

    ``missing[attribute, row]`` says which values are missing. A missing attribute whose descendants
    are all missing sums to one and is left out. Two other missing attributes are connected if a
    table has both. There are far fewer different components than different patterns of missing
    values.
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
        for column, part in zip(first, parts, strict=True):
            yield Component(frozenset(np.flatnonzero(inside[:, column]).tolist()), rows[part])


def _barren(structure: Structure, missing: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the missing attributes without a descendant that is known or that is the class."""
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
    """Return the lowest attribute of the component of each attribute in each row.

    The label is n, the number of attributes, if the attribute is not in a component.
    """
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
                lowest[barren[v]] = n  # A table that sums to one does not connect its attributes.
            joined = np.where(active[scope], np.minimum(labels[scope], lowest), n)
            if (joined != labels[scope]).any():
                labels[scope] = joined
                changed = True
    return labels


def _scopes(structure: Structure) -> Iterator[tuple[int, list[int]]]:
    """Yield every variable whose table has several attributes, and these attributes."""
    for v, parents in enumerate(structure.parents):
        scope = {v, *parents} - {structure.class_variable}
        if len(scope) > 1:
            yield v, sorted(scope)
