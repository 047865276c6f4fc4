"""Base class of classifiers that average over networks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayesgrove.estimators.base.complexity import complexity_of
from bayesgrove.estimators.base.joint import JointClassifier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded, Schema
    from bayesgrove.estimators.base.complexity import Complexity
    from bayesgrove.kernels import Floats
    from bayesgrove.network import BayesianNetwork


class AveragingClassifier(JointClassifier):
    """Base class of classifiers that average over networks, without a structure learner.

    ``networks_`` and ``weights_`` are the model:
    ``P(class, row) = sum of weights_[k] P_k(class, row)``. A subclass must define `_learn`, which
    ends with `_keep_networks`. A subclass with another kind of average overrides `_joint_encoded`.

    Attributes
    ----------
    networks_ : list of BayesianNetwork
        The networks. All have the same nodes.
    weights_ : ndarray of shape (n_networks,)
        The weight of each network. The weights sum to 1.
    """

    networks_: list[BayesianNetwork]
    weights_: Floats
    state_kinds: ClassVar[tuple[str, ...]] = ("networks",)

    @property
    def network_(self) -> BayesianNetwork:
        """The only network of the model; an `AttributeError` if there are several."""
        if len(self.networks_) > 1:
            raise AttributeError(
                f"This {type(self).__name__} averages over {len(self.networks_)} networks, and "
                "none of them represents the average: use networks_."
            )
        return self.networks_[0]

    def complexity(self) -> Complexity:
        """Return the total size of all networks.

        Returns
        -------
        Complexity
            The number of attributes, arcs and free parameters. An attribute counts if it is in
            the Markov blanket of the class in at least one network, and it counts once. Arcs and
            free parameters are summed over ``networks_``. The weights of the networks do not
            matter.
        """
        check_is_fitted(self)
        return complexity_of(self.networks_)

    def beyond_network(self) -> str:
        """Describe the part of the model that ``networks_[0]`` does not contain.

        Returns
        -------
        str
            The description, or an empty string if ``networks_[0]`` is the whole model.
        """
        several = len(self.networks_) > 1
        return f"the average over {len(self.networks_)} networks" if several else ""

    def _keep(self, schema: Schema, classes: NDArray[Any], network: BayesianNetwork) -> None:
        self._keep_networks(schema, classes, [network], np.ones(1))

    def _keep_networks(
        self,
        schema: Schema,
        classes: NDArray[Any],
        networks: Sequence[BayesianNetwork],
        weights: Floats,
    ) -> None:
        """Set the fitted attributes of an average over these networks."""
        self.classes_ = classes
        self.networks_, self.weights_ = list(networks), weights
        nodes = set(networks[0].nodes[:-1])
        places = [j for j, coding in enumerate(schema.codings) if coding.name in nodes]
        self._keep_columns(schema, places)

    def _class_log_probabilities(self) -> Floats:
        priors = np.exp([network.class_log_probabilities for network in self.networks_])
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(self.weights_ @ priors)
        return logs

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        if len(self.networks_) == 1:
            return super()._joint_encoded(encoded, threads, relative=relative)
        joint = np.full((encoded.rows, len(self.classes_)), -np.inf)
        with np.errstate(divide="ignore"):
            logs = np.log(self.weights_)
        for network, log_weight in zip(self.networks_, logs, strict=True):
            np.logaddexp(joint, network.log_joint(encoded, threads) + log_weight, out=joint)
        return joint
