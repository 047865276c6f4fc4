"""Classifiers of other packages with their default settings, behind one interface.

A package is imported when its classifier is fitted. Each classifier gets the columns in the form
that its package asks for, and one thread.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from dataclasses import dataclass
from importlib import import_module, metadata
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from threadpoolctl import threadpool_limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats

CPU_LIMIT = 120.0
"""Seconds of CPU time after which a fit is given up."""
MISSING = "(missing)"
"""Label of missing values, for packages that want text."""


@dataclass(frozen=True)
class Package:
    """A classifier of another package.

    Parameters
    ----------
    name : str
        Name of the package, for pip.
    module : str
        Module with the class.
    classifier : str
        Name of the class.
    form : {"codes", "categories", "text", "one-hot"}
        Form of nominal columns: numbers, categories of pandas, text with a label for missing
        values, or one column of zeros and ones per label. Missing numbers stay missing, except in
        the form "one-hot": they are replaced by the median, with a column that says so, and numbers
        are standardised.
    options : dict of str to object
        Options that differ from the defaults: the seed, one thread and no output.
    """

    name: str
    module: str
    classifier: str
    form: str
    options: dict[str, Any]

    def version(self) -> str:
        """Return the installed version; empty if the package is not installed."""
        try:
            return metadata.version(self.name)
        except metadata.PackageNotFoundError:
            return ""

    def load(self) -> Any:
        """Import the package and return its class."""
        return getattr(import_module(self.module), self.classifier)


_SKLEARN = "scikit-learn"
PACKAGES = {
    "Logistic regression": Package(
        _SKLEARN,
        "sklearn.linear_model",
        "LogisticRegression",
        "one-hot",
        {"max_iter": 1000, "random_state": 0},
    ),
    "Random forest": Package(
        _SKLEARN,
        "sklearn.ensemble",
        "RandomForestClassifier",
        "codes",
        {"random_state": 0, "n_jobs": 1},
    ),
    "LightGBM": Package(
        "lightgbm",
        "lightgbm",
        "LGBMClassifier",
        "categories",
        {"random_state": 0, "n_jobs": 1, "verbosity": -1},
    ),
    "XGBoost": Package(
        "xgboost",
        "xgboost",
        "XGBClassifier",
        "categories",
        {"random_state": 0, "n_jobs": 1, "enable_categorical": True},
    ),
    "HistGradientBoosting": Package(
        _SKLEARN,
        "sklearn.ensemble",
        "HistGradientBoostingClassifier",
        "categories",
        {"random_state": 0},
    ),
    "Khiops": Package("khiops", "khiops.sklearn", "KhiopsClassifier", "text", {"n_trees": 10}),
    "CatBoost": Package(
        "catboost",
        "catboost",
        "CatBoostClassifier",
        "text",
        {"random_seed": 0, "thread_count": 1, "verbose": False, "allow_writing_files": False},
    ),
    "EBM": Package(
        "interpret-core",
        "interpret.glassbox",
        "ExplainableBoostingClassifier",
        "text",
        {"random_state": 0, "n_jobs": 1},
    ),
}
"""The classifiers by their names."""


class Peer(ClassifierMixin, BaseEstimator):
    """A classifier of another package for any data frame, with any class labels.

    Columns without a value in the training rows are left out.

    Parameters
    ----------
    name : str
        Name of the classifier, a key of `PACKAGES`.
    version : str, default=""
        Version of the package, which is part of the plan of a run.
    cpu_limit : float, default=120.0
        Seconds of CPU time after which ``fit`` raises a TimeoutError. A package that does not
        return to Python before is stopped late.
    """

    predicts_most_probable = True

    def __init__(self, name: str, version: str = "", cpu_limit: float = CPU_LIMIT) -> None:
        self.name = name
        self.version = version
        self.cpu_limit = cpu_limit

    def __sklearn_clone__(self) -> Peer:
        """Import the package, so that the import is not part of the time of the first fit."""
        PACKAGES[self.name].load()
        return Peer(**self.get_params())

    def fit(self, X: pd.DataFrame, y: Any) -> Self:
        """Fit the classifier of the package."""
        package = PACKAGES[self.name]
        self.classes_, codes = np.unique(np.asarray(y), return_inverse=True)
        self._columns = _Columns.of(X, package.form)
        rows = self._columns.read(X)
        with limited(self.cpu_limit), threadpool_limits(1):
            self._model = _built(package, self._columns)
            self._model.fit(rows, codes)
        return self

    def predict_proba(self, X: pd.DataFrame) -> Floats:
        """Return the probabilities of the classes of the training rows, in sorted order."""
        with threadpool_limits(1):
            return np.asarray(self._model.predict_proba(self._columns.read(X)), dtype=np.float64)

    def predict(self, X: pd.DataFrame) -> NDArray[Any]:
        """Return the most probable classes."""
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])


def peer(name: str) -> Peer:
    """Return a classifier of `PACKAGES` with the version that is installed."""
    return Peer(name, PACKAGES[name].version())


@dataclass(frozen=True)
class _Columns:
    """The columns that a classifier gets: numbers, and nominal columns with their labels."""

    form: str
    labels: dict[Any, list[str] | None]

    @classmethod
    def of(cls, X: pd.DataFrame, form: str) -> _Columns:
        """Return the columns that have values, each with its labels, or None for numbers."""
        return cls(
            form,
            {
                name: None if _is_number(column) else sorted(_levels(column.dropna())[0])
                for name, column in X.items()
                if column.notna().any()
            },
        )

    @property
    def kinds(self) -> list[bool]:
        """Whether each column is nominal."""
        return [labels is not None for labels in self.labels.values()]

    def read(self, X: pd.DataFrame) -> pd.DataFrame:
        """Return the columns in the form of the package; their names are safe for all packages."""
        columns = {
            f"x{place}": X[name].to_numpy(np.float64)
            if labels is None
            else self._nominal(X[name], labels)
            for place, (name, labels) in enumerate(self.labels.items())
        }
        return pd.DataFrame(columns)

    def _nominal(self, column: pd.Series[Any], labels: list[str]) -> Any:
        """Return a nominal column; as a number, a label that training rows do not have is -1."""
        levels, codes = _levels(column)
        if self.form == "text":
            return np.array([*levels, MISSING], dtype=object)[codes]
        known = pd.Index(labels, dtype=object).get_indexer(pd.Index(levels, dtype=object))
        missing = len(labels) if self.form == "one-hot" else -1
        numbers = np.append(known, missing)[codes]
        if self.form == "one-hot":
            return numbers
        if self.form == "categories":
            return pd.Categorical.from_codes(numbers, pd.Index(np.arange(len(labels))))
        return np.where(numbers < 0, np.nan, numbers)


def _levels(column: pd.Series[Any]) -> tuple[list[str], NDArray[np.intp]]:
    """Return the labels of a column as text, and the position of the label per row.

    A missing value has the position -1. Declared categories without rows are left out.
    """
    codes, levels = pd.factorize(column)
    return [str(level) for level in levels], codes


def _is_number(column: pd.Series[Any]) -> bool:
    """Return whether a column has numbers; truth values are labels."""
    is_number: bool = pd.api.types.is_numeric_dtype(column)
    return is_number and not pd.api.types.is_bool_dtype(column)


def _built(package: Package, columns: _Columns) -> Any:
    """Return the unfitted classifier of a package, for columns of these kinds."""
    options: dict[str, Any] = dict(package.options)
    nominal = [f"x{place}" for place, kind in enumerate(columns.kinds) if kind]
    if package.name == "catboost":
        options["cat_features"] = nominal
    if package.name == "interpret-core":
        options["feature_types"] = ["nominal" if k else "continuous" for k in columns.kinds]
    model = package.load()(**options)
    if package.form != "one-hot":
        return model
    numbers = [f"x{place}" for place, kind in enumerate(columns.kinds) if not kind]
    imputed = SimpleImputer(strategy="median", add_indicator=True)
    ready = make_column_transformer(
        (make_pipeline(imputed, StandardScaler()), numbers),
        (OneHotEncoder(handle_unknown="ignore"), nominal),
    )
    return make_pipeline(ready, model)


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise a TimeoutError after some seconds of CPU time, at the latest at the end.

    Outside of the main thread, only the end is checked.
    """
    start = time.process_time()

    def check(*_: Any) -> None:
        if time.process_time() - start >= seconds:
            raise TimeoutError(f"the fit took more than {seconds:g} seconds of CPU time")

    in_main = threading.current_thread() is threading.main_thread()
    if in_main:
        previous = signal.signal(signal.SIGPROF, check)
        signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    try:
        yield
    except KeyboardInterrupt:  # CatBoost makes one of the TimeoutError.
        check()
        raise
    finally:
        if in_main:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, previous)
    check()
