"""Base class of classifiers that are one Bayesian network or an average over several."""

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
    """Base class of classifiers that model the joint probability of class and row.

    A subclass must have ``networks_``: at least one network, and all with the same nodes.
    """

    if TYPE_CHECKING:

        @property
        def networks_(self) -> list[BayesianNetwork]:
            """The networks. A subclass defines a property or sets an attribute."""

    def beyond_network(self) -> str:
        """Describe the part of the model that ``networks_[0]`` does not contain.

        Returns
        -------
        str
            The description, or an empty string if ``networks_[0]`` is the whole model.
        """
        return ""

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the joint probabilities, ``ln P(class, row)``.

        Missing values without a state are summed out. Without pseudo-counts, a row may have
        probability 0 under every class. Such a row gets the class probabilities. If the model has
        exponents or corrections, the results are its scores: they give the class probabilities, but
        they are not probabilities of the row.

        Parameters
        ----------
        X : data frame, array, lists, path, dataset, stream or Table
            The rows, with the columns of the training table. `fit` lists the kinds of tables.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The logarithms, with the classes in the order of ``classes_``.
        """
        return self._predict(X, "joint")

    def _class_log_probabilities(self) -> Floats:
        """Return the log class probabilities before any attribute is seen."""
        return self.networks_[0].class_log_probabilities

    def _joint(self, encoded: Encoded, *, relative: bool) -> Floats:
        joint = self._joint_encoded(encoded, self._threads(), relative=relative)
        if not np.isneginf(joint.max(axis=1)).any():
            return joint
        return fill_impossible(joint, self._class_log_probabilities())

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        """Return `_joint` of encoded rows; a row may have probability 0 under every class."""
        return self.networks_[0].log_joint(encoded, threads, relative=relative)

    def _program(self) -> Program | None:
        """Return the program that computes the sums of `_joint_encoded`, or None without one.

        A subclass that overrides one of the two methods must override the other.
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
        """Set the fitted attributes of a model of one network."""
