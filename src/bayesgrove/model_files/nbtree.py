"""Trees with naive Bayes at the leaves, as a file tells them: the tree, and every model."""

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


def describe_naive_tree(tree: NBTreeModel) -> dict[str, Any]:
    """The nodes, the model of each, and the models: logarithms of P(class), P(value | class)."""
    return {
        **describe_trees([tree.tree])[0],
        "model": tree.model.tolist(),
        "models": [
            {
                "log_prior": own.log_prior.tolist(),
                "columns": [
                    ({} if cuts is None else {"cuts": cuts.tolist()})
                    | {"log_table": table.ravel().tolist()}
                    for table, cuts in zip(own.log_tables, own.cuts, strict=True)
                ],
            }
            for own in tree.models
        ],
    }


def read_naive_tree(field: Field, cards: Sequence[int], n_classes: int) -> NBTreeModel:
    """A tree over columns with these numbers of labels, 0 for numbers."""
    members = field.any_members()
    own = {name: members.pop(name) for name in ("model", "models") if name in members}
    for name in ("model", "models"):
        if name not in own:
            raise field.error(f"has no {name!r}")
    nodes = {name: member.value for name, member in members.items()}
    (tree,) = read_trees(field.replaced([nodes]), cards, n_classes, 1)
    models = [_Model(item, cards, n_classes) for item in own["models"].items()]
    return NBTreeModel(
        tree,
        tuple(cards),
        _read_numbers(own["model"], tree, len(models)),
        np.array([one.prior for one in models]).reshape(-1, n_classes),
        np.array([one.values for one in models], dtype=np.int32).reshape(-1, len(cards)),
        np.concatenate([np.empty(0), *(cuts for one in models for cuts in one.cuts)]),
        np.concatenate([np.empty(0), *(table for one in models for table in one.tables)]),
    )


def _read_numbers(field: Field, tree: Tree, count: int) -> Numbers:
    """The model of every node; -1 where there is none, which no leaf may have."""
    numbers = field.integers()
    if len(numbers) != tree.size:
        raise field.error(f"has {len(numbers)} numbers, needs {tree.size}")
    leaf = tree.count == 0
    if ((numbers < np.where(leaf, 0, -1)) | (numbers >= count)).any():
        raise field.error("does not name a model for every leaf")
    return numbers.astype(np.int32)


class _Model:
    """One naive Bayes, checked."""

    def __init__(self, field: Field, cards: Sequence[int], n_classes: int) -> None:
        members = field.members("log_prior", "columns")
        self.prior = members["log_prior"].floats(n_classes)
        _require_sum(members["log_prior"], self.prior[:, None])
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
            _require_sum(parts["log_table"], table.reshape(values, n_classes))
            self.values.append(values)
            self.cuts.append(cuts)
            self.tables.append(table)


def _require_sum(field: Field, logs: Floats) -> None:
    """Probabilities of all values sum to 1, class by class."""
    with np.errstate(over="ignore"):
        sums = np.exp(logs).sum(axis=0)
    wrong = np.abs(sums - 1.0) > SUM_TOLERANCE
    if wrong.any() or math.isnan(sums.sum()):
        raise field.error(f"has probabilities that sum to {sums[np.argmax(wrong)]:.9g}, not to 1")


def _describe(model: NBTreeClassifier) -> dict[str, Any]:
    return {"tree": describe_naive_tree(model.tree_)}


def _names(_: NBTreeClassifier) -> list[str]:
    return ["tree"]


def _restore(model: NBTreeClassifier, members: dict[str, Field]) -> None:
    schema, classes = model.schema_, len(model.classes_)
    model._keep_tree(schema, read_naive_tree(members["tree"], schema.mixed_cards, classes))


NBTREE = Codec(_describe, _names, _restore)
