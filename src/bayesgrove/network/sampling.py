"""Sampling of rows from a network, parents before children."""

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
"""Number of rows that are drawn at a time."""


def forward_sample(
    structure: Structure,
    tables: Sequence[ConditionalTable],
    rows: int,
    random: np.random.Generator,
) -> list[Codes]:
    """Draw the codes of every variable from its table, given the codes of its parents."""
    codes: dict[int, Codes] = {}
    for v in structure.order():
        table = tables[v]
        card = table.probabilities.shape[2]
        parents = [codes[u] for u in table.family.parents]
        configuration = table.rows(parents, rows)
        class_codes = np.zeros(rows, dtype=np.intp)
        if table.family.given_class:
            class_codes = codes[structure.class_variable].astype(np.intp)
        ends = table.probabilities.cumsum(axis=2)
        drawn = np.empty(rows, dtype=code_type(card))
        uniform = random.random(rows)
        for start in range(0, rows, BLOCK):
            block = slice(start, start + BLOCK)
            drawn[block] = choose(ends[configuration[block], class_codes[block]], uniform[block])
        codes[v] = drawn
    return [codes[v] for v in range(len(tables))]


def choose(ends: Floats, uniform: Floats) -> Codes:
    """Return one state per row by inverse transform sampling.

    ``ends[row]`` are the cumulative probabilities of the states; the last one need not be 1.
    ``uniform`` are uniform random numbers from 0 to 1.
    """
    below = ends <= (uniform * ends[:, -1])[:, None]
    chosen: Codes = np.minimum(below.sum(axis=1), ends.shape[1] - 1).astype(np.uint32)
    return chosen
