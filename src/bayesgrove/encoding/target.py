"""The class column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from bayesgrove.encoding.encoded import code_type
from bayesgrove.encoding.raw import factorize

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes


def encode_target(y: Any, rows: int) -> tuple[NDArray[Any], Codes]:
    """Sorted class labels and the code of every row."""
    labels = _as_vector(y)
    _check_length(labels, rows)
    if labels.dtype.kind in "biu":
        check_classification_targets(labels)
        return _encode_integers(labels)
    missing = pd.isna(labels)
    if missing.any():
        raise ValueError(
            f"Input y contains NaN: {int(missing.sum())} rows have no class "
            f"(first: row {int(np.argmax(missing))}). Leave these rows out."
        )
    check_targets(labels)
    found = factorize(labels.astype(object), "y")
    classes = np.asarray(found.labels, dtype=labels.dtype)
    return classes, found.codes.astype(code_type(len(classes)))


def check_targets(labels: NDArray[Any]) -> None:
    """Refuse numbers that are no class labels."""
    if labels.dtype.kind == "f" and np.isinf(labels).any():
        raise ValueError(
            f"Input y contains infinity or a value too large for {labels.dtype!r} "
            f"(first: row {int(np.argmax(np.isinf(labels)))})."
        )
    check_classification_targets(labels)


def known_classes(classes: Any) -> NDArray[Any]:
    """All class labels as the user names them, sorted."""
    vector = np.asarray(classes)
    if vector.ndim != 1 or pd.isna(vector).any():
        raise ValueError(f"classes={classes!r} must be a list of labels, none of them missing.")
    return np.unique(vector)


def codes_of(y: Any, classes: NDArray[Any], rows: int) -> Codes:
    """Codes of labels among known classes; a label that is none of them is refused."""
    place = {label: code for code, label in enumerate(classes.tolist())}
    labels = _as_vector(y)
    _check_length(labels, rows)
    if not pd.isna(labels).any():
        check_targets(labels)
    found = factorize(labels.astype(object), "y")
    if (found.codes < 0).any():
        row = int(np.argmax(found.codes < 0))
        raise ValueError(f"Input y contains NaN: row {row} has no class.")
    unknown = [label for label in found.labels if label not in place]
    if unknown:
        raise ValueError(
            f"The class {unknown[0]!r} is not among the classes {classes.tolist()[:10]}: "
            "name all classes in the first call."
        )
    translate = np.array([place[label] for label in found.labels], dtype=code_type(len(classes)))
    codes: Codes = translate[found.codes]
    return codes


def _check_length(labels: NDArray[Any], rows: int) -> None:
    if len(labels) != rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: [{rows}, {len(labels)}]"
        )


def _as_vector(y: Any) -> NDArray[Any]:
    if y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None.")
    if type(y).__module__.startswith("pyarrow"):
        y = y.to_pandas()
    elif type(y).__module__.startswith("polars"):
        y = y.to_numpy()
    if isinstance(y, pd.Series):
        y = y.to_numpy(dtype=object) if not pd.api.types.is_numeric_dtype(y.dtype) else y.to_numpy()
    vector = column_or_1d(y, warn=True)
    if vector.dtype.kind == "c":
        raise ValueError("Complex data not supported as classes.")
    return _concrete(np.asarray(vector))


def _concrete(labels: NDArray[Any]) -> NDArray[Any]:
    """Python numbers and truth values in an object array as such."""
    types = {"boolean": bool, "integer": np.int64, "floating": np.float64}
    if labels.dtype == object:
        kind = types.get(pd.api.types.infer_dtype(labels, skipna=False))
        return labels if kind is None else labels.astype(kind)
    return labels


def _encode_integers(labels: NDArray[Any]) -> tuple[NDArray[Any], Codes]:
    low, high = int(labels.min(initial=0)), int(labels.max(initial=0))
    if low >= 0 and high < 1 << 16:  # small numbers are counted, not sorted
        classes = np.flatnonzero(np.bincount(labels.astype(np.intp)))
        if len(classes) == high + 1:
            return classes.astype(labels.dtype), labels.astype(code_type(len(classes)))
        translate = np.zeros(high + 1, dtype=code_type(len(classes)))
        translate[classes] = np.arange(len(classes))
        return classes.astype(labels.dtype), translate[labels.astype(np.intp)]
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.astype(code_type(len(classes)))
