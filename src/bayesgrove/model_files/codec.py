"""Codecs: functions that turn one kind of fitted state into JSON values and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bayesgrove.model_files.fields import Field


def _no_options(_: Any) -> dict[str, Any]:
    """Return no options."""
    return {}


@dataclass(frozen=True)
class Codec:
    """Functions that write and read one kind of fitted state, as members of ``extra`` in a file.

    Parameters
    ----------
    describe : callable
        Takes a fitted model and returns the members of ``extra`` that the model needs, as JSON
        values by name.
    names : callable
        Takes a model that already has its columns, class and network, and returns the names of
        these members.
    restore : callable
        Takes such a model and the members of a file. It checks the members and puts their values
        into the model.
    options : callable, default=_no_options
        Takes a fitted model and returns the options that a file holds in the order of the columns,
        not as the user gave them. The default returns none.
    """

    describe: Callable[[Any], dict[str, Any]]
    names: Callable[[Any], Sequence[str]]
    restore: Callable[[Any, dict[str, Field]], None]
    options: Callable[[Any], dict[str, Any]] = _no_options
