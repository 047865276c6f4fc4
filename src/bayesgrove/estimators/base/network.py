"""Base of the classifiers that are one network: counts, a structure, a network."""

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
    """A structure and counts in, a network out."""

    def estimate(
        self, structure: Structure, counts: CountSource, states: Sequence[tuple[Any, ...]]
    ) -> BayesianNetwork:
        """The network of a structure."""


class NetworkClassifier(JointClassifier):
    """Base of classifiers that are one network.

    A subclass says which structure and which parameters to learn; everything public derives from
    `_joint_encoded`.
    """

    @abstractmethod
    def _structure_learner(self) -> StructureLearner:
        """What learns the parents of every node."""

    @abstractmethod
    def _parameter_learner(self) -> ParameterLearner:
        """What learns the conditional tables."""

    @property
    def networks_(self) -> list[BayesianNetwork]:
        """The network, as the only one in a list."""
        return [self.network_]

    def complexity(self) -> Complexity:
        """Return the size of the network: see `complexity_of`."""
        check_is_fitted(self)
        return complexity_of([self.network_])

    def _select(self, counts: CountSource) -> CountSource:
        """The counts of the attributes that the network is to have."""
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
        """Whether the model has a column that stays a number."""
        del column
        return True

    def _check_parts(self) -> None:
        self._structure_learner()
        self._parameter_learner()
