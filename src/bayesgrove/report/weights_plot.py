"""A picture of the weights of attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

BAR_COLOUR = "#3b6b8f"
MOST_BARS = 40


def plot_weights(
    names: Sequence[str], weights: ArrayLike, ax: Any = None, *, title: str | None = None
) -> Any:
    """Draw weights as bars, the largest first; beyond 40 the smallest are left out, with a note.

    Returns the axes.
    """
    import matplotlib.pyplot as plt

    values = np.asarray(weights, dtype=np.float64)
    if values.shape != (len(names),):
        raise ValueError(f"There are {len(names)} names and weights of shape {values.shape}.")
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        raise ValueError(
            f"weights[{wrong[0]}]={values[wrong[0]]}, of {names[wrong[0]]!r}: only finite numbers "
            "can be drawn."
        )
    order = np.argsort(-values, kind="stable")[:MOST_BARS]
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
