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

MOST_NODES = 60
"""Of a larger tree the upper part is drawn."""
MOST_KEYS = 12
"""So many classes have a place in the legend."""
ROW, LEVEL, BAR = 0.32, 3.4, 0.5
"""Inches: the height of a leaf, the width of a level and that of a bar."""
LONGEST = 22
"""Characters of a name; a longer one is cut."""


class Place(NamedTuple):
    """Where a node is drawn, whether its children are, and how many nodes it hides."""

    level: int
    row: float
    opened: bool
    hidden: int


def plot_tree(
    model: TreeClassifier, number: int = 0, ax: Any = None, *, title: str | None = None
) -> Any:
    """Draw a tree of a fitted classifier, the root at the left.

    A leaf has a bar with the shares of the classes, its class, and the weight of its training rows
    and of the errors among them. Of a tree of more than 60 nodes the upper part is drawn; its
    leaves say how many nodes they hide. Returns the axes.

    Parameters
    ----------
    model : a fitted `C45Classifier`, `BaggedTreesClassifier` or `NBTreeClassifier`
    number : which of its trees, from 0
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


def layout(tree: Tree, most: int = MOST_NODES) -> dict[int, Place]:
    """Places of the nodes that are drawn: leaves in rows, tests in the middle of their children.

    >>> from bayesgrove import C45Classifier
    >>> model = C45Classifier(min_rows=1).fit([["a"], ["a"], ["b"], ["b"]], [0, 0, 1, 1])
    >>> layout(model.tree_)[2]
    Place(level=1, row=1, opened=False, hidden=0)
    """
    opened = _opened(tree, most)
    rows: dict[int, float] = {}
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if node in opened:
            waiting += reversed(tree.children(node))
        else:
            rows[node] = len(rows)
    for node in sorted(opened, reverse=True):  # children lie behind their parents
        children = tree.children(node)
        rows[node] = (rows[children[0]] + rows[children[-1]]) / 2
    levels, sizes = tree.node_depths - 1, _sizes(tree)
    return {
        node: Place(int(levels[node]), row, node in opened, 0 if node in opened else sizes[node])
        for node, row in sorted(rows.items())
    }


def _opened(tree: Tree, most: int) -> set[int]:
    """The tests whose children are drawn, level by level as long as there is room."""
    opened, drawn, waiting = set(), 1, deque([0])
    while waiting:
        node = waiting.popleft()
        children = tree.children(node)
        if children and drawn + len(children) <= most:
            opened.add(node)
            drawn += len(children)
            waiting += children
    return opened


def _sizes(tree: Tree) -> list[int]:
    """How many nodes lie below every node."""
    below = [0] * tree.size
    for node in range(tree.size - 1, 0, -1):
        below[int(tree.parent[node])] += 1 + below[node]
    return below


def _draw_branch(ax: Any, parent: Place, place: Place, text: str) -> None:
    """From the parent down or up, then to the right; what must hold stands on it."""
    start, end = (parent.level + 0.5) * LEVEL, place.level * LEVEL
    ax.plot([start, start, end], [parent.row, place.row, place.row], color=ARC_COLOUR, lw=0.8)
    _write(ax, start + 0.06, place.row, text, va="bottom")


def _draw_test(ax: Any, place: Place, text: str) -> None:
    x = place.level * LEVEL
    ax.plot([x, x + 0.5 * LEVEL], [place.row] * 2, color=ARC_COLOUR, lw=0.8, zorder=1)
    box = {"boxstyle": "round,pad=0.3", "fc": NODE_COLOUR, "ec": ARC_COLOUR, "lw": 0.8}
    _write(ax, x + 0.06, place.row, text, va="center", bbox=box, zorder=3)


def _draw_leaf(
    ax: Any, place: Place, weights: Any, label: str, colours: Sequence[tuple[float, ...]]
) -> None:
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
    short = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    ax.text(x, y, short + end, fontsize=8, parse_math=False, **style)


def _add_legend(ax: Any, classes: Sequence[Any], colours: Sequence[Any]) -> None:
    from matplotlib.patches import Patch

    if len(classes) <= MOST_KEYS:
        keys = [Patch(color=c, label=str(k)) for k, c in zip(classes, colours, strict=True)]
        style = {"fontsize": 8, "loc": "upper left", "ncols": 4, "bbox_to_anchor": (0, 0)}
        for text in ax.legend(handles=keys, **style).get_texts():
            text.set_parse_math(False)
