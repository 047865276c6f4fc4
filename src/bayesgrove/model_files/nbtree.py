"""Trees with naive Bayes at the leaves, in the format of model files."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.model_files.codec import Codec
from bayesgrove.model_files.trees import describe_trees, read_trees
from bayesgrove.trees import NBTreeModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.estimators.classifiers.nbtree import NBTreeClassifier
    from bayesgrove.kernels import Floats
    from bayesgrove.model_files.fields import Field
    from bayesgrove.trees.tree import Numbers, Tree

SUM_TOLERANCE = 1e-6
"""Largest difference between a sum of probabilities and 1."""


def describe_naive_tree(tree: NBTreeModel) -> dict[str, Any]:
    """Return a tree as JSON values: the nodes, the model number of each node, and the models.

    A model has the logarithms of P(class) and P(value | class).
    """
    return {
        **describe_trees([tree.tree])[0],
        "model": tree.model.tolist(),
        "models": [
            {
                "log_prior": model.log_prior.tolist(),
                "columns": [
                    ({} if cuts is None else {"cuts": cuts.tolist()})
                    | {"log_table": table.ravel().tolist()}
                    for table, cuts in zip(model.log_tables, model.cuts, strict=True)
                ],
            }
            for model in tree.models
        ],
    }


def read_naive_tree(field: Field, cards: Sequence[int], n_classes: int) -> NBTreeModel:
    """Return a tree; ``cards`` has the number of labels of each column, 0 for numeric columns."""
    members = field.any_members()
    leaf_members = {name: members.pop(name) for name in ("model", "models") if name in members}
    for name in ("model", "models"):
        if name not in leaf_members:
            raise field.error(f"has no {name!r}")
    nodes = {name: member.value for name, member in members.items()}
    (tree,) = read_trees(field.replaced([nodes]), cards, n_classes, 1)
    models = [_Model(item, cards, n_classes) for item in leaf_members["models"].items()]
    return NBTreeModel(
        tree,
        tuple(cards),
        _read_model_numbers(leaf_members["model"], tree, len(models)),
        np.array([model.prior for model in models]).reshape(-1, n_classes),
        np.array([model.values for model in models], dtype=np.int32).reshape(-1, len(cards)),
        np.concatenate([np.empty(0), *(cuts for model in models for cuts in model.cuts)]),
        np.concatenate([np.empty(0), *(table for model in models for table in model.tables)]),
    )


def _read_model_numbers(field: Field, tree: Tree, count: int) -> Numbers:
    """Return the model number of every node; -1 for none, which is not allowed at a leaf."""
    numbers = field.integers()
    if len(numbers) != tree.size:
        raise field.error(f"has {len(numbers)} numbers, needs {tree.size}")
    leaf = tree.count == 0
    if ((numbers < np.where(leaf, 0, -1)) | (numbers >= count)).any():
        raise field.error("does not name a model for every leaf")
    return numbers.astype(np.int32)


class _Model:
    """A naive Bayes model of a file, after checks."""

    def __init__(self, field: Field, cards: Sequence[int], n_classes: int) -> None:
        members = field.members("log_prior", "columns")
        self.prior = members["log_prior"].floats(n_classes)
        _require_sums(members["log_prior"], self.prior[:, None])
        self.values: list[int] = []
        self.cuts: list[Floats] = []
        self.tables: list[Floats] = []
        for item, card in zip(members["columns"].items(len(cards)), cards, strict=True):
            parts = item.members("log_table", *([] if card else ["cuts"]))
            cuts = np.empty(0) if card else parts["cuts"].floats()
            if (np.diff(cuts) <= 0).any():
                raise parts["cuts"].error("is not in ascending order")
            values = card or len(cuts) + 1
            table = parts["log_table"].floats(values * n_classes)
            _require_sums(parts["log_table"], table.reshape(values, n_classes))
            self.values.append(values)
            self.cuts.append(cuts)
            self.tables.append(table)


def _require_sums(field: Field, logs: Floats) -> None:
    """Raise unless the probabilities of all values sum to 1 in each class."""
    with np.errstate(over="ignore"):
        sums = np.exp(logs).sum(axis=0)
    wrong = np.abs(sums - 1.0) > SUM_TOLERANCE
    if wrong.any() or math.isnan(sums.sum()):
        raise field.error(f"has probabilities that sum to {sums[np.argmax(wrong)]:.9g}, not to 1")


def _describe(model: NBTreeClassifier) -> dict[str, Any]:
    """Return the tree."""
    return {"tree": describe_naive_tree(model.tree_)}


def _names(_: NBTreeClassifier) -> list[str]:
    return ["tree"]


def _restore(model: NBTreeClassifier, members: dict[str, Field]) -> None:
    """Check the tree, and put it into the model."""
    schema, classes = model.schema_, len(model.classes_)
    model._keep_tree(schema, read_naive_tree(members["tree"], schema.mixed_cards, classes))


NBTREE = Codec(_describe, _names, _restore)
