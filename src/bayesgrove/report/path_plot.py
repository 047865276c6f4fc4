"""A picture of a selection, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.selection import Step

VALUE_COLOUR, CELLS_COLOUR = "#3b6b8f", "#c9ced3"


def plot_path(path: Sequence[Step], ax: Any = None, *, title: str | None = None) -> Any:
    """Draw the ``path_`` of a selection: values as a line, numbers of joint values as bars.

    Returns the axes of the values.
    """
    import matplotlib.pyplot as plt

    if ax is None:
        width = 2.5 + 0.45 * len(path)
        _, ax = plt.subplots(figsize=(min(width, 24), 4), layout="constrained")
    places = range(len(path))
    counted = [step.cells for step in path]
    if path and None not in counted:
        beside = ax.twinx()
        beside.bar(places, counted, color=CELLS_COLOUR, zorder=1)
        beside.set_ylabel("joint values of the selected attributes")
        ax.set_zorder(beside.get_zorder() + 1)
        ax.patch.set_visible(False)
    ax.plot(places, [step.value for step in path], marker="o", color=VALUE_COLOUR, zorder=3)
    signs = {"added": "+", "removed": "-"}
    names = [f"{signs[step.change]} {step.attribute}" for step in path]
    ax.set_xticks(places, names, rotation=45, ha="right", parse_math=False)
    ax.set_ylabel("value")
    if title:
        ax.set_title(title, parse_math=False)
    return ax
