"""Base class of classifiers that are one network: counts, then a structure, then parameters."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, Protocol

from sklearn.utils.validation import check_is_fitted

from bayesgrove.encoding import Continuous
from bayesgrove.estimators.base.complexity import complexity_of
from bayesgrove.estimators.base.joint import JointClassifier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.contracts import StructureLearner
    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Schema
    from bayesgrove.estimators.base.complexity import Complexity
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.network import BayesianNetwork, Structure


class ParameterLearner(Protocol):
    """A learner of conditional tables, which makes a network from a structure and counts."""

    def estimate(
        self, structure: Structure, counts: CountSource, states: Sequence[tuple[Any, ...]]
    ) -> BayesianNetwork:
        """Estimate the conditional tables of a structure.

        Parameters
        ----------
        structure : Structure
            The parents of every node.
        counts : CountSource
            The counts of the training rows.
        states : sequence of tuple
            The states of every node; the last node is the class.

        Returns
        -------
        BayesianNetwork
            The network.
        """


class NetworkClassifier(JointClassifier):
    """Base class of classifiers that are one network.

    A subclass must define the learners of the structure and of the parameters. All predictions
    are computed from `_joint_encoded`.
    """

    @abstractmethod
    def _structure_learner(self) -> StructureLearner:
        """Return the learner of the parents of every node."""

    @abstractmethod
    def _parameter_learner(self) -> ParameterLearner:
        """Return the learner of the conditional tables."""

    @property
    def networks_(self) -> list[BayesianNetwork]:
        """The network, as the only element of a list."""
        return [self.network_]

    def complexity(self) -> Complexity:
        """Return the size of the network.

        Returns
        -------
        Complexity
            The number of attributes, arcs and free parameters. An attribute counts if it is in
            the Markov blanket of the class and has more than one state. A table has
            ``(states - 1) x configurations of all parents`` free parameters.
        """
        check_is_fitted(self)
        return complexity_of([self.network_])

    def _select(self, counts: CountSource) -> CountSource:
        """Return the counts of the attributes that the network contains."""
        return counts

    def _learn(self, training: Training) -> None:
        counts = self._select(training.counts(self._threads()))
        structure = self._structure_learner().learn(counts)
        states = dict(zip(training.names, training.states, strict=True))
        network = self._parameter_learner().estimate(
            structure, counts, [states[name] for name in counts.names]
        )
        self._keep(training.schema, training.classes, network)

    def _keep(self, schema: Schema, classes: NDArray[Any], network: BayesianNetwork) -> None:
        self.classes_ = classes
        self.network_ = network
        nodes = set(network.nodes[:-1])
        places = [
            j
            for j, coding in enumerate(schema.codings)
            if coding.name in nodes or (isinstance(coding, Continuous) and self._has(coding.name))
        ]
        self._keep_columns(schema, places)

    def _has(self, column: str) -> bool:
        """Return whether the model uses a continuous column."""
        del column
        return True

    def _check_parts(self) -> None:
        self._structure_learner()
        self._parameter_learner()
