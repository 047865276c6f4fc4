"""Expected tables of rows with missing values.

The weight of a row is spread over the posterior of its missing attributes.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove.kernels.numpy.elimination import sum_product
from bayesgrove.kernels.numpy.ordering import elimination_order, numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.kernels.numpy.ordering import Numbers


def expected_tables(
    cards: Numbers,
    starts: Numbers,
    scopes: Numbers,
    offsets: NDArray[np.int64],
    values: Floats,
    columns: Sequence[Codes],
    weights: Floats | None,
    family_starts: Numbers,
    family_scopes: Numbers,
    limit: float,
    threads: int,
) -> tuple[Floats, float, float, int]:
    """Return the expected tables of some families, over the rows in which a member is missing.

    Table ``v`` of the network is the table of variable ``v`` given its parents. The last variable
    is the class, which is known in every row. The missing attributes of a row fall into components
    that share no table. Components are independent given the row.

    Parameters
    ----------
    cards : ndarray of shape (n_variables,)
        Cardinality of each variable.
    starts : ndarray of shape (n_variables + 1,)
        Table ``v`` has the variables ``scopes[starts[v]:starts[v + 1]]``.
    scopes : ndarray
        Variables of all tables, one table after another. The last variable of a table varies
        fastest.
    offsets : ndarray of shape (n_variables,)
        The cells of table ``v`` begin at ``values[offsets[v]]``.
    values : ndarray
        Cells of all tables, as probabilities and not as logarithms.
    columns : sequence of ndarray of shape (n_rows,)
        Codes of each variable. The code ``cards[j]`` stands for a missing value in column ``j``.
    weights : ndarray of shape (n_rows,) or None
        Row weights. None means that every row has weight 1.
    family_starts : ndarray of shape (n_families + 1,)
        Family ``f`` has the variables ``family_scopes[family_starts[f]:family_starts[f + 1]]``.
    family_scopes : ndarray
        Variables of all families, one family after another.
    limit : float
        Largest number of cells that the elimination of a component may need. If one needs more, the
        tables and the sum are incomplete and must not be used.
    threads : int
        Number of threads of the native kernel. It never changes the result and is ignored here.

    Returns
    -------
    tables : ndarray
        Cells of all tables, one family after another. The last variable of a family varies fastest.
    log_total : float
        Weighted sum over the rows of the logarithm of the product of all tables with a missing
        variable, summed over the missing attributes.
    largest : float
        Largest number of cells that an elimination needs.
    largest_row : int
        Row of this elimination.
    """
    families = _split(family_starts, family_scopes)
    tables = [np.zeros([cards[v] for v in family]) for family in families]
    rows = _Rows((cards, starts, scopes, offsets, values), limit)
    codes = np.array(columns, dtype=np.int64).reshape(len(cards), -1)
    log_total = 0.0
    for row in np.flatnonzero((codes >= cards[:, None]).any(axis=0)).tolist():
        evidence = np.where(codes[:, row] < cards, codes[:, row], -1).astype(np.int32)
        weight = 1.0 if weights is None else float(weights[row])
        components = rows.components(evidence)
        for members in components:
            log_total += weight * rows.posterior(members, (), evidence, row)[1]
        for family, table in zip(families, tables, strict=True):
            if (evidence[family] < 0).any():
                known = tuple(slice(None) if evidence[v] < 0 else evidence[v] for v in family)
                table[known] += weight * rows.spread(family, components, evidence, row)
    flat = np.concatenate([np.empty(0), *(table.ravel() for table in tables)])
    return flat, log_total, rows.largest, rows.largest_row


def _split(starts: Numbers, scopes: Numbers) -> list[list[int]]:
    """Return the variables of each table."""
    return [part.tolist() for part in np.split(scopes, starts[1:-1])] if len(starts) > 1 else []


class _Rows:
    """Posteriors of the missing attributes of rows; equal work is done once."""

    def __init__(
        self, network: tuple[Numbers, Numbers, Numbers, NDArray[np.int64], Floats], limit: float
    ) -> None:
        self.network = network
        self.limit = limit
        self.largest, self.largest_row = 0.0, 0
        self._scopes = _split(network[1], network[2])
        self._posteriors: dict[tuple[int, ...], tuple[Floats, float]] = {}

    def components(self, evidence: Numbers) -> list[list[int]]:
        """Return the missing attributes, grouped by the tables that they share."""
        groups: list[set[int]] = []
        for scope in self._scopes:
            members = {v for v in scope if evidence[v] < 0}
            joined = [group for group in groups if group & members]
            groups = [group for group in groups if not group & members]
            if members:
                groups.append(members.union(*joined))
        return sorted(sorted(group) for group in groups)

    def spread(
        self, family: list[int], components: list[list[int]], evidence: Numbers, row: int
    ) -> Floats:
        """Return the probabilities of the missing members of a family, one axis per member."""
        hidden = [v for v in family if evidence[v] < 0]
        product = np.ones(())
        order: list[int] = []
        for members in components:
            part = [v for v in members if v in hidden]
            if part:
                p, _ = self.posterior(members, tuple(part), evidence, row)
                product = np.multiply.outer(product, p)
                order += part
        return product.transpose([order.index(v) for v in hidden])

    def posterior(
        self, members: list[int], keep: tuple[int, ...], evidence: Numbers, row: int
    ) -> tuple[Floats, float]:
        """Return the probabilities of some members of a component, and the log of its sum."""
        which = [f for f, scope in enumerate(self._scopes) if set(scope) & set(members)]
        near = sorted({v for f in which for v in self._scopes[f]})
        key = (-1, *keep, -1, *members, -1, *evidence[near].tolist())
        if key not in self._posteriors:
            self._posteriors[key] = self._eliminated(numbers(which), numbers(keep), evidence, row)
        return self._posteriors[key]

    def _eliminated(
        self, which: Numbers, keep: Numbers, evidence: Numbers, row: int
    ) -> tuple[Floats, float]:
        """Return the posterior of one component, by an elimination of all other members."""
        cards, starts, scopes, *_ = self.network
        order, cells = elimination_order(cards, starts, scopes, which, evidence, keep)
        shape = cards[keep].tolist()
        needed = float((cells / cards[order]).sum()) + float(np.prod(shape))
        if needed > self.largest:
            self.largest, self.largest_row = needed, row
        if needed > self.limit:
            return np.zeros(shape), 0.0
        logs = sum_product(*self.network, which, evidence, order, keep)
        total = float(reduce(np.logaddexp, logs))
        zero = np.isneginf(total)
        return (np.zeros(shape) if zero else np.exp(logs - total).reshape(shape)), total
