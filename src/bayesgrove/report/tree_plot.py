"""A picture of a decision tree."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesgrove.report.network_plot import ARC_COLOUR, NODE_COLOUR
from bayesgrove.trees.text import branch_text, node_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.estimators.base.tree import TreeClassifier
    from bayesgrove.trees import Tree

MAX_NODES = 60
"""Largest number of nodes that are drawn; of a larger tree only the upper part is drawn."""
MAX_KEYS = 12
"""Largest number of classes for which there is a legend."""
ROW, LEVEL, BAR = 0.32, 3.4, 0.5
"""Inches: the height of a leaf, the width of a level and the width of a bar."""
MAX_NAME = 22
"""Largest number of characters of a name; a longer name is cut."""


class Place(NamedTuple):
    """The position of a node in the picture.

    ``opened`` says whether the children of the node are drawn. ``hidden`` is the number of nodes
    below it that are not drawn.
    """

    level: int
    row: float
    opened: bool
    hidden: int


def plot_tree(
    model: TreeClassifier, number: int = 0, ax: Any = None, *, title: str | None = None
) -> Any:
    """Draw a decision tree of a fitted classifier, with the root at the left.

    A leaf has a bar with the shares of the classes, its class, the weight of its training rows and
    the weight of the errors among them. If a tree has more than 60 nodes, only its upper part is
    drawn, and the leaves of the picture say how many nodes they hide.

    Parameters
    ----------
    model : C45Classifier, BaggedTreesClassifier or NBTreeClassifier
        The fitted classifier.
    number : int, default=0
        Number of the tree in ``trees_`` of the classifier, counted from 0.
    ax : matplotlib.axes.Axes or None, default=None
        Axes to draw into. None means new axes in a new figure.
    title : str or None, default=None
        Title of the picture. None means no title. If nodes are hidden,
        the number of drawn nodes is added.

    Returns
    -------
    matplotlib.axes.Axes
        The axes of the picture.

    Examples
    --------
    >>> from bayesgrove import C45Classifier
    >>> from bayesgrove.report import plot_tree
    >>> model = C45Classifier(min_rows=1).fit([["a"], ["a"], ["b"], ["b"]], [0, 0, 1, 1])
    >>> ax = plot_tree(model, title="letters")
    >>> ax.get_title()
    'letters'
    """
    import matplotlib.pyplot as plt

    if not hasattr(model, "tree_labels"):
        raise TypeError(
            f"{type(model).__name__} has no trees to draw: give a C45Classifier, "
            "BaggedTreesClassifier or NBTreeClassifier."
        )
    names, states, classes = model.tree_labels()
    tree = model.trees_[number]
    places = layout(tree)
    width = LEVEL * (1 + max(place.level for place in places.values()))
    rows = 1 + max(place.row for place in places.values())
    if ax is None:
        _, ax = plt.subplots(figsize=(width, ROW * rows + 1), layout="constrained")
    palette = plt.colormaps["tab10" if len(classes) <= 10 else "tab20"]
    colours = [palette(k % 20) for k in range(len(classes))]
    labels = node_labels(tree, classes)
    for node, place in places.items():
        if node:
            _draw_branch(ax, places[int(tree.parent[node])], place, branch_text(tree, node, states))
        if place.opened:
            _draw_test(ax, place, names[int(tree.attribute[node])])
        else:
            _draw_leaf(ax, place, tree.weights[node], labels[node], colours)
    ax.set(xlim=(-0.1, width), ylim=(rows - 0.4, -0.6))
    ax.set_axis_off()
    _add_legend(ax, classes, colours)
    note = f"{len(places)} of {tree.size} nodes" if len(places) < tree.size else ""
    ax.set_title(": ".join(text for text in (title, note) if text), parse_math=False)
    return ax


def layout(tree: Tree, limit: int = MAX_NODES) -> dict[int, Place]:
    """Return the positions of the nodes that are drawn.

    Every leaf has its row. A test is in the middle of its children.

    >>> from bayesgrove import C45Classifier
    >>> model = C45Classifier(min_rows=1).fit([["a"], ["a"], ["b"], ["b"]], [0, 0, 1, 1])
    >>> layout(model.tree_)[2]
    Place(level=1, row=1, opened=False, hidden=0)
    """
    opened = _opened(tree, limit)
    rows: dict[int, float] = {}
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if node in opened:
            waiting += reversed(tree.children(node))
        else:
            rows[node] = len(rows)
    for node in sorted(opened, reverse=True):  # Children have higher numbers than their parents.
        children = tree.children(node)
        rows[node] = (rows[children[0]] + rows[children[-1]]) / 2
    levels, sizes = tree.node_depths - 1, _sizes(tree)
    return {
        node: Place(int(levels[node]), row, node in opened, 0 if node in opened else sizes[node])
        for node, row in sorted(rows.items())
    }


def _opened(tree: Tree, limit: int) -> set[int]:
    """Return the tests whose children are drawn: level by level, at most ``limit`` nodes."""
    opened, drawn, waiting = set(), 1, deque([0])
    while waiting:
        node = waiting.popleft()
        children = tree.children(node)
        if children and drawn + len(children) <= limit:
            opened.add(node)
            drawn += len(children)
            waiting += children
    return opened


def _sizes(tree: Tree) -> list[int]:
    """Return the number of nodes below every node."""
    below = [0] * tree.size
    for node in range(tree.size - 1, 0, -1):
        below[int(tree.parent[node])] += 1 + below[node]
    return below


def _draw_branch(ax: Any, parent: Place, place: Place, text: str) -> None:
    """Draw a branch: up or down from the parent, then right, with its condition on it."""
    start, end = (parent.level + 0.5) * LEVEL, place.level * LEVEL
    ax.plot([start, start, end], [parent.row, place.row, place.row], color=ARC_COLOUR, lw=0.8)
    _write(ax, start + 0.06, place.row, text, va="bottom")


def _draw_test(ax: Any, place: Place, text: str) -> None:
    """Draw a test: the attribute in a box, and the line to its branches."""
    x = place.level * LEVEL
    ax.plot([x, x + 0.5 * LEVEL], [place.row] * 2, color=ARC_COLOUR, lw=0.8, zorder=1)
    box = {"boxstyle": "round,pad=0.3", "fc": NODE_COLOUR, "ec": ARC_COLOUR, "lw": 0.8}
    _write(ax, x + 0.06, place.row, text, va="center", bbox=box, zorder=3)


def _draw_leaf(
    ax: Any, place: Place, weights: Any, label: str, colours: Sequence[tuple[float, ...]]
) -> None:
    """Draw a leaf: the bar of its classes, its label and the number of hidden nodes."""
    x, total = place.level * LEVEL, weights.sum()
    widths = BAR * weights / total if total > 0 else np.zeros(len(weights))
    ends = np.cumsum(widths)
    ax.barh(
        np.full(len(widths), place.row), widths, 0.55, x + ends - widths, color=colours, zorder=2
    )
    more = f" + {place.hidden} nodes" if place.hidden else ""
    name, _, numbers = label.rpartition(" (")
    _write(ax, x + BAR + 0.08, place.row, name, f" ({numbers}{more}", va="center")


def _write(ax: Any, x: float, y: float, text: str, end: str = "", **style: Any) -> None:
    """Write a text, cut if it is too long, and its end, which is never cut."""
    short = text if len(text) <= MAX_NAME else f"{text[: MAX_NAME - 1]}…"
    ax.text(x, y, short + end, fontsize=8, parse_math=False, **style)


def _add_legend(ax: Any, classes: Sequence[Any], colours: Sequence[Any]) -> None:
    """Add a legend of the classes, unless there are too many."""
    from matplotlib.patches import Patch

    if len(classes) <= MAX_KEYS:
        keys = [Patch(color=c, label=str(k)) for k, c in zip(classes, colours, strict=True)]
        style = {"fontsize": 8, "loc": "upper left", "ncols": 4, "bbox_to_anchor": (0, 0)}
        for text in ax.legend(handles=keys, **style).get_texts():
            text.set_parse_math(False)
