"""The record of EM, in the format of model files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove.model_files.codec import Codec
from bayesgrove.parameters import EMRecord

if TYPE_CHECKING:
    from bayesgrove.model_files.fields import Field


def _describe(model: Any) -> dict[str, Any]:
    """Return whether EM converged, and the paths of its objective."""
    return {
        "em_converged": model.em_.converged,
        "em_log_likelihoods": [list(path) for path in model.em_.log_likelihoods],
    }


def _names(_: Any) -> list[str]:
    return ["em_converged", "em_log_likelihoods"]


def _restore(model: Any, members: dict[str, Field]) -> None:
    """Check the record, and put it into the model."""
    paths = [path.floats() for path in members["em_log_likelihoods"].items()]
    if not all(path.size for path in paths):
        raise members["em_log_likelihoods"].error("has an empty path")
    model.em_ = EMRecord(members["em_converged"].flag(), tuple(tuple(p.tolist()) for p in paths))


EM = Codec(_describe, _names, _restore)
