"""Why attributes were not selected: what they tell about the class that others do not.

M. Drugan and L. van der Gaag (2004), section 2: an attribute A is redundant for the class C given
others, S, if ``P(C | A, S) = P(C | S)`` in the data; at level 0 given none, at level 1 given one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesgrove.scores.information import information_with_class, pairwise_information, ranks

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bayesgrove.counts import CountSource


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
    total, cost = counts.total, 0.5 * math.log(counts.total) * counts.n_classes
    alone = information_with_class(counts)
    tells = (total * alone).tolist()
    costs = [cost * (card - 1) for card in counts.attribute_cards]
    if not kept:
        return [Redundancy(names[v], tells[v], costs[v], None, None, None) for v in left]
    # I(A;C|B) = I(A;C) + I(A;B|C) - I(A;B), less than 1e-12 being nothing
    between = pairwise_information(counts) - pairwise_information(counts, given_class=False)
    given = alone[left, None] + between[np.ix_(left, kept)]
    given = np.where(ranks(given) > 0, given, 0.0)
    found = []
    for v, own in zip(left, given, strict=True):
        b = int(ranks(own).argmin())
        more = names[kept[b]], total * float(own[b]), costs[v] * counts.cards[kept[b]]
        found.append(Redundancy(names[v], tells[v], costs[v], *more))
    return found


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
