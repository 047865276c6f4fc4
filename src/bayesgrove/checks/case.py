"""One classifier on one table, with the results that several checks need."""

from __future__ import annotations

import warnings
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from sklearn.base import clone

if TYPE_CHECKING:
    from collections.abc import Callable

    from bayesgrove.checks.tables import Example
    from bayesgrove.kernels import Floats


class Case:
    """A classifier and a table.

    The classifier itself is never fitted; copies of it are. Results that several checks need are
    computed once.
    """

    def __init__(self, model: Any, example: Example) -> None:
        self.model = model
        self.example = example
        self.original = example.X.copy(deep=True)

    @cached_property
    def fitted(self) -> Any:
        """Copy of the classifier, fitted to the table."""
        return self.fit(self.example.X, self.example.y)

    @cached_property
    def probabilities(self) -> Floats:
        """Class probabilities of the training rows by the fitted classifier."""
        return self.probabilities_of(self.fitted, self.example.X, "the training rows")

    def fit(self, X: Any, y: Any, name: str = "the table", **arguments: Any) -> Any:
        """Return a fitted copy of the classifier; ``arguments`` are passed to `fit`."""
        copy = self.attempt("sklearn.base.clone", lambda: clone(self.model))
        return self.fit_copy(copy, X, y, name, **arguments)

    def fit_copy(self, copy: Any, X: Any, y: Any, name: str, **arguments: Any) -> Any:
        """Fit a copy, which may have other options, and return it."""
        self.attempt(f"fit to {name}", lambda: copy.fit(X, y, **arguments))
        return copy

    def probabilities_of(self, model: Any, X: Any, name: str) -> Floats:
        """Return the class probabilities of rows as an array."""
        probabilities = self.attempt(f"predict_proba of {name}", lambda: model.predict_proba(X))
        return np.asarray(probabilities)

    def attempt(self, name: str, run: Callable[[], Any]) -> Any:
        """Return the result of a function without warnings; an exception fails the check."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return run()
        except Exception as error:
            self.fail(f"{name} raises {type(error).__name__}: {error}", error)

    def require(self, condition: Any, sentence: str) -> None:
        """Raise an AssertionError with the sentence unless the condition holds."""
        if not condition:
            self.fail(sentence)

    def require_same(self, one: Floats, two: Floats, message: str, *, within: float = 0.0) -> None:
        """Raise an AssertionError unless probabilities differ by at most ``within``."""
        if one.shape != two.shape:
            self.fail(f"{message}: shapes {one.shape} and {two.shape}")
        apart = ~(np.abs(one - two) <= within)
        if apart.any():
            row = int(apart.any(axis=1).argmax())
            self.fail(f"{message}: row {row} has {one[row].tolist()} and {two[row].tolist()}")

    def fail(self, sentence: str, cause: Exception | None = None) -> NoReturn:
        """Raise an AssertionError that names the classifier and the table."""
        classifier = type(self.model).__name__
        text = sentence.removesuffix(".")
        raise AssertionError(f"{classifier}, table {self.example.name!r}: {text}.") from cause
