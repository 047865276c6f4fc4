"""Redundancy of attributes at any level, by the definition and by description length.

M. Drugan and L. van der Gaag (2004), section 2: an attribute A is redundant for the class C given a
set S of other attributes if ``N(a,s,c) / N(a,s) = N(s,c) / N(s)`` for all values with
``N(a,s) > 0``. This is ``I(A;C|S) = 0``. If S has m members, A is redundant at level m.

Section 4: a classifier with A, whose parents are S and the class, is preferred by MDL-FS if
``H(A|C,S) - H(A|S) < -ln(N)/(2N) (r - 1) |c| |s|``. Otherwise A is redundant by description length.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesgrove._utils.options import OptionError, require_choice, require_count
from bayesgrove._utils.ties import TIE_DIGITS
from bayesgrove.scores.information import conditional_entropies
from bayesgrove.scores.mdl import parameter_length
from bayesgrove.search import subset_count

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats

BY = ("definition", "mdl")
MOST_TABLES = 1_000_000
"""Largest number of tables (a set S and an attribute A) that are counted."""


class Witness(NamedTuple):
    """The set of one size given which an attribute is most redundant. Amounts are in nats.

    Parameters
    ----------
    given : tuple of str
        Names of the attributes S, in the order of the columns.
    information : float
        Information about the class given S, ``N I(A;C|S)``, a sum over the N training rows.
    cost : float
        Description length ``ln(N)/2 (r - 1) |c| |s|`` of the table of A given S and the class. Here
        r, |c| and |s| are the numbers of values of A, of classes, and of joint values of S.
    is_redundant : bool
        Whether the attribute is redundant given S.
    """

    given: tuple[str, ...]
    information: float
    cost: float
    is_redundant: bool


class RedundancyLevels(NamedTuple):
    """The levels at which an attribute is redundant for the class.

    Parameters
    ----------
    attribute : str
        Name of the attribute A.
    witnesses : tuple of Witness
        The best set S of 0, 1, 2, ... attributes.

    References
    ----------
    M. Drugan and L. van der Gaag (2004). A new MDL-based function for feature selection for
    Bayesian network classifiers. ECAI-2004, 999-1000.

    Examples
    --------
    >>> from bayesgrove.selection import RedundancyLevels, Witness
    >>> alone = Witness((), 9.0, 4.0, is_redundant=False)
    >>> entry = RedundancyLevels("age", (alone, Witness(("born",), 0.0, 8.0, is_redundant=True)))
    >>> entry.lowest, entry.witnesses[entry.lowest].given
    (1, ('born',))
    """

    attribute: str
    witnesses: tuple[Witness, ...]

    @property
    def levels(self) -> tuple[int, ...]:
        """Levels at which the attribute is redundant. A level does not imply the next one."""
        return tuple(m for m, witness in enumerate(self.witnesses) if witness.is_redundant)

    @property
    def lowest(self) -> int | None:
        """Lowest level at which the attribute is redundant, or None."""
        return min(self.levels, default=None)


def redundancy_levels(
    counts: CountSource,
    max_level: int,
    by: str = "definition",
    selected: Collection[str] | None = None,
) -> list[RedundancyLevels]:
    """Return the levels, up to a largest one, at which attributes are redundant for the class.

    All sets S of at most ``max_level`` attributes are tried. Of sets that are equally good, the
    first one in the order of the columns is the witness. A row with a missing value in A or S does
    not count for ``I(A;C|S)``.

    Parameters
    ----------
    counts : CountSource
        Counts of the rows.
    max_level : int
        Largest size of S.
    by : {"definition", "mdl"}, default="definition"
        When A is redundant given S. "definition": its information about the class given S is 0,
        which means below 5e-13 nats per row. The witness has the least information. "mdl": the
        information is at most the description length of the table of A given S and the class, so
        that MDL-FS prefers the classifier without A. The witness has the largest difference.
    selected : collection of str or None, default=None
        Names of the attributes that S may have. The result is then about all other attributes.
        None means that S may have all attributes but A, and that the result is about all of them.

    Returns
    -------
    list of RedundancyLevels
        One entry per attribute, in the order of the columns.

    Raises
    ------
    OptionError
        If an option is wrong, or if more than a million tables would be counted.

    References
    ----------
    M. Drugan and L. van der Gaag (2004). A new MDL-based function for feature selection for
    Bayesian network classifiers. ECAI-2004, 999-1000.
    """
    names = counts.names[:-1]
    pool = [v for v, name in enumerate(names) if selected is None or name in selected]
    attributes = [v for v, name in enumerate(names) if selected is None or name not in selected]
    require_choice("by", by, BY)
    _check_level(max_level, len(pool) - (selected is None), len(pool), len(attributes))
    by_level = [_witnesses(counts, attributes, pool, m, by) for m in range(max_level + 1)]
    return [RedundancyLevels(names[v], tuple(best[v] for best in by_level)) for v in attributes]


def _check_level(max_level: int, others: int, pool: int, attributes: int) -> None:
    """Raise unless sets of this size exist, and their tables are not too many."""
    require_count("max_level", max_level)
    if max_level > max(others, 0):
        raise OptionError(
            f"max_level={max_level} must be at most {max(others, 0)}, the number of other "
            "attributes that the set S can have."
        )
    tables = attributes * subset_count(pool, max_level)
    if tables > MOST_TABLES:
        raise OptionError(
            f"max_level={max_level} needs {tables:,} tables, for every set of at most {max_level} "
            f"of {pool} attributes and every attribute; at most {MOST_TABLES:,} are counted. Use a "
            "smaller max_level or fewer attributes."
        )


def _witnesses(
    counts: CountSource, attributes: Sequence[int], pool: Sequence[int], level: int, by: str
) -> dict[int, Witness]:
    """Return the best set of ``level`` members of the pool for each attribute."""
    best: dict[int, Witness] = {}
    for given in itertools.combinations(pool, level):
        others = [v for v in attributes if v not in given]
        names = tuple(counts.names[v] for v in given)
        values = zip(*_amounts(counts, given, others), strict=True)
        for v, (information, cost) in zip(others, values, strict=True):
            bound = cost if by == "mdl" else 0.0
            witness = Witness(names, float(information), float(cost), bool(information <= bound))
            if v not in best or _rank(witness, by) < _rank(best[v], by):
                best[v] = witness
    return best


def _rank(witness: Witness, by: str) -> tuple[bool, float]:
    """Return what is smaller for a better set. Excesses that differ by rounding errors are ties."""
    excess = witness.information - (witness.cost if by == "mdl" else 0.0)
    return not witness.is_redundant, round(excess, 6)


def _amounts(
    counts: CountSource, given: Sequence[int], attributes: Sequence[int]
) -> tuple[Floats, Floats]:
    """Return ``N I(A;C|S)``, and the description length of the table of A given S and C."""
    information = conditional_entropies(counts, given, attributes)[0]
    cells = counts.n_classes * math.prod(float(counts.cards[v]) for v in given)
    parameters = np.array([counts.cards[v] - 1.0 for v in attributes]) * cells
    return counts.total * np.round(information, TIE_DIGITS), parameter_length(counts) * parameters
