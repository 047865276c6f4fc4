"""What a codec is: one kind of fitted state, told as JSON values and taken back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bayesgrove.model_files.fields import Field


def _no_options(_: Any) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Codec:
    """How a file tells one kind of fitted state, in its ``extra``.

    Parameters
    ----------
    describe : the members of ``extra`` that a fitted model needs, as JSON values
    names : their names, for a model whose columns, class and network are in place
    restore : check these members of a file, and give the model what they tell
    options : options that a file holds in the order of the columns, not as they were given
    """

    describe: Callable[[Any], dict[str, Any]]
    names: Callable[[Any], Sequence[str]]
    restore: Callable[[Any, dict[str, Field]], None]
    options: Callable[[Any], dict[str, Any]] = _no_options
