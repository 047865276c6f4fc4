"""Probabilities that attributes depend on the class, in the format of model files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove.model_files.codec import Codec

if TYPE_CHECKING:
    from bayesgrove.estimators.classifiers.averaged_naive_bayes import AveragedNaiveBayesClassifier
    from bayesgrove.model_files.fields import Field


def _describe(model: AveragedNaiveBayesClassifier) -> dict[str, Any]:
    """Return the probability of every attribute."""
    return {"relevance": model.relevance_.tolist()}


def _names(_: AveragedNaiveBayesClassifier) -> list[str]:
    return ["relevance"]


def _restore(model: AveragedNaiveBayesClassifier, members: dict[str, Field]) -> None:
    """Check the probabilities, and put them into the model."""
    attributes = len(model.network_.nodes) - 1
    model._keep_relevance(members["relevance"].floats(attributes, lowest=0.0))


RELEVANCE = Codec(_describe, _names, _restore)
