"""The folder of a run: its plan, and every result as soon as it is finished."""

from __future__ import annotations

import json
import os
from typing import IO, TYPE_CHECKING, Any

from bayesgrove._utils.files import atomic_write
from bayesgrove.evaluation.results import Result

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

PLAN, RESULTS = "run.json", "results.jsonl"
NOT_THERE = "not there"
"""Entry of a data set in the plan if it could not be loaded."""


class RunFolderError(ValueError):
    """The folder already holds another run, or a run that ``resume=False`` does not continue."""


class Store:
    """Results of a run, one per line of a file: the lines survive if the run is killed.

    Parameters
    ----------
    folder : Path or None
        Folder of the run. None means that nothing is written.
    plan : dict of str to object
        Models, data sets, protocols, splits and versions of the run, as plain data.
    resume : bool
        Whether to continue a run with the same plan.
    retry_failures : bool
        Whether failed jobs of the run count as not done.

    Attributes
    ----------
    done : dict of tuple to Result
        Finished results by data set, model and split.
    """

    def __init__(
        self, folder: Path | None, plan: dict[str, Any], *, resume: bool, retry_failures: bool
    ) -> None:
        self._folder = folder
        self._retry_failures = retry_failures
        self._lines: IO[str] | None = None
        self.done: dict[tuple[str, str, str], Result] = {}
        if folder is None:
            return
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / PLAN).exists():
            self._continue(folder, plan, resume)
        else:
            self._write_plan(folder, plan)

    def __enter__(self) -> Store:
        if self._folder is not None:
            path = self._folder / RESULTS
            _drop_incomplete_line(path)
            self._lines = path.open("a", encoding="utf-8")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._lines is not None:
            self._lines.close()

    def add(self, result: Result) -> None:
        """Store a result and write it at once."""
        self.done[result.key] = result
        if self._lines is not None:
            self._lines.write(json.dumps(result.as_json()) + "\n")
            self._lines.flush()

    @staticmethod
    def _write_plan(folder: Path, plan: dict[str, Any]) -> None:
        """Write the plan as JSON."""
        write_text(folder / PLAN, json.dumps(plan, indent=1, ensure_ascii=False) + "\n")

    def _continue(self, folder: Path, plan: dict[str, Any], resume: bool) -> None:
        """Read the finished results; raise unless the run may be resumed with this plan."""
        if not resume:
            raise RunFolderError(
                f"{folder} holds a run already: resume it, or give another folder."
            )
        before = json.loads((folder / PLAN).read_text(encoding="utf-8"))
        different = [key for key in plan if _known(before, key) != _known(plan, key, before)]
        if different:
            raise RunFolderError(
                f"{folder} holds another run: its {' and '.join(different)} differ from those of "
                "this run. Give another folder."
            )
        self._write_plan(folder, plan)
        results = {result.key: result for result in read_results(folder)}
        # Failed jobs run again: there may be more time now, or a missing file may be back.
        self.done = {
            key: result
            for key, result in results.items()
            if not (result.failure and (self._retry_failures or not result.split))
        }


def _known(plan: dict[str, Any], key: str, before: dict[str, Any] | None = None) -> Any:
    """Return a part of a plan without the data sets that the earlier run could not load."""
    part = plan.get(key)
    if key not in ("data", "splits") or not isinstance(part, dict):
        return part
    data = (before or plan).get("data", {})
    return {name: value for name, value in part.items() if data.get(name) != NOT_THERE}


def read_results(folder: Path) -> list[Result]:
    """Return the results in a folder; an incomplete last line is ignored."""
    path = folder / RESULTS
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    lines = text[: text.rfind("\n") + 1].splitlines()
    return [Result.from_json(json.loads(line)) for line in lines]


def write_text(path: Path, text: str) -> None:
    """Write a file atomically: the old file or the new one, never a partial one."""
    with atomic_write(path) as file:
        file.write(text.encode())


def _drop_incomplete_line(path: Path) -> None:
    """Remove an incomplete last line, which a killed run leaves."""
    if not path.exists():
        return
    data = path.read_bytes()
    complete = data.rfind(b"\n") + 1
    if complete < len(data):
        os.truncate(path, complete)
