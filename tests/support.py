"""What several test files make the same way."""

import itertools

import numpy as np

from bayesgrove.counts import CountSource, MemoryEngine, StreamEngine
from bayesgrove.encoding import Encoded, code_type


def make_source(columns, cards, ends=None, weights=None):
    """Counts of columns of codes, the class last; in a stream whose batches have these ends."""
    codes = [np.asarray(c).astype(code_type(card)) for c, card in zip(columns, cards, strict=True)]
    rows = len(codes[0])
    encoded = Encoded(codes[:-1], list(cards[:-1]), rows, codes[-1], cards[-1], weights)

    def batches():
        return (encoded.take(np.arange(a, b)) for a, b in itertools.pairwise([0, *ends]))

    engine = MemoryEngine(encoded) if ends is None else StreamEngine(batches, rows)
    return CountSource(engine, [*(f"x{v}" for v in range(len(cards) - 1)), "class"], list(cards))
