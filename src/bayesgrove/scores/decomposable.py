"""Decomposable scores: sums over the families, where a family is a child and its parents.

Every score has one form, ``constant + sum_u outer(N_u) + sum_u,x inner(N_ux)``, where u is a joint
value of the parents and x a value of the child. Terms are 0 at 0, so that only joint values that
occur are counted. Logarithms are natural; larger is better.
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
    """Interface of a score of a family with r child states and q joint values of the parents."""

    def __hash__(self) -> int:
        """Return the hash; equal scores have equal hashes."""

    def terms(self, r: int, q: float) -> CellTerms:
        """Return the terms of the counts."""

    def constant(self, r: int, q: float, total: float) -> float:
        """Return the part of the score that does not depend on the counts."""


@dataclass(frozen=True)
class DirichletTerms:
    """Terms of the marginal likelihood with ``alpha`` as the pseudo-count of each of r cells."""

    alpha: float
    r: int

    def outer(self, counts: Floats) -> Floats:
        """Return ``ln Gamma(alpha r) / Gamma(alpha r + N_u)``."""
        row = self.alpha * self.r
        return np.asarray(gammaln(row) - gammaln(row + counts))

    def inner(self, counts: Floats) -> Floats:
        """Return ``ln Gamma(alpha + N_ux) / Gamma(alpha)``."""
        return np.asarray(gammaln(self.alpha + counts) - gammaln(self.alpha))


@dataclass(frozen=True)
class K2Score:
    """The K2 score: the logarithm of ``prod_u (r-1)! / (N_u + r-1)! prod_x N_ux!``.

    References
    ----------
    G. Cooper and E. Herskovits (1992). A Bayesian method for the induction of probabilistic
    networks from data. Machine Learning 9.
    """

    def terms(self, r: int, q: float) -> DirichletTerms:
        """Return the terms for one pseudo-count per cell."""
        del q
        return DirichletTerms(1.0, r)

    def constant(self, r: int, q: float, total: float) -> float:
        """Return 0: the score has no constant."""
        del r, q, total
        return 0.0


@renamed(alpha="equivalent_sample_size")
@dataclass(frozen=True)
class BDeuScore:
    """The BDeu score: the log marginal likelihood with ``s / (q r)`` pseudo-counts per cell.

    Here s is the equivalent sample size (Buntine 1991).

    Parameters
    ----------
    equivalent_sample_size : float, default=1.0
        Sum of the pseudo-counts of one family, above 0.
    """

    equivalent_sample_size: float = 1.0

    def terms(self, r: int, q: float) -> DirichletTerms:
        """Return the terms for an equivalent sample that all cells share equally."""
        require_number("equivalent_sample_size", self.equivalent_sample_size, lowest=1e-100)
        return DirichletTerms(self.equivalent_sample_size / (q * r), r)

    def constant(self, r: int, q: float, total: float) -> float:
        """Return 0: the score has no constant."""
        del r, q, total
        return 0.0


def bayesian_score(name: str, equivalent_sample_size: float) -> K2Score | BDeuScore:
    """Return the K2 score for "k2", or the BDeu score for "bdeu" with an equivalent sample size."""
    require_choice("criterion", name, ("k2", "bdeu"))
    return K2Score() if name == "k2" else BDeuScore(equivalent_sample_size)


@dataclass(frozen=True)
class LogLikelihood:
    """The log-likelihood, ``-N H(child | parents)``."""

    def terms(self, r: int, q: float) -> NLogN:
        """Return the terms of the log-likelihood."""
        del r, q
        return NLogN()

    def constant(self, r: int, q: float, total: float) -> float:
        """Return 0: the score has no constant."""
        del r, q, total
        return 0.0


@dataclass(frozen=True)
class AIC(LogLikelihood):
    """The log-likelihood minus 1 per free parameter (Akaike 1974)."""

    def constant(self, r: int, q: float, total: float) -> float:
        """Return ``-q (r - 1)``."""
        del total
        return -q * (r - 1)


@dataclass(frozen=True)
class BIC(AIC):
    """The log-likelihood minus ``ln(N) / 2`` per free parameter (Schwarz 1978).

    The negative score is the description length (MDL) of Rissanen (1978), in nats.
    """

    def constant(self, r: int, q: float, total: float) -> float:
        """Return ``-ln(N) / 2 q (r - 1)``."""
        return 0.5 * math.log(total) * super().constant(r, q, total)


def local_score(score: Score, table: FamilyTable, total: float) -> float:
    """Return the score of one family.

    ``total`` is the weight of all rows, on which the penalty of `BIC` depends.
    """
    _, classes, r = table.counts.shape
    q = math.prod([float(card) for card in table.configurations.cards]) * classes
    terms = score.terms(r, q)
    outer = terms.outer(table.counts.sum(axis=-1)).sum()
    return float(score.constant(r, q, total) + outer + terms.inner(table.counts).sum())


def gains(
    score: Score, counts: CountSource, child: int, parents: Sequence[int], candidates: Sequence[int]
) -> Floats:
    """Return how much each candidate adds to the score of a family as one more parent.

    The scores with and without the candidate are over the same rows: those in which the candidate
    is known.

    Parameters
    ----------
    score : Score
        The score.
    counts : CountSource
        Counts of the rows.
    child : int
        Number of the child.
    parents : sequence of int
        Numbers of its parents.
    candidates : sequence of int
        Numbers of the candidates.

    Returns
    -------
    ndarray of shape (n_candidates,)
        One gain per candidate.
    """

    def compute(uncached: list[int]) -> Floats:
        sets = np.full((len(uncached) + 1, len(parents) + 1), -1, dtype=np.int32)
        sets[:, :-1] = parents
        sets[1:, -1] = uncached
        return _steps(score, counts, child, sets, np.zeros(len(sets), dtype=np.intp))[1:]

    return counts.cached(score, child, parents, candidates, compute)


def set_gains(
    score: Score,
    counts: CountSource,
    child: int,
    sets: NDArray[np.int32],
    shorter: NDArray[np.intp],
) -> Floats:
    """Return how much each one of many parent sets adds to the score of a child without parents.

    The members of a set are added one after another, in their order. Each adds its gain, as `gains`
    computes it.

    Parameters
    ----------
    score : Score
        The score.
    counts : CountSource
        Counts of the rows.
    child : int
        Number of the child.
    sets : ndarray of shape (n_sets, max_size)
        Numbers of the parents of each set, as int32; -1 fills the places after the last one. The
        first set is empty.
    shorter : ndarray of shape (n_sets,)
        Position of the set without the last parent, which comes before the set.

    Returns
    -------
    ndarray of shape (n_sets,)
        One gain per set.
    """
    gained = _steps(score, counts, child, sets, shorter)
    sizes = (sets >= 0).sum(axis=1)
    for size in range(1, sets.shape[1] + 1):
        gained[sizes == size] += gained[shorter[sizes == size]]
    return gained


def _steps(
    score: Score,
    counts: CountSource,
    child: int,
    sets: NDArray[np.int32],
    shorter: NDArray[np.intp],
) -> Floats:
    """Return how much the last member of each set adds to the others; 0 for the empty first set."""
    scores = _scores(score, counts, child, sets, refined=True)
    gained: Floats = scores - scores[shorter]
    if not counts.has_no_missing.all():
        last = sets[np.arange(len(sets)), (sets >= 0).sum(axis=1) - 1]
        incomplete = np.flatnonzero(~counts.has_no_missing[last] & (last >= 0))
        incomplete = incomplete[shorter[incomplete] != incomplete]
        if len(incomplete):
            before = _scores(score, counts, child, sets[incomplete], refined=False)
            gained[incomplete] = scores[incomplete] - before
    return gained


def _scores(
    score: Score, counts: CountSource, child: int, sets: NDArray[np.int32], *, refined: bool
) -> Floats:
    """Return the scores of a child given each parent set.

    With ``refined=False``, the last parent of each set is left out, but the rows are the same.
    """
    r, total = counts.cards[child], counts.total
    cards = counts.padded_cards[sets]
    q = np.multiply.reduce(cards, axis=1)
    if not refined:
        q /= cards[np.arange(len(sets)), (sets >= 0).sum(axis=1) - 1]
    scores = np.zeros(len(sets))
    sizes_by_terms: dict[CellTerms, list[float]] = {}
    for size in dict.fromkeys(q.tolist()):
        sizes_by_terms.setdefault(score.terms(r, size), []).append(size)
        constant = score.constant(r, size, total)
        if constant:
            scores[q == size] = constant
    for terms, sizes in sizes_by_terms.items():
        chosen = np.isin(q, sizes) if len(sizes_by_terms) > 1 else slice(None)
        scores[chosen] += counts.set_sums(child, sets[chosen], terms, refined=refined)
    return scores
