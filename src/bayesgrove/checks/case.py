"""One classifier on one table: what every check asks for, computed once."""

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
    """A classifier, which is never fitted itself, and a table."""

    def __init__(self, model: Any, example: Example) -> None:
        self.model = model
        self.example = example
        self.original = example.X.copy(deep=True)

    @cached_property
    def fitted(self) -> Any:
        """The classifier, fitted to the table."""
        return self.fit(self.example.X, self.example.y)

    @cached_property
    def probabilities(self) -> Floats:
        """What the fitted classifier says of the rows that it was fitted to."""
        return self.ask(self.fitted, self.example.X, "the rows of training")

    def fit(self, X: Any, y: Any, what: str = "the table", **arguments: Any) -> Any:
        """Return a copy of the classifier, fitted; ``arguments`` are further ones of `fit`."""
        copy = self.attempt("sklearn.base.clone", lambda: clone(self.model))
        return self.fit_copy(copy, X, y, what, **arguments)

    def fit_copy(self, copy: Any, X: Any, y: Any, what: str, **arguments: Any) -> Any:
        """Return a copy that has options of its own, fitted."""
        self.attempt(f"fit to {what}", lambda: copy.fit(X, y, **arguments))
        return copy

    def ask(self, model: Any, X: Any, what: str) -> Floats:
        """Return the probabilities of rows as an array."""
        answer = self.attempt(f"predict_proba of {what}", lambda: model.predict_proba(X))
        return np.asarray(answer)

    def attempt(self, what: str, run: Callable[[], Any]) -> Any:
        """Return what a function returns, without warnings; an exception fails the check."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return run()
        except Exception as error:
            self.fail(f"{what} raises {type(error).__name__}: {error}", error)

    def require(self, condition: Any, sentence: str) -> None:
        """Fail unless a condition holds."""
        if not condition:
            self.fail(sentence)

    def require_same(self, one: Floats, two: Floats, what: str, *, within: float = 0.0) -> None:
        """Fail unless probabilities are equal: to the last bit, or within a distance."""
        if one.shape != two.shape:
            self.fail(f"{what}: shapes {one.shape} and {two.shape}")
        apart = ~(np.abs(one - two) <= within)
        if apart.any():
            row = int(apart.any(axis=1).argmax())
            self.fail(f"{what}: row {row} has {one[row].tolist()} and {two[row].tolist()}")

    def fail(self, sentence: str, cause: Exception | None = None) -> NoReturn:
        """Raise the AssertionError of a check."""
        name = type(self.model).__name__
        text = sentence.removesuffix(".")
        raise AssertionError(f"{name}, table {self.example.name!r}: {text}.") from cause
