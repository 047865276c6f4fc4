"""Sums of tables, and networks with exponents and corrections, in the format of model files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.model_files.codec import Codec
from bayesgrove.model_files.fields import ModelFileError
from bayesgrove.network.table_sum import TableLayout, TableSum
from bayesgrove.parameters.network_sum import NetworkSum

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from bayesgrove.estimators.base.network import NetworkClassifier
    from bayesgrove.kernels import Codes
    from bayesgrove.model_files.fields import Field

TABLES = ("tables", "entries", "unseen")
"""Members of a sum of tables."""
TYPES: tuple[Any, ...] = (
    np.int32,
    np.int32,
    np.int32,
    np.int64,
    np.int32,
    np.uint32,
    np.int32,
    np.uint32,
)
"""Types of the arrays of a layout."""


def _describe(model: NetworkClassifier) -> dict[str, Any]:
    """Return exponents, offset and tables."""
    if model._sum is None:
        raise ModelFileError(
            f"The fitted parts of this {type(model).__name__} do not agree: fit it again."
        )
    return {
        "table_sum": {
            "exponents": model._sum.exponents.tolist(),
            "correction_weight": model._sum.correction_weight,
            "offset": model._sum.offset.tolist(),
            **describe_tables(model._sum.tables),
        }
    }


def _names(_: NetworkClassifier) -> list[str]:
    return ["table_sum"]


def _restore(model: NetworkClassifier, members: dict[str, Field]) -> None:
    """Check the numbers of a sum, and put them into the model."""
    field = members["table_sum"]
    parts = field.members("exponents", "correction_weight", "offset", *TABLES)
    cards = [len(model.network_.states(node)) for node in model.network_.nodes]
    tables = restore_tables(parts, {}, cards[:-1], cards[-1])
    children = tables.layout.children.tolist()
    if len(set(children)) != len(children):
        raise parts["tables"].error("has two tables of one column")
    model._keep_sum(
        NetworkSum(
            parts["exponents"].floats(len(children)),
            parts["correction_weight"].probability(),
            parts["offset"].floats(cards[-1]),
            tables,
        )
    )


def describe_tables(tables: TableSum) -> dict[str, Any]:
    """Return the tables of a sum as JSON values, without the bins of columns."""
    values = (
        {name: values.tolist() for name, values in tables.layout._asdict().items()},
        tables.entries.ravel().tolist(),
        tables.unseen.ravel().tolist(),
    )
    return dict(zip(TABLES, values, strict=True))


def restore_tables(
    members: Mapping[str, Field], maps: dict[int, Codes], cards: list[int], classes: int
) -> TableSum:
    """Return the sum of the tables in a file; raise unless they fit binned columns."""
    layout = _layout(members["tables"], cards)
    cells, configs = int(layout.cells.sum()), int(layout.configs.sum())
    entries = _entries(members["entries"], cells, classes)
    return TableSum(maps, cards, layout, entries, _entries(members["unseen"], configs, classes))


def _entries(field: Field, rows: int, classes: int) -> NDArray[np.float32]:
    """Return finite entries of cells or configurations."""
    values = field.floats(rows * classes).reshape(rows, classes)
    if np.abs(values).max(initial=0.0) > np.finfo(np.float32).max:
        raise field.error("holds a number that is too large")
    return values.astype(np.float32)


def _layout(field: Field, cards: list[int]) -> TableLayout:
    """Return the tables and cells; every number must be a place that exists."""
    members = field.members(*TableLayout._fields)
    arrays = [members[name].integers() for name in TableLayout._fields]
    for name, values, kind in zip(TableLayout._fields, arrays, TYPES, strict=True):
        if len(values) and (values.min() < 0 or values.max() > np.iinfo(kind).max):
            raise members[name].error("holds a number that is out of range")
    layout = TableLayout(
        *(np.array(values, dtype=kind) for values, kind in zip(arrays, TYPES, strict=True))
    )
    starts = layout.parent_starts
    slots = len(layout.children) + len(layout.parents)
    if (
        len(starts) != len(layout.children) + 1
        or starts[0] != 0
        or (np.diff(starts) < 0).any()
        or starts[-1] != len(layout.parents)
        or len(layout.sizes) != 2 * slots
    ):
        raise field.error("has tables whose parents do not fit")
    if any((columns >= len(cards)).any() for columns in (layout.children, layout.parents)):
        raise field.error("refers to columns that do not exist")
    _check_cells(field, layout, cards)
    return layout


def _check_cells(field: Field, layout: TableLayout, cards: list[int]) -> None:
    """Raise unless the configurations and cells of every slot have valid places and codes."""
    at = [0, 0, 0, 0]  # of config_starts, config_codes, cell_starts, cell_codes
    levels, tables = layout.slot_levels.tolist(), layout.slot_tables.tolist()
    before = 1
    for slot, (level, table) in enumerate(zip(levels, tables, strict=True)):
        configs, cells = int(layout.configs[slot]), int(layout.cells[slot])
        before = 1 if level == 0 else before
        if level == 0 and configs != 1:
            raise field.error(f"has {configs} configurations without parents")
        if level > 0:
            parent = layout.parents_of(table)[level - 1]
            _check_split(
                field,
                layout.config_starts[at[0] : at[0] + before + 1],
                layout.config_codes[at[1] : at[1] + configs],
                (before, configs, cards[parent]),
            )
            at[0] += before + 1
            at[1] += configs
        _check_split(
            field,
            layout.cell_starts[at[2] : at[2] + configs + 1],
            layout.cell_codes[at[3] : at[3] + cells],
            (configs, cells, cards[layout.children[table]]),
        )
        at[2] += configs + 1
        at[3] += cells
        before = configs
    ends = [len(values) for values in layout[4:]]
    if at != ends:
        raise field.error("has more or fewer cells than its sizes say")


def _check_split(
    field: Field,
    starts: NDArray[np.int32],
    codes: NDArray[np.uint32],
    sizes: tuple[int, int, int],
) -> None:
    """Raise unless groups are split into groups with ascending codes."""
    groups, count, card = sizes
    if (
        len(starts) != groups + 1
        or len(codes) != count
        or starts[0] != 0
        or starts[-1] != count
        or (np.diff(starts) < 0).any()
        or (codes >= card).any()
    ):
        raise field.error("has cells that do not fit their table")
    firsts = np.zeros(count, dtype=bool)
    firsts[starts[:-1][np.diff(starts) > 0]] = True
    if (np.diff(codes.astype(np.int64), prepend=-1) <= 0)[~firsts].any():
        raise field.error("has codes that do not ascend")


TABLE_SUM = Codec(_describe, _names, _restore)
