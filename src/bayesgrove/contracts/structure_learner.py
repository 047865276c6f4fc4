"""What a structure learner is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from bayesgrove._utils.options import OptionError

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource
    from bayesgrove.network import Structure


class StructureLearner(Protocol):
    """Counts in, parents of every node out."""

    def learn(self, counts: CountSource) -> Structure:
        """Return the structure that fits the counts."""


def checked_learner(option: str, value: Any, default: StructureLearner) -> StructureLearner:
    """Return the learner that a user gave, or the default for None; raise unless it can learn."""
    if value is None:
        return default
    if isinstance(value, type) or not hasattr(value, "learn"):
        raise OptionError(f"{option}={value!r} must be a structure learner such as KDB(k=2).")
    learner: StructureLearner = value
    return learner
