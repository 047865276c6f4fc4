"""The AODE classifier: the mean of the networks in which one attribute is a parent of all others.

G. I. Webb, J. R. Boughton and Z. Wang (2005). Not so naive Bayes: aggregating one-dependence
estimators. Machine Learning 58, 5-24.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bayesgrove.averaging.aode import SuperParents
from bayesgrove.estimators.base.averaging import AveragingClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.structures import Naive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import FamilyTable
    from bayesgrove.encoding import Discretizer, Encoded
    from bayesgrove.estimators.base.complexity import Complexity
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.network import BayesianNetwork


class AODEClassifier(AveragingClassifier):
    """Averaged one-dependence estimators (AODE): the mean over all super-parent networks.

    Each attribute in turn is the super-parent: all other attributes depend on it and on the class.
    A super-parent is used for a row if its value ``x_i`` in the row occurs in at least
    ``min_rows`` training rows. All super-parents that are used have the same weight:

    ``P(y, x) = mean over i with F(x_i) >= min_rows of P(y, x_i) prod_j P(x_j | y, x_i)``,

    ``P(y, x_i) = (F(y, x_i) + alpha) / (N + alpha k v_i)``,

    ``P(x_j | y, x_i) = (F(y, x_i, x_j) + alpha) / (F(y, x_i) + alpha v_j)``.

    Here x is the row, y is a class, and j runs over all attributes except i. F is the number of
    training rows with the values in the parentheses, N is the number of all training rows, k is the
    number of classes, and v_i is the number of values of attribute i. If no super-parent is used,
    naive Bayes predicts the row. An attribute whose value is missing and has no state is not used
    as a super-parent, and is summed out as a child. With ``missing="ignore"``, F and N of a table
    count only the rows in which all variables of the table are known, so that the probabilities of
    the table sum to 1. AODE needs no search: it counts one table per pair of attributes.

    Parameters
    ----------
    min_rows : int, default=1
        Smallest number of training rows in which the value of a super-parent must occur. With
        sample weights, the smallest total weight of these rows. The paper uses 30.
    alpha : float, default=1.0
        Pseudo-count of every cell of ``F(y, x_i)`` and ``F(y, x_i, x_j)``. 0 gives maximum
        likelihood estimates.
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    networks_ : list of BayesianNetwork
        Naive Bayes, then the network of every super-parent that has a value with at least
        ``min_rows`` rows.
    weights_ : ndarray of shape (n_networks,)
        Weight of every network: 0 for naive Bayes, and equal weights for the others. The values of
        a row decide which of them are used. If naive Bayes is the only network, its weight is 1.
    network_ : BayesianNetwork
        Naive Bayes. It exists only if no value occurs in ``min_rows`` training rows.
    cut_points_, schema_, used_codings_, n_features_in_, feature_names_in_

    References
    ----------
    G. I. Webb, J. R. Boughton and Z. Wang (2005). Not so naive Bayes: aggregating one-dependence
    estimators. Machine Learning 58, 5-24.

    Examples
    --------
    >>> from bayesgrove import AODEClassifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> [AODEClassifier(min_rows=m).fit(X, y).score(X, y) for m in (1, 1000)]
    [0.96875, 0.90625]
    """

    short_name: ClassVar[str] = "aode"
    state_kinds: ClassVar[tuple[str, ...]] = ("networks", "counts")
    _tables: list[FamilyTable]

    def __init__(
        self,
        min_rows: int = 1,
        *,
        alpha: float = 1.0,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.min_rows = min_rows
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the mean joint probabilities, ``ln P(class, row)``.

        The mean is over the super-parents whose value in the row has at least ``min_rows`` training
        rows. Each of their networks gives the joint probability of the class and of all known
        values. A row without such a super-parent gets the joint probability of naive Bayes.

        Parameters
        ----------
        X : data frame, array, lists, path, dataset, stream or Table
            The rows, with the columns of the training table. `fit` lists the kinds of tables.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The logarithms, with the classes in the order of ``classes_``.
        """
        return super().predict_joint_log_proba(X)

    def complexity(self) -> Complexity:
        """Return the total size of naive Bayes and of the networks of all super-parents.

        Returns
        -------
        Complexity
            The number of attributes, arcs and free parameters. With n attributes, naive Bayes has n
            arcs and the network of a super-parent has 2n - 1. An attribute without a value that has
            ``min_rows`` rows is never a super-parent and has no network. The free parameters of
            all tables count, also for values with fewer than ``min_rows`` rows.
        """
        return super().complexity()

    def beyond_network(self) -> str:
        """Describe the part of the model that the network of naive Bayes does not contain.

        Returns
        -------
        str
            The description, or an empty string if naive Bayes is the whole model.
        """
        members = len(self.networks_) - 1
        return f"the average over {members} super-parents" if members else ""

    def _check_parts(self) -> None:
        self._super_parents().check()

    def _learn(self, training: Training) -> None:
        self._check_parts()
        counts, states = training.counts(self._threads()), training.states
        naive = Naive().learn(counts)
        tables = counts.tables([naive.family(v) for v in range(len(counts.cards))])
        networks = [
            Dirichlet(self.alpha).network(naive, tables, counts.names, states),
            *self._super_parents().networks(counts, tables, states),
        ]
        weights = np.ones(len(networks))
        weights[0] = len(networks) == 1
        self._tables = tables
        self._keep_networks(training.schema, training.classes, networks, weights / weights.sum())

    def _super_parents(self) -> SuperParents:
        return SuperParents(self.min_rows, self.alpha)

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        naive, *members = self.networks_
        if not members:
            return super()._joint_encoded(encoded, threads, relative=relative)
        with np.errstate(divide="ignore"):
            log_weights = np.log(self.weights_[1:])
        frequent = self._super_parents().frequent(self._tables)
        joint = np.full((encoded.rows, len(self.classes_)), -np.inf)
        total = np.zeros(encoded.rows)
        for network, log_weight in zip(members, log_weights, strict=True):
            counting, logs = _member(network, encoded, frequent, threads)
            np.logaddexp(joint, logs + log_weight, out=joint, where=counting[:, None])
            total += counting * np.exp(log_weight)
        joint -= np.log(np.where(total > 0, total, 1.0))[:, None]
        alone = np.flatnonzero(total == 0)
        joint[alone] = naive.log_joint(encoded.take(alone), threads)
        return joint

    def _class_log_probabilities(self) -> Floats:
        return self.networks_[0].class_log_probabilities


def _member(
    network: BayesianNetwork,
    encoded: Encoded,
    frequent: Sequence[NDArray[np.bool_]],
    threads: int,
) -> tuple[NDArray[np.bool_], Floats]:
    """Return in which rows a super-parent counts, and ``ln P(class, row)`` of these rows.

    All other rows get the first value of the super-parent. Nothing has to be summed out for them.
    """
    counting, columns = np.ones(encoded.rows, dtype=bool), list(encoded.columns)
    for parent in network.structure.parents[-1]:
        counting &= frequent[parent][columns[parent]]
        columns[parent] = columns[parent] * counting
    return counting, network.log_joint(replace(encoded, columns=columns), threads)
