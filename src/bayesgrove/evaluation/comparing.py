"""Run models x data sets x splits in parallel; a failure affects only its own cell.

The module is not called ``compare`` because the function of that name would hide it in its package.
"""

from __future__ import annotations

import contextlib
import hashlib
import platform
import re
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import joblib
import numpy as np
import pandas as pd
from joblib.externals.loky import ProcessPoolExecutor
from joblib.externals.loky.process_executor import BrokenProcessPool

from bayesgrove._utils.options import require_n_jobs, require_number
from bayesgrove._utils.renamed import renamed
from bayesgrove.estimators.calibration import LogisticCalibration
from bayesgrove.evaluation.comparison import Comparison
from bayesgrove.evaluation.protocols import protocol_of
from bayesgrove.evaluation.results import Job, Result, reason
from bayesgrove.evaluation.store import NOT_THERE, Store

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Sequence

    from bayesgrove.evaluation.protocols import EvaluationProtocol, Split
    from bayesgrove.evaluation.results import ExtraMetrics

    Progress = Callable[[int, int], None]

PACKAGES = ("bayesgrove", "numpy", "scipy", "scikit-learn", "pandas")
START_UP = 3.0
"""Seconds that worker processes need to start: each imports numpy, pandas and scikit-learn."""
SMALL = 100_000
"""Largest number of cells of a small table, which is fast enough to begin in this process."""
SAFE_PACKAGES = ("bayesgrove", "builtins", "numpy")
"""Models and options of these packages do not end the process that they run in."""


@renamed(protocol="cv", further="extra_metrics")
def compare(
    models: Mapping[str, Any] | Sequence[Any],
    data: Mapping[str, Any] | tuple[Any, Any],
    cv: Any = "10",
    *,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    extra_metrics: ExtraMetrics | None = None,
    calibrate: bool = False,
    retry_failures: bool = True,
) -> Comparison:
    """Compare classifiers on data sets, with the same splits for all classifiers.

    A model that raises an error or exceeds the time limit fails only on this split. If a data set
    cannot be loaded, only the results on this data set fail. All other results are computed.

    Parameters
    ----------
    models : dict of str to estimator, or sequence of estimator
        The classifiers by name. Any scikit-learn classifier is accepted. The models of a list are
        named by their class. If the list has several models of a class, all except the first are
        named by their class and options.
    data : dict of str to tuple, or tuple
        The data sets by name, each a tuple ``(X, y)``; or a single tuple ``(X, y)``, which gets the
        name "data". In place of a tuple, a function without arguments may return ``(X, y)``. It is
        called once, before the first model is fitted. If it raises an error, the results on this
        data set fail.
    cv : str, int, protocol or dict, default="10"
        The protocol that splits the rows, such as ``CrossValidation(10)``; or the text of one,
        such as ``"10"`` (10-fold cross-validation), ``"5x10"`` (five times 10-fold),
        ``"30x200/235"`` (30 random splits with 200 training and 235 test rows) or
        ``"split:1084"`` (train on the first 1084 rows). A dict holds one protocol per data set, by
        name.
    folder : str or path-like or None, default=None
        The folder of the run. Each result is written as soon as it is finished, and the tables are
        written at the end. None means that nothing is written.
    resume : bool, default=False
        Whether to continue the run in ``folder``. The result is the same as that of a run without
        interruption, except for the times.
    n_jobs : int or None, default=None
        Number of processes. None means 1, and -1 means one per processor. On small tables,
        processes are started only if the remaining work takes longer than starting them.
    time_limit : float or None, default=None
        Limit in seconds for one model on one split. None means no limit.
    progress : callable or None, default=None
        A function that is called after each result with the number of finished results and the
        number of all results.
    extra_metrics : callable or None, default=None
        A function that takes an `Outcome` and returns a dict of metric name to value. These values
        are measured in addition to the metrics of `METRICS`. The function must be picklable. It is
        not part of the plan that `resume` compares.
    calibrate : bool, default=False
        Whether to calibrate the probabilities of every model: each model is wrapped in
        `LogisticCalibration`, a logistic regression on its held-out probabilities.
    retry_failures : bool, default=True
        Whether ``resume`` runs failed models again.

    Returns
    -------
    Comparison
        The results, with means, significance tests, tables and plots.

    Raises
    ------
    RunFolderError
        If ``folder`` already holds a run and ``resume`` is False, or if it holds a run with other
        models, data sets, protocols or package versions.

    Examples
    --------
    >>> from bayesgrove import KDBClassifier, NaiveBayesClassifier, compare, load_dataset
    >>> models = {"nb": NaiveBayesClassifier(), "kdb": KDBClassifier(k=1)}
    >>> result = compare(models, {"corral": load_dataset("corral")}, "10")
    >>> result.means("accuracy").round(3)
            nb  kdb
    corral ...  1.0
    """
    if time_limit is not None:
        require_number("time_limit", time_limit, lowest=1e-3)
    require_n_jobs(n_jobs)
    named = named_models(models)
    if calibrate:
        named = {name: LogisticCalibration(model) for name, model in named.items()}
    with tempfile.TemporaryDirectory() as temporary:
        sources = [
            _Source.open(name, source, _protocol_of(name, cv), Path(temporary, str(number)))
            for number, (name, source) in enumerate(_named_data(data).items())
        ]
        plan = _plan(named, sources)
        target = None if folder is None else Path(folder)
        with Store(target, plan, resume=resume, retry_failures=retry_failures) as store:
            jobs = [
                Job(
                    source.name,
                    name,
                    model,
                    split,
                    str(source.path),
                    time_limit,
                    extra_metrics,
                    in_caller,
                )
                for source in sources
                for name, model in named.items()
                for in_caller in [source.small and _is_safe(model)]
                for split in source.splits
            ]
            _run_jobs(jobs, store, n_jobs, time_limit, progress)
            for source in sources:
                for name in named if source.failure else ():
                    store.add(Result(source.name, name, "", failure=source.failure))
            order = dict.fromkeys(job.key for job in jobs) | dict.fromkeys(store.done)
            comparison = Comparison([store.done[key] for key in order], plan)
    if folder is not None:
        comparison.save(folder)
    return comparison


def _plan(models: Mapping[str, Any], sources: Sequence[_Source]) -> dict[str, Any]:
    """Return the plan of the run as plain data; a run can be resumed only with the same plan."""
    return {
        "models": {name: _model_text(model) for name, model in models.items()},
        "data": {source.name: source.digest for source in sources},
        "protocol": {source.name: source.protocol.describe() for source in sources},
        "splits": {source.name: _fingerprint(source.splits) for source in sources},
        "versions": versions(),
    }


def named_models(models: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    """Return the estimators by name; those of a list get their class, or class and options."""
    if isinstance(models, Mapping):
        named = {str(name): model for name, model in models.items()}
    else:
        named = {}
        for model in models:
            name = type(model).__name__
            name = repr(model) if name in named else name
            while name in named:
                name += " again"
            named[name] = model
    if not named:
        raise ValueError("There is no model to compare.")
    for name, model in named.items():
        if isinstance(model, type) or not hasattr(model, "fit"):
            raise ValueError(f"The model {name!r} is not an estimator: {model!r}.")
    return named


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that results depend on."""
    return {"Python": platform.python_version()} | {
        package: metadata.version(package) for package in PACKAGES
    }


@dataclass(frozen=True)
class _Source:
    """A data set in a file that worker processes read, or the reason why it cannot be loaded."""

    name: str
    protocol: EvaluationProtocol
    path: Path
    digest: str
    splits: list[Split] = field(default_factory=list)
    small: bool = False
    failure: str = ""

    @classmethod
    def open(cls, name: str, source: Any, protocol: EvaluationProtocol, path: Path) -> _Source:
        """Load a data set, split its rows and write it to ``path``."""
        try:
            X, y = source() if callable(source) else source
            splits = protocol.splits(y)
        except Exception as error:  # A broken data set must not stop the others.
            return cls(name, protocol, path, NOT_THERE, failure=reason(error))
        joblib.dump((X, y), path)
        frame = X.to_pandas() if hasattr(X, "to_pandas") else pd.DataFrame(X)
        return cls(name, protocol, path, _digest(frame, y), splits, frame.size <= SMALL)


def _run_jobs(
    jobs: list[Job],
    store: Store,
    n_jobs: int | None,
    time_limit: float | None,
    progress: Progress | None,
) -> None:
    """Run all jobs without a result; store each result as soon as it is finished."""
    pending = [job for job in jobs if job.key not in store.done]
    finished = len(jobs) - len(pending)
    for result in _results(pending, joblib.effective_n_jobs(n_jobs), time_limit):
        store.add(result)
        finished += 1
        if progress is not None:
            progress(finished, len(jobs))


def _results(jobs: list[Job], workers: int, time_limit: float | None) -> Iterator[Result]:
    """Yield results in the order in which they finish.

    A time limit needs worker processes, because a signal stops a job in their main thread.
    """
    if workers == 1 and time_limit is None:
        yield from map(Job.run, jobs)
        return
    done = 0
    for result in _first_results(jobs, workers) if time_limit is None else ():
        done += 1
        yield result
    if done < len(jobs):
        yield from _in_processes(jobs[done:], workers)


def _first_results(jobs: list[Job], workers: int) -> Iterator[Result]:
    """Yield results of this process until the remaining jobs justify starting worker processes.

    Each remaining job is assumed to take as long as the previous one.
    """
    for done, job in enumerate(jobs, 1):
        if not job.in_caller:
            return
        start = time.perf_counter()
        result = job.run()
        seconds = time.perf_counter() - start
        yield result
        if seconds * (len(jobs) - done) * (1 - 1 / workers) > START_UP:
            return


def _in_processes(jobs: list[Job], workers: int) -> Iterator[Result]:
    """Yield results of worker processes; after a crash, run the remaining jobs one by one."""
    remaining = {job.key: job for job in jobs}
    parallel = joblib.Parallel(workers, backend="loky", return_as="generator_unordered")
    with contextlib.suppress(BrokenProcessPool):
        for result in parallel(joblib.delayed(Job.run)(job) for job in jobs):
            del remaining[result.key]
            yield result
    executor = None
    for job in remaining.values():
        executor = executor or ProcessPoolExecutor(max_workers=1)
        try:
            yield executor.submit(Job.run, job).result()
        except BrokenProcessPool:
            executor = None
            yield job.failed("the process died: it was killed, or memory ran out")
    if executor is not None:
        executor.shutdown()


def _named_data(data: Any) -> dict[str, Any]:
    """Return the data sets by name; a single data set is called "data"."""
    named = {str(k): v for k, v in data.items()} if isinstance(data, Mapping) else {"data": data}
    if not named:
        raise ValueError("There is no data set to compare on.")
    return named


def _protocol_of(name: str, protocol: Any) -> EvaluationProtocol:
    """Return the protocol of a data set; a text is parsed."""
    if isinstance(protocol, Mapping) and name not in protocol:
        raise ValueError(f"cv has no protocol for the data set {name!r}.")
    chosen = protocol[name] if isinstance(protocol, Mapping) else protocol
    return protocol_of(chosen)


def _is_safe(model: Any) -> bool:
    """Return whether a model and all its options belong to `SAFE_PACKAGES`."""
    options = model.get_params().values() if hasattr(model, "get_params") else ()
    packages = (type(part).__module__.partition(".")[0] for part in (model, *options))
    return all(package in SAFE_PACKAGES for package in packages)


def _model_text(model: Any) -> str:
    """Return the class and all options of a model as text."""
    options = sorted(model.get_params().items()) if hasattr(model, "get_params") else []
    text = f"{type(model).__name__}({', '.join(f'{k}={v!r}' for k, v in options)})"
    # The text of a function has its address, which differs from process to process.
    return re.sub(" at 0x[0-9a-fA-F]+", "", text)


def _digest(frame: pd.DataFrame, y: Any) -> str:
    """Return the size and the fingerprint of a data set; only the same data can be resumed."""
    labels = pd.Series(np.asarray(y))
    cells = [_hashed(column) for _, column in frame.items()] + [_hashed(labels)]
    names = "|".join(map(str, frame.columns))
    fingerprint = hashlib.sha256(b"".join(cells) + names.encode()).hexdigest()[:16]
    return f"{len(frame)} rows, {frame.shape[1]} columns, sha256 {fingerprint}"


def _hashed(column: pd.Series) -> bytes:
    """Return one hash per value; the text of a value is used where the value is not hashable."""
    try:
        return pd.util.hash_pandas_object(column, index=False).to_numpy().tobytes()
    except TypeError:
        return pd.util.hash_pandas_object(column.astype(str), index=False).to_numpy().tobytes()


def _fingerprint(splits: Sequence[Split]) -> str:
    """Return a hash of the rows of all splits: two protocols may have the same description."""
    fingerprint = hashlib.sha256()
    for split in splits:
        fingerprint.update(split.name.encode())
        for rows in (split.train, split.test):
            fingerprint.update(np.asarray(rows, dtype=np.int64).tobytes())
    return fingerprint.hexdigest()[:16]
