"""Pairs of super-parents and implied values of AnDE, in the format of model files."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.averaging.ande import table_cells
from bayesgrove.averaging.subsumption import Implication
from bayesgrove.model_files.codec import Codec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bayesgrove.estimators.classifiers.ande import AnDEClassifier
    from bayesgrove.model_files.fields import Field


def _describe_pairs(model: AnDEClassifier) -> dict[str, Any]:
    """Return the counts of every pair, then of every triple; nothing if ``n=1``."""
    if model._pairs is None:
        return {}
    flat = model._pairs.counts
    ends = np.cumsum([0, *_sizes(_cards(model))]).tolist()
    return {"pair_counts": [flat[a:b].tolist() for a, b in pairwise(ends)]}


def _pair_names(model: AnDEClassifier) -> list[str]:
    return ["pair_counts"] if model.n == 2 else []


def _restore_pairs(model: AnDEClassifier, members: dict[str, Field]) -> None:
    """Check the counts, and put them into the model."""
    field = members.get("pair_counts")
    if field is None:
        model._keep_pairs(None)
        return
    cards = _cards(model)
    # The length is checked first, so that nothing is larger than the list in the file.
    count = len(field.values())
    n = len(cards) - 1
    if count != n * (n - 1) // 2 + n * (n - 1) * (n - 2) // 6:
        raise field.error(f"has {count} items, not one per pair and per triple of columns")
    flat = np.empty(sum(len(item.values()) for item in field.items()))
    if flat.size != table_cells(cards):
        raise field.error(f"has {flat.size} numbers, needs {table_cells(cards)}")
    end = 0
    for item, size in zip(field.items(), _sizes(cards), strict=True):
        flat[end : end + size] = item.floats(size, lowest=0.0)
        end += size
    model._keep_pairs(flat)


def _cards(model: AnDEClassifier) -> list[int]:
    """Return the cardinality of every column, then the number of classes."""
    return [*model.schema_.cards, len(model.classes_)]


def _sizes(cards: list[int]) -> Iterator[int]:
    """Yield the number of cells of the table of every pair, then of every triple."""
    *attributes, classes = cards
    for size in (2, 3):
        yield from (prod(some) * classes for some in combinations(attributes, size))


def _describe_implications(model: AnDEClassifier) -> dict[str, Any]:
    """Return the implied values; nothing without subsumption resolution."""
    names = model.networks_[0].nodes
    implications = [
        {"column": names[attribute], "given": names[given], "codes": codes.tolist()}
        for attribute, given, codes in model._implications
    ]
    return dict.fromkeys(_implication_names(model), implications)


def _implication_names(model: AnDEClassifier) -> list[str]:
    return [] if model.subsumption_resolution is None else ["implications"]


def _restore_implications(model: AnDEClassifier, members: dict[str, Field]) -> None:
    """Check the implied values, and put them into the model."""
    field = members.get("implications")
    items = [] if field is None else field.items()
    model._implications = [_read_implication(item, model) for item in items]


def _read_implication(item: Field, model: AnDEClassifier) -> Implication:
    """Return the values of one column that another column implies."""
    members = item.members("column", "given", "codes")
    names = model.networks_[0].nodes[:-1]
    attribute, given = (names.index(members[key].choice(*names)) for key in ("column", "given"))
    if attribute == given:
        raise item.error("has a column that implies itself")
    codes = members["codes"].integers()
    cards = model.schema_.cards
    if len(codes) != cards[given]:
        raise members["codes"].error(f"has {len(codes)} codes, needs {cards[given]}")
    if ((codes < -1) | (codes >= cards[attribute])).any():
        raise members["codes"].error("holds a code that is not a state of the column")
    return Implication(attribute, given, codes)


PAIRS = Codec(_describe_pairs, _pair_names, _restore_pairs)
IMPLICATIONS = Codec(_describe_implications, _implication_names, _restore_implications)
