"""The AODE classifier: the mean of all networks in which one attribute is a parent of all others.

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
    """Averaged one-dependence estimators (Webb, Boughton and Wang 2005: AODE).

    Each attribute in turn is the super-parent: all others depend on it and on the class. Of a row
    those count whose value ``x_i`` has at least ``min_rows`` rows of training, all alike:

    ``P(y, x) = mean over i with F(x_i) >= min_rows of P(y, x_i) prod_j P(x_j | y, x_i)``,

    ``P(y, x_i) = (F(y, x_i) + alpha) / (N + alpha k v_i)``,
    ``P(x_j | y, x_i) = (F(y, x_i, x_j) + alpha) / (F(y, x_i) + alpha v_j)``

    for k classes and v values. Where no super-parent counts, the answer is naive Bayes. A missing
    value is not a super-parent, and is summed out as a child. With ``missing="ignore"`` the F and
    N of a table are of the rows in which all its variables are known, so that tables sum to 1.

    Parameters
    ----------
    min_rows : least number of training rows that the value of a super-parent must have; of
        weighted rows, their least weight. The paper has 30; 1 asks for one row
    alpha : pseudo-count of every cell of the tables above; 0 is maximum likelihood
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    classes_, cut_points_ : see `BayesianNetworkClassifier`
    networks_ : naive Bayes, then the network of every super-parent with a value that counts
    weights_ : 0 for naive Bayes and the same for all others; rows decide which of them count
    network_ : naive Bayes, where no value of training has ``min_rows`` rows

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
        """``ln P(class, row)``, shape (rows, classes): the mean over the super-parents that count.

        Each of them gives the probability of the class and of all values that are known. Of a row
        in which none counts it is that of naive Bayes.
        """
        return super().predict_joint_log_proba(X)

    def complexity(self) -> Complexity:
        """Return the size of naive Bayes and of all super-parents' networks together.

        With n attributes naive Bayes has n arcs, and a super-parent 2n - 1. An attribute without
        a value of ``min_rows`` rows is never a super-parent, and has no network. Parameters are
        the free ones of all tables, also those of values that do not count.
        """
        return super().complexity()

    def beyond_network(self) -> str:
        """Say what predictions have and naive Bayes is without; empty where it has all."""
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
    """Return in which rows a super-parent counts, and ``ln P(class, row)`` of those rows.

    Other rows get the super-parent's first value, so that nothing has to be summed out for them.
    """
    counting, columns = np.ones(encoded.rows, dtype=bool), list(encoded.columns)
    for parent in network.structure.parents[-1]:
        counting &= frequent[parent][columns[parent]]
        columns[parent] = columns[parent] * counting
    return counting, network.log_joint(replace(encoded, columns=columns), threads)
