"""The result of a selection: the selected attributes, and the steps that led to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.counts import CountSource
    from bayesgrove.search import Move


class Step(NamedTuple):
    """One step of a selection.

    Parameters
    ----------
    attribute : str
        Name of the attribute that was added, removed or joined.
    value : float
        Number that decided the step: a metric, or the score of the selected attributes after the
        step.
    cells : int or None
        Number of joint values of the selected attributes that occur in the rows, after the step.
        None means that they were not counted.
    change : {"added", "removed", "joined"}, default="added"
        Whether the attribute was added, removed, or joined with others into one attribute.
    others : tuple of str, default=()
        Names of the other attributes of the joined attribute that the step made or removed.
    """

    attribute: str
    value: float
    cells: int | None
    change: str = "added"
    others: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The change as text: ``+ odor``, ``- odor``, or ``* odor + ring`` for a join."""
        sign = {"added": "+", "removed": "-", "joined": "*"}[self.change]
        return f"{sign} {' + '.join([self.attribute, *self.others])}"


@dataclass(frozen=True)
class Selection:
    """The selected attributes and the steps of their selection.

    Parameters
    ----------
    attributes : tuple of int
        Numbers of the selected attributes, counted from 0, in the order in which they were chosen.
    path : tuple of Step
        Steps of the selection, first to last.
    groups : tuple of tuple of int, default=()
        Numbers of the attributes of every group that is joined into one attribute. An attribute
        that is not joined is a group by itself. Empty if the selector joins no attributes.
    """

    attributes: tuple[int, ...]
    path: tuple[Step, ...]
    groups: tuple[tuple[int, ...], ...] = ()


def selection_from_moves(
    counts: CountSource, moves: Sequence[Move], start: Sequence[int] = (), change: str = "added"
) -> Selection:
    """Return the selection that a sequence of moves leads to.

    Parameters
    ----------
    counts : CountSource
        Counts of the rows. They give the names of the attributes and the number of joint values
        after each step.
    moves : sequence of Move
        Attributes that are added or removed one after another, each with the value of the subset
        after the move.
    start : sequence of int, default=()
        Numbers of the attributes that are selected before the first move.
    change : {"added", "removed"}, default="added"
        Whether the moves add or remove attributes.

    Returns
    -------
    Selection
        The attributes after the last move, with one step per move.
    """
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
    """Return the steps of a selection as the lines of a table.

    Parameters
    ----------
    path : sequence of Step
        Steps of a selection, first to last.

    Returns
    -------
    str
        A line of headings, then one line per step: its number, its attribute with "+" for added,
        "-" for removed or "*" for joined, its value, and the number of joint values of the selected
        attributes (``cells``).

    Examples
    --------
    >>> from bayesgrove.selection import Step, path_text
    >>> print(path_text([Step("odor", 0.5, 9), Step("odor", 0.75, 14, "joined", ("ring",))]))
    step  attribute         value    cells
    1     + odor              0.5        9
    2     * odor + ring      0.75       14
    """
    names = [step.label for step in path]
    width = max([len("attribute"), *map(len, names)])
    lines = [f"step  {'attribute':{width}}  {'value':>8}  {'cells':>7}"]
    for number, (name, step) in enumerate(zip(names, path, strict=True), 1):
        cells = "-" if step.cells is None else str(step.cells)
        lines.append(f"{number:<4}  {name:{width}}  {step.value:>8.4g}  {cells:>7}")
    return "\n".join(lines)
