"""What was selected, and step by step how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from bayesgrove._utils.options import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.contracts import TrainingData
    from bayesgrove.counts import CountSource
    from bayesgrove.search import Move


class Step(NamedTuple):
    """One step of a selection.

    ``value`` is what decided it: a metric, or the score of the attributes after the step.
    ``cells`` is the number of joint values of the selected attributes that occur, if counted.
    """

    attribute: str
    value: float
    cells: int | None
    change: str = "added"


@dataclass(frozen=True)
class Selection:
    """Numbers of the selected attributes, in the order in which they were chosen, and the path."""

    attributes: tuple[int, ...]
    path: tuple[Step, ...]


class Selector(Protocol):
    """Counts in, attributes out."""

    def select(self, counts: CountSource) -> Selection:
        """The attributes that are worth keeping."""


class RowSelector(Protocol):
    """Training rows in, attributes out: a selector for which counts are not enough."""

    def select_rows(self, data: TrainingData) -> Selection:
        """Return the attributes that are worth keeping."""


def select_from(selector: Selector | RowSelector, data: TrainingData) -> Selection:
    """Return what either kind of selector selects."""
    select_rows = getattr(selector, "select_rows", None)
    if select_rows is None:
        return cast("Selector", selector).select(data.counts)
    selection: Selection = select_rows(data)
    return selection


def require_selector(option: str, value: Any) -> None:
    """Refuse what selects nothing."""
    if isinstance(value, type) or not hasattr(value, "select"):
        raise OptionError(f"{option}={value!r} must be a selector such as InfoAS('cgr').")


def walked(
    counts: CountSource, moves: Sequence[Move], start: Sequence[int] = (), change: str = "added"
) -> Selection:
    """The selection that some moves lead to."""
    chosen = list(start)
    path = []
    for element, value in moves:
        if change == "added":
            chosen.append(element)
        else:
            chosen.remove(element)
        path.append(Step(counts.names[element], value, counts.joint_values(chosen), change))
    return Selection(tuple(chosen), tuple(path))


def path_text(path: Sequence[Step]) -> str:
    """The steps as lines of a table.

    >>> print(path_text([Step("odor", 0.5, 9), Step("ring", 2e-5, 14)]))
    step  attribute      value    cells
    1     + odor           0.5        9
    2     + ring         2e-05       14
    """
    signs = {"added": "+", "removed": "-"}
    names = [f"{signs[step.change]} {step.attribute}" for step in path]
    width = max([len("attribute"), *map(len, names)])
    lines = [f"step  {'attribute':{width}}  {'value':>8}  {'cells':>7}"]
    for number, (name, step) in enumerate(zip(names, path, strict=True), 1):
        cells = "-" if step.cells is None else str(step.cells)
        lines.append(f"{number:<4}  {name:{width}}  {step.value:>8.4g}  {cells:>7}")
    return "\n".join(lines)
