"""Further fitted state, in addition to columns, class, selection and network: one codec per kind.

A classifier names its kinds in ``state_kinds``. A kind that has a codec needs no further work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove.estimators.base.network import NetworkClassifier
from bayesgrove.model_files.averages import AVERAGES, NETWORKS
from bayesgrove.model_files.choices import CHOICES
from bayesgrove.model_files.em import EM
from bayesgrove.model_files.grove import GROVE
from bayesgrove.model_files.losses import LOSSES
from bayesgrove.model_files.naive import COUNTS, DENSITIES, MOMENTS
from bayesgrove.model_files.nbtree import NBTREE
from bayesgrove.model_files.redundancy import REDUNDANCY
from bayesgrove.model_files.relevance import RELEVANCE
from bayesgrove.model_files.super_parents import IMPLICATIONS, PAIRS
from bayesgrove.model_files.table_sum import TABLE_SUM
from bayesgrove.model_files.tree_averages import TREE_AVERAGES
from bayesgrove.model_files.trees import TREES
from bayesgrove.model_files.weights import WEIGHTS

if TYPE_CHECKING:
    from bayesgrove.estimators.base.classifier import TableClassifier
    from bayesgrove.model_files.codec import Codec
    from bayesgrove.model_files.fields import Field

CODECS: dict[str, Codec] = {
    "averages": AVERAGES,
    "choices": CHOICES,
    "counts": COUNTS,
    "densities": DENSITIES,
    "em": EM,
    "grove": GROVE,
    "implications": IMPLICATIONS,
    "losses": LOSSES,
    "moments": MOMENTS,
    "nbtree": NBTREE,
    "networks": NETWORKS,
    "pairs": PAIRS,
    "redundancy": REDUNDANCY,
    "relevance": RELEVANCE,
    "table_sum": TABLE_SUM,
    "tree_averages": TREE_AVERAGES,
    "trees": TREES,
    "weights": WEIGHTS,
}
"""Codec of each kind of state."""


def describe_state(model: TableClassifier) -> dict[str, Any]:
    """Return the members of ``extra`` as JSON values."""
    return {
        name: value for codec in _codecs(model) for name, value in codec.describe(model).items()
    }


def restore_state(model: TableClassifier, extra: Field) -> None:
    """Check the members of ``extra``, and put their values into the model."""
    codecs = _codecs(model)
    members = extra.members(*(name for codec in codecs for name in codec.names(model)))
    for codec in codecs:
        codec.restore(model, {name: members[name] for name in codec.names(model)})


def options_by_place(model: TableClassifier) -> dict[str, Any]:
    """Return options that a file holds in the order of the columns, not as the user gave them."""
    return {name: value for codec in _codecs(model) for name, value in codec.options(model).items()}


def _codecs(model: TableClassifier) -> list[Codec]:
    """Return the codecs of a model's kinds of state."""
    kinds = list(model.state_kinds)
    if getattr(model, "missing", None) == "em":
        kinds.append("em")
    if isinstance(model, NetworkClassifier) and model._sum_learner() is not None:
        kinds.append("table_sum")
    return [CODECS[kind] for kind in kinds]
