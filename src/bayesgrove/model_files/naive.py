"""Fitted state of naive Bayes: densities of numeric columns, and counts and moments.

`partial_fit` adds rows to the counts and moments.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.counts import Configurations, Family, FamilyTable, Moments
from bayesgrove.model_files.codec import Codec
from bayesgrove.parameters.normal import TINY_VARIANCE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bayesgrove.estimators.base.naive import BaseNaiveBayes
    from bayesgrove.estimators.classifiers.naive_bayes import NaiveBayesClassifier
    from bayesgrove.kernels import Floats
    from bayesgrove.model_files.fields import Field

DENSITY_MEMBERS: dict[str, float | None] = {"means": None, "variances": TINY_VARIANCE}
"""Members of a numeric column, one number per class each, and their lower bounds."""
MOMENT_MEMBERS: dict[str, float | None] = {"weights": 0.0, "observed_means": None, "squares": 0.0}
"""Further members of a model with `partial_fit`, and their lower bounds."""


def _describe_densities(model: BaseNaiveBayes) -> dict[str, Any]:
    """Return the means and variances of the numeric columns."""
    return _describe_columns(model, _densities(model))


def _density_names(model: BaseNaiveBayes) -> list[str]:
    """Return the names of the members of the densities."""
    return ["numeric"] if model._used.continuous else []


def _restore_densities(model: BaseNaiveBayes, members: dict[str, Field]) -> None:
    """Check means and variances, and put them into the model."""
    parts = _read_columns(model, members, DENSITY_MEMBERS)
    model._keep_normals(parts["means"], parts["variances"])


def _describe_counts(model: Any) -> dict[str, Any]:
    """Return the counts of every table."""
    return {"counts": [table.counts.ravel().tolist() for table in model._tables]}


def _count_names(_: Any) -> list[str]:
    return ["counts"]


def _restore_counts(model: Any, members: dict[str, Field]) -> None:
    """Check the counts, and put them into the model."""
    model._tables = _read_counts(members["counts"], len(model.classes_), model.schema_.cards)


def _describe_moments(model: NaiveBayesClassifier) -> dict[str, Any]:
    """Return the means, variances and moments of the numeric columns."""
    moments = model._moments
    parts = zip(MOMENT_MEMBERS, (moments.weight, moments.mean, moments.squares), strict=True)
    return _describe_columns(model, _densities(model) | dict(parts))


def _restore_moments(model: NaiveBayesClassifier, members: dict[str, Field]) -> None:
    """Check means, variances and moments, and put them into the model."""
    parts = _read_columns(model, members, DENSITY_MEMBERS | MOMENT_MEMBERS)
    model._keep_normals(parts["means"], parts["variances"])
    model._moments = Moments(*(parts[name] for name in MOMENT_MEMBERS))


def _densities(model: BaseNaiveBayes) -> dict[str, Floats]:
    return {"means": model.theta_, "variances": model.var_}


def _describe_columns(model: BaseNaiveBayes, parts: Mapping[str, Floats]) -> dict[str, Any]:
    """Return the numeric columns as JSON values, each with its column of every array."""
    numeric = [
        {"column": model._used.codings[j].name}
        | {name: part[:, index].tolist() for name, part in parts.items()}
        for index, j in enumerate(model._used.continuous)
    ]
    return {"numeric": numeric} if numeric else {}


def _read_columns(
    model: BaseNaiveBayes, members: dict[str, Field], lowest: Mapping[str, float | None]
) -> dict[str, Floats]:
    """Return the arrays with the names of ``lowest``, shape (classes, columns)."""
    used = model._used
    shape = (len(model.classes_), len(used.continuous))
    columns = members["numeric"].items(shape[1]) if "numeric" in members else []
    parts = {name: np.empty(shape) for name in lowest}
    for index, (column, j) in enumerate(zip(columns, used.continuous, strict=True)):
        fields = column.members("column", *lowest)
        fields["column"].choice(used.codings[j].name)
        for name, bound in lowest.items():
            parts[name][:, index] = fields[name].floats(shape[0], bound)
    return parts


def _read_counts(field: Field, classes: int, cards: list[int]) -> list[FamilyTable]:
    """Return one count table per variable given the class, and the table of the class."""
    shapes = [*((1, classes, card) for card in cards), (1, 1, classes)]
    return [
        FamilyTable(
            Family(v, (), given_class=v < len(cards)),
            Configurations(()),
            item.floats(math.prod(shape), lowest=0.0).reshape(shape),
        )
        for v, (item, shape) in enumerate(zip(field.items(len(shapes)), shapes, strict=True))
    ]


DENSITIES = Codec(_describe_densities, _density_names, _restore_densities)
MOMENTS = Codec(_describe_moments, _density_names, _restore_moments)
COUNTS = Codec(_describe_counts, _count_names, _restore_counts)
