"""A picture of the steps of an attribute selection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.selection import Step

VALUE_COLOUR, CELLS_COLOUR = "#3b6b8f", "#c9ced3"


def plot_path(path: Sequence[Step], ax: Any = None, *, title: str | None = None) -> Any:
    """Draw the steps of an attribute selection.

    The value of every step is drawn as a line. The number of joint values of the selected
    attributes is drawn as bars, if all steps have it.

    Parameters
    ----------
    path : sequence of Step
        Steps of the selection, such as ``path_`` of a fitted classifier that selects attributes.
    ax : matplotlib.axes.Axes or None, default=None
        Axes to draw into. None means new axes in a new figure.
    title : str or None, default=None
        Title of the picture. None means no title.

    Returns
    -------
    matplotlib.axes.Axes
        The axes of the values.

    Examples
    --------
    >>> from bayesgrove.report import plot_path
    >>> from bayesgrove.selection import Step
    >>> ax = plot_path([Step("rain", 0.7, 2), Step("wet", 0.8, 4)])
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['+ rain', '+ wet']
    """
    import matplotlib.pyplot as plt

    if ax is None:
        width = 2.5 + 0.45 * len(path)
        _, ax = plt.subplots(figsize=(min(width, 24), 4), layout="constrained")
    places = range(len(path))
    cells = [step.cells for step in path]
    if path and None not in cells:
        bar_axes = ax.twinx()
        bar_axes.bar(places, cells, color=CELLS_COLOUR, zorder=1)
        bar_axes.set_ylabel("joint values of the selected attributes")
        ax.set_zorder(bar_axes.get_zorder() + 1)
        ax.patch.set_visible(False)
    ax.plot(places, [step.value for step in path], marker="o", color=VALUE_COLOUR, zorder=3)
    ax.set_xticks(places, [step.label for step in path], rotation=45, ha="right", parse_math=False)
    ax.set_ylabel("value")
    if title:
        ax.set_title(title, parse_math=False)
    return ax
