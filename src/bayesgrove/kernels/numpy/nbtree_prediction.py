"""Predictions of trees with naive Bayes at the leaves, in numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesgrove.kernels.numpy.trees import leaves_of_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.kernels.numpy.trees import Numbers, Places


class NaiveModel(NamedTuple):
    """The naive Bayes model of a leaf.

    Parameters
    ----------
    log_prior : ndarray of shape (n_classes,)
        Logarithms of P(class).
    log_tables : list of ndarray of shape (n_values, n_classes)
        Logarithms of P(value | class), one table per column.
    cuts : list of ndarray or None
        Cut points of each numeric column, None for a column of codes.
    """

    log_prior: Floats
    log_tables: list[Floats]
    cuts: list[Floats | None]

    def logs(self, columns: Sequence[Codes | Floats], rows: Places) -> Floats:
        """Return ``ln P(class | row)`` of some rows; missing values are left out.

        Parameters
        ----------
        columns : sequence of ndarray of shape (n_rows,)
            Codes or numbers of each column.
        rows : ndarray
            Numbers of the rows to predict.

        Returns
        -------
        ndarray of shape (len(rows), n_classes)
            Normalised log class probabilities.
        """
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
    """Return the models that `grow_nbtree` returned as arrays.

    Parameters
    ----------
    priors : ndarray of shape (n_models, n_classes)
        Logarithms of the class probabilities of each model.
    values : ndarray of shape (n_models, n_columns)
        Number of values or intervals of each column in each model.
    cuts : ndarray
        Cut points of the numeric columns, model after model and column after column.
    tables : ndarray
        Logarithms of P(value | class), model after model, column after column, value after value.
    cards : sequence of int
        Cardinality of each column of codes, 0 for a column of numbers.

    Returns
    -------
    list of NaiveModel
        One model per row of `priors`.
    """
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
    """Return ``ln P(class | row)`` by the naive Bayes models of the leaves that each row reaches.

    A row with a missing value in a test goes down all branches, in proportion to their weights. The
    probabilities of its leaves are averaged with these proportions.

    Parameters
    ----------
    attribute : ndarray of shape (n_nodes,)
        Number of the column that each node tests, -1 at a leaf.
    threshold : ndarray of shape (n_nodes,)
        Threshold of each numeric test: values up to the threshold go to the first branch.
    first : ndarray of shape (n_nodes,)
        Number of the first child of each node.
    count : ndarray of shape (n_nodes,)
        Number of children of each node, 0 at a leaf.
    node_weights : ndarray of shape (n_nodes, n_classes)
        Weight of the training rows of each class in each node.
    model : ndarray of shape (n_nodes,)
        Number of the model that predicts at each node, or -1.
    priors : ndarray of shape (n_models, n_classes)
        Logarithms of the class probabilities of each model.
    values : ndarray of shape (n_models, n_columns)
        Number of values or intervals of each column in each model.
    cuts : ndarray
        Cut points of the numeric columns, model after model and column after column.
    tables : ndarray
        Logarithms of P(value | class), model after model, column after column, value after value.
    columns : sequence of ndarray of shape (n_rows,)
        Codes (the code ``cards[j]`` is missing) or float64 numbers (NaN is missing).
    cards : sequence of int
        Cardinality of each column of codes, 0 for a column of numbers.
    rows : int
        Number of rows.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    ndarray of shape (rows, n_classes)
        Log class probabilities of each row.
    """
    models = naive_models(priors, values, cuts, tables, cards)
    out = np.full((rows, priors.shape[1]), -np.inf)
    tree = attribute, threshold, first, count, node_weights
    for row_numbers, nodes, parts in leaves_of_rows(tree, columns, cards, rows):
        for m in np.unique(model[nodes]).tolist():
            of_model = model[nodes] == m
            logs = models[m].logs(columns, row_numbers[of_model])
            weighted = logs + np.log(parts[of_model])[:, None]
            np.logaddexp.at(out, row_numbers[of_model], weighted)
    return out
