"""Distillation: one network, or one scorecard, that comes near to a more accurate classifier.

A student learns from two kinds of rows: the training rows with their classes, and rows that are
made from them, which the teacher labels with its class probabilities. The idea is that of
C. Bucila, R. Caruana and A. Niculescu-Mizil (2006), Model compression, KDD-06, 535-541.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from bayesgrove._utils.options import OptionError, require_seed
from bayesgrove._utils.wording import listed
from bayesgrove.encoding import encode_target
from bayesgrove.estimators.calibration import probabilities_of
from bayesgrove.estimators.classifiers.naive_bayes import NaiveBayesClassifier
from bayesgrove.estimators.classifiers.tan import TANClassifier
from bayesgrove.evaluation.metrics import METRICS, Outcome
from bayesgrove.evaluation.protocols import protocol_of
from bayesgrove.evaluation.results import take
from bayesgrove.evaluation.scorecard import DOUBLING, Scorecard
from bayesgrove.tables import is_external

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.random import Generator
    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats

COPIES = 9
"""Number of made rows per training row."""
MADE_ROWS = 100_000
"""Largest number of made rows."""
EXCHANGED = 0.3
"""Share of the values of a made row that come from another training row."""
LEAST = 1e-3
"""Classes whose share of the probability of the most probable class is smaller are left out."""

STUDENTS: dict[str, Callable[[], Any]] = {
    "network": lambda: TANClassifier(smoothing="backoff", weights="conditional", corrections=True),
    "scorecard": lambda: NaiveBayesClassifier(
        smoothing="backoff", weights="conditional", corrections=True
    ),
}
"""Students by name."""


@dataclass(frozen=True, repr=False)
class Distillation:
    """A student that learned from a teacher, and what it loses.

    Parameters
    ----------
    model : classifier
        The student, fitted to all rows.
    teacher : str
        Name of the class of the teacher.
    losses : DataFrame
        Log-loss on the test rows of every split: one row per split, and the columns ``teacher``,
        ``student``, ``direct``, and with a scorecard ``points``.
    protocol : str
        How the rows were split.
    scorecard : Scorecard or None, default=None
        The student in whole points per value, with ``into="scorecard"``.

    Examples
    --------
    >>> from bayesgrove import GroveClassifier, distill, load_dataset
    >>> X, y = load_dataset("vote")
    >>> distilled = distill(GroveClassifier(), X, y)
    >>> distilled.student_loss < distilled.direct_loss
    True
    """

    model: Any
    teacher: str
    losses: pd.DataFrame
    protocol: str
    scorecard: Scorecard | None = None

    @property
    def teacher_loss(self) -> float:
        """Mean log-loss of the teacher on test rows."""
        return float(self.losses["teacher"].mean())

    @property
    def student_loss(self) -> float:
        """Mean log-loss of the student on test rows."""
        return float(self.losses["student"].mean())

    @property
    def direct_loss(self) -> float:
        """Mean log-loss of the same classifier without a teacher, on test rows."""
        return float(self.losses["direct"].mean())

    @property
    def points_loss(self) -> float:
        """Mean log-loss of the student in whole points, on test rows; nan without a scorecard."""
        return float(self.losses["points"].mean()) if self.scorecard is not None else np.nan

    def to_text(self) -> str:
        """Return the losses in a few lines.

        Returns
        -------
        str
            The text.
        """
        more = self.student_loss - self.teacher_loss
        text = (
            f"Log-loss on rows that no model has seen ({self.protocol}):\n"
            f"teacher {self.teacher} {self.teacher_loss:.3f}, student {type(self.model).__name__} "
            f"{self.student_loss:.3f} ({abs(more):.3f} {'more' if more >= 0 else 'less'});\n"
            f"the same student without a teacher {self.direct_loss:.3f}."
        )
        if self.scorecard is None:
            return text
        return f"{text}\nIn whole points ({DOUBLING} double the odds): {self.points_loss:.3f}."

    def __repr__(self) -> str:
        """Return the losses in a few lines."""
        return self.to_text()


def distill(
    teacher: Any,
    X: Any,
    y: Any,
    *,
    into: Any = "network",
    cv: Any = 5,
    random_state: int = 0,
) -> Distillation:
    """Return a readable student of a classifier, and tell what it loses.

    The student learns from the training rows with their classes, and from made rows: copies of
    training rows in which 30% of the values come from other training rows. The teacher labels a
    made row with its class probabilities: the row enters once per class, with the probability as
    its weight. There are 9 made rows per training row, and at most 100,000.

    Losses are told for rows that neither teacher nor student has seen: in every split, a copy of
    the teacher is fitted to the training rows, and a student learns from this copy.

    Parameters
    ----------
    teacher : classifier
        Any scikit-learn classifier with ``predict_proba``, such as a `GroveClassifier`. If it is
        fitted, the returned student learns from it; otherwise from a copy that is fitted to all
        rows. The teacher is not changed.
    X : data frame or array
        The training rows, in memory.
    y : array-like of shape (n_rows,)
        The class labels.
    into : {"network", "scorecard"} or classifier, default="network"
        The student. "network" is a TAN network and "scorecard" naive Bayes, which has one table per
        column, and is also given in whole points per value. Both have tables that back off, with
        exponents and corrections that are fitted to P(class | row). Any classifier that accepts
        ``sample_weight`` can be a student. It is cloned before it is fitted.
    cv : int, str or protocol, default=5
        How rows are split to measure the losses, as in `compare`: a number of folds, a text such as
        ``"5x10"``, or a protocol such as ``CrossValidation(10)``.
    random_state : int, default=0
        Seed of the made rows and of the splits.

    Returns
    -------
    Distillation
        The student in ``model``, the losses ``teacher_loss``, ``student_loss`` and ``direct_loss``
        (the same student without a teacher), and ``to_text()``, which tells them; with
        ``into="scorecard"`` also the ``scorecard`` and its ``points_loss``.

    References
    ----------
    C. Bucila, R. Caruana and A. Niculescu-Mizil (2006). Model compression. KDD-06, 535-541.

    Examples
    --------
    >>> from bayesgrove import GroveClassifier, distill, load_dataset
    >>> X, y = load_dataset("credit-g")
    >>> distilled = distill(GroveClassifier(), X, y)
    >>> distilled.model.complexity().arcs
    39
    """
    require_seed("random_state", random_state)
    student, in_points = _student(into), isinstance(into, str) and into == "scorecard"
    if isinstance(teacher, type) or not hasattr(teacher, "predict_proba"):
        raise OptionError(
            f"teacher={teacher!r} must be a classifier with predict_proba: otherwise it has no "
            "probabilities to learn from."
        )
    if is_external(X):
        raise ValueError("X must be a table in memory, because rows are made from it.")
    rows = X.to_pandas() if hasattr(X, "to_pandas") else X
    rows = rows if isinstance(rows, pd.DataFrame) else np.asarray(rows)
    classes, codes = encode_target(y, len(rows))
    table = _Rows(rows, codes.astype(np.intp), classes, getattr(y, "name", None))
    fitted = teacher if _is_fitted(teacher) else clone(teacher).fit(table.X, table.y)
    _require_same_classes(fitted, table)
    protocol = protocol_of(cv, random_state)
    losses = []
    for number, split in enumerate(protocol.splits(y)):
        train, test = table.some(split.train), table.some(split.test)
        rng = np.random.default_rng([random_state, number + 1])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # UnseenValueWarning is one of them.
            own_teacher = clone(teacher).fit(train.X, train.y)
            taught = _taught(student, own_teacher, train, rng)
            models = {
                "teacher": own_teacher,
                "student": taught,
                "direct": clone(student).fit(train.X, train.y),
            }
            if in_points:
                models["points"] = Scorecard.of(taught, train.X)
            losses.append({name: _loss(model, train, test) for name, model in models.items()})
    taught = _taught(student, fitted, table, np.random.default_rng([random_state, 0]))
    return Distillation(
        taught,
        type(teacher).__name__,
        pd.DataFrame(losses),
        protocol.describe(),
        Scorecard.of(taught, table.X) if in_points else None,
    )


def _student(into: Any) -> Any:
    """Return the student that an option names."""
    if isinstance(into, str) and into in STUDENTS:
        return STUDENTS[into]()
    if isinstance(into, (str, type)) or not hasattr(into, "predict_proba"):
        names = " or ".join(f'"{name}"' for name in STUDENTS)
        raise OptionError(f"into={into!r} must be {names}, or a classifier with predict_proba.")
    if not has_fit_parameter(into, "sample_weight"):
        raise OptionError(
            f"into={into!r} does not accept sample_weight, but the probabilities of the teacher "
            "are weights of rows: choose another student."
        )
    return into


@dataclass(frozen=True)
class _Rows:
    """Rows in memory with their classes."""

    X: Any
    codes: NDArray[np.intp]
    classes: NDArray[Any]
    name: Any

    @property
    def y(self) -> pd.Series[Any]:
        """Class labels; networks name the class after the series."""
        return pd.Series(self.classes[self.codes], name=self.name)

    def some(self, rows: NDArray[np.intp]) -> _Rows:
        """Return some rows."""
        return _Rows(take(self.X, rows), self.codes[rows], self.classes, self.name)

    def made(self, rng: Generator) -> Any:
        """Return made rows: every value is that of a training row, or of a random other one."""
        count, columns = self.X.shape
        total = min(COPIES * count, MADE_ROWS)
        base = rng.permutation(count)[np.arange(total) % count]
        other = rng.integers(count, size=total)
        exchanged = rng.random((total, columns)) < EXCHANGED
        places = np.where(exchanged, other[:, None], base[:, None])
        if isinstance(self.X, np.ndarray):
            return self.X[places, np.arange(columns)]
        parts = [self.X.iloc[places[:, j], [j]].reset_index(drop=True) for j in range(columns)]
        return pd.concat(parts, axis=1)


def _taught(student: Any, teacher: Any, train: _Rows, rng: Generator) -> Any:
    """Return a student that has learned from rows, and from made rows that a teacher labels."""
    made = train.made(rng)
    rows, codes, weights = soft_rows(probabilities_of(teacher, made, train.classes))
    labelled = take(made, rows)
    both: Any
    if isinstance(made, np.ndarray):
        both = np.concatenate([train.X, labelled])
    else:
        both = pd.concat([train.X, labelled], ignore_index=True)
    y = pd.Series(train.classes[np.concatenate([train.codes, codes])], name=train.name)
    weights = np.concatenate([np.ones(len(train.codes)), weights])
    return clone(student).fit(both, y, sample_weight=weights)


def soft_rows(probabilities: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    """Return rows with classes and weights that stand for class probabilities.

    Parameters
    ----------
    probabilities : ndarray of shape (n_rows, n_classes)
        Probabilities of the classes of every row.

    Returns
    -------
    rows : ndarray of shape (n_entries,)
        Number of a row, once per class that is not far less probable than the most probable one.
    classes : ndarray of shape (n_entries,)
        Code of the class.
    weights : ndarray of shape (n_entries,)
        Probability of the class; the weights of a row sum to 1.
    """
    kept = probabilities >= LEAST * probabilities.max(axis=1, keepdims=True)
    weights = np.where(kept, probabilities, 0.0)
    weights /= weights.sum(axis=1, keepdims=True)
    rows, classes = np.nonzero(weights)
    return rows, classes, weights[rows, classes]


def _require_same_classes(teacher: Any, table: _Rows) -> None:
    """Raise unless a teacher accepts the columns, and its classes are those of the rows."""
    known, classes = np.asarray(teacher.classes_).tolist(), table.classes.tolist()
    if set(known) != set(classes):
        raise ValueError(
            f"The classes of the teacher are {listed(map(repr, known))}, and those of y are "
            f"{listed(map(repr, classes))}: give the rows that the teacher was fitted to."
        )
    teacher.predict_proba(take(table.X, np.arange(1)))


def _loss(model: Any, train: _Rows, test: _Rows) -> float:
    """Return the log-loss of a model on test rows."""
    p = probabilities_of(model, test.X, test.classes)
    training = np.bincount(train.codes, minlength=len(train.classes)).astype(np.float64)
    return METRICS["log_loss"](Outcome(test.codes, p.argmax(axis=1), p, training))


def _is_fitted(model: Any) -> bool:
    """Return whether a model is fitted."""
    try:
        check_is_fitted(model)
    except NotFittedError:
        return False
    return True
