"""Time of a fit as a function of attributes and rows: a table of slopes, and a plot.

``python -m benchmarks.cost_curves costs.png`` draws the plot and prints its numbers.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import bayesgrove
from benchmarks.helpers import Row, best, show_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    Table = tuple[pd.DataFrame, pd.Series[Any]]

NAME = "costs"
PROMISE = (
    "fits of AWNB linear in attributes and log-linear in rows: seconds grow with a power of at "
    "most 1.3 of either"
)

ATTRIBUTES, ROWS = 20, 4000
"""Each is fixed while the other grows."""
MORE_ATTRIBUTES = (10, 20, 40, 80, 160)
MORE_ROWS = (1000, 2000, 4000, 8000, 16_000, 32_000, 64_000)
NAIVE = {"numeric": "gaussian", "missing": "ignore"}
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "NB": ("NaiveBayesClassifier", NAIVE),
    "AWNB": ("WeightedNaiveBayesClassifier", {}),
    "SB": ("SelectiveNaiveBayesClassifier", {"cv": "training", **NAIVE}),
    "SB by AUC": (
        "SelectiveNaiveBayesClassifier",
        {"scoring": "auc", "cv": "training", **NAIVE},
    ),
    "NBTree": ("NBTreeClassifier", {}),
}
LIMIT = 1.3


@dataclass(frozen=True)
class Curve:
    """Seconds of one model as the number of attributes or rows grows."""

    model: str
    grows: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def slope(self) -> float:
        """Power with which the seconds grow, without the smaller half, where overhead dominates."""
        upper = len(self.sizes) // 2
        x, y = np.log(self.sizes[upper:]), np.log(self.seconds[upper:])
        return float(np.polyfit(x, y, 1)[0])


def run() -> Iterator[Row]:
    yield from _rows(curves(repeats=1))


def run_full() -> Iterator[Row]:
    yield from _rows(curves(repeats=5))


def _rows(measured: list[Curve]) -> Iterator[Row]:
    for curve in measured:
        limit = LIMIT if curve.model == "AWNB" else None
        yield Row(
            f"{curve.model}, {curve.sizes[0]:,} to {curve.sizes[-1]:,} {curve.grows}",
            f"{show_seconds(curve.seconds[0])} to {show_seconds(curve.seconds[-1])}",
            ratio=f"power {curve.slope:.2f}",
            promise="" if limit is None else f"<= {limit:g}",
            met=None if limit is None else curve.slope <= limit,
        )


def curves(repeats: int) -> list[Curve]:
    """Measure two curves per model, by attributes and by rows; skip models that do not exist."""
    names = [name for name in MODELS if hasattr(bayesgrove, MODELS[name][0])]
    by_attributes = [made_up(ROWS, n) for n in MORE_ATTRIBUTES]
    by_rows = [made_up(m, ATTRIBUTES) for m in MORE_ROWS]
    return [
        *_curves(names, "attributes", MORE_ATTRIBUTES, by_attributes, repeats),
        *_curves(names, "rows", MORE_ROWS, by_rows, repeats),
    ]


def _curves(
    names: list[str], grows: str, sizes: tuple[int, ...], tables: list[Table], repeats: int
) -> Iterator[Curve]:
    calls = [partial(_fit, name, *table) for name in names for table in tables]
    seconds = np.reshape(best(*calls, repeats=repeats), (len(names), len(sizes)))
    for name, seconds_of_model in zip(names, seconds.tolist(), strict=True):
        yield Curve(name, grows, sizes, tuple(seconds_of_model))


def _fit(name: str, X: pd.DataFrame, y: pd.Series[Any]) -> None:
    owner, options = MODELS[name]
    getattr(bayesgrove, owner)(**options).fit(X, y)


def made_up(rows: int, attributes: int) -> Table:
    """Return alternating numbers and labels; four of ten attributes have information on the class.

    The class depends on four hidden numbers, and on one of them only by its sign. Each of the four
    attributes is one of these numbers plus an equal amount of noise; the other attributes are only
    noise. With more attributes, more of them carry the same information.
    """
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=(rows, 4))
    score = hidden[:, 0] + hidden[:, 1] + np.sign(hidden[:, 3]) * hidden[:, 2]
    y = rng.logistic(size=rows) < 3 * score / score.std()
    values = rng.normal(size=(rows, attributes))
    kind = np.arange(attributes) % 10
    informative = kind < 4
    signal = hidden[:, kind[informative]]
    values[:, informative] = (values[:, informative] + signal) / np.sqrt(2)
    quartiles = np.searchsorted([-0.67, 0.0, 0.67], values)
    columns = {
        f"x{j}": pd.Categorical(quartiles[:, j]) if j % 2 else values[:, j]
        for j in range(attributes)
    }
    return pd.DataFrame(columns), pd.Series(np.where(y, "yes", "no"), name="class")


def draw(measured: list[Curve], path: str) -> None:
    """Draw both panels with logarithmic axes and save the plot."""
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(9, 4), layout="constrained", sharey=True)
    fixed = {"attributes": f"{ROWS:,} rows", "rows": f"{ATTRIBUTES} attributes"}
    for ax, (grows, other) in zip(panels, fixed.items(), strict=True):
        for curve in measured:
            if curve.grows == grows:
                label = f"{curve.model} (power {curve.slope:.2f})"
                ax.loglog(curve.sizes, curve.seconds, marker="o", label=label)
        sizes = next(curve.sizes for curve in measured if curve.grows == grows)
        ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
        ax.set_xticks([], minor=True)
        ax.set_xlabel(f"{grows} ({other})")
        ax.grid(alpha=0.3)
        ax.legend()
    panels[0].set_ylabel("seconds to fit")
    figure.savefig(path, dpi=120)


def table(measured: list[Curve]) -> str:
    """Return the numbers of the plot as Markdown."""
    lines = []
    for grows in dict.fromkeys(curve.grows for curve in measured):
        panel = [curve for curve in measured if curve.grows == grows]
        lines += [
            "",
            f"| | {' | '.join(f'{size:,}' for size in panel[0].sizes)} | power |",
            f"|---|{'---|' * (len(panel[0].sizes) + 1)}",
        ]
        for curve in panel:
            cells = [f"{seconds:.3g}" for seconds in curve.seconds]
            lines.append(f"| {curve.model} | {' | '.join(cells)} | {curve.slope:.2f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    everything = curves(repeats=5)
    draw(everything, sys.argv[1])
    print(table(everything))
