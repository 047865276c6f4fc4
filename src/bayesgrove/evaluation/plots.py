"""Figures of a comparison, drawn with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.evaluation.significance import nemenyi

if TYPE_CHECKING:
    from collections.abc import Callable

    from bayesgrove.evaluation.comparison import Comparison
    from bayesgrove.kernels import Floats

LEVEL = 0.05
"""Significance level of Nemenyi's test."""


def box(comparison: Comparison, metric: str) -> Any:
    """Draw a metric over the splits: one panel per data set, one box per model."""
    figure, axes = _panels(len(comparison.datasets))
    for axis, dataset in zip(axes, comparison.datasets, strict=False):
        values = [_finite(comparison.values(metric, dataset, m)) for m in comparison.models]
        axis.boxplot(values)
        style = {"rotation": 30, "ha": "right", "parse_math": False}
        axis.set_xticks(range(1, len(values) + 1), comparison.models, **style)
        axis.set_title(dataset, parse_math=False)
        axis.set_ylabel(metric)
    return figure


def learning_curve(comparison: Comparison, metric: str) -> Any:
    """Draw a metric against the training rows: one panel per data set, one line per model."""
    figure, axes = _panels(len(comparison.datasets))
    table = comparison.table[comparison.table["metric"] == metric]
    for axis, dataset in zip(axes, comparison.datasets, strict=False):
        for model in comparison.models:
            rows = table[(table["dataset"] == dataset) & (table["model"] == model)]
            by_size = rows.groupby("train")["value"]
            mean, spread = by_size.mean(), by_size.std().fillna(0.0)
            axis.errorbar(mean.index, mean, spread, marker="o", capsize=2, label=model)
        axis.set_title(dataset, parse_math=False)
        axis.set_xlabel("training rows")
        axis.set_ylabel(metric)
        for text in axis.legend().get_texts():
            text.set_parse_math(False)
    return figure


def against_time(comparison: Comparison, metric: str) -> Any:
    """Draw a metric against the seconds to fit and predict, both averaged over the data sets."""
    figure, (axis,) = _panels(1)
    seconds = (comparison.means("fit_seconds") + comparison.means("predict_seconds")).mean()
    values = comparison.means(metric).mean()
    for model in comparison.models:
        axis.scatter(seconds[model], values[model])
        _label(axis, model, seconds[model], values[model])
    if seconds.max() > 10 * seconds.min():
        axis.set_xscale("log")
    axis.margins(x=0.25, y=0.15)
    axis.set_xlabel("seconds to fit and predict")
    axis.set_ylabel(metric)
    return figure


def critical_difference(comparison: Comparison, metric: str) -> Any:
    """Draw average ranks; a bar joins models that Nemenyi's test does not separate."""
    test = comparison.friedman(metric)
    width = nemenyi(test.ranks, test.n_datasets, LEVEL).critical_difference
    figure, (axis,) = _panels(1)
    order = np.argsort(test.ranks, kind="stable")
    for place, model in enumerate(order):
        rank, depth = test.ranks[model], -1 - place
        axis.plot([rank, rank], [0, depth], color="grey", linewidth=0.8, zorder=1)
        _label(axis, f"{comparison.models[model]} ({rank:.2f})", rank, depth)
    for number, (low, high) in enumerate(groups(test.ranks[order], width)):
        height = -0.25 - 0.2 * number
        axis.plot([low - 0.03, high + 0.03], [height, height], color="black", linewidth=3)
    axis.set_xlim(0.8, len(order) + 0.8)
    axis.set_ylim(-1.5 - len(order), 0)
    axis.xaxis.tick_top()
    axis.set_yticks([])
    axis.set_title(f"average ranks by {metric}, critical difference {width:.2f}")
    return figure


def groups(ranks: Floats, width: float) -> list[tuple[float, float]]:
    """Return the first and last rank of every group that is at most ``width`` wide.

    A group has at least two of the sorted ranks, and is not part of a larger group.
    """
    runs: list[tuple[float, float]] = []
    for start, low in enumerate(ranks):
        near = ranks[start:][ranks[start:] - low <= width]
        if len(near) > 1 and (not runs or near[-1] > runs[-1][1]):
            runs.append((float(low), float(near[-1])))
    return runs


PLOTS: dict[str, Callable[[Comparison, str], Any]] = {
    "box": box,
    "critical difference": critical_difference,
    "learning curve": learning_curve,
    "time": against_time,
}


def _panels(count: int) -> tuple[Any, list[Any]]:
    """Return a figure with some panels, at most three per row."""
    from matplotlib.figure import Figure

    columns = min(count, 3)
    rows = -(-count // columns)
    figure = Figure(figsize=(4.5 * columns, 3.5 * rows), layout="constrained")
    axes = np.ravel(figure.subplots(rows, columns, squeeze=False))
    for axis in axes[count:]:
        axis.set_axis_off()
    return figure, list(axes[:count])


def _label(axis: Any, text: str, x: float, y: float) -> None:
    """Write a text next to a point, on a white background."""
    white = {"facecolor": "white", "edgecolor": "none", "pad": 1}
    style = {"bbox": white, "zorder": 2, "parse_math": False}
    axis.annotate(text, (x, y), xytext=(5, -3), textcoords="offset points", **style)


def _finite(values: Floats) -> Floats:
    """Return the values that are finite."""
    finite: Floats = values[np.isfinite(values)]
    return finite
