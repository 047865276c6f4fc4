"""Weights of attributes, in the format of model files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.estimators.classifiers.weighted_naive_bayes import LARGEST_WEIGHT, in_order
from bayesgrove.model_files.codec import Codec

if TYPE_CHECKING:
    from bayesgrove.estimators.classifiers.weighted_naive_bayes import WeightedNaiveBayesClassifier
    from bayesgrove.model_files.fields import Field


def _describe(model: WeightedNaiveBayesClassifier) -> dict[str, Any]:
    """Return one weight per column."""
    return {"weights": model.weights_.tolist()}


def _names(_: WeightedNaiveBayesClassifier) -> list[str]:
    return ["weights"]


def _restore(model: WeightedNaiveBayesClassifier, members: dict[str, Field]) -> None:
    """Check the weights, and put them into the model."""
    field = members["weights"]
    weights = field.floats(len(model.schema_.codings), lowest=0.0)
    if weights.max() > LARGEST_WEIGHT:
        raise field.error(f"has a number above {LARGEST_WEIGHT:g}")
    if np.flatnonzero(weights).tolist() != model._places:
        raise field.error(
            "must have a number above 0 for each selected column, and 0 for all others"
        )
    model.weights_ = weights


def _options(model: WeightedNaiveBayesClassifier) -> dict[str, Any]:
    """Return weights that the user gave by name, in the order of the columns."""
    if model._weighting() is not None or callable(model.weights):
        return {}
    names = [coding.name for coding in model.schema_.codings]
    return {"weights": in_order(model.weights, names, "weights")}


WEIGHTS = Codec(_describe, _names, _restore, _options)
