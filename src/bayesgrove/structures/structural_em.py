"""Structural EM: a structure and its tables from rows with missing values.

N. Friedman (1997). Learning belief networks in the presence of missing values and hidden variables.
ICML-1997.

N. Friedman (1998). The Bayesian structural EM algorithm. UAI-1998.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bayesgrove._utils.options import OptionError
from bayesgrove._utils.warnings import warn_caller
from bayesgrove.parameters.dirichlet import Dirichlet
from bayesgrove.parameters.em import EM, EMRecord
from bayesgrove.parameters.expected_counts import ExpectedCounts, IncompleteRows, NoRowsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.contracts import StructureLearner
    from bayesgrove.counts import CountSource
    from bayesgrove.network import BayesianNetwork, Structure

MAX_ROUNDS = 20
"""Largest number of structures whose tables are estimated."""


@dataclass(frozen=True)
class StructuralEM:
    """A structure learner and EM in turns, for rows with missing values.

    The first structure is learned from the known values. EM estimates its tables. The network then
    completes the counts, and the learner finds the next structure from the completed counts. The
    rounds end when a structure repeats. Friedman (1998) takes the score of the expected counts for
    the expected score: that is what a learner does here that finds its structure by a score.

    Parameters
    ----------
    structure : StructureLearner
        A structure learner that needs only tables of counts.
    em : EM, default=EM()
        The estimation of the tables of one structure.
    """

    structure: StructureLearner
    em: EM = field(default_factory=EM)

    def estimate(
        self, counts: CountSource, states: Sequence[tuple[Any, ...]]
    ) -> tuple[BayesianNetwork, EMRecord]:
        """Return the network and the record of all rounds; warn if EM did not converge.

        Parameters
        ----------
        counts : CountSource
            Counts of the known values of the training rows (``missing="ignore"``).
        states : sequence of tuple
            States of every node, in the order of their codes; the class is last.

        Returns
        -------
        network : BayesianNetwork
            The last structure with its tables.
        record : EMRecord
            The path of the objective in every round.
        """
        incomplete = IncompleteRows.of(counts)
        structure = self.structure.learn(counts)
        if not incomplete.count:
            return self.em.parameters.estimate(structure, counts, states), EMRecord(True, ())
        start = Dirichlet().estimate(structure, counts, states)
        seen: set[Structure] = set()
        paths: list[tuple[float, ...]] = []
        while structure not in seen and len(paths) < MAX_ROUNDS:
            seen.add(structure)
            result = self.em.improve(start, counts, incomplete)
            paths.append(result.path)
            expected = ExpectedCounts(counts, result.network, incomplete)
            structure = self._learned(expected)
            start = self.em.parameters.estimate(structure, expected, states)
        more = self.em.with_more_iterations()
        self.em.warn(result, f"BayesianNetworkClassifier({self.structure}, {more}, missing='em')")
        if structure not in seen:
            warn_caller(
                f"Structural EM did not converge: after {MAX_ROUNDS} rounds, the structure still "
                "changed. The last one is used."
            )
        return result.network, EMRecord(result.converged and structure in seen, tuple(paths))

    def _learned(self, expected: ExpectedCounts) -> Structure:
        """Return the structure that the completed counts give; raise if it needs rows."""
        try:
            return self.structure.learn(expected)
        except NoRowsError:
            raise OptionError(
                f"missing='em' is not possible with {type(self.structure).__name__}() and its "
                "options, which need the rows themselves or independence tests: use "
                "missing='ignore' or missing='value'."
            ) from None
