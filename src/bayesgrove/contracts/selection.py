"""What was selected, and step by step how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def walked(
    counts: CountSource, moves: Sequence[Move], start: Sequence[int] = (), change: str = "added"
) -> Selection:
    """Return the selection that some moves lead to."""
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
    """Return the steps as lines of a table.

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
