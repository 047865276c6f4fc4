"""Subsumption resolution: values that another value of the row implies are left out.

F. Zheng, G. I. Webb, P. Suraweera and L. Zhu (2012). Subsumption resolution: an efficient and
effective technique for semi-naive Bayesian learning. Machine Learning 87, 93-125.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesgrove._utils.options import require_count, require_number
from bayesgrove._utils.ties import nearly
from bayesgrove.counts import Family

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource, FamilyTable
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats

BATCH_CELLS = 1 << 22
"""Tables of about this number of cells together are counted in one pass."""


class Implication(NamedTuple):
    """The values of one attribute that the values of another attribute imply.

    Parameters
    ----------
    attribute : int
        The attribute whose values are implied, and left out.
    given : int
        The attribute whose values imply them.
    codes : ndarray of shape (card of given,)
        The implied value for each value of ``given``; -1 if it implies none.
    """

    attribute: int
    given: int
    codes: NDArray[np.int64]


@dataclass(frozen=True)
class Subsumption:
    """Finds implied values: ``x_j`` implies ``x_i`` if ``F(x_i, x_j) = F(x_j) >= min_rows``.

    Of two values that imply each other, only the value of the later attribute is left out. With
    missing values that are not a state, ``x_i`` must be known in all training rows with ``x_j``.

    Parameters
    ----------
    min_rows : int, default=100
        The smallest number of training rows with the value that implies another one.
    """

    min_rows: int = 100

    def check(self) -> None:
        """Raise unless the option is valid."""
        require_count("subsumption_resolution", self.min_rows, optional=True, lowest=1)
        require_number("subsumption_resolution", self.min_rows)

    def learn(self, counts: CountSource) -> list[Implication]:
        """Return the implied values of all pairs of attributes that have some.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        list of Implication
            The implied values.
        """
        rows = [table.sum(axis=0) for table in counts.attribute_tables()]
        implications = []
        for table in _pair_tables(counts):
            first, second = table.family.parents[0], table.family.child
            cells = table.counts[:, 0, :]
            of_first = table.configurations.table[:, 0]
            later = np.full(len(rows[first]), -1)
            later[of_first] = self._implied(cells, rows[first][of_first])
            values = np.append(of_first, -1)
            earlier = values[self._implied(cells.T, rows[second])]
            # Of two values that imply each other, the value of the earlier attribute stays.
            place = np.arange(len(earlier))
            mutual = (earlier >= 0) & (later[earlier] == place)
            earlier = np.where(mutual, -1, earlier)
            implications += [Implication(second, first, later), Implication(first, second, earlier)]
        return [implication for implication in implications if (implication.codes >= 0).any()]

    def _implied(self, cells: Floats, rows: Floats) -> NDArray[np.int64]:
        """Return the implied column of each row of a table, -1 for none."""
        if not cells.size:
            return np.full(len(cells), -1)
        best = cells.argmax(axis=1)
        frequent = rows >= nearly(float(self.min_rows))
        return np.where(frequent & (cells.max(axis=1) >= nearly(rows)), best, -1)


def leave_out_implied(encoded: Encoded, implications: Sequence[Implication]) -> Encoded:
    """Return rows in which implied values are missing.

    Parameters
    ----------
    encoded : Encoded
        The rows.
    implications : sequence of Implication
        The implied values.

    Returns
    -------
    Encoded
        The rows. All implications are applied to the original values.
    """
    columns = list(encoded.columns)
    for attribute, given, codes in implications:
        # The code of a missing value is the number of values: it implies nothing.
        implied = np.append(codes, -1)[encoded.columns[given]]
        card = encoded.columns[attribute].dtype.type(encoded.cards[attribute])
        left_out = implied == encoded.columns[attribute]
        columns[attribute] = np.where(left_out, card, columns[attribute])
    return replace(encoded, columns=columns)


def _pair_tables(counts: CountSource) -> Iterator[FamilyTable]:
    """Yield ``F[x_i, x_j]`` of all attributes i < j, some in each pass over the rows."""
    families: list[Family] = []
    cells = 0
    for i, j in combinations(range(counts.n_attributes), 2):
        families.append(Family(j, (i,), given_class=False))
        cells += counts.cards[i] * counts.cards[j]
        if cells > BATCH_CELLS:
            yield from counts.tables(families)
            families, cells = [], 0
    if families:
        yield from counts.tables(families)
