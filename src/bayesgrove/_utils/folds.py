"""Splits of rows into folds, for evaluation protocols and for models that hold rows out."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = NDArray[np.intp]


def split_into_folds(
    codes: Rows, folds: int, *, repeats: int = 1, random_state: int = 0, stratified: bool = True
) -> list[tuple[Rows, Rows]]:
    """Return the training rows and test rows of each fold, repeat by repeat.

    Stratified folds have the class frequencies of the table. A class with fewer rows than folds is
    spread over as many folds as possible. If all classes are that small, the folds are not
    stratified.
    """
    can_stratify = np.bincount(codes).max() >= folds
    splitter = RepeatedStratifiedKFold if stratified and can_stratify else RepeatedKFold
    folding = splitter(n_splits=folds, n_repeats=repeats, random_state=random_state)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        return list(folding.split(codes, codes))


def stratified_folds(
    target: NDArray[np.unsignedinteger[Any]], folds: int, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Return a fold of every row; the folds have nearly the same class frequencies.

    Parameters
    ----------
    target : ndarray of shape (n_rows,)
        Class code of each row.
    folds : int
        Number of folds.
    rng : Generator
        Source of randomness.

    Returns
    -------
    ndarray of shape (n_rows,)
        Fold of each row.
    """
    order = rng.permutation(len(target))
    order = order[np.argsort(target[order], kind="stable")]
    out = np.empty(len(target), dtype=np.uint8)
    out[order] = np.arange(len(target)) % folds
    return out
