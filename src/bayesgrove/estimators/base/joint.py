"""Base of the classifiers that are Bayesian networks: one of them, or an average over several."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from bayesgrove.estimators.base.classifier import TableClassifier

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.encoding import Schema
    from bayesgrove.kernels import Floats
    from bayesgrove.network import BayesianNetwork


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
        return self._predict(X, relative=False)

    @abstractmethod
    def _keep(self, schema: Schema, classes: NDArray[Any], network: BayesianNetwork) -> None:
        """Become the model of one network."""
