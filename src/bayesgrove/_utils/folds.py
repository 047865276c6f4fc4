"""Rows dealt into folds, as protocols and models do it."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = NDArray[np.intp]


def deal(
    codes: Rows, folds: int, *, repeats: int = 1, random_state: int = 0, stratified: bool = True
) -> list[tuple[Rows, Rows]]:
    """Rows to learn from and rows to test on, fold by fold within each repeat.

    Stratified folds have the class frequencies of the table. A class of fewer rows than folds is
    spread over as many folds as it can; where all classes are that small, folds are drawn without
    regard to them.
    """
    possible = np.bincount(codes).max() >= folds
    splitter = RepeatedStratifiedKFold if stratified and possible else RepeatedKFold
    made = splitter(n_splits=folds, n_repeats=repeats, random_state=random_state)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        return list(made.split(codes, codes))
