"""The model averaging classifier: the average over all networks that follow an order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.special import logsumexp

from bayesgrove._utils.options import require_choice, require_level
from bayesgrove._utils.renamed import renamed
from bayesgrove.averaging import AveragedNetwork, OrderedAverage
from bayesgrove.averaging.orders import orders_of
from bayesgrove.estimators.base.averaging import AveragingClassifier
from bayesgrove.structures import ThickThin
from bayesgrove.structures.thick_thin import SCORES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding import Discretizer, Encoded, Schema
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.network.prediction_program import Program

    Arc = tuple[str, str]
    Arcs = Mapping[Arc, float]
    Levels = Sequence[str | Sequence[str]]

MAX_SETS = 10
"""Number of the most probable parent sets of a node that ``parent_sets_`` holds."""


@renamed(alpha="equivalent_sample_size", arc_probability="arc_prior")
class ModelAveragingClassifier(AveragingClassifier):
    """Bayesian model averaging over all networks that follow an order of the nodes (AMA).

    The average is over all networks in which every node has at most ``max_parents`` parents, and
    all parents come before the node in the order. The weight of a network is its probability given
    the training rows. One network represents the average: the parents of a node are the union of
    its most probable parent sets. With few rows, many networks are nearly as probable as the best
    one. Their average is then the safer prediction.

    If the table of a node would have more than 65,536 cells, predictions come from the weighted
    tables of its parent sets. The network then has a table with fewer parents for this node, for
    display and export.

    Parameters
    ----------
    max_parents : int, default=2
        Largest number of parents of a node in the networks that are averaged, including the class.
    summary_parents : int or None, default=12
        Largest number of parents of a node in the network that represents the average. The result
        is approximate model averaging (AMA). None means no limit: the average is then exact.
    order : str or sequence, default="thick-thin"
        Order of the nodes; arcs lead from earlier nodes to later ones. "thick-thin" is the order of
        the network that greedy thick-thinning finds. "information" is the class, then the
        attributes by decreasing mutual information with it. "random" is a random order. "opposite"
        is a random order and its reverse. A sequence of all names, including the class, gives the
        order itself. Its elements may also be levels, which are lists of names:
        ``[["age", "sex"], ["class"], ["test"]]``. There are no arcs between nodes of one level.
    n_orders : int, default=1
        Number of random orders for "random" and "opposite", which adds the reverse of each. With
        more than one order, the class probabilities are the means over all orders. Other values of
        ``order`` need ``n_orders=1``.
    criterion : {"k2", "bdeu"}, default="k2"
        Score of a structure: the probability of the training rows under a prior. "k2" has one
        pseudo-count per cell. "bdeu" divides the ``equivalent_sample_size`` equally among the cells
        of a table. The conditional tables use the same prior.
    equivalent_sample_size
    arc_prior : float or dict of tuple to float, default=0.5
        Prior probability of an arc, between 0 and 1: one number for all arcs, or
        ``{(parent, child): probability}`` for some arcs and 0.5 for the others. With 0.5 for all
        arcs and without a ``parent_penalty``, all networks are equally probable before the rows are
        seen.
    parent_penalty : float, default=0.0
        Penalty per parent, at least 0. Every parent of a node multiplies the prior probability of a
        network by ``exp(-parent_penalty)``.
    random_state : int, default=0
        Seed of the random orders.
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    networks_ : list of BayesianNetwork
        One network per order, which represents the average along this order.
    weights_ : ndarray of shape (n_networks,)
        Weight of each network in the class probabilities. All weights are equal.
    network_ : BayesianNetwork
        The network of the order. It exists only if there is one order.
    arc_probabilities_ : dict of tuple to float
        Probability of every arc that an order allows, as ``{(parent, child): probability}``. With
        several orders, it is the mean over all orders.
    expected_parents_ : dict of str to float
        Expected number of parents of every node, by name.
    parent_sets_ : dict of str to list
        The ten most probable parent sets of every node, by name:
        ``[((parent, ...), probability), ...]``.
    cut_points_, schema_, used_codings_, n_features_in_, feature_names_in_

    References
    ----------
    D. Dash and G. Cooper (2003). Model averaging with discrete Bayesian network classifiers.
    AISTATS 9.

    Examples
    --------
    >>> from bayesgrove import ModelAveragingClassifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> model = ModelAveragingClassifier(order="information").fit(X, y)
    >>> round(model.arc_probabilities_["class", "Correlated"], 3)
    1.0
    """

    short_name: ClassVar[str] = "ama"
    state_kinds: ClassVar[tuple[str, ...]] = ("averages",)
    _averages: list[AveragedNetwork]

    def __init__(
        self,
        max_parents: int = 2,
        summary_parents: int | None = 12,
        order: str | Levels = "thick-thin",
        *,
        n_orders: int = 1,
        criterion: str = "k2",
        equivalent_sample_size: float = 1.0,
        arc_prior: float | Arcs = 0.5,
        parent_penalty: float = 0.0,
        random_state: int = 0,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.max_parents = max_parents
        self.summary_parents = summary_parents
        self.order = order
        self.n_orders = n_orders
        self.criterion = criterion
        self.equivalent_sample_size = equivalent_sample_size
        self.arc_prior = arc_prior
        self.parent_penalty = parent_penalty
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _check_parts(self) -> None:
        self._greedy()

    def _greedy(self) -> ThickThin:
        """Return the learner whose network gives the order "thick-thin"."""
        require_choice("criterion", self.criterion, SCORES)
        return ThickThin(self.criterion, self.equivalent_sample_size)

    def _learn(self, training: Training) -> None:
        counts = training.counts(self._threads())
        greedy = self._greedy()
        average = OrderedAverage(
            self.max_parents,
            self.summary_parents,
            self.criterion,
            self.equivalent_sample_size,
            _by_number(self.arc_prior, counts.names),
            self.parent_penalty,
        )
        if isinstance(self.order, str):  # Finding an order takes time: check the options before.
            average.check([[v] for v in range(len(counts.names))])
        averages, arcs, sets = [], [], []
        for levels in orders_of(self.order, counts, self.n_orders, self.random_state, greedy):
            nodes = average.parent_sets(counts, levels)
            averages.append(average.network(counts, training.states, nodes))
            arcs.append({node.child: node.arc_probabilities() for node in nodes})
            sets.append({node.child: dict(node.most_probable(MAX_SETS)) for node in nodes})
        self._keep_averages(training.schema, training.classes, averages)
        self._keep_sets(_mean_arcs(arcs, counts.names), _mean_sets(sets, counts.names))

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        by_order = [
            average.log_joint(encoded, threads, relative=relative) for average in self._averages
        ]
        if len(by_order) == 1:
            return by_order[0]
        joints = np.stack(by_order)
        evidence = logsumexp(joints, axis=2, keepdims=True)
        joint: Floats = logsumexp(joints - evidence, axis=0) - np.log(len(joints))
        if not relative:
            joint += logsumexp(evidence, axis=0) - np.log(len(joints))
        return joint

    def _program(self) -> Program | None:
        single = len(self._averages) == 1 and not self._averages[0].means
        return super()._program() if single else None

    def beyond_network(self) -> str:
        """Describe the part of the model that ``networks_[0]`` does not contain.

        Returns
        -------
        str
            The description, or an empty string if ``networks_[0]`` is the whole model.
        """
        parts = []
        if len(self._averages) > 1:
            parts.append(f"the average over {len(self._averages)} orders")
        large = [average.network.nodes[v] for average in self._averages for v in average.means]
        if large:
            parts.append(f"the whole tables of nodes such as {large[0]!r}, looked up row by row")
        return " and ".join(parts)

    def _keep_averages(
        self, schema: Schema, classes: NDArray[Any], averages: list[AveragedNetwork]
    ) -> None:
        """Set the averages, one per order; all have the same weight."""
        self._averages = averages
        weights = np.full(len(averages), 1.0 / len(averages))
        networks = [average.network for average in averages]
        self._keep_networks(schema, classes, networks, weights)

    def _keep_sets(
        self,
        arcs: dict[Arc, float],
        sets: dict[str, list[tuple[tuple[str, ...], float]]],
    ) -> None:
        """Set the probabilities of arcs and parent sets."""
        self.arc_probabilities_ = arcs
        self.parent_sets_ = sets
        self.expected_parents_ = dict.fromkeys(self.networks_[0].nodes, 0.0)
        for (_, child), probability in arcs.items():
            self.expected_parents_[child] += probability


def _by_number(prior: Any, names: Sequence[str]) -> Any:
    """Return a prior of single arcs by node numbers, and a prior of all arcs unchanged."""
    if not isinstance(prior, Mapping):
        return prior
    number_of = {name: v for v, name in enumerate(names)}
    by_number: dict[tuple[int, int], float] = {}
    for arc, probability in prior.items():
        if not isinstance(arc, tuple) or len(set(arc)) != 2 or not set(arc) <= set(number_of):
            raise ValueError(
                f"arc_prior has {arc!r}, which is not a (parent, child) pair of nodes."
            )
        require_level(f"arc_prior of {arc!r}", probability)
        by_number[number_of[arc[0]], number_of[arc[1]]] = probability
    return by_number


def _mean_arcs(orders: list[dict[int, dict[int, float]]], names: Sequence[str]) -> dict[Arc, float]:
    """Return the mean probabilities of arcs over all orders; 0 where an order forbids the arc."""
    means: dict[Arc, float] = {}
    for child, parents in (item for order in orders for item in order.items()):
        for parent, probability in parents.items():
            arc = names[parent], names[child]
            means[arc] = means.get(arc, 0.0) + probability / len(orders)
    return means


def _mean_sets(
    orders: list[dict[int, dict[tuple[int, ...], float]]], names: Sequence[str]
) -> dict[str, list[tuple[tuple[str, ...], float]]]:
    """Return the most probable parent sets of every node over all orders."""
    by_node: dict[str, dict[tuple[str, ...], float]] = {name: {} for name in names}
    for child, sets in (item for order in orders for item in order.items()):
        sums = by_node[names[child]]
        for parents, probability in sets.items():
            key = tuple(names[v] for v in parents)
            sums[key] = sums.get(key, 0.0) + probability / len(orders)
    return {
        name: sorted(sums.items(), key=lambda pair: -pair[1])[:MAX_SETS]
        for name, sums in by_node.items()
    }
