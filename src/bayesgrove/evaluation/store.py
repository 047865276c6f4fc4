"""The folder of a run: its plan, every result as soon as it is there, the tables at the end."""

from __future__ import annotations

import json
import os
from typing import IO, TYPE_CHECKING, Any

from bayesgrove._utils.files import replacing
from bayesgrove.evaluation.results import Result

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

PLAN, RESULTS = "run.json", "pieces.jsonl"
NOT_THERE = "not there"
"""What a plan says of a data set that could not be loaded."""


class RunFolderError(ValueError):
    """The folder of a run holds something else than what was asked for."""


class Store:
    """Results of a run as lines of a file: if the run is killed, those written stay.

    Parameters
    ----------
    folder : where; None keeps nothing
    plan : what the run consists of, as plain data
    resume : whether to go on with a run of the same plan
    """

    def __init__(self, folder: Path | None, plan: dict[str, Any], *, resume: bool) -> None:
        self._folder = folder
        self._lines: IO[str] | None = None
        self.done: dict[tuple[str, str, str], Result] = {}
        if folder is None:
            return
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / PLAN).exists():
            self._go_on(folder, plan, resume)
        else:
            self._write_plan(folder, plan)

    def __enter__(self) -> Store:
        if self._folder is not None:
            path = self._folder / RESULTS
            _drop_torn_line(path)
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
        """Keep a result, and write it at once."""
        self.done[result.key] = result
        if self._lines is not None:
            self._lines.write(json.dumps(result.as_json()) + "\n")
            self._lines.flush()

    @staticmethod
    def _write_plan(folder: Path, plan: dict[str, Any]) -> None:
        write_text(folder / PLAN, json.dumps(plan, indent=1, ensure_ascii=False) + "\n")

    def _go_on(self, folder: Path, plan: dict[str, Any], resume: bool) -> None:
        if not resume:
            raise RunFolderError(
                f"{folder} holds a run already: resume it, or give another folder."
            )
        before = json.loads((folder / PLAN).read_text(encoding="utf-8"))
        different = [key for key in plan if _known(before, key) != _known(plan, key, before)]
        if different:
            raise RunFolderError(
                f"{folder} holds another run: its {' and '.join(different)} differ from what is "
                "asked now. Give another folder."
            )
        self._write_plan(folder, plan)
        results = {result.key: result for result in read_results(folder)}
        # What failed is tried again: there may be more time, or the file may be there by now.
        self.done = {key: result for key, result in results.items() if not result.failure}


def _known(plan: dict[str, Any], key: str, before: dict[str, Any] | None = None) -> Any:
    """Return a part of a plan, without data sets that could not be loaded before."""
    part = plan.get(key)
    if key not in ("data", "splits") or not isinstance(part, dict):
        return part
    data = (before or plan).get("data", {})
    return {name: value for name, value in part.items() if data.get(name) != NOT_THERE}


def read_results(folder: Path) -> list[Result]:
    """Read the results; a last line that was cut off is left out."""
    path = folder / RESULTS
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    lines = text[: text.rfind("\n") + 1].splitlines()
    return [Result.from_json(json.loads(line)) for line in lines]


def write_text(path: Path, text: str) -> None:
    """Write a file atomically: the old file or the new one, never a partial one."""
    with replacing(path) as file:
        file.write(text.encode())


def _drop_torn_line(path: Path) -> None:
    """Remove a last line that a killed run did not finish."""
    if not path.exists():
        return
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(path, whole)
