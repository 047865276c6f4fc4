"""Base class of classifiers that are one network: counts, then a structure, then parameters."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, Protocol

from sklearn.utils.validation import check_is_fitted

from bayesgrove.encoding import Continuous
from bayesgrove.estimators.base.complexity import complexity_of
from bayesgrove.estimators.base.joint import JointClassifier
from bayesgrove.parameters import EM
from bayesgrove.structures.structural_em import StructuralEM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.contracts import StructureLearner
    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Schema
    from bayesgrove.estimators.base.complexity import Complexity
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.network import BayesianNetwork, Structure
    from bayesgrove.parameters import EMRecord


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

    em_: EMRecord

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

    @property
    def _offers_em(self) -> bool:
        # A subclass that learns in another way than by `_learn` would not complete its counts.
        return type(self)._learn is NetworkClassifier._learn

    def _chosen_learner(self, counts: CountSource) -> StructureLearner:
        """Return the structure learner, with all options that are chosen from the counts."""
        del counts
        return self._structure_learner()

    def _learn_structure(self, counts: CountSource) -> Structure:
        """Return the parents of every node, in the order of the counts."""
        return self._chosen_learner(counts).learn(counts)

    def _structure(self, counts: CountSource) -> tuple[CountSource, Structure]:
        """Return the counts of the attributes that the network contains, and its structure."""
        chosen = self._select(counts)
        return chosen, self._learn_structure(chosen)

    def _learn(self, training: Training) -> None:
        counts = training.counts(self._threads())
        states = dict(zip(training.names, training.states, strict=True))
        if self.missing == "em":
            chosen = self._select(counts)
            of_chosen = [states[name] for name in chosen.names]
            learner = StructuralEM(self._chosen_learner(chosen), self._em())
            network, self.em_ = learner.estimate(chosen, of_chosen)
        else:
            chosen, structure = self._structure(counts)
            of_chosen = [states[name] for name in chosen.names]
            network = self._parameter_learner().estimate(structure, chosen, of_chosen)
        self._keep(training.schema, training.classes, network)

    def _em(self) -> EM:
        """Return the learner of tables for rows with missing values."""
        parameters = self._parameter_learner()
        em = parameters if isinstance(parameters, EM) else EM(parameters)  # type: ignore[arg-type]
        em.check()
        return em

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
        if self.missing == "em":
            self._em()
