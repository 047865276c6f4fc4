"""Settings of the process: how much memory rows from files may take, and where they go then."""

from __future__ import annotations

import contextlib
import os
import tempfile
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bayesgrove._utils.options import OptionError, require_count

if TYPE_CHECKING:
    from collections.abc import Iterator

MEMORY_LIMIT = 1 << 25


@dataclass(frozen=True)
class Config:
    """Settings that hold for every estimator.

    Parameters
    ----------
    memory_limit : int, default 33554432
        Bytes that the codes of rows from files may take in memory. More of them go to a temporary
        file.
    spill_folder : str or None, default None
        Folder of that file. None is the system's folder for temporary files.
    """

    memory_limit: int = MEMORY_LIMIT
    spill_folder: str | None = None

    @property
    def folder(self) -> str:
        """The folder of temporary files."""
        return tempfile.gettempdir() if self.spill_folder is None else self.spill_folder


_process = Config()
_CONTEXT: ContextVar[Config | None] = ContextVar("bayesgrove_config", default=None)


def get_config() -> Config:
    """Return the settings that hold now: of the innermost `config_context`, or the process."""
    return _CONTEXT.get() or _process


def set_config(**settings: Any) -> None:
    """Change settings of the process from now on, for all threads; see `Config` for their names.

    Examples
    --------
    >>> from bayesgrove import get_config, set_config
    >>> set_config(memory_limit=1 << 30)
    >>> get_config().memory_limit
    1073741824
    >>> set_config(memory_limit=1 << 25)
    """
    global _process
    _process = _changed(settings)


@contextlib.contextmanager
def config_context(**settings: Any) -> Iterator[None]:
    """Change settings within a ``with`` block; see `Config` for their names."""
    token = _CONTEXT.set(_changed(settings))
    try:
        yield
    finally:
        _CONTEXT.reset(token)


def _changed(settings: dict[str, Any]) -> Config:
    unknown = settings.keys() - {"memory_limit", "spill_folder"}
    if unknown:
        raise TypeError(f"{min(unknown)!r} is not a setting: memory_limit, spill_folder.")
    config = replace(get_config(), **settings)
    require_count("memory_limit", config.memory_limit)
    if config.spill_folder is not None:
        folder = os.path.abspath(config.spill_folder)
        if not os.path.isdir(folder):
            raise OptionError(f"spill_folder={folder!r} must be a folder that exists.")
        config = replace(config, spill_folder=folder)
    return config
