"""Base class of AODE and AnDE: averages over networks in which super-parents have all children."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from bayesgrove.averaging.aode import SuperParents
from bayesgrove.estimators.base.averaging import AveragingClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.structures import Naive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource, FamilyTable
    from bayesgrove.encoding import Encoded
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.network import BayesianNetwork


class SuperParentClassifier(AveragingClassifier):
    """Base class of averages over networks in which one attribute is a parent of all others.

    ``networks_`` are naive Bayes, then the network of every super-parent. The values of a row
    decide which networks are used. If none is used, naive Bayes predicts the row.
    """

    state_kinds: ClassVar[tuple[str, ...]] = ("networks", "counts")
    min_rows: int
    alpha: float
    _tables: list[FamilyTable]

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
        weights = np.append(0.0, self._weights_of(counts, networks[1:]))
        if not weights.any():
            weights[0] = 1.0
        self._tables = tables
        self._keep_networks(training.schema, training.classes, networks, weights / weights.sum())

    def _super_parents(self) -> SuperParents:
        return SuperParents(self.min_rows, self.alpha)

    def _weights_of(self, counts: CountSource, members: Sequence[BayesianNetwork]) -> Floats:
        """Return the weight of the network of every super-parent, in any unit."""
        del counts
        return np.ones(len(members))

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
