"""One table of a sum of tables, or one rule table, with its labels."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bayesgrove.network.table_sum import TableSum
    from bayesgrove.trees import RuleSum


def labelled_table(
    tables: TableSum,
    table: int,
    names: Sequence[str],
    labels_of: Callable[[int], Sequence[Any]],
    classes: NDArray[Any],
) -> pd.DataFrame:
    """Return the last level of one table of a sum, with labels.

    Parameters
    ----------
    tables : TableSum
        The sum.
    table : int
        Number of the table.
    names : sequence of str
        Names of the columns.
    labels_of : callable
        Takes the number of a column, and returns the labels of its codes.
    classes : ndarray of shape (n_classes,)
        Labels of the classes.

    Returns
    -------
    DataFrame
        One row per cell, indexed by the labels of the parents and the child, and one column per
        class.
    """
    layout = tables.layout
    slot = int(np.cumsum(layout.depths + 1)[table]) - 1
    columns = [*layout.parents_of(table), int(layout.children[table])]
    codes = layout.cell_values(slot)
    labels = {
        names[v]: [labels_of(v)[code] for code in codes[:, at]] for at, v in enumerate(columns)
    }
    # Objects: pandas would fail on labels that hold half of a character.
    levels = [pd.Index(values, dtype=object) for values in labels.values()]
    index = pd.MultiIndex.from_arrays(levels, names=list(labels))
    part = slice(layout.slot_starts[slot], layout.slot_starts[slot + 1])
    of_classes = pd.Index(classes.tolist(), dtype=object)
    return pd.DataFrame(tables.entries[part], index=index, columns=of_classes)


def labelled_rule_table(
    rules: RuleSum, table: int, questions: Sequence[str], classes: NDArray[Any]
) -> pd.DataFrame:
    """Return one rule table with labels.

    Parameters
    ----------
    rules : RuleSum
        The rule tables.
    table : int
        Number of the table.
    questions : sequence of str
        The questions as texts.
    classes : ndarray of shape (n_classes,)
        Labels of the classes.

    Returns
    -------
    DataFrame
        One row per combination of answers, indexed by "no" and "yes", and one column per class.
        Combinations that no training row has are left out.
    """
    entries = rules.cells_of(table)
    kept = entries.any(axis=1)
    answers = np.array(list(itertools.product(("no", "yes"), repeat=len(questions))), dtype=object)
    index = pd.MultiIndex.from_arrays(list(answers[kept].T), names=list(questions))
    of_classes = pd.Index(classes.tolist(), dtype=object)
    return pd.DataFrame(entries[kept], index=index, columns=of_classes)
