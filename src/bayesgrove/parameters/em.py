"""EM: conditional tables of a fixed structure from rows with missing values.

A. Dempster, N. Laird and D. Rubin (1977). Maximum likelihood from incomplete data via the EM
algorithm. Journal of the Royal Statistical Society B 39.

S. Lauritzen (1995). The EM algorithm for graphical association models with missing data.
Computational Statistics and Data Analysis 19.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import xlogy

from bayesgrove._utils.options import OptionError, require_count, require_fraction
from bayesgrove._utils.warnings import warn_caller
from bayesgrove.parameters.dirichlet import Dirichlet, PseudoCounts
from bayesgrove.parameters.expected_counts import ExpectedEngine, IncompleteRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.counts import CountSource, FamilyTable
    from bayesgrove.network import BayesianNetwork, Structure


_ONE_PER_CELL = Dirichlet()


@dataclass(frozen=True)
class EMRecord:
    """Record of an EM run.

    Parameters
    ----------
    converged : bool
        Whether the changes fell below the tolerance: of the tables in every round, and of the
        structure or the average, if there are rounds.
    log_likelihoods : tuple of tuple of float
        Of a network: one path per round, without paths if no value is missing. A path has the
        log-likelihood of the known values plus the logarithm of the prior, before the first
        iteration and after each one. It never falls. Of an average: one path per order. A path has
        the log-likelihood of the known values alone, under the summary network of each average. It
        may fall, because an average is not an exact M step.

    Examples
    --------
    >>> from bayesgrove.parameters import EMRecord
    >>> record = EMRecord(True, ((-10.5, -10.2), (-9.9, -9.8, -9.8)))
    >>> record.rounds, record.iterations
    (2, 3)
    """

    converged: bool
    log_likelihoods: tuple[tuple[float, ...], ...]

    @property
    def rounds(self) -> int:
        """Number of structures, or of averages, whose tables were estimated."""
        return len(self.log_likelihoods)

    @property
    def iterations(self) -> int:
        """Number of iterations of all rounds."""
        return sum(len(path) - 1 for path in self.log_likelihoods)


@dataclass(frozen=True)
class Estimate:
    """The result of EM: a network, the path of the objective, and the last change."""

    network: BayesianNetwork
    path: tuple[float, ...]
    change: float
    converged: bool


@dataclass(frozen=True)
class EM:
    """Conditional tables by the EM algorithm, from rows with missing values.

    The E step completes the rows: the missing values of a row count with their probabilities given
    its known values, under the current tables. These probabilities are exact. The M step estimates
    the tables from the completed counts. Both steps are repeated until the tables stay the same.
    The result is a maximum of the likelihood of the known values, times the prior: with the
    pseudo-count ``alpha``, the prior of a row of a table is Dirichlet(alpha + 1). The maximum may
    be a local one. EM is unbiased if values are missing at random: whether a value is missing may
    depend on known values, but not on the value itself.

    The first tables are those of the known values, with one pseudo-count per cell. A column whose
    values are all missing has one state, and gives no information.

    Parameters
    ----------
    parameters : Dirichlet, BDeu or MaximumLikelihood, default=Dirichlet(alpha=1.0)
        Pseudo-counts of the M step.
    max_iter : int, default=200
        Largest number of iterations. A warning tells the last change if it is reached.
    tol : float, default=0.0001
        EM has converged if no probability changes by more than ``tol``, and the objective changes
        by at most ``tol`` times its size.

    References
    ----------
    A. Dempster, N. Laird and D. Rubin (1977). Maximum likelihood from incomplete data via the EM
    algorithm. Journal of the Royal Statistical Society B 39.

    S. Lauritzen (1995). The EM algorithm for graphical association models with missing data.
    Computational Statistics and Data Analysis 19.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier, load_dataset
    >>> from bayesgrove.parameters import EM, Dirichlet
    >>> from bayesgrove.structures import TAN
    >>> X, y = load_dataset("vote")
    >>> model = BayesianNetworkClassifier(TAN(), EM(Dirichlet(0.5)), missing="ignore").fit(X, y)
    >>> round(model.score(X, y), 2)
    0.96
    """

    parameters: PseudoCounts = _ONE_PER_CELL
    max_iter: int = 200
    tol: float = 1e-4

    def estimate(
        self, structure: Structure, counts: CountSource, states: Sequence[tuple[Any, ...]]
    ) -> BayesianNetwork:
        """Return the network of a structure; warn if EM did not converge.

        Parameters
        ----------
        structure : Structure
            Parents of every node.
        counts : CountSource
            Counts of the known values of the training rows (``missing="ignore"``).
        states : sequence of tuple
            States of every node, in the order of their codes; the class is last.

        Returns
        -------
        BayesianNetwork
            The structure with its conditional tables.
        """
        start = Dirichlet().estimate(structure, counts, states)
        result = self.improve(start, counts, IncompleteRows.of(counts))
        self.warn(result, repr(self.with_more_iterations()))
        return result.network

    def improve(
        self, start: BayesianNetwork, counts: CountSource, incomplete: IncompleteRows
    ) -> Estimate:
        """Return the network to which EM converges from a given one.

        Parameters
        ----------
        start : BayesianNetwork
            The first network. No training row may have the probability 0.
        counts : CountSource
            Counts of the known values of the training rows.
        incomplete : IncompleteRows
            The rows of ``counts`` with a missing value.

        Returns
        -------
        Estimate
            The network, the path of the objective, and whether EM converged.
        """
        self.check()
        network = start
        states = [start.states(name) for name in start.nodes]
        tables, objective = self._expect(network, counts, incomplete)
        path, change, converged = [objective], np.inf, False
        while not converged and len(path) <= self.max_iter:
            following = self.parameters.network(network.structure, tables, counts.names, states)
            change, network = largest_change(network, following), following
            tables, objective = self._expect(network, counts, incomplete)
            converged = max(change, abs(objective - path[-1]) / max(abs(objective), 1)) <= self.tol
            path.append(objective)
        return Estimate(network, tuple(path), float(change), converged)

    def _expect(
        self, network: BayesianNetwork, counts: CountSource, incomplete: IncompleteRows
    ) -> tuple[list[FamilyTable], float]:
        """Return the expected tables of the families of a network, and the objective (E step)."""
        conditionals = [network.table(name) for name in network.nodes]
        families = [table.family for table in conditionals]
        tables, objective = ExpectedEngine(counts, network, incomplete).expect(families)
        for table, p in zip(tables, conditionals, strict=True):
            objective += float(xlogy(self.parameters.pseudo_count(table), p.dense()).sum())
        return tables, objective

    def check(self) -> None:
        """Raise unless the options are valid.

        Raises
        ------
        OptionError
            If an option has an invalid value.
        """
        if not isinstance(self.parameters, PseudoCounts):
            raise OptionError(
                f"parameters={self.parameters!r:.40} must be Dirichlet, BDeu or MaximumLikelihood: "
                "EM needs pseudo-counts."
            )
        require_count("max_iter", self.max_iter, lowest=1)
        require_fraction("tol", self.tol)

    def with_more_iterations(self) -> EM:
        """Return the same options with a ``max_iter`` that is ten times as large.

        Returns
        -------
        EM
            The options.
        """
        return replace(self, max_iter=10 * self.max_iter)

    def warn(self, result: Estimate, remedy: str) -> None:
        """Warn the caller if EM did not converge.

        Parameters
        ----------
        result : Estimate
            The result of EM.
        remedy : str
            An expression with a larger ``max_iter``.
        """
        if not result.converged:
            warn_caller(
                f"EM did not converge with max_iter={self.max_iter}: in the last iteration, a "
                f"probability changed by {result.change:.2g} and the log-likelihood by "
                f"{result.path[-1] - result.path[-2]:.2g}. Use a larger max_iter or a larger tol "
                f"of EM: {remedy}"
            )


def largest_change(one: BayesianNetwork, two: BayesianNetwork) -> float:
    """Return the largest difference of two probabilities of networks with equal families."""
    return max(
        float(np.abs(one.table(name).dense() - two.table(name).dense()).max()) for name in one.nodes
    )
