"""Why attributes were not selected: their information about the class that others lack.

M. Drugan and L. van der Gaag (2004), section 2: an attribute A is redundant for the class C given
other attributes S if ``P(C | A, S) = P(C | S)`` in the data. At level 0, S is empty; at level 1, S
is one attribute.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesgrove._utils.ties import TIE_DIGITS
from bayesgrove.scores.information import (
    conditional_entropies,
    information_with_class,
    pairwise_information,
)
from bayesgrove.scores.mdl import parameter_length

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats


class Redundancy(NamedTuple):
    """Information that an unselected attribute has about the class, in nats.

    All numbers are sums over the N training rows. Data always have noise. Therefore an attribute
    counts as redundant if its information is at most the description length of its table: the total
    description length is then not longer without the attribute. It is redundant at level 0 if this
    holds for the attribute alone, and at level 1 if it holds given its neighbour.

    Parameters
    ----------
    attribute : str
        Name of the attribute A.
    information : float
        Information about the class, ``N I(A;C)``.
    cost : float
        Description length ``ln(N)/2 (r - 1) |c|`` of the table of A given the class. Here r is the
        cardinality of A, and |c| is the number of classes.
    neighbour : str or None
        Name of the selected attribute B given which A has the least information about the class.
        None means that no attribute was selected.
    information_given_neighbour : float or None
        Information about the class given B, ``N I(A;C|B)``. None without B.
    cost_given_neighbour : float or None
        Description length ``ln(N)/2 (r - 1) r_B |c|`` of the table of A given B and the class. Here
        r_B is the cardinality of B. None without B.

    References
    ----------
    M. Drugan and L. van der Gaag (2004). A new MDL-based function for feature selection for
    Bayesian network classifiers. ECAI-2004, 999-1000.
    """

    attribute: str
    information: float
    cost: float
    neighbour: str | None
    information_given_neighbour: float | None
    cost_given_neighbour: float | None

    @property
    def levels(self) -> tuple[int, ...]:
        """Levels, among 0 and 1, at which the attribute is redundant."""
        levels = (0,) if self.information <= self.cost else ()
        if self.information_given_neighbour is None or self.cost_given_neighbour is None:
            return levels
        return (
            (*levels, 1)
            if self.information_given_neighbour <= self.cost_given_neighbour
            else levels
        )


def redundancies(counts: CountSource, selected: Collection[str]) -> list[Redundancy]:
    """Return the information that every unselected attribute has about the class.

    Parameters
    ----------
    counts : CountSource
        Counts of the training rows.
    selected : collection of str
        Names of the selected attributes.

    Returns
    -------
    list of Redundancy
        One entry per attribute that is not selected, in the order of the columns.
    """
    names = counts.names[:-1]
    chosen = [v for v, name in enumerate(names) if name in selected]
    rejected = [v for v, name in enumerate(names) if name not in selected]
    if not rejected:
        return []
    cost = parameter_length(counts) * counts.n_classes
    by_attribute = _information(counts, rejected, chosen)
    entries = []
    for v, information in zip(rejected, by_attribute, strict=True):
        costs = cost * (counts.cards[v] - 1)
        with_neighbour: tuple[str | None, float | None, float | None] = (None, None, None)
        if chosen:
            b = int(information[1:].argmin())
            with_neighbour = (
                names[chosen[b]],
                counts.total * float(information[1 + b]),
                costs * counts.cards[chosen[b]],
            )
        entries.append(
            Redundancy(names[v], counts.total * float(information[0]), costs, *with_neighbour)
        )
    return entries


def _information(counts: CountSource, rejected: list[int], chosen: list[int]) -> Floats:
    """Return ``I(A;C)`` of rejected attributes A, and ``I(A;C|B)`` given each chosen attribute B.

    Values are rounded to 12 digits, so that rounding errors become 0. Without missing values, all
    quantities are over the same rows, and ``I(A;C|B) = I(A;C) + I(A;B|C) - I(A;B)``. Otherwise each
    one is over the rows in which A, or A and B, are known.
    """
    if counts.has_no_missing.all():
        information = information_with_class(counts)[rejected, None]
        if chosen:
            plain = pairwise_information(counts, given_class=False)
            between = (pairwise_information(counts) - plain)[np.ix_(rejected, chosen)]
            information = np.hstack([information, information + between])
    else:
        sets = [[], *([b] for b in chosen)]
        information = np.array(
            [conditional_entropies(counts, given, rejected)[0] for given in sets]
        ).T
    return np.maximum(np.round(information, TIE_DIGITS), 0.0)


def redundancy_text(entries: Sequence[Redundancy]) -> str:
    """Return a table of the attributes that were not selected, with their information, as text.

    Parameters
    ----------
    entries : sequence of Redundancy
        One entry per attribute that was not selected.

    Returns
    -------
    str
        A line of headings, then one line per attribute: its information about the class, the
        description length of its table, its neighbour, both numbers given the neighbour, and the
        levels at which the attribute is redundant (0: alone, 1: given the neighbour).

    Examples
    --------
    >>> from bayesgrove.selection import Redundancy, redundancy_text
    >>> print(redundancy_text([Redundancy("age", 1.5, 4.0, "born", 0.25, 8.0)]))
    attribute  information     cost  neighbour  information given it  cost given it  redundant at level
    age                1.5        4  born                       0.25              8  0, 1
    """  # noqa: E501
    width = max([len("attribute"), *(len(entry.attribute) for entry in entries)])
    neighbour_width = max([len("neighbour"), *(len(entry.neighbour or "-") for entry in entries)])
    lines = [
        f"{'attribute':{width}}  information  {'cost':>7}  {'neighbour':{neighbour_width}}"
        f"  information given it  cost given it  redundant at level"
    ]
    for entry in entries:
        numbers = ["-" if x is None else f"{x:.4g}" for x in entry[4:]]
        levels = ", ".join(map(str, entry.levels)) or "-"
        lines.append(
            f"{entry.attribute:{width}}  {entry.information:>11.4g}  {entry.cost:>7.4g}  "
            f"{entry.neighbour or '-':{neighbour_width}}  "
            f"{numbers[0]:>20}  {numbers[1]:>13}  {levels}"
        )
    return "\n".join(lines)
