"""What a selector of attributes is: from counts, or from rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from bayesgrove._utils.options import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.contracts.selection import Selection
    from bayesgrove.contracts.training_data import TrainingData
    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats
    from bayesgrove.search import Evaluate


class Selector(Protocol):
    """Counts in, attributes out."""

    def select(self, counts: CountSource) -> Selection:
        """Return the attributes that are worth keeping."""


class RowSelector(Protocol):
    """Training rows in, attributes out: a selector for which counts are not enough."""

    def select_rows(self, data: TrainingData) -> Selection:
        """Return the attributes that are worth keeping."""


class Guide(Protocol):
    """A selector that tells what each attribute adds to those selected already."""

    def values(self, counts: CountSource, selected: Sequence[int], left: Sequence[int]) -> Floats:
        """Return the value of every attribute that is left; 0 where it adds nothing."""


class SubsetScorer(Protocol):
    """A selector that tells how good any subset of the attributes is."""

    @property
    def direction(self) -> str:
        """Return "forward" or "backward": where a search starts."""

    @property
    def ties(self) -> str:
        """Return "stop" or "continue": whether a subset that is as good will do."""

    def evaluator(self, counts: CountSource) -> Evaluate:
        """Return the function that gives the scores of subsets."""


def select_from(selector: Selector | RowSelector, data: TrainingData) -> Selection:
    """Return what either kind of selector selects."""
    select_rows = getattr(selector, "select_rows", None)
    if select_rows is None:
        return cast("Selector", selector).select(data.counts)
    selection: Selection = select_rows(data)
    return selection


def require_selector(option: str, value: Any) -> None:
    """Raise unless the value selects attributes from counts."""
    if isinstance(value, type) or not hasattr(value, "select"):
        raise OptionError(f"{option}={value!r} must be a selector such as InfoAS('cgr').")
