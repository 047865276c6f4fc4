"""Candidates for the options of KDB, with their scores, in the format of model files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove.model_files.codec import Codec
from bayesgrove.structures import Choice

if TYPE_CHECKING:
    from bayesgrove.estimators.classifiers.kdb import KDBClassifier
    from bayesgrove.model_files.fields import Field


def _describe(model: KDBClassifier) -> dict[str, Any]:
    """Return the candidates; nothing if no option is "auto"."""
    choices = [choice._asdict() for choice in model.choices_]
    return dict.fromkeys(_names(model), choices)


def _names(model: KDBClassifier) -> list[str]:
    return ["choices"] if model._structure_learner().has_choice else []


def _restore(model: KDBClassifier, members: dict[str, Field]) -> None:
    """Check the candidates, and put them and the best one into the model."""
    field = members.get("choices")
    if field is not None and not field.values():
        raise field.error("is empty, but an option is 'auto'")
    model._keep_choices([] if field is None else [_read(item) for item in field.items()])


def _read(item: Field) -> Choice:
    """Return one candidate."""
    members = item.members(*Choice._fields)
    k, theta = members["k"].whole(), members["theta"]
    if k < 0:
        raise members["k"].error(f"is {k}, less than 0")
    return Choice(k, None if theta.value is None else theta.number(), members["score"].number())


CHOICES = Codec(_describe, _names, _restore)
