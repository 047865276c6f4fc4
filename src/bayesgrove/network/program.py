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

    That is right where the missing attribute has no children: its table sums to one.
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
    tables: Sequence[ConditionalTable], class_variable: int, n_classes: int
) -> Program:
    """Lay out some conditional tables."""
    starts, variables, strides, offsets, widths = [0], [], [], [], []
    values: list[Floats] = []
    lookups: list[ConditionalTable] = []
    size = 0
    for table in tables:
        cells, steps = _layout(table, class_variable)
        if table.by_number:
            variables.append(class_variable + len(lookups))
            strides.append(steps[0][1])
            lookups.append(table)
            steps = steps[1:]
        variables += [variable for variable, _ in steps]
        strides += [stride for _, stride in steps]
        starts.append(len(variables))
        offsets.append(size)
        widths.append(cells.shape[-1])
        values.append(cells.ravel())
        size += cells.size
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


def _layout(table: ConditionalTable, class_variable: int) -> tuple[Floats, list[tuple[int, int]]]:
    """Cells ``[configuration..., value, class]`` and (variable, stride) of what points at them.

    The first stride of a table by number is that of its configuration's number.
    """
    logs = table.logs
    steps: list[tuple[int, int]] = []
    if table.family.child == class_variable:
        cells, stride = logs[..., 0, None, :-1], 1
    else:
        cells = np.moveaxis(logs, -2, -1)
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
