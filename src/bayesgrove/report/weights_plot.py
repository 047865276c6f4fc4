"""A picture of the weights of attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

BAR_COLOUR = "#3b6b8f"
MAX_BARS = 40
"""Largest number of weights that are drawn."""


def plot_weights(
    names: Sequence[str], weights: ArrayLike, ax: Any = None, *, title: str | None = None
) -> Any:
    """Draw weights of attributes as bars, the largest first.

    At most 40 weights are drawn. The label of the axis says how many smaller ones are left out.
    Ties go to the earlier attribute.

    Parameters
    ----------
    names : sequence of str
        Names of the attributes.
    weights : array-like of shape (n_attributes,)
        One finite weight per attribute, in the order of ``names``.
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
    >>> from bayesgrove.report import plot_weights
    >>> ax = plot_weights(["rain", "wet"], [0.2, 0.8])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['wet', 'rain']
    """
    import matplotlib.pyplot as plt

    values = np.asarray(weights, dtype=np.float64)
    if values.shape != (len(names),):
        raise ValueError(
            f"There are {len(names)} names and weights of shape {values.shape}: give one weight "
            "per name."
        )
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        raise ValueError(
            f"weights[{wrong[0]}]={values[wrong[0]]}, of {names[wrong[0]]!r}: only finite numbers "
            "can be drawn."
        )
    order = np.argsort(-values, kind="stable")[:MAX_BARS]
    left_out = len(values) - len(order)
    if ax is None:
        _, ax = plt.subplots(figsize=(6, 1.2 + 0.28 * len(order)), layout="constrained")
    places = range(len(order))
    ax.barh(places, values[order], color=BAR_COLOUR)
    ax.set_yticks(places, [str(names[j]) for j in order], parse_math=False)
    ax.invert_yaxis()
    note = f" ({left_out} smaller ones left out)" if left_out else ""
    ax.set_xlabel(f"weight{note}")
    if title:
        ax.set_title(title, parse_math=False)
    return ax
