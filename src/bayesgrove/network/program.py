"""A network laid out flat for the kernel that adds up log-probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesgrove.kernels import kernels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.network.tables import ConditionalTable

Laid = tuple["Floats", list[tuple[int, int]]]
PAIR_CELLS = 64


class Layout(NamedTuple):
    """Arguments of `kernels.log_joint`: factors, the columns they look at, their tables."""

    starts: NDArray[np.int32]
    variables: NDArray[np.int32]
    strides: NDArray[np.int64]
    tables: NDArray[np.int64]
    widths: NDArray[np.int32]
    values: Floats


@dataclass(frozen=True)
class Program:
    """Sum of log-probabilities of some tables; a table that a missing value touches adds nothing.

    That is right where the missing attribute has no children: its table sums to one. A program of
    `compile_mean` sums weighted probabilities instead, for rows without a missing parent.
    """

    layout: Layout
    lookups: tuple[ConditionalTable, ...]
    n_classes: int

    def run(self, encoded: Encoded, threads: int) -> Floats:
        """``log P`` of every row, shape (rows, classes)."""
        rows = [_row_numbers(table, encoded) for table in self.lookups]
        columns = [*encoded.columns, *rows]
        return kernels.log_joint(columns, *self.layout, encoded.rows, self.n_classes, threads)


def compile_tables(
    tables: Sequence[ConditionalTable],
    class_variable: int,
    n_classes: int,
    exponents: Sequence[float] | None = None,
) -> Program:
    """Lay out some conditional tables; a row gets the logarithm of their product.

    With ``exponents`` each table counts as its power; one with the exponent 0 is left out.
    """
    powers = [1.0] * len(tables) if exponents is None else exponents
    tables = [table for table, power in zip(tables, powers, strict=True) if power != 0]
    with np.errstate(divide="ignore"):
        cells = [np.log(table.padded) for table in tables]
    if exponents is not None:
        kept = [power for power in powers if power != 0]
        cells = [power * own for power, own in zip(kept, cells, strict=True)]
    return _compile(tables, cells, class_variable, n_classes)


def compile_mean(
    tables: Sequence[ConditionalTable],
    weights: Sequence[float],
    class_variable: int,
    n_classes: int,
) -> Program:
    """Lay out the tables of one node given several sets of parents; a row gets the weighted mean.

    Parents may not be missing; a missing child has the probability 1.
    """
    cells = [weight * table.padded for weight, table in zip(weights, tables, strict=True)]
    return _compile(tables, cells, class_variable, n_classes)


def _compile(
    tables: Sequence[ConditionalTable], cells: list[Floats], class_variable: int, n_classes: int
) -> Program:
    """Lay out padded tables, to be added up."""
    plain: list[Laid] = []
    numbered: list[Laid] = []
    lookups: list[ConditionalTable] = []
    for table, padded in zip(tables, cells, strict=True):
        laid = _layout(table, padded, class_variable)
        if table.by_number:
            numbered.append(_numbered(laid, class_variable + len(lookups)))
            lookups.append(table)
        else:
            plain.append(laid)
    starts, variables, strides, offsets, widths = [0], [], [], [], []
    values: list[Floats] = []
    size = 0
    for own, steps in [*_in_pairs(plain), *numbered]:
        variables += [variable for variable, _ in steps]
        strides += [stride for _, stride in steps]
        starts.append(len(variables))
        offsets.append(size)
        widths.append(own.shape[-1])
        values.append(own.ravel())
        size += own.size
    return Program(
        Layout(
            np.array(starts, dtype=np.int32),
            np.array(variables, dtype=np.int32),
            np.array(strides, dtype=np.int64),
            np.array(offsets, dtype=np.int64),
            np.array(widths, dtype=np.int32),
            np.concatenate([np.empty(0), *values]),
        ),
        tuple(lookups),
        n_classes,
    )


def _numbered(factor: Laid, column: int) -> Laid:
    """A table by number looks at the column that its configurations' numbers will be in."""
    cells, ((_, stride), *steps) = factor
    return cells, [(column, stride), *steps]


def _in_pairs(factors: list[Laid]) -> list[Laid]:
    """Small tables of one attribute each, two by two as one: half the look-ups for naive Bayes."""
    out: list[Laid] = []
    for cells, steps in factors:
        if out and _joinable(*out[-1], cells, steps):
            before, ((variable, _),) = out.pop()
            both = (before[:, None, :] + cells[None, :, :]).reshape(-1, cells.shape[-1])
            out.append((both, [(variable, len(cells)), *steps]))
        else:
            out.append((cells, steps))
    return out


def _joinable(
    first: Floats, first_steps: list[tuple[int, int]], second: Floats, steps: list[tuple[int, int]]
) -> bool:
    single = len(first_steps) == len(steps) == 1 and first.ndim == second.ndim == 2
    return single and first.shape[1] == second.shape[1] and len(first) * len(second) <= PAIR_CELLS


def _layout(table: ConditionalTable, padded: Floats, class_variable: int) -> Laid:
    """Cells ``[configuration..., value, class]`` and (variable, stride) of what points at them.

    The first stride of a table by number is that of its configuration's number.
    """
    steps: list[tuple[int, int]] = []
    if table.family.child == class_variable:
        cells, stride = padded[..., 0, None, :-1], 1
    else:
        cells = np.moveaxis(padded, -2, -1)
        stride = cells.shape[-2]
        steps.append((table.family.child, 1))
    if table.by_number:
        return cells, [(-1, stride), *steps]
    for variable, card in zip(reversed(table.family.parents), reversed(table.cards), strict=True):
        steps.append((variable, stride))
        stride *= card + 1
    return cells, steps


def _row_numbers(table: ConditionalTable, encoded: Encoded) -> Codes:
    columns = [encoded.columns[v] for v in table.family.parents]
    return table.rows(columns, encoded.rows).astype(np.uint32)
