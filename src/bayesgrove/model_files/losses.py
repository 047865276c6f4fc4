"""Leave-one-out losses of SKDB, in the format of model files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.model_files.codec import Codec
from bayesgrove.model_files.fields import short

if TYPE_CHECKING:
    from bayesgrove.estimators.classifiers.skdb import SKDBClassifier
    from bayesgrove.model_files.fields import Field


def _describe(model: SKDBClassifier) -> dict[str, Any]:
    """Return the order of the attributes, and the losses by the number of parents."""
    return {"order": list(model.order_), "losses": model.losses_.tolist()}


def _names(_: Any) -> list[str]:
    return ["order", "losses"]


def _restore(model: SKDBClassifier, members: dict[str, Field]) -> None:
    """Check the order and the losses, and put them and the best k into the model."""
    names = [variable.name for variable in model.schema_.variables]
    order = [item.text() for item in members["order"].items(len(names))]
    if sorted(order) != sorted(names):
        raise members["order"].error("does not hold every column once")
    rows = members["losses"].items(min(int(model.k), max(len(names) - 1, 0)) + 1)
    losses = np.array([row.floats(len(names) + 1, lowest=0.0) for row in rows])
    model._keep_losses(order, losses)
    _, size = model._structure_learner().best(losses)
    if model.selected_ != order[:size]:
        raise members["losses"].error(
            f"is smallest with {short(order[:size])}, which are not the selected attributes"
        )


LOSSES = Codec(_describe, _names, _restore)
