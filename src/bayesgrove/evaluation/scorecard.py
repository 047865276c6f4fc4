"""Scorecards: whole points per value, from a classifier whose columns add up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd

from bayesgrove.evaluation.results import take
from bayesgrove.tables import batch_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats

DOUBLING = 20
"""Number of points that double the odds."""


@dataclass(frozen=True, eq=False)
class Scorecard:
    """Whole points per value; 20 points more double the odds.

    With two classes, points count for the second class. With more, every class has points, and the
    class with the most points is the most probable one. The smallest number of points of a column
    is 0.

    Parameters
    ----------
    points : DataFrame
        Points of each value of each column that occurs in training rows. The index holds the
        column and the value; there is one column per class, or only that of the second class.
    start : Series
        Points of each class before any value.
    model : classifier
        The classifier that the points come from. Points of a value that is not in ``points`` come
        from its probabilities.
    base : data frame or array
        One row, to which values are compared.
    shifts : ndarray of shape (n_columns, n_classes)
        Smallest score of each column, beside the base row.

    Examples
    --------
    >>> from bayesgrove import GroveClassifier, distill, load_dataset
    >>> X, y = load_dataset("credit-g")
    >>> card = distill(GroveClassifier(), X, y, into="scorecard", cv=2).scorecard
    >>> card.points.loc["checking_status"].index.tolist()
    ['<0', '0<=X<200', '>=200', 'no checking']
    """

    points: pd.DataFrame
    start: pd.Series
    model: Any
    base: Any
    shifts: Floats

    @classmethod
    def of(cls, model: Any, X: Any) -> Self:
        """Return the scorecard of a naive Bayes network or another sum over columns.

        Parameters
        ----------
        model : classifier
            A fitted classifier of bayesgrove, whose logarithms of probabilities are sums over
            columns.
        X : data frame or array
            The training rows.

        Returns
        -------
        Scorecard
            The points.
        """
        base = take(X, np.arange(1))
        parts = _parts(model, base, X)
        shifts = parts.min(axis=1)
        start = _scores(model, base)[0] + shifts.sum(axis=0)
        points = _rounded(parts - shifts[:, None])
        labels = [str(label) for label in model.classes_.tolist()][-points.shape[2] :]
        encoded = model.schema_.encode(batch_of(X))
        index, values = [], []
        for coding, codes, of_column in zip(
            model.schema_.codings, encoded.columns, points, strict=True
        ):
            occurring, first = np.unique(codes, return_index=True)
            index += [(coding.name, coding.states[code]) for code in occurring.tolist()]
            values.append(of_column[first])
        names = pd.MultiIndex.from_tuples(index, names=["column", "value"])
        return cls(
            pd.DataFrame(np.concatenate(values), names, labels),
            pd.Series(_rounded(start), labels),
            model,
            base,
            shifts,
        )

    @property
    def classes_(self) -> NDArray[Any]:
        """Class labels of the model."""
        classes: NDArray[Any] = self.model.classes_
        return classes

    def predict_proba(self, X: Any) -> Floats:
        """Return the probabilities that the points of rows give.

        Parameters
        ----------
        X : data frame or array
            The rows.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The probabilities, with the classes in the order of the model.
        """
        points = _rounded(_parts(self.model, self.base, X) - self.shifts[:, None])
        total = points.sum(axis=0) + self.start.to_numpy()
        if total.shape[1] == 1 and len(self.model.classes_) > 1:
            total = np.column_stack([np.zeros(len(total)), total])
        p = 2.0 ** ((total - total.max(axis=1, keepdims=True)) / DOUBLING)
        probabilities: Floats = p / p.sum(axis=1, keepdims=True)
        return probabilities


def _parts(model: Any, base: Any, X: Any) -> Floats:
    """Return what each column of rows adds to the scores of a base row."""
    before = _scores(model, base)
    whole = take(base, np.zeros(len(X), dtype=np.intp))
    parts = []
    for j in range(X.shape[1]):
        table = whole.copy()
        if isinstance(table, pd.DataFrame):
            table = table.reset_index(drop=True)
            table.isetitem(j, X.iloc[:, j].reset_index(drop=True))
        else:
            table[:, j] = X[:, j]
        parts.append(_scores(model, table) - before)
    return np.array(parts)


def _scores(model: Any, X: Any) -> Floats:
    """Return log-odds of the second of two classes; with more, logarithms with mean 0."""
    logs: Floats = model.predict_log_proba(X)
    scores: Floats = logs[:, 1:] - logs[:, :1]
    return scores if logs.shape[1] == 2 else logs - logs.mean(axis=1, keepdims=True)


def _rounded(scores: Floats) -> NDArray[np.intp]:
    """Return scores in whole points."""
    points: NDArray[np.intp] = np.rint(scores * (DOUBLING / np.log(2))).astype(np.intp)
    return points
