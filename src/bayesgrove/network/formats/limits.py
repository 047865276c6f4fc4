"""How large a network in a file may be; readers and writers keep to the same limits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bayesgrove.network.build import NodeError, require_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_BYTES = 256_000_000
"""Bytes of a file, unpacked."""
MAX_CELLS = 1 << 24
"""Cells of all conditional tables together, written out in full."""
MAX_NODES = 100_000
MAX_STATES = 1_000_000
"""States of all nodes together."""
MAX_DEPTH = 100
"""How deep elements or parentheses may be nested."""
MAX_ELEMENTS = 5_000_000
"""Elements of an XML file: enough for the largest network that is written."""


def require_table(node: str, cards: Sequence[int]) -> int:
    """Cells of the table of a node, given the states of its parents and its own; not too many."""
    digits = sum(map(math.log10, cards))
    if digits > 300:  # a number that is not worth multiplying out, nor could be printed
        raise NodeError(
            node, f"Node {node!r} has {len(cards) - 1} parents and a table of 1e{digits:.0f} cells."
        )
    return require_cells(node, cards, MAX_CELLS)
