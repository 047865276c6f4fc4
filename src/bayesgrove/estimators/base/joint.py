"""Base of the classifiers that are Bayesian networks: one of them, or an average over several."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.estimators.base.classifier import TableClassifier
from bayesgrove.scores.prediction import fill_impossible

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded, Schema
    from bayesgrove.kernels import Floats
    from bayesgrove.network import BayesianNetwork
    from bayesgrove.network.answers import Answer
    from bayesgrove.network.prediction_program import Program


class JointClassifier(TableClassifier):
    """Base of classifiers that know the joint probability of class and row.

    A subclass has ``networks_``: one network or more, all with the same nodes.
    """

    if TYPE_CHECKING:

        @property
        def networks_(self) -> list[BayesianNetwork]:
            """The networks; a subclass has a property or an attribute."""

    def beyond_network(self) -> str:
        """Say what predictions have and the first network is without; empty where it has all."""
        return ""

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """``ln P(class, row)``, shape (rows, classes); what is missing is summed out.

        A row of probability zero under every class (possible without smoothing) gets the
        probabilities of the classes alone.
        """
        return self._predict(X, "joint")

    def _class_log_probabilities(self) -> Floats:
        """Return the logarithms of the probabilities of the classes before a row is seen."""
        return self.networks_[0].class_log_probabilities

    def _joint(self, encoded: Encoded, *, relative: bool) -> Floats:
        joint = self._joint_encoded(encoded, self._threads(), relative=relative)
        if not np.isneginf(joint.max(axis=1)).any():
            return joint
        return fill_impossible(joint, self._class_log_probabilities())

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        return self.networks_[0].log_joint(encoded, threads, relative=relative)

    def _program(self) -> Program | None:
        """Return the program whose sums are those of `_joint_encoded`; None where there is none.

        A subclass that changes one of the two changes the other.
        """
        return self.networks_[0].class_program if len(self.networks_) == 1 else None

    def _answer(self, encoded: Encoded, answer: Answer, threads: int) -> NDArray[Any]:
        program = self._program()
        if program is None:
            return super()._answer(encoded, answer, threads)
        answers, rest = program.answer(encoded, answer, threads)
        if len(rest):
            answers[rest] = super()._answer(encoded.take(rest), answer, threads)
        return answers

    @abstractmethod
    def _keep(self, schema: Schema, classes: NDArray[Any], network: BayesianNetwork) -> None:
        """Become the model of one network."""
