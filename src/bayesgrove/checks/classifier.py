"""The checks of a classifier, one function each."""

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
"""Probabilities that are worked out in another order may differ by so much."""


def check_classifier(model: Any) -> None:
    """Raise an AssertionError that says in a sentence what a classifier does not keep.

    ``model`` is not changed: copies of it are fitted to small tables, nominal, numeric and mixed,
    with missing values, one column, constant columns, two and four classes.

    >>> from bayesgrove import TANClassifier
    >>> check_classifier(TANClassifier())
    """
    for example in examples():
        case = Case(model, example)
        for check in CHECKS:
            check(case)


def check_options(case: Case) -> None:
    """Options stay as they were given: a copy has them, and `fit` changes none."""
    before = case.model.get_params()
    copy = case.attempt("sklearn.base.clone", lambda: clone(case.model))
    case.require(repr(copy.get_params()) == repr(before), "a clone has other options")
    given = clone(case.model)
    answer = case.attempt("fit", lambda: given.fit(case.example.X, case.example.y))
    case.require(answer is given, "fit does not return the classifier itself")
    case.require(repr(given.get_params()) == repr(before), "fit changes the options")


def check_probabilities(case: Case) -> None:
    """Probabilities are finite, not negative, and sum to 1 over the classes of training."""
    classes = np.unique(case.example.y).tolist()
    case.require(list(case.fitted.classes_) == classes, f"classes_ are not {classes}")
    _require_probabilities(case, case.probabilities, len(case.example.y), "the rows of training")


def check_predictions(case: Case) -> None:
    """`predict` gives a most probable class, unless the class says that it does not."""
    labels = case.attempt("predict", lambda: case.fitted.predict(case.example.X))
    case.require(len(labels) == len(case.example.y), "predict does not give one label per row")
    known = np.asarray(labels, dtype=object)[:, None] == case.fitted.classes_.astype(object)
    case.require(known.any(axis=1).all(), "predict gives labels that are not classes")
    if not getattr(case.model, "predicts_most_probable", True):
        return
    _require_probabilities(case, case.probabilities, len(labels), "the rows of training")
    chosen, most = case.probabilities[known], case.probabilities.max(axis=1)
    row = int((most - chosen).argmax())
    case.require(
        chosen[row] >= most[row] - NEAR,
        f"predict gives row {row} the class {labels[row]!r} of probability {chosen[row]}, "
        f"and there is a class of {most[row]}",
    )


def check_rows(case: Case) -> None:
    """A row has the same probabilities alone, and wherever it stands among others."""
    X, order = case.example.X, np.random.default_rng(1).permutation(len(case.example.X))
    shuffled = case.ask(case.fitted, X.iloc[order], "shuffled rows")
    expected = case.probabilities[order]
    case.require_same(
        shuffled, expected, "shuffled rows differ from the same in order", within=NEAR
    )
    alone = case.ask(case.fitted, X.iloc[7:8], "one row")
    expected = case.probabilities[7:8]
    case.require_same(
        alone, expected, "a row alone differs from the same among others", within=NEAR
    )


def check_forms(case: Case) -> None:
    """The same rows give the same answers, whatever library holds them."""
    for form, table in case.example.forms():
        answer = case.ask(case.fitted, table, form)
        what = f"predictions of {form} and of a pandas frame differ"
        case.require_same(answer, case.probabilities, what, within=NEAR)
        model = case.fit(table, case.example.y, form)
        answer = case.ask(model, table, form)
        what = f"models of {form} and of a pandas frame differ"
        case.require_same(answer, case.probabilities, what, within=NEAR)


def check_new_values(case: Case) -> None:
    """Rows with missing values, new labels or large numbers have probabilities, too."""
    for what, rows in _new_rows(case):
        answer = case.ask(case.fitted, rows, what)
        _require_probabilities(case, answer, len(rows), what)


def check_again(case: Case) -> None:
    """The same classifier learns the same from the same rows, which it leaves as they are."""
    again = case.fit(case.example.X, case.example.y)
    answer = case.ask(again, case.example.X, "the rows of training")
    expected = case.probabilities
    same = case.example.X.equals(case.original)
    case.require(same, "fit or predict_proba changes the table")
    case.require_same(answer, expected, "two fits to the same rows differ")


def check_pickle(case: Case) -> None:
    """A model that went through pickle gives the same answers, to the last bit."""
    copy = case.attempt("pickle", lambda: pickle.loads(pickle.dumps(case.fitted)))
    answer = case.ask(copy, case.example.X, "the rows of training, after pickle,")
    case.require_same(answer, case.probabilities, "predictions differ after pickle")
    _require_same_size(case, copy, "pickle")


def check_threads(case: Case) -> None:
    """Results do not depend on the number of threads."""
    if "n_jobs" not in case.model.get_params():
        return
    X, y = case.example.X, case.example.y
    one, three = (
        case.fit_copy(clone(case.model).set_params(n_jobs=n), X, y, f"the table, n_jobs={n}")
        for n in (1, 3)
    )
    answers = case.ask(one, X, "rows, n_jobs=1"), case.ask(three, X, "rows, n_jobs=3")
    case.require_same(answers[0], answers[1], "n_jobs=1 and n_jobs=3 differ")


def check_weights(case: Case) -> None:
    """A row of weight 2 is the row twice, unless the class says ``weights_repeat_rows = False``."""
    if not has_fit_parameter(case.model, "sample_weight") or not weights_repeat_rows(case.model):
        return
    X, y = case.example.X, case.example.y
    weights = np.random.default_rng(2).integers(1, 3, len(y))
    weighted = case.fit(X, y, "weighted rows", sample_weight=weights.astype(float))
    twice = case.fit(X.loc[X.index.repeat(weights)], np.repeat(y, weights), "repeated rows")
    what = "a row of weight 2 differs from the row twice"
    one, two = (case.ask(model, X, "the rows of training") for model in (weighted, twice))
    case.require_same(one, two, what, within=NEAR)


def check_file(case: Case) -> None:
    """A model file gives the model back, to the last bit, where it can hold the model at all."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        try:
            save_model(case.fitted, path)
        except ModelFileError:
            return
        loaded = case.attempt("load_model", lambda: load_model(path))
    answer = case.ask(loaded, case.example.X, "the rows of training, after load_model,")
    case.require_same(answer, case.probabilities, "predictions differ after save_model, load_model")
    options = repr(loaded.get_params()) == repr(case.fitted.get_params())
    case.require(options, "options differ after save_model and load_model")
    _require_same_size(case, loaded, "save_model and load_model")


def check_size(case: Case) -> None:
    """`complexity`, where there is one, counts what can be: no more attributes than columns."""
    size = _size(case, case.fitted)
    if size is None:
        return
    columns = case.example.X.shape[1]
    within = 0 <= size.attributes <= columns
    case.require(within, f"complexity() counts {size.attributes} attributes of {columns} columns")
    for name in ("arcs", "parameters"):
        count = getattr(size, name)
        fits = count is None or (isinstance(count, (int, np.integer)) and count >= 0)
        case.require(fits, f"complexity() says {name}={count!r}, which is not a count")


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
"""In the order in which `check_classifier` runs them."""


def _require_probabilities(case: Case, answer: Floats, rows: int, what: str) -> None:
    shape = (rows, len(case.fitted.classes_))
    case.require(answer.shape == shape, f"{what}: probabilities have shape {answer.shape}")
    finite = np.isfinite(answer).all(axis=1)
    row = int(finite.argmin())
    case.require(finite.all(), f"{what}: row {row} has probabilities {answer[row].tolist()}")
    low = answer.min(axis=1) >= 0
    row = int(low.argmin())
    case.require(low.all(), f"{what}: row {row} has probabilities {answer[row].tolist()}")
    sums = answer.sum(axis=1)
    row = int(np.abs(sums - 1).argmax())
    case.require(
        abs(sums[row] - 1) <= NEAR, f"{what}: row {row} sums to {sums[row]:.10g}, not to 1"
    )


def _new_rows(case: Case) -> Iterator[tuple[str, pd.DataFrame]]:
    X = case.example.X[:5]
    yield "rows without a value", X.map(lambda value: np.nan if _is_number(value) else None)
    for name in map(str, X):
        lacking = np.nan if X[name].dtype == float else None
        yield f"rows without {name!r}", X.assign(**{name: lacking})
        if getattr(case.model, "unseen", "missing") != "error":
            new = 1e6 if X[name].dtype == float else "new label"
            yield f"rows with {name!r} {new!r}", X.assign(**{name: new})


def _is_number(value: Any) -> bool:
    return isinstance(value, float)


def _size(case: Case, model: Any) -> Any:
    count = getattr(model, "complexity", None)
    return None if count is None else case.attempt("complexity", count)


def _require_same_size(case: Case, copy: Any, what: str) -> None:
    before, after = _size(case, case.fitted), _size(case, copy)
    case.require(before == after, f"complexity() is {before}, and {after} after {what}")
