"""A picture of a network."""

from __future__ import annotations

from typing import Any

import numpy as np

from bayesgrove.network import BayesianNetwork

CLASS_COLOUR, NODE_COLOUR, ARC_COLOUR = "#f4b860", "#dcebf5", "#3b6b8f"


def plot_network(network: BayesianNetwork, ax: Any = None, *, title: str | None = None) -> Any:
    """Draw the graph of a network, with the class on top and attributes below their parents.

    Arcs from the class are thin and grey, because nearly every attribute has one.

    Parameters
    ----------
    network : BayesianNetwork
        The network, such as ``network_`` of a fitted classifier.
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
    >>> from bayesgrove import NaiveBayesClassifier
    >>> from bayesgrove.report import plot_network
    >>> model = NaiveBayesClassifier().fit([["a", "b"], ["b", "b"]], [0, 1])
    >>> ax = plot_network(model.network_, title="naive Bayes")
    >>> ax.get_title()
    'naive Bayes'
    """
    import matplotlib.pyplot as plt
    from matplotlib.patches import FancyArrowPatch

    if not isinstance(network, BayesianNetwork):
        remedy = "plot its network_" if hasattr(network, "network_") else "it has no single network"
        raise TypeError(f"{network!r:.80} is not a BayesianNetwork: {remedy}.")
    places = layout(network)
    if ax is None:
        width = 1.5 * max(np.bincount([-y for _, y in places.values()])) + 1
        height = 1.15 * (1 - min(y for _, y in places.values()))
        _, ax = plt.subplots(figsize=(min(width, 24), min(height, 14)), layout="constrained")
    boxes = {node: _draw_node(ax, node, places[node], network.class_node) for node in places}
    for parent, child in sorted(network.arcs):
        from_class = parent == network.class_node
        arrow = FancyArrowPatch(
            places[parent],
            places[child],
            patchA=boxes[parent],
            patchB=boxes[child],
            arrowstyle="-|>",
            mutation_scale=10,
            connectionstyle="arc3,rad=0.05",
            color="#c9ced3" if from_class else ARC_COLOUR,
            lw=0.7 if from_class else 1.5,
            zorder=1 if from_class else 2,
        )
        ax.add_patch(arrow)
    ax.set_xlim(-0.05, 1.05)
    ax.set_ylim(min(y for _, y in places.values()) - 0.5, 0.5)
    ax.set_axis_off()
    if title:
        ax.set_title(title, parse_math=False)
    return ax


def _draw_node(ax: Any, node: str, place: tuple[float, int], class_node: str) -> Any:
    """Draw a node and return its box."""
    colour = CLASS_COLOUR if node == class_node else NODE_COLOUR
    box = {"boxstyle": "round,pad=0.35", "fc": colour, "ec": ARC_COLOUR, "lw": 0.8}
    style = {"ha": "center", "va": "center", "fontsize": 8, "parse_math": False}
    text = ax.text(*place, _wrapped(node), bbox=box, zorder=3, **style)
    return text.get_bbox_patch()


def layout(network: BayesianNetwork) -> dict[str, tuple[float, int]]:
    """Return the position of every node.

    A node is one level below its lowest attribute parent. Within a level, nodes are sorted by the
    mean position of their parents.

    >>> from bayesgrove import NaiveBayesClassifier
    >>> model = NaiveBayesClassifier().fit([["a", "b"], ["b", "b"]], [0, 1])
    >>> layout(model.network_)
    {'class': (0.5, 0), 'x0': (0.25, -1), 'x1': (0.75, -1)}
    """
    level: dict[str, int] = {network.class_node: 0}
    for variable in network.structure.order():
        node = network.nodes[variable]
        if node != network.class_node:
            parents = [p for p in network.parents(node) if p != network.class_node]
            level[node] = 1 + max((level[p] for p in parents), default=0)
    places: dict[str, tuple[float, int]] = {}
    for depth in range(max(level.values()) + 1):
        row = [node for node in network.nodes if level[node] == depth]
        row.sort(key=lambda node: _centre(network, node, places))
        for k, node in enumerate(row):
            places[node] = ((k + 0.5) / len(row), -depth)
    return places


def _centre(network: BayesianNetwork, node: str, places: dict[str, tuple[float, int]]) -> float:
    """Return the mean horizontal position of the attribute parents of a node, or 0."""
    parents = [p for p in network.parents(node) if p != network.class_node and p in places]
    return float(np.mean([places[p][0] for p in parents])) if parents else 0.0


def _wrapped(name: str, width: int = 16) -> str:
    """Return a name in lines of at most ``width`` characters where it can be broken."""
    lines = [""]
    for word in name.replace("_", "_ ").replace("-", "- ").split(" "):
        if len(lines[-1]) + len(word) > width and lines[-1]:
            lines.append("")
        lines[-1] += word
    return "\n".join(lines)
