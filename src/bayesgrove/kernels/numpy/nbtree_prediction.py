"""What trees with naive Bayes at the leaves say of rows, in numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesgrove.kernels.numpy.trees import leaves_of_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.kernels.numpy.trees import Numbers, Places


class NaiveModel(NamedTuple):
    """Logarithms of P(class), and of P(value | class) a column; cuts where it is numeric."""

    log_prior: Floats
    log_tables: list[Floats]
    cuts: list[Floats | None]

    def logs(self, columns: Sequence[Codes | Floats], rows: Places) -> Floats:
        """``ln P(class | row)``; missing values are left out."""
        joint = np.tile(self.log_prior, (len(rows), 1))
        for column, table, cuts in zip(columns, self.log_tables, self.cuts, strict=True):
            values = column[rows]
            known = values < len(table) if cuts is None else ~np.isnan(values)
            codes = values[known] if cuts is None else np.searchsorted(cuts, values[known])
            joint[known] += table[codes]
        top = joint.max(axis=1, keepdims=True)
        logs: Floats = joint - (top + np.log(np.exp(joint - top).sum(axis=1, keepdims=True)))
        return logs


def naive_models(
    priors: Floats, values: Numbers, cuts: Floats, tables: Floats, cards: Sequence[int]
) -> list[NaiveModel]:
    """The models that are laid out in arrays, as `grow_nbtree` tells."""
    classes = priors.shape[1]
    models, cut, cell = [], 0, 0
    for prior, numbers in zip(priors, values.tolist(), strict=True):
        model = NaiveModel(prior, [], [])
        for count, card in zip(numbers, cards, strict=True):
            model.log_tables.append(tables[cell : cell + count * classes].reshape(count, classes))
            model.cuts.append(None if card else cuts[cut : cut + count - 1])
            cell += count * classes
            cut += 0 if card else count - 1
        models.append(model)
    return models


def nbtree_logs(
    attribute: Numbers,
    threshold: Floats,
    first: Numbers,
    count: Numbers,
    node_weights: Floats,
    model: Numbers,
    priors: Floats,
    values: Numbers,
    cuts: Floats,
    tables: Floats,
    columns: Sequence[Codes | Floats],
    cards: Sequence[int],
    rows: int,
    threads: int,
) -> Floats:
    """``ln P(class | row)``, shape (rows, classes), by the naive Bayes of the leaves of a row."""
    models = naive_models(priors, values, cuts, tables, cards)
    out = np.full((rows, priors.shape[1]), -np.inf)
    tree = attribute, threshold, first, count, node_weights
    for where, nodes, parts in leaves_of_rows(tree, columns, cards, rows):
        for m in np.unique(model[nodes]).tolist():
            here = model[nodes] == m
            logs = models[m].logs(columns, where[here])
            np.logaddexp.at(out, where[here], logs + np.log(parts[here])[:, None])
    return out
