"""The checks of a classifier, one function per check."""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from bayesgrove.checks.case import Case
from bayesgrove.checks.tables import examples
from bayesgrove.contracts import weights_repeat_rows
from bayesgrove.model_files import ModelFileError, load_model, save_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pandas as pd

    from bayesgrove.kernels import Floats

NEAR = 1e-9
"""Largest difference of probabilities that are computed in a different order."""


def check_classifier(model: Any) -> None:
    """Raise an AssertionError if a classifier fails a check; the message says what is wrong.

    Copies of the classifier are fitted to small tables: nominal, numeric and mixed, with missing
    values, one column, constant columns, two and four classes.

    Parameters
    ----------
    model : object
        The classifier, fitted or not. It is not changed.

    Raises
    ------
    AssertionError
        If the classifier fails a check. The message names the classifier and the table.

    Examples
    --------
    >>> from bayesgrove import TANClassifier
    >>> from bayesgrove.checks import check_classifier
    >>> check_classifier(TANClassifier())
    """
    for example in examples():
        case = Case(model, example)
        for check in CHECKS:
            check(case)


def check_options(case: Case) -> None:
    """Check that a clone has the same options, and that `fit` does not change them."""
    before = case.model.get_params()
    copy = case.attempt("sklearn.base.clone", lambda: clone(case.model))
    case.require(repr(copy.get_params()) == repr(before), "a clone has different options")
    fitted = clone(case.model)
    result = case.attempt("fit", lambda: fitted.fit(case.example.X, case.example.y))
    case.require(result is fitted, "fit does not return the classifier itself")
    case.require(repr(fitted.get_params()) == repr(before), "fit changes the options")


def check_probabilities(case: Case) -> None:
    """Check that probabilities are finite and not negative, and sum to 1 over the classes."""
    classes = np.unique(case.example.y).tolist()
    case.require(list(case.fitted.classes_) == classes, f"classes_ are not {classes}")
    _require_probabilities(case, case.probabilities, len(case.example.y), "the training rows")


def check_predictions(case: Case) -> None:
    """Check that `predict` returns a most probable class.

    A classifier with ``predicts_most_probable = False`` only has to return classes.
    """
    labels = case.attempt("predict", lambda: case.fitted.predict(case.example.X))
    case.require(len(labels) == len(case.example.y), "predict does not give one label per row")
    known = np.asarray(labels, dtype=object)[:, None] == case.fitted.classes_.astype(object)
    case.require(known.any(axis=1).all(), "predict gives labels that are not classes")
    if not getattr(case.model, "predicts_most_probable", True):
        return
    _require_probabilities(case, case.probabilities, len(labels), "the training rows")
    chosen, largest = case.probabilities[known], case.probabilities.max(axis=1)
    row = int((largest - chosen).argmax())
    case.require(
        chosen[row] >= largest[row] - NEAR,
        f"predict gives row {row} the class {labels[row]!r} of probability {chosen[row]}, "
        f"and another class has probability {largest[row]}",
    )


def check_rows(case: Case) -> None:
    """Check that the probabilities of a row do not depend on the other rows or on their order."""
    X, order = case.example.X, np.random.default_rng(1).permutation(len(case.example.X))
    shuffled = case.probabilities_of(case.fitted, X.iloc[order], "shuffled rows")
    expected = case.probabilities[order]
    message = "predictions of shuffled rows differ from those of the same rows in order"
    case.require_same(shuffled, expected, message, within=NEAR)
    alone = case.probabilities_of(case.fitted, X.iloc[7:8], "one row")
    expected = case.probabilities[7:8]
    message = "predictions of a single row differ from those of the same row among others"
    case.require_same(alone, expected, message, within=NEAR)


def check_forms(case: Case) -> None:
    """Check that tables of other libraries give the same models and predictions."""
    for form, table in case.example.forms():
        probabilities = case.probabilities_of(case.fitted, table, form)
        message = f"predictions of {form} and of a pandas frame differ"
        case.require_same(probabilities, case.probabilities, message, within=NEAR)
        model = case.fit(table, case.example.y, form)
        probabilities = case.probabilities_of(model, table, form)
        message = f"models of {form} and of a pandas frame differ"
        case.require_same(probabilities, case.probabilities, message, within=NEAR)


def check_new_values(case: Case) -> None:
    """Check the probabilities of rows with missing values, new labels or large numbers."""
    for name, rows in _new_rows(case):
        probabilities = case.probabilities_of(case.fitted, rows, name)
        _require_probabilities(case, probabilities, len(rows), name)


def check_again(case: Case) -> None:
    """Check that two fits to the same rows are equal, and that the rows are not changed."""
    again = case.fit(case.example.X, case.example.y)
    probabilities = case.probabilities_of(again, case.example.X, "the training rows")
    expected = case.probabilities
    same = case.example.X.equals(case.original)
    case.require(same, "fit or predict_proba changes the table")
    case.require_same(probabilities, expected, "two fits to the same rows differ")


def check_pickle(case: Case) -> None:
    """Check that a pickled copy gives exactly the same predictions."""
    copy = case.attempt("pickle", lambda: pickle.loads(pickle.dumps(case.fitted)))
    probabilities = case.probabilities_of(copy, case.example.X, "the training rows, after pickle,")
    case.require_same(probabilities, case.probabilities, "predictions differ after pickle")
    _require_same_size(case, copy, "pickle")


def check_threads(case: Case) -> None:
    """Check that results do not depend on the number of threads."""
    if "n_jobs" not in case.model.get_params():
        return
    X, y = case.example.X, case.example.y
    one, three = (
        case.fit_copy(clone(case.model).set_params(n_jobs=n), X, y, f"the table, n_jobs={n}")
        for n in (1, 3)
    )
    serial = case.probabilities_of(one, X, "rows, n_jobs=1")
    parallel = case.probabilities_of(three, X, "rows, n_jobs=3")
    case.require_same(serial, parallel, "n_jobs=1 and n_jobs=3 differ")


def check_weights(case: Case) -> None:
    """Check that a row of weight 2 has the same effect as two copies of the row.

    Classifiers with ``weights_repeat_rows = False`` are not checked.
    """
    if not has_fit_parameter(case.model, "sample_weight") or not weights_repeat_rows(case.model):
        return
    X, y = case.example.X, case.example.y
    weights = np.random.default_rng(2).integers(1, 3, len(y))
    weighted = case.fit(X, y, "weighted rows", sample_weight=weights.astype(float))
    twice = case.fit(X.loc[X.index.repeat(weights)], np.repeat(y, weights), "repeated rows")
    message = "a row of weight 2 does not have the same effect as two copies of the row"
    one, two = (case.probabilities_of(model, X, "the training rows") for model in (weighted, twice))
    case.require_same(one, two, message, within=NEAR)


def check_file(case: Case) -> None:
    """Check that a model file restores exactly the same model, if it can store the model at all."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        try:
            save_model(case.fitted, path)
        except ModelFileError:
            return
        loaded = case.attempt("load_model", lambda: load_model(path))
    name = "the training rows, after load_model,"
    probabilities = case.probabilities_of(loaded, case.example.X, name)
    message = "predictions differ after save_model, load_model"
    case.require_same(probabilities, case.probabilities, message)
    same_options = repr(loaded.get_params()) == repr(case.fitted.get_params())
    case.require(same_options, "options differ after save_model and load_model")
    _require_same_size(case, loaded, "save_model and load_model")


def check_size(case: Case) -> None:
    """Check the counts of `complexity`, if there is one: at most as many attributes as columns."""
    size = _size(case, case.fitted)
    if size is None:
        return
    columns = case.example.X.shape[1]
    within = 0 <= size.attributes <= columns
    case.require(within, f"complexity() counts {size.attributes} attributes of {columns} columns")
    for name in ("arcs", "parameters"):
        count = getattr(size, name)
        fits = count is None or (isinstance(count, (int, np.integer)) and count >= 0)
        case.require(fits, f"complexity() returns {name}={count!r}, which is not a count")


CHECKS: tuple[Callable[[Case], None], ...] = (
    check_options,
    check_probabilities,
    check_predictions,
    check_rows,
    check_forms,
    check_new_values,
    check_again,
    check_pickle,
    check_threads,
    check_weights,
    check_file,
    check_size,
)
"""The checks, in the order in which `check_classifier` runs them."""


def _require_probabilities(case: Case, values: Floats, rows: int, name: str) -> None:
    """Raise an AssertionError unless the values are class probabilities of that many rows."""
    shape = (rows, len(case.fitted.classes_))
    case.require(values.shape == shape, f"{name}: probabilities have shape {values.shape}")
    finite = np.isfinite(values).all(axis=1)
    row = int(finite.argmin())
    case.require(finite.all(), f"{name}: row {row} has probabilities {values[row].tolist()}")
    not_negative = values.min(axis=1) >= 0
    row = int(not_negative.argmin())
    case.require(not_negative.all(), f"{name}: row {row} has probabilities {values[row].tolist()}")
    sums = values.sum(axis=1)
    row = int(np.abs(sums - 1).argmax())
    case.require(
        abs(sums[row] - 1) <= NEAR, f"{name}: row {row} sums to {sums[row]:.10g}, not to 1"
    )


def _new_rows(case: Case) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield descriptions and rows with missing values, new labels or large numbers."""
    X = case.example.X[:5]
    yield "rows without a value", X.map(lambda value: np.nan if _is_number(value) else None)
    for name in map(str, X):
        missing = np.nan if X[name].dtype == float else None
        yield f"rows without {name!r}", X.assign(**{name: missing})
        if getattr(case.model, "unseen", "missing") != "error":
            new = 1e6 if X[name].dtype == float else "new label"
            yield f"rows with {name!r} {new!r}", X.assign(**{name: new})


def _is_number(value: Any) -> bool:
    return isinstance(value, float)


def _size(case: Case, model: Any) -> Any:
    """Return the complexity of a model, or None if it has no such method."""
    count = getattr(model, "complexity", None)
    return None if count is None else case.attempt("complexity", count)


def _require_same_size(case: Case, copy: Any, operation: str) -> None:
    """Raise an AssertionError unless a copy has the same complexity after an operation."""
    before, after = _size(case, case.fitted), _size(case, copy)
    case.require(before == after, f"complexity() is {before}, and {after} after {operation}")
