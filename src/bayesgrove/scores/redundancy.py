"""Why attributes were not selected: what they tell about the class that others do not.

M. Drugan and L. van der Gaag (2004), section 2: an attribute A is redundant for the class C given
others, S, if ``P(C | A, S) = P(C | S)`` in the data; at level 0 given none, at level 1 given one.
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
    """What an attribute that was not selected tells about the class, in nats over all rows.

    Parameters
    ----------
    attribute : its name
    tells, costs : ``N I(A;C)``, and the description length ``ln(N)/2 (r - 1) |c|`` of its table
        given the class
    neighbour : the selected attribute B given which it tells least; None where none was selected
    tells_more, costs_more : ``N I(A;C|B)``, and the description length ``ln(N)/2 (r - 1) r_B |c|``
        of its table given B and the class

    No data are without noise, so an attribute counts as redundant where it tells no more than its
    table costs: that is where the description length is less without it.
    """

    attribute: str
    tells: float
    costs: float
    neighbour: str | None
    tells_more: float | None
    costs_more: float | None

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels, of 0 and 1, at which it is redundant."""
        found = (0,) if self.tells <= self.costs else ()
        if self.tells_more is None or self.costs_more is None:
            return found
        return (*found, 1) if self.tells_more <= self.costs_more else found


def redundancies(counts: CountSource, selected: Collection[str]) -> list[Redundancy]:
    """Of every attribute that is not selected, in the order of the columns."""
    names = counts.names[:-1]
    kept = [v for v, name in enumerate(names) if name in selected]
    left = [v for v, name in enumerate(names) if name not in selected]
    if not left:
        return []
    cost = parameter_length(counts) * counts.n_classes
    given = _information(counts, left, kept)
    found = []
    for v, own in zip(left, given, strict=True):
        costs = cost * (counts.cards[v] - 1)
        more: tuple[str | None, float | None, float | None] = (None, None, None)
        if kept:
            b = int(own[1:].argmin())
            more = names[kept[b]], counts.total * float(own[1 + b]), costs * counts.cards[kept[b]]
        found.append(Redundancy(names[v], counts.total * float(own[0]), costs, *more))
    return found


def _information(counts: CountSource, left: list[int], kept: list[int]) -> Floats:
    """``I(A;C)`` of some attributes, and ``I(A;C|B)`` given each of others; 1e-12 is nothing.

    Where no value is missing, ``I(A;C|B) = I(A;C) + I(A;B|C) - I(A;B)``: all are of the same rows.
    Otherwise each is of the rows in which A, or A and B, are known.
    """
    if counts.has_no_missing.all():
        found = information_with_class(counts)[left, None]
        if kept:
            plain = pairwise_information(counts, given_class=False)
            between = (pairwise_information(counts) - plain)[np.ix_(left, kept)]
            found = np.hstack([found, found + between])
    else:
        sets = [[], *([b] for b in kept)]
        found = np.array([conditional_entropies(counts, own, left)[0] for own in sets]).T
    return np.maximum(np.round(found, TIE_DIGITS), 0.0)


def redundancy_text(found: Sequence[Redundancy]) -> str:
    """Why attributes were left out, as lines of a table.

    >>> print(redundancy_text([Redundancy("age", 1.5, 4.0, "born", 0.25, 8.0)]))
    attribute     tells    costs  neighbour  tells more  costs more  redundant at level
    age             1.5        4  born             0.25           8  0, 1
    """
    attributes = max([len("attribute"), *(len(own.attribute) for own in found)])
    neighbours = max([len("neighbour"), *(len(own.neighbour or "-") for own in found)])
    lines = [
        f"{'attribute':{attributes}}  {'tells':>7}  {'costs':>7}  {'neighbour':{neighbours}}"
        f"  tells more  costs more  redundant at level"
    ]
    for own in found:
        more = [f"{x:>10.4g}" if x is not None else f"{'-':>10}" for x in own[4:]]
        levels = ", ".join(map(str, own.levels)) or "-"
        lines.append(
            f"{own.attribute:{attributes}}  {own.tells:>7.4g}  {own.costs:>7.4g}  "
            f"{own.neighbour or '-':{neighbours}}  {more[0]}  {more[1]}  {levels}"
        )
    return "\n".join(lines)
