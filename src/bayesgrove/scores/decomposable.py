"""Scores of structures that are sums over the families: a child and its parents.

Every score has one form, ``constant + sum_u outer(N_u) + sum_u,x inner(N_ux)``, with u a joint
value of the parents and x a value of the child, and terms that are 0 at 0: only joint values that
occur are looked at. Logarithms are natural; more is better.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from scipy.special import gammaln

from bayesgrove._utils.options import require_choice, require_number
from bayesgrove._utils.renamed import renamed
from bayesgrove.scores.information import NLogN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import CellTerms, CountSource, FamilyTable
    from bayesgrove.kernels import Floats


class Score(Protocol):
    """What a family of r values and q joint values of the parents is worth."""

    def __hash__(self) -> int:
        """Equal scores have equal numbers."""

    def terms(self, r: int, q: float) -> CellTerms:
        """The terms of the counts."""

    def constant(self, r: int, q: float, total: float) -> float:
        """What does not depend on the counts."""


@dataclass(frozen=True)
class DirichletTerms:
    """Terms of the marginal likelihood with ``alpha`` pseudo-counts a cell, r cells a row."""

    alpha: float
    r: int

    def outer(self, counts: Floats) -> Floats:
        """``ln Gamma(alpha r) / Gamma(alpha r + N_u)``."""
        row = self.alpha * self.r
        return np.asarray(gammaln(row) - gammaln(row + counts))

    def inner(self, counts: Floats) -> Floats:
        """``ln Gamma(alpha + N_ux) / Gamma(alpha)``."""
        return np.asarray(gammaln(self.alpha + counts) - gammaln(self.alpha))


@dataclass(frozen=True)
class K2Score:
    """The logarithm of ``prod_u (r-1)! / (N_u + r-1)! prod_x N_ux!``.

    G. Cooper and E. Herskovits (1992). A Bayesian method for the induction of probabilistic
    networks from data. Machine Learning 9.
    """

    def terms(self, r: int, q: float) -> DirichletTerms:
        """One pseudo-count a cell."""
        del q
        return DirichletTerms(1.0, r)

    def constant(self, r: int, q: float, total: float) -> float:
        """None."""
        del r, q, total
        return 0.0


@renamed(alpha="equivalent_sample_size")
@dataclass(frozen=True)
class BDeuScore:
    """The marginal likelihood with ``s / (q r)`` pseudo-counts a cell (Buntine 1991)."""

    equivalent_sample_size: float = 1.0

    def terms(self, r: int, q: float) -> DirichletTerms:
        """The equivalent sample, dealt equally to all cells."""
        require_number("equivalent_sample_size", self.equivalent_sample_size, lowest=1e-100)
        return DirichletTerms(self.equivalent_sample_size / (q * r), r)

    def constant(self, r: int, q: float, total: float) -> float:
        """None."""
        del r, q, total
        return 0.0


def bayesian_score(name: str, equivalent_sample_size: float) -> K2Score | BDeuScore:
    """ "k2", or "bdeu" with an equivalent sample of that many rows."""
    require_choice("criterion", name, ("k2", "bdeu"))
    return K2Score() if name == "k2" else BDeuScore(equivalent_sample_size)


@dataclass(frozen=True)
class LogLikelihood:
    """The log-likelihood: ``-N H(child | parents)``."""

    def terms(self, r: int, q: float) -> NLogN:
        """The log-likelihood."""
        del r, q
        return NLogN()

    def constant(self, r: int, q: float, total: float) -> float:
        """None."""
        del r, q, total
        return 0.0


@dataclass(frozen=True)
class AIC(LogLikelihood):
    """The log-likelihood, less one for every free parameter (Akaike 1974)."""

    def constant(self, r: int, q: float, total: float) -> float:
        """``-q (r - 1)``."""
        del total
        return -q * (r - 1)


@dataclass(frozen=True)
class BIC(AIC):
    """The log-likelihood, less ``ln(N) / 2`` for every free parameter (Schwarz 1978).

    Its negative is the description length (MDL) of Rissanen (1978), in nats.
    """

    def constant(self, r: int, q: float, total: float) -> float:
        """``-ln(N) / 2 q (r - 1)``."""
        return 0.5 * math.log(total) * super().constant(r, q, total)


def local_score(score: Score, table: FamilyTable, total: float) -> float:
    """The score of one family.

    ``total`` is the weight of all rows, which the penalty of `BIC` depends on.
    """
    _, classes, r = table.counts.shape
    q = math.prod([float(card) for card in table.configurations.cards]) * classes
    terms = score.terms(r, q)
    outer = terms.outer(table.counts.sum(axis=-1)).sum()
    return float(score.constant(r, q, total) + outer + terms.inner(table.counts).sum())


def gains(
    score: Score, counts: CountSource, child: int, parents: Sequence[int], candidates: Sequence[int]
) -> Floats:
    """What each candidate adds to the score of a family as one more parent.

    Both scores are of the same rows: those where the candidate is known.
    """

    def compute(wanted: list[int]) -> Floats:
        sets = np.full((len(wanted) + 1, len(parents) + 1), -1, dtype=np.int32)
        sets[:, :-1] = parents
        sets[1:, -1] = wanted
        return _steps(score, counts, child, sets, np.zeros(len(sets), dtype=np.intp))[1:]

    return counts.cached(score, child, parents, candidates, compute)


def set_gains(
    score: Score,
    counts: CountSource,
    child: int,
    sets: NDArray[np.int32],
    shorter: NDArray[np.intp],
) -> Floats:
    """What each of many sets of parents adds to the score of a child without any.

    The members of a set are added one after another, in their order, each as in `gains`.

    Parameters
    ----------
    sets, shorter : the parents of each set, -1 behind the last, and the place of the set without
        the last of them, which comes before; the first set is empty
    """
    found = _steps(score, counts, child, sets, shorter)
    sizes = (sets >= 0).sum(axis=1)
    for size in range(1, sets.shape[1] + 1):
        found[sizes == size] += found[shorter[sizes == size]]
    return found


def _steps(
    score: Score,
    counts: CountSource,
    child: int,
    sets: NDArray[np.int32],
    shorter: NDArray[np.intp],
) -> Floats:
    """What the last member of each set adds to the others; 0 of the first set, which lacks none."""
    worth = _scores(score, counts, child, sets, refined=True)
    found: Floats = worth - worth[shorter]
    if not counts.has_no_missing.all():
        last = sets[np.arange(len(sets)), (sets >= 0).sum(axis=1) - 1]
        partly = np.flatnonzero(~counts.has_no_missing[last] & (last >= 0))
        partly = partly[shorter[partly] != partly]
        if len(partly):
            before = _scores(score, counts, child, sets[partly], refined=False)
            found[partly] = worth[partly] - before
    return found


def _scores(
    score: Score, counts: CountSource, child: int, sets: NDArray[np.int32], *, refined: bool
) -> Floats:
    """Scores of a child given sets of parents; or, over the same rows, without the last of each."""
    r, total = counts.cards[child], counts.total
    cards = counts.padded_cards[sets]
    q = np.multiply.reduce(cards, axis=1)
    if not refined:
        q /= cards[np.arange(len(sets)), (sets >= 0).sum(axis=1) - 1]
    found = np.zeros(len(sets))
    alike: dict[CellTerms, list[float]] = {}
    for size in dict.fromkeys(q.tolist()):
        alike.setdefault(score.terms(r, size), []).append(size)
        constant = score.constant(r, size, total)
        if constant:
            found[q == size] = constant
    for terms, sizes in alike.items():
        chosen = np.isin(q, sizes) if len(alike) > 1 else slice(None)
        found[chosen] += counts.set_sums(child, sets[chosen], terms, refined=refined)
    return found
