"""A job of a comparison, which is one model on one data set and split, and its result."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import time
import warnings
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import joblib
import numpy as np
from sklearn.base import clone

from bayesgrove.encoding import encode_target
from bayesgrove.evaluation.metrics import METRICS, Outcome, model_sizes
from bayesgrove.scores.prediction import most_probable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from numpy.typing import NDArray

    from bayesgrove.evaluation.protocols import Split
    from bayesgrove.kernels import Floats

    ExtraMetrics = Callable[[Outcome], dict[str, float]]

TIMES = ("fit_seconds", "predict_seconds", "fit_cpu_seconds", "predict_cpu_seconds")
"""Metrics that differ from run to run."""


@dataclass(frozen=True)
class Result:
    """The result of one model on one split: values by metric, or the reason of a failure.

    Parameters
    ----------
    dataset : str
        Name of the data set.
    model : str
        Name of the model.
    split : str
        Name of the split, such as "fold 3". It is empty if the data set could not be loaded.
    repeat : int, default=0
        Number of the repeat, from 1.
    train : int, default=0
        Number of training rows.
    test : int, default=0
        Number of test rows.
    values : dict of str to float, default={}
        Values by metric.
    failure : str, default=""
        Reason of the failure. It is empty if the model did not fail.
    """

    dataset: str
    model: str
    split: str
    repeat: int = 0
    train: int = 0
    test: int = 0
    values: dict[str, float] = field(default_factory=dict)
    failure: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """Data set, model and split, which identify the result."""
        return self.dataset, self.model, self.split

    def as_json(self) -> dict[str, Any]:
        """Return the result as plain data for JSON; NaN becomes None.

        Returns
        -------
        dict of str to object
            The fields by name.
        """
        values = {name: _plain(value) for name, value in self.values.items()}
        return asdict(self) | {"values": values}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Result:
        """Return the result that `as_json` turned into plain data.

        Parameters
        ----------
        data : dict of str to object
            The fields by name.

        Returns
        -------
        Result
            The result; None becomes NaN.
        """
        values = {k: math.nan if v is None else v for k, v in data["values"].items()}
        return cls(**(data | {"values": values}))


class OvertimeError(BaseException):
    """A job exceeded its time limit.

    It is not an `Exception`, so that a model that catches its errors cannot catch this one.
    """


@dataclass(frozen=True)
class Job:
    """One model to fit and to measure on one split.

    The data set is in the file ``data``, which a process reads once. ``extra_metrics`` measures
    values in addition to the metrics. ``in_caller`` is whether the calling process may run the job.
    """

    dataset: str
    model: str
    estimator: Any
    split: Split
    data: str
    time_limit: float | None
    extra_metrics: ExtraMetrics | None = None
    in_caller: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """Data set, model and split, the key of the result."""
        return self.dataset, self.model, self.split.name

    def run(self) -> Result:
        """Fit, predict and measure; any error becomes the failure of the result."""
        try:
            with warnings.catch_warnings(), _limited(self.time_limit):
                warnings.simplefilter("ignore")
                outcome, values = _measure(clone(self.estimator), load(self.data), self.split)
                values |= self.extra_metrics(outcome) if self.extra_metrics else {}
        except OvertimeError:
            return self.failed(f"took longer than {self.time_limit:g} seconds")
        except Exception as error:  # A broken model must not stop the others.
            return self.failed(reason(error))
        return self._result(values=values)

    def failed(self, failure: str) -> Result:
        """Return the result of a job that failed."""
        return self._result(failure=failure)

    def _result(self, **result: Any) -> Result:
        """Return a result for the split of this job."""
        name, repeat, train, test = self.split
        return Result(self.dataset, self.model, name, repeat, len(train), len(test), **result)


class _Data(NamedTuple):
    """A data set: attributes, class labels, all classes, and the class code of every row."""

    X: Any
    y: Any
    classes: NDArray[Any]
    codes: NDArray[np.intp]


@lru_cache(maxsize=2)
def load(path: str) -> _Data:
    """Read a data set from a file; a process caches the last two."""
    X, y = joblib.load(path)
    classes, codes = encode_target(y, len(y))
    return _Data(X, y, classes, codes.astype(np.intp))


def _measure(model: Any, data: _Data, split: Split) -> tuple[Outcome, dict[str, float]]:
    """Fit a model and predict the test rows; return the outcome, the metrics, sizes and times."""
    X, y, classes, codes = data
    train, test = take(X, split.train), take(X, split.test)
    labels = take(y, split.train)
    start = _clocks()
    model.fit(train, labels)
    fitted = _clocks()
    predicted, probabilities = _predictions(model, test, classes)
    done = _clocks()
    training = np.bincount(codes[split.train], minlength=len(classes)).astype(np.float64)
    outcome = Outcome(codes[split.test], predicted, probabilities, training)
    return outcome, {
        **{name: metric(outcome) for name, metric in METRICS.items()},
        **{name: float(min(size, 10**300)) for name, size in model_sizes(model).items()},
        **dict(zip(TIMES, np.ravel([fitted - start, done - fitted], "F").tolist(), strict=True)),
    }


def _clocks() -> Floats:
    """Return seconds on the clock, and of CPU time: all threads, and processes that have ended."""
    children = os.times()
    cpu = time.process_time() + children.children_user + children.children_system
    return np.array([time.perf_counter(), cpu])


def _predictions(
    model: Any, X: Any, classes: NDArray[Any]
) -> tuple[NDArray[np.intp], NDArray[np.float64] | None]:
    """Return predicted codes, and probabilities of all classes of the table if the model has any.

    A class without training rows gets probability 0.
    """
    if not hasattr(model, "predict_proba"):
        return _codes(model.predict(X), classes), None
    model_codes = _codes(model.classes_, classes)
    predicted = model.predict_proba(X)
    probabilities = np.zeros((len(predicted), len(classes)))
    probabilities[:, model_codes] = predicted
    if getattr(model, "predicts_most_probable", False):
        with np.errstate(divide="ignore"):
            return model_codes[most_probable(np.log(predicted))], probabilities
    return _codes(model.predict(X), classes), probabilities


def _codes(labels: Any, classes: NDArray[Any]) -> NDArray[np.intp]:
    """Return the codes of class labels."""
    code_of = {label: code for code, label in enumerate(classes.tolist())}
    return np.array([code_of[label] for label in np.asarray(labels).tolist()], dtype=np.intp)


def take(table: Any, rows: NDArray[np.intp]) -> Any:
    """Return some rows of a data frame, a series or an array."""
    if hasattr(table, "iloc"):
        return table.iloc[rows]
    return table[rows] if hasattr(table, "__array__") else np.asarray(table)[rows]


@contextlib.contextmanager
def _limited(seconds: float | None) -> Iterator[None]:
    """Raise `OvertimeError` after some seconds; this works only in the main thread."""
    if seconds is None:
        yield
        return

    def stop(_: int, __: FrameType | None) -> None:
        raise OvertimeError

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def reason(error: BaseException) -> str:
    """Return the type and the message of an error in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _plain(value: float) -> float | None:
    """Return the value, or None for NaN."""
    return None if math.isnan(value) else value
