"""Comparisons: models x data sets x splits, in parallel; what fails, fails in its own cell.

The module is not called ``compare``: the function of that name would hide it in its package.
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

from bayesgrove._utils.options import OptionError, require_number
from bayesgrove._utils.renamed import renamed
from bayesgrove.estimators.calibration import LogisticCalibration
from bayesgrove.evaluation.comparison import Comparison
from bayesgrove.evaluation.protocols import parse_protocol
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
"""Seconds that processes take to start: each imports numpy, pandas and scikit-learn."""
SMALL = 100_000
"""Cells of a table that is small: its first results are there before processes would be."""
HARMLESS = ("bayesgrove", "builtins", "numpy")
"""Packages of models, and of their options, that do not end the process they run in."""


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
) -> Comparison:
    """Compare classifiers on data sets, the same splits for all of them.

    Parameters
    ----------
    models : estimators by name, or a list of them; any scikit-learn classifier
    data : ``(X, y)`` by name, or one of them; a function that returns it is called when its turn
        comes, and a data set that cannot be loaded fails in its own cells
    cv : such as ``CrossValidation(10)`` or ``"5x10"`` (see `parse_protocol`); or one for each
        data set, by name
    folder : where each result is written as soon as it is there, and the tables at the end
    resume : go on with the run in the folder; the result is that of an undisturbed run
    n_jobs : number of processes; None is 1, -1 one per core. On small tables they are started
        only if the work that is left takes longer than starting them
    time_limit : seconds for one model on one split
    progress : called with the number of results so far and the number of all
    extra_metrics : a function from an `Outcome` to values by name, measured besides the metrics; it
        must be picklable, and is not part of what makes a run the same
    calibrate : whether the probabilities of every model are calibrated, see `LogisticCalibration`

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
    if n_jobs == 0:
        raise OptionError("n_jobs=0 must be a number of processes, or -1 for all.")
    named = named_models(models)
    if calibrate:
        named = {name: LogisticCalibration(model) for name, model in named.items()}
    with tempfile.TemporaryDirectory() as spare:
        sources = [
            _Source.open(name, source, _protocol_of(name, cv), Path(spare, str(number)))
            for number, (name, source) in enumerate(_named_data(data).items())
        ]
        plan = _plan(named, sources)
        with Store(None if folder is None else Path(folder), plan, resume=resume) as store:
            jobs = [
                Job(
                    source.name,
                    name,
                    model,
                    split,
                    str(source.path),
                    time_limit,
                    extra_metrics,
                    here,
                )
                for source in sources
                for name, model in named.items()
                for here in [source.small and _is_harmless(model)]
                for split in source.splits
            ]
            _do(jobs, store, n_jobs, time_limit, progress)
            for source in sources:
                for name in named if source.failure else ():
                    store.add(Result(source.name, name, "", failure=source.failure))
            order = dict.fromkeys(job.key for job in jobs) | dict.fromkeys(store.done)
            comparison = Comparison([store.done[key] for key in order], plan)
    if folder is not None:
        comparison.save(folder)
    return comparison


def _plan(models: Mapping[str, Any], sources: Sequence[_Source]) -> dict[str, Any]:
    """Return what the run consists of: only the same plan can be resumed."""
    return {
        "models": {name: _described(model) for name, model in models.items()},
        "data": {source.name: source.described for source in sources},
        "protocol": {source.name: source.protocol.describe() for source in sources},
        "splits": {source.name: _fingerprint(source.splits) for source in sources},
        "versions": versions(),
    }


def named_models(models: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    """Return estimators by name; those of a list are named by class, and options where needed."""
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
    """A data set, written to a file that processes read; or why it cannot be had."""

    name: str
    protocol: EvaluationProtocol
    path: Path
    described: str
    splits: list[Split] = field(default_factory=list)
    small: bool = False
    failure: str = ""

    @classmethod
    def open(cls, name: str, source: Any, protocol: EvaluationProtocol, path: Path) -> _Source:
        try:
            X, y = source() if callable(source) else source
            splits = protocol.splits(y)
        except Exception as error:  # a broken data set must not stop the others
            return cls(name, protocol, path, NOT_THERE, failure=reason(error))
        joblib.dump((X, y), path)
        frame = X.to_pandas() if hasattr(X, "to_pandas") else pd.DataFrame(X)
        return cls(name, protocol, path, _digest(frame, y), splits, frame.size <= SMALL)


def _do(
    jobs: list[Job],
    store: Store,
    n_jobs: int | None,
    time_limit: float | None,
    progress: Progress | None,
) -> None:
    """Do all jobs that are not done yet; each result is kept when it is finished."""
    waiting = [job for job in jobs if job.key not in store.done]
    finished = len(jobs) - len(waiting)
    for result in _results(waiting, joblib.effective_n_jobs(n_jobs), time_limit):
        store.add(result)
        finished += 1
        if progress is not None:
            progress(finished, len(jobs))


def _results(jobs: list[Job], workers: int, time_limit: float | None) -> Iterator[Result]:
    """Yield results as they are finished; a time limit needs a process that can be stopped."""
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
    """Yield results of this process until it pays to start others.

    Each job that is left is taken to last as long as the one before.
    """
    for done, job in enumerate(jobs, 1):
        if not job.here:
            return
        start = time.perf_counter()
        result = job.run()
        seconds = time.perf_counter() - start
        yield result
        if seconds * (len(jobs) - done) * (1 - 1 / workers) > START_UP:
            return


def _in_processes(jobs: list[Job], workers: int) -> Iterator[Result]:
    """Yield results as they are finished; where a process dies, the rest is done one by one."""
    left = {job.key: job for job in jobs}
    parallel = joblib.Parallel(workers, backend="loky", return_as="generator_unordered")
    with contextlib.suppress(BrokenProcessPool):
        for result in parallel(joblib.delayed(Job.run)(job) for job in jobs):
            del left[result.key]
            yield result
    executor = None
    for job in left.values():
        executor = executor or ProcessPoolExecutor(max_workers=1)
        try:
            yield executor.submit(Job.run, job).result()
        except BrokenProcessPool:
            executor = None
            yield job.failed("the process died: it was killed, or memory ran out")
    if executor is not None:
        executor.shutdown()


def _named_data(data: Any) -> dict[str, Any]:
    named = {str(k): v for k, v in data.items()} if isinstance(data, Mapping) else {"data": data}
    if not named:
        raise ValueError("There is no data set to compare on.")
    return named


def _protocol_of(name: str, protocol: Any) -> EvaluationProtocol:
    if isinstance(protocol, Mapping) and name not in protocol:
        raise ValueError(f"There is no protocol for the data set {name!r}.")
    chosen = protocol[name] if isinstance(protocol, Mapping) else protocol
    made: EvaluationProtocol = chosen if hasattr(chosen, "splits") else parse_protocol(chosen)
    return made


def _is_harmless(model: Any) -> bool:
    """Return whether a model and all its options are of packages that end no process."""
    options = model.get_params().values() if hasattr(model, "get_params") else ()
    packages = (type(part).__module__.partition(".")[0] for part in (model, *options))
    return all(package in HARMLESS for package in packages)


def _described(model: Any) -> str:
    """Return the model with all its options."""
    options = sorted(model.get_params().items()) if hasattr(model, "get_params") else []
    text = f"{type(model).__name__}({', '.join(f'{k}={v!r}' for k, v in options)})"
    return re.sub(" at 0x[0-9a-fA-F]+", "", text)  # of functions: another in every process


def _digest(frame: pd.DataFrame, y: Any) -> str:
    """Return size and fingerprint of a data set: a run goes on only with the same data."""
    labels = pd.Series(np.asarray(y))
    cells = [_hashed(column) for _, column in frame.items()] + [_hashed(labels)]
    names = "|".join(map(str, frame.columns))
    fingerprint = hashlib.sha256(b"".join(cells) + names.encode()).hexdigest()[:16]
    return f"{len(frame)} rows, {frame.shape[1]} columns, sha256 {fingerprint}"


def _hashed(column: pd.Series) -> bytes:
    """Return a hash per value; values that cannot be hashed count as their text."""
    try:
        return pd.util.hash_pandas_object(column, index=False).to_numpy().tobytes()
    except TypeError:
        return pd.util.hash_pandas_object(column.astype(str), index=False).to_numpy().tobytes()


def _fingerprint(splits: Sequence[Split]) -> str:
    """Return a hash of the rows of all splits: two protocols may be described alike."""
    fingerprint = hashlib.sha256()
    for split in splits:
        fingerprint.update(split.name.encode())
        for rows in (split.train, split.test):
            fingerprint.update(np.asarray(rows, dtype=np.int64).tobytes())
    return fingerprint.hexdigest()[:16]
