"""Native kernels compared with the same functions in numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.kernels import kernels, numpy_kernels
from benchmarks.helpers import Row, best, codes, columns_of, versus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NAME = "kernels"
PROMISE = "nothing promised: native kernels against numpy ones, 100,000 x 50"

ROWS, COLUMNS, CARD, CLASSES = 100_000, 50, 4, 2


def run() -> Iterator[Row]:
    if kernels is numpy_kernels:
        yield Row("all", ours="not built", note="the native kernels are not built here")
        return
    for name, arguments in _calls().items():
        native, plain = getattr(kernels, name), getattr(numpy_kernels, name)
        np.testing.assert_allclose(native(*arguments), plain(*arguments), atol=1e-9)
        yield versus(name, *best(_bound(native, arguments), _bound(plain, arguments), repeats=4))


def _bound(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[[], Any]:
    return lambda: function(*arguments)


def _calls() -> dict[str, tuple[Any, ...]]:
    X, y = codes(ROWS, COLUMNS, CARD, CLASSES, np.uint8)
    columns, target = columns_of(X), y.astype(np.uint8)
    cards = [CARD] * COLUMNS
    counted = (columns, cards, target, CLASSES, None)
    return {
        "class_tables": (*counted, 1),
        "pair_tables": (*counted, 0, 1),
        "log_joint": (columns, *_program(), ROWS, CLASSES, 1),
    }


def _program() -> tuple[Any, ...]:
    """Return the program of a chain: one factor per pair of neighbours, one number per class."""
    factors = np.arange(COLUMNS - 1)
    cells = CARD * CARD * CLASSES
    return (
        np.arange(0, 2 * COLUMNS - 1, 2, dtype=np.int32),
        np.column_stack([factors, factors + 1]).ravel().astype(np.int32),
        np.tile(np.array([CARD, 1], dtype=np.int64), COLUMNS - 1),
        (factors * cells).astype(np.int64),
        np.full(COLUMNS - 1, CLASSES, dtype=np.int32),
        np.log(np.random.default_rng(0).uniform(0.1, 1.0, (COLUMNS - 1) * cells)),
    )
