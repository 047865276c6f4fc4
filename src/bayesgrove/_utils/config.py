"""Settings of the process: the memory limit for rows from files, and the folder of spill files."""

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
"""Default of ``memory_limit``: 32 MiB."""


@dataclass(frozen=True)
class Config:
    """Settings that apply to every estimator.

    Parameters
    ----------
    memory_limit : int, default=33554432
        Largest number of bytes that the codes of rows from files may take in memory. Codes beyond
        this limit go to a spill file. It must be at least 0.
    spill_folder : str or None, default=None
        Folder of the spill files. It must exist. None means the system's folder for temporary
        files.
    """

    memory_limit: int = MEMORY_LIMIT
    spill_folder: str | None = None

    @property
    def folder(self) -> str:
        """Folder of the spill files."""
        return tempfile.gettempdir() if self.spill_folder is None else self.spill_folder


_process = Config()
_CONTEXT: ContextVar[Config | None] = ContextVar("bayesgrove_config", default=None)


def get_config() -> Config:
    """Return the current settings.

    Inside a `config_context`, these are the settings of the innermost one. Otherwise they are the
    settings of the process.

    Returns
    -------
    Config
        The settings ``memory_limit`` and ``spill_folder`` as attributes.

    Examples
    --------
    >>> from bayesgrove import get_config
    >>> get_config().memory_limit
    33554432
    """
    return _CONTEXT.get() or _process


def set_config(**settings: Any) -> None:
    """Change the settings of the process, for all threads.

    Settings that are not given keep their values.

    Parameters
    ----------
    **settings : int, str or None
        The settings to change. ``memory_limit`` is the largest number of bytes that the codes of
        rows from files may take in memory (33554432 by default). Codes beyond this limit go to a
        spill file, which is a temporary file. ``spill_folder`` is the folder of the spill files,
        which must exist. None (the default) means the system's folder for temporary files.

    Raises
    ------
    OptionError
        If ``memory_limit`` is not a whole number of at least 0, or ``spill_folder`` is not a
        folder that exists.

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
    """Change the settings within a ``with`` block, for the current thread.

    Settings that are not given keep their values. The former settings return when the block ends.

    Parameters
    ----------
    **settings : int, str or None
        The settings to change. ``memory_limit`` is the largest number of bytes that the codes of
        rows from files may take in memory (33554432 by default). Codes beyond this limit go to a
        spill file, which is a temporary file. ``spill_folder`` is the folder of the spill files,
        which must exist. None (the default) means the system's folder for temporary files.

    Yields
    ------
    None
        The block runs with the changed settings.

    Examples
    --------
    >>> from bayesgrove import config_context, get_config
    >>> with config_context(memory_limit=1 << 30):
    ...     get_config().memory_limit
    1073741824
    """
    token = _CONTEXT.set(_changed(settings))
    try:
        yield
    finally:
        _CONTEXT.reset(token)


def _changed(settings: dict[str, Any]) -> Config:
    """Return the current settings with some of them changed, after checks."""
    unknown = settings.keys() - {"memory_limit", "spill_folder"}
    if unknown:
        raise TypeError(
            f"{min(unknown)!r} is not a setting; the settings are memory_limit and spill_folder."
        )
    config = replace(get_config(), **settings)
    require_count("memory_limit", config.memory_limit)
    if config.spill_folder is not None:
        folder = os.path.abspath(config.spill_folder)
        if not os.path.isdir(folder):
            raise OptionError(f"spill_folder={folder!r} must be a folder that exists.")
        config = replace(config, spill_folder=folder)
    return config
