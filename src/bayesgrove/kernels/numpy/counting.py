"""Count tables of one column given the class, and of any set of columns."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.kernels import Codes, Floats


def class_tables(
    columns: Sequence[Codes],
    cards: Sequence[int],
    target: Codes,
    n_classes: int,
    weights: Floats | None,
    threads: int,
) -> Floats:
    """Counts ``N[c, value of a column]`` of every column, shape (n_classes, R)."""
    tables = [
        histogram([target, column], [n_classes, card], weights).reshape(n_classes, card)
        for column, card in zip(columns, cards, strict=True)
    ]
    return np.concatenate([np.empty((n_classes, 0)), *tables], axis=1)


def joint_tables(
    sets: Sequence[Sequence[int]],
    columns: Sequence[Codes],
    cards: Sequence[int],
    weights: Floats | None,
    threads: int,
) -> list[Floats]:
    """Dense joint tables of some sets of columns, flat, the last column fastest."""
    return [
        histogram([columns[j] for j in members], [cards[j] for j in members], weights)
        for members in sets
    ]


def histogram(columns: Sequence[Codes], cards: Sequence[int], weights: Floats | None) -> Floats:
    """Count rows, or sum their weights, by the joint value of some columns; flat."""
    index = np.zeros(len(columns[0]), dtype=np.int64)
    present = np.ones(len(columns[0]), dtype=bool)
    for column, card in zip(columns, cards, strict=True):
        index = index * card + column
        present &= column < card
    chosen = None if weights is None else weights[present]
    cells = math.prod(cards)
    counts = np.bincount(index[present], weights=chosen, minlength=cells).astype(np.float64)
    return counts[:cells]
