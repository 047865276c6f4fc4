"""Base of all network classifiers: counts, a structure, a network."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from bayesgrove.encoding import Continuous
from bayesgrove.estimators.base.classifier import TableClassifier
from bayesgrove.scores.prediction import fill_impossible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Encoded, Schema
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.model_files import Field
    from bayesgrove.network import BayesianNetwork, Structure
    from bayesgrove.network.answers import Answer
    from bayesgrove.network.program import Program
    from bayesgrove.structures.learner import StructureLearner


class ParameterLearner(Protocol):
    """A structure and counts in, a network out."""

    def estimate(
        self, structure: Structure, counts: CountSource, states: Sequence[tuple[Any, ...]]
    ) -> BayesianNetwork:
        """The network of a structure."""


class NetworkClassifier(TableClassifier):
    """Base of all network classifiers.

    A subclass says which structure and which parameters to learn; everything public derives from
    `_joint_encoded`.
    """

    @abstractmethod
    def _structure_learner(self) -> StructureLearner:
        """What learns the parents of every node."""

    @abstractmethod
    def _parameter_learner(self) -> ParameterLearner:
        """What learns the conditional tables."""

    def _beyond_network(self) -> str:
        """What predictions have and ``network_`` is without, in words; empty where it has all."""
        return ""

    def _select(self, counts: CountSource) -> CountSource:
        """The counts of the attributes that the network is to have."""
        return counts

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """``ln P(class, row)``, shape (rows, classes); what is missing is summed out.

        A row of probability zero under every class (possible without smoothing) gets the
        probabilities of the classes alone.
        """
        return self._predict(X, "joint")

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

    def _restore_extra(self, extra: Field) -> None:
        super()._restore_extra(extra)
        if self.schema_.continuous:
            column = self.schema_.codings[self.schema_.continuous[0]]
            raise extra.error(f"has no densities for the numeric column {column.name!r}")

    def _joint(self, encoded: Encoded, *, relative: bool) -> Floats:
        joint = self._joint_encoded(encoded, self._threads(), relative=relative)
        if not np.isneginf(joint.max(axis=1)).any():
            return joint
        return fill_impossible(joint, self.network_.class_log_probabilities)

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        return self.network_.log_joint(encoded, threads, relative=relative)

    def _program(self) -> Program | None:
        """Return the program whose sums are those of `_joint_encoded`; None where there is none.

        A subclass that changes one of the two changes the other.
        """
        return self.network_.class_program

    def _answer(self, encoded: Encoded, answer: Answer, threads: int) -> NDArray[Any]:
        program = self._program()
        if program is None:
            return super()._answer(encoded, answer, threads)
        answers, rest = program.answer(encoded, answer, threads)
        if len(rest):
            answers[rest] = super()._answer(encoded.take(rest), answer, threads)
        return answers
