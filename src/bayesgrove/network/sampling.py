"""Rows drawn from a network: parents before children."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.encoding import code_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.network.structure import Structure
    from bayesgrove.network.tables import ConditionalTable

BLOCK = 1 << 15


def forward_sample(
    structure: Structure,
    tables: Sequence[ConditionalTable],
    rows: int,
    random: np.random.Generator,
) -> list[Codes]:
    """Codes of every variable, each drawn from its table given the codes of its parents."""
    codes: dict[int, Codes] = {}
    for v in structure.order():
        table = tables[v]
        card = table.probabilities.shape[2]
        parents = [codes[u] for u in table.family.parents]
        number = table.rows(parents, rows)
        group = np.zeros(rows, dtype=np.intp)
        if table.family.given_class:
            group = codes[structure.class_variable].astype(np.intp)
        ends = table.probabilities.cumsum(axis=2)
        drawn = np.empty(rows, dtype=code_type(card))
        chance = random.random(rows)
        for start in range(0, rows, BLOCK):
            here = slice(start, start + BLOCK)
            drawn[here] = choose(ends[number[here], group[here]], chance[here])
        codes[v] = drawn
    return [codes[v] for v in range(len(tables))]


def choose(ends: Floats, chance: Floats) -> Codes:
    """The state in whose part of the line from 0 to the last end each chance falls."""
    below = ends <= (chance * ends[:, -1])[:, None]
    chosen: Codes = np.minimum(below.sum(axis=1), ends.shape[1] - 1).astype(np.uint32)
    return chosen
