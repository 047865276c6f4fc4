"""A picture of the probabilities of arcs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping


def plot_arcs(
    probabilities: Mapping[tuple[str, str], float], ax: Any = None, *, title: str | None = None
) -> Any:
    """Draw the probabilities of arcs as a matrix with one row per parent and one column per child.

    Cells without a number are arcs that the order does not allow.

    Parameters
    ----------
    probabilities : dict of (str, str) to float
        Probability of every arc (parent, child), such as ``arc_probabilities_`` of a fitted
        classifier that averages over networks.
    ax : matplotlib.axes.Axes or None, default=None
        Axes to draw into. None means new axes in a new figure.
    title : str or None, default=None
        Title of the picture. None means no title.

    Returns
    -------
    matplotlib.axes.Axes
        The axes of the picture.

    Examples
    --------
    >>> from bayesgrove.report import plot_arcs
    >>> ax = plot_arcs({("rain", "wet"): 0.9, ("sprinkler", "wet"): 0.6})
    >>> ax.get_ylabel()
    'parent'
    """
    import matplotlib.pyplot as plt

    parents = list(dict.fromkeys(parent for parent, _ in probabilities))
    children = list(dict.fromkeys(child for _, child in probabilities))
    cells = np.full((len(parents), len(children)), np.nan)
    for (parent, child), probability in probabilities.items():
        cells[parents.index(parent), children.index(child)] = probability
    if ax is None:
        size = (2.5 + 0.45 * len(children), 1.8 + 0.32 * len(parents))
        _, ax = plt.subplots(figsize=(min(size[0], 24), min(size[1], 16)), layout="constrained")
    ax.imshow(cells, cmap="Blues", vmin=0.0, vmax=1.0, aspect="auto")
    style = {"fontsize": 8, "parse_math": False}
    ax.set_xticks(range(len(children)), children, rotation=45, ha="right", **style)
    ax.set_yticks(range(len(parents)), parents, **style)
    ax.set_xlabel("child")
    ax.set_ylabel("parent")
    for row, column in np.argwhere(~np.isnan(cells)).tolist():
        value = cells[row, column]
        colour = "white" if value > 0.6 else "black"
        ax.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=6, color=colour)
    if title:
        ax.set_title(title, parse_math=False)
    return ax
