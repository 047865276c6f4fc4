"""Groves in the format of model files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.averaging.grove import GroveMember, GroveSum, Plan
from bayesgrove.encoding import code_type
from bayesgrove.estimators.classifiers.grove import axis_of
from bayesgrove.model_files.codec import Codec
from bayesgrove.model_files.rule_tables import describe_rules, restore_rules
from bayesgrove.model_files.table_sum import TABLES, describe_tables, restore_tables
from bayesgrove.trees import BoostedSum

if TYPE_CHECKING:
    from bayesgrove.estimators.classifiers.grove import GroveClassifier
    from bayesgrove.model_files.fields import Field
    from bayesgrove.trees import RuleSum

MEMBERS = (
    "max_parents",
    "left_out_fold",
    "by_residual",
    "weight",
    "correction_weight",
    "exponents",
    "bins",
)
"""Members of a member of a grove, beside those of its tables."""
TREES: dict[str, Any] = {
    "asked": np.int32,
    "cards": np.int32,
    "n_bins": np.int32,
    "bin_of": np.uint8,
    "sizes": np.int32,
    "outputs": np.int32,
    "column": np.int32,
    "child": np.int32,
    "sides": np.uint8,
    "value": np.float64,
    "gain": np.float64,
}
"""Arrays of boosted trees, with their types."""


def _describe(model: GroveClassifier) -> dict[str, Any]:
    """Return the grove as JSON values."""
    learned = model._sum
    return {
        "offset": learned.offset.tolist(),
        "floor": learned.floor,
        "out_of_fold_loss": None
        if np.isnan(learned.out_of_fold_loss)
        else learned.out_of_fold_loss,
        "importances": learned.importances.tolist(),
        "n_unconverged": learned.n_unconverged,
        "members": [_describe_member(member) for member in learned.members],
        "rules": None if learned.rules is None else describe_rules(learned.rules),
        "rule_weight": learned.rule_weight,
        "trees": None if learned.trees is None else _describe_trees(learned.trees),
        "tree_weight": learned.tree_weight,
    }


def _describe_member(member: GroveMember) -> dict[str, Any]:
    tables = member.tables
    values = (
        member.plan.k,
        member.plan.fold,
        member.plan.residual,
        member.weight,
        member.correction_weight,
        member.exponents.tolist(),
        [{"column": v, "bins": bins.tolist()} for v, bins in tables.maps.items()],
    )
    return dict(zip(MEMBERS, values, strict=True)) | describe_tables(tables)


def _describe_trees(trees: BoostedSum) -> dict[str, Any]:
    """Return the arrays of boosted trees."""
    return {name: getattr(trees, name).tolist() for name in TREES}


def _names(_: GroveClassifier) -> list[str]:
    return [
        *("offset", "floor", "out_of_fold_loss", "importances", "n_unconverged", "members"),
        *("rules", "rule_weight", "trees", "tree_weight"),
    ]


def _restore(model: GroveClassifier, members: dict[str, Field]) -> None:
    """Check the numbers of a grove, and put them into the model."""
    classes, cards = len(model.classes_), model.schema_.cards
    if len(cards) != len(model.schema_.codings):
        raise members["members"].error("belongs to a table with columns that are not encoded")
    loss = members["out_of_fold_loss"]
    if classes > 1 and not members["members"].items():
        raise members["members"].error("is empty")
    learned = GroveSum(
        tuple(_restore_member(item, cards, classes) for item in members["members"].items()),
        members["offset"].floats(classes),
        members["floor"].probability(),
        np.nan if loss.value is None else loss.number(),
        members["importances"].floats(len(cards), lowest=0.0),
        members["n_unconverged"].whole(),
        None if members["rules"].value is None else _rules(model, members["rules"]),
        members["rule_weight"].number(),
        None if members["trees"].value is None else _trees(members["trees"], cards, classes),
        members["tree_weight"].number(),
    )
    model._keep_sum(model.schema_, model.classes_, learned)


def _rules(model: GroveClassifier, field: Field) -> RuleSum:
    """Return the rule tables of a grove."""
    axes = [axis_of(coding) for coding in model.schema_.variables]
    ordered = [0 if axis is None else len(axis) for axis in axes]
    return restore_rules(field, model.schema_.cards, ordered, len(model.classes_))


def _restore_member(field: Field, cards: list[int], classes: int) -> GroveMember:
    """Return one member."""
    members = field.members(*MEMBERS, *TABLES)
    maps, binned = _maps(members["bins"], cards)
    for name in ("max_parents", "left_out_fold"):
        if members[name].whole() < 0:
            raise members[name].error("is below 0")
    tables = restore_tables(members, maps, binned, classes)
    return GroveMember(
        Plan(
            members["max_parents"].whole(),
            members["left_out_fold"].whole(),
            members["by_residual"].flag(),
        ),
        members["exponents"].floats(len(tables.layout.children)),
        members["weight"].number(),
        members["correction_weight"].number(),
        tables,
    )


def _maps(field: Field, cards: list[int]) -> tuple[dict[int, Any], list[int]]:
    """Return the bins of columns, and the cardinalities of all columns after binning."""
    maps, binned = {}, list(cards)
    for item in field.items():
        members = item.members("column", "bins")
        column, bins = members["column"].whole(), members["bins"].integers()
        if not 0 <= column < len(cards) or column in maps:
            raise members["column"].error("is not a column, or has its bins already")
        # Bins ascend from 0 without gaps.
        steps = np.diff(bins, prepend=0)
        if len(bins) != cards[column] or bins[0] != 0 or not np.isin(steps, (0, 1)).all():
            raise members["bins"].error(f"does not hold one bin for each of {cards[column]} codes")
        binned[column] = int(bins[-1]) + 1
        maps[column] = bins.astype(code_type(binned[column]))
    return maps, binned


def _trees(field: Field, cards: list[int], classes: int) -> BoostedSum:
    """Return boosted trees; every number must be a place that exists."""
    members = field.members(*TREES)
    arrays: dict[str, Any] = {}
    for name, kind in TREES.items():
        if kind is np.float64:
            arrays[name] = members[name].floats()
            continue
        values = members[name].integers()
        lowest = -1 if name == "column" else 0
        if len(values) and (values.min() < lowest or values.max() > np.iinfo(kind).max):
            raise members[name].error("holds a number that is out of range")
        arrays[name] = values.astype(kind)
    trees = BoostedSum(n_classes=classes, **arrays)
    _check_columns(field, trees, cards)
    _check_nodes(field, trees)
    return trees


def _check_columns(field: Field, trees: BoostedSum, cards: list[int]) -> None:
    """Raise unless the tested columns and their bins fit the columns of the table."""
    asked = trees.asked.tolist()
    if asked != sorted(set(asked)) or (asked and asked[-1] >= len(cards)):
        raise field.error("asks columns that do not exist")
    if trees.cards.tolist() != [cards[v] for v in asked] or len(trees.n_bins) != len(asked):
        raise field.error("has columns with other values than the table")
    widths = trees.cards.astype(np.int64) + 1
    if len(trees.bin_of) != widths.sum() or (trees.n_bins < 1).any() or (trees.n_bins > 255).any():
        raise field.error("has columns without bins")
    if (trees.bin_of > np.repeat(trees.n_bins, widths)).any():
        raise field.error("has bins that do not exist")


def _check_nodes(field: Field, trees: BoostedSum) -> None:
    """Raise unless every node is in its tree, and children come after their parents."""
    nodes = int(trees.sizes.sum())
    lengths = {len(values) for values in (trees.column, trees.child, trees.value, trees.gain)}
    if lengths != {nodes} or len(trees.outputs) != len(trees.sizes) or (trees.sizes < 1).any():
        raise field.error("has trees whose nodes do not fit")
    if (trees.column >= len(trees.asked)).any() or (trees.outputs >= trees.n_classes).any():
        raise field.error("has nodes of columns or classes that do not exist")
    tests = trees.column >= 0
    starts = np.repeat(np.cumsum(trees.sizes) - trees.sizes, trees.sizes)
    place = np.arange(nodes) - starts
    sizes = np.repeat(trees.sizes, trees.sizes)
    if ((trees.child <= place) | (trees.child + 1 >= sizes))[tests].any():
        raise field.error("has a node whose children are not after it")
    widths = (trees.n_bins // 8 + 1)[trees.column[tests]]
    if len(trees.sides) != widths.sum():
        raise field.error("has tests whose sides do not fit")


GROVE = Codec(_describe, _names, _restore)
