"""The average over all trees on the attributes, in the format of model files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.averaging import TreeAverage
from bayesgrove.model_files.codec import Codec
from bayesgrove.model_files.networks import ROW_SUM_TOLERANCE

if TYPE_CHECKING:
    from bayesgrove.estimators.classifiers.averaged_tan import AveragedTANClassifier
    from bayesgrove.kernels import Floats
    from bayesgrove.model_files.fields import Field


def _describe(model: AveragedTANClassifier) -> dict[str, Any]:
    """Return the table of every attribute, and of every edge with its weight."""
    average, names = model._average, model.network_.nodes
    edges = zip(average.edges.tolist(), average.log_weights.tolist(), average.pairs, strict=True)
    return {
        "marginals": [table.ravel().tolist() for table in average.marginals],
        "edges": [
            {"columns": [names[a], names[b]], "log_weight": weight, "table": table.ravel().tolist()}
            for (a, b), weight, table in edges
        ],
    }


def _names(_: AveragedTANClassifier) -> list[str]:
    return ["marginals", "edges"]


def _restore(model: AveragedTANClassifier, members: dict[str, Field]) -> None:
    """Check tables and weights, and put them into the model."""
    *names, _ = model.network_.nodes
    cards = [len(model.network_.states(name)) for name in names]
    classes = len(model.classes_)
    tables = members["marginals"].items(len(names))
    marginals = [
        _distributions(item, card, classes) for item, card in zip(tables, cards, strict=True)
    ]
    ends, weights, pairs = [], [], []
    for item in members["edges"].items():
        edge = item.members("columns", "log_weight", "table")
        a, b = (names.index(column.choice(*names)) for column in edge["columns"].items(2))
        if a >= b:
            raise edge["columns"].error("does not have its columns in the order of the table")
        ends.append((a, b))
        weights.append(edge["log_weight"].number())
        cells = _distributions(edge["table"], cards[a] * cards[b], classes)
        pairs.append(cells.reshape(cards[a], cards[b], classes))
    _require_connected(members["edges"], len(names), ends)
    average = TreeAverage(
        model.network_,
        tuple(marginals),
        np.array(ends, dtype=np.intp).reshape(-1, 2),
        np.array(weights, dtype=np.float64),
        tuple(pairs),
    )
    model._keep_average(model.schema_, model.classes_, average)


def _distributions(field: Field, values: int, classes: int) -> Floats:
    """Return one distribution of the values per class; no probability is 0."""
    cells = field.floats(values * classes, lowest=np.finfo(float).tiny).reshape(values, classes)
    if values and abs(cells.sum(axis=0) - 1.0).max() > ROW_SUM_TOLERANCE:
        raise field.error("has probabilities that do not sum to 1 for every class")
    return cells


def _require_connected(field: Field, columns: int, ends: list[tuple[int, int]]) -> None:
    """Raise unless the edges are different and connect all columns."""
    if len(set(ends)) < len(ends):
        raise field.error("holds an edge more than once")
    groups = list(range(columns))
    for a, b in ends:
        groups = [groups[a] if group == groups[b] else group for group in groups]
    if len(set(groups)) > 1:
        raise field.error("does not connect all columns")


TREE_AVERAGES = Codec(_describe, _names, _restore)
