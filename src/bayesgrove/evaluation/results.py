"""One model, one data set, one split: a job of a comparison, and its result."""

from __future__ import annotations

import contextlib
import math
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

    ExtraMetrics = Callable[[Outcome], dict[str, float]]

TIMES = ("fit_seconds", "predict_seconds")
"""Metrics that are never the same twice."""


@dataclass(frozen=True)
class Result:
    """The result of one model on one split: values by metric, or the reason of a failure."""

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
        """Data set, model and split, which tell results apart."""
        return self.dataset, self.model, self.split

    def as_json(self) -> dict[str, Any]:
        """Return plain data; NaN is null."""
        values = {name: _plain(value) for name, value in self.values.items()}
        return asdict(self) | {"values": values}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Result:
        """Return the result that `as_json` described."""
        values = {k: math.nan if v is None else v for k, v in data["values"].items()}
        return cls(**(data | {"values": values}))


class OvertimeError(BaseException):
    """A job took longer than it may; no handler of a model's own errors holds it up."""


@dataclass(frozen=True)
class Job:
    """A result to be worked out; the data are in a file, which a process reads once.

    ``extra_metrics`` is what is measured besides the metrics, ``here`` whether the process that compares
    may do the job itself.
    """

    dataset: str
    model: str
    estimator: Any
    split: Split
    data: str
    time_limit: float | None
    extra_metrics: ExtraMetrics | None = None
    here: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """The key of its result."""
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
        except Exception as error:  # a broken model must not stop the others
            return self.failed(reason(error))
        return self._result(values=values)

    def failed(self, failure: str) -> Result:
        """Return the result of a job that failed."""
        return self._result(failure=failure)

    def _result(self, **result: Any) -> Result:
        name, repeat, train, test = self.split
        return Result(self.dataset, self.model, name, repeat, len(train), len(test), **result)


class _Data(NamedTuple):
    """Attributes, class labels of the rows, all classes, and the code of every row."""

    X: Any
    y: Any
    classes: NDArray[Any]
    codes: NDArray[np.intp]


@lru_cache(maxsize=2)
def load(path: str) -> _Data:
    """Read a data set from a file; a process keeps the last two."""
    X, y = joblib.load(path)
    classes, codes = encode_target(y, len(y))
    return _Data(X, y, classes, codes.astype(np.intp))


def _measure(model: Any, data: _Data, split: Split) -> tuple[Outcome, dict[str, float]]:
    X, y, classes, codes = data
    train, test = take(X, split.train), take(X, split.test)
    labels = take(y, split.train)
    start = time.perf_counter()
    model.fit(train, labels)
    fitted = time.perf_counter()
    predicted, probabilities = _predictions(model, test, classes)
    done = time.perf_counter()
    training = np.bincount(codes[split.train], minlength=len(classes)).astype(np.float64)
    outcome = Outcome(codes[split.test], predicted, probabilities, training)
    return outcome, {
        **{name: metric(outcome) for name, metric in METRICS.items()},
        **{name: float(min(size, 10**300)) for name, size in model_sizes(model).items()},
        **dict(zip(TIMES, (fitted - start, done - fitted), strict=True)),
    }


def _predictions(
    model: Any, X: Any, classes: NDArray[Any]
) -> tuple[NDArray[np.intp], NDArray[np.float64] | None]:
    """Predicted codes, and probabilities of every class of the whole table, if there are any."""
    if not hasattr(model, "predict_proba"):
        return _codes(model.predict(X), classes), None
    own = _codes(model.classes_, classes)
    given = model.predict_proba(X)
    probabilities = np.zeros((len(given), len(classes)))
    probabilities[:, own] = given
    if getattr(model, "predicts_most_probable", False):
        with np.errstate(divide="ignore"):
            return own[most_probable(np.log(given))], probabilities
    return _codes(model.predict(X), classes), probabilities


def _codes(labels: Any, classes: NDArray[Any]) -> NDArray[np.intp]:
    place = {label: code for code, label in enumerate(classes.tolist())}
    return np.array([place[label] for label in np.asarray(labels).tolist()], dtype=np.intp)


def take(table: Any, rows: NDArray[np.intp]) -> Any:
    """Return some rows of a data frame, a series or an array."""
    if hasattr(table, "iloc"):
        return table.iloc[rows]
    return table[rows] if hasattr(table, "__array__") else np.asarray(table)[rows]


@contextlib.contextmanager
def _limited(seconds: float | None) -> Iterator[None]:
    """Raise `OvertimeError` when the time is up; needs the main thread of a process."""
    if seconds is None:
        yield
        return

    def stop(_: int, __: FrameType | None) -> None:
        raise OvertimeError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def reason(error: BaseException) -> str:
    """Return an error in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value
