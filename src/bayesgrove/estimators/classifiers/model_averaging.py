"""The model averaging classifier."""

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

MOST_SETS = 10
"""So many parent sets of a node are kept to look at."""


@renamed(alpha="equivalent_sample_size", arc_probability="arc_prior")
class ModelAveragingClassifier(AveragingClassifier):
    """The average over all networks that follow an order (Dash and Cooper 2003: AMA).

    All networks in which every node has at most ``max_parents`` parents among the nodes before it
    count with their probability. One network, whose nodes have the union of the most probable
    parent sets, predicts as the average does. Where the table of a node would have more than
    65,536 cells, predictions come from the tables of its parent sets, weighted, and the
    network has a table of fewer parents, to look at.

    Parameters
    ----------
    max_parents : most parents of a node in the networks that are averaged, the class included
    summary_parents : most parents of a node in the network that stands for the average; None is no
        bound: the average is then exact
    order : "thick-thin", the order of the network that greedy thick-thinning finds;
        "information", the class and then the attributes by mutual information with it; "random";
        "opposite", a random order and the same backwards; or levels of names, the class by its own
        name: ``[["age", "sex"], ["class"], ["test"]]``
    n_orders : how many random orders are drawn; with more than one order the class probabilities
        are the means over all
    criterion : "k2", or "bdeu" with equivalent sample size ``equivalent_sample_size``
    equivalent_sample_size : equivalent sample size of "bdeu"
    arc_prior : probability of an arc beforehand; 0.5 makes all networks equally probable.
        Either one for all arcs, or ``{(parent, child): probability}`` of some
    parent_penalty : every parent of a node makes a network less probable beforehand, by the factor
        ``exp(-parent_penalty)``
    random_state : seed of random orders
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    classes_, cut_points_ : see `BayesianNetworkClassifier`
    networks_, weights_ : the network of each order, and what its class probabilities count
    network_ : the network of the order, where there is only one
    arc_probabilities_ : ``{(parent, child): probability}`` of all arcs that an order allows
    expected_parents_ : expected number of parents of every node, by name
    parent_sets_ : the ten most probable parent sets of every node, by name:
        ``[((parent, ...), probability), ...]``

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
        """Return the learner whose network has the order "thick-thin"."""
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
        if isinstance(self.order, str):  # before an order is looked for
            average.check([[v] for v in range(len(counts.names))])
        averages, arcs, sets = [], [], []
        for levels in orders_of(self.order, counts, self.n_orders, self.random_state, greedy):
            found = average.parent_sets(counts, levels)
            averages.append(average.network(counts, training.states, found))
            arcs.append({own.child: own.arc_probabilities() for own in found})
            sets.append({own.child: dict(own.most_probable(MOST_SETS)) for own in found})
        self._keep_averages(training.schema, training.classes, averages)
        self._keep_sets(_mean_arcs(arcs, counts.names), _mean_sets(sets, counts.names))

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        found = [own.log_joint(encoded, threads, relative=relative) for own in self._averages]
        if len(found) == 1:
            return found[0]
        joints = np.stack(found)
        evidence = logsumexp(joints, axis=2, keepdims=True)
        joint: Floats = logsumexp(joints - evidence, axis=0) - np.log(len(joints))
        if not relative:
            joint += logsumexp(evidence, axis=0) - np.log(len(joints))
        return joint

    def _program(self) -> Program | None:
        single = len(self._averages) == 1 and not self._averages[0].means
        return super()._program() if single else None

    def beyond_network(self) -> str:
        """Say what predictions have and the first network is without; empty where it has all."""
        parts = []
        if len(self._averages) > 1:
            parts.append(f"the average over {len(self._averages)} orders")
        large = [own.network.nodes[v] for own in self._averages for v in own.means]
        if large:
            parts.append(f"the whole tables of nodes such as {large[0]!r}, looked up row by row")
        return " and ".join(parts)

    def _keep_averages(
        self, schema: Schema, classes: NDArray[Any], averages: list[AveragedNetwork]
    ) -> None:
        self._averages = averages
        weights = np.full(len(averages), 1.0 / len(averages))
        self._keep_networks(schema, classes, [own.network for own in averages], weights)

    def _keep_sets(
        self,
        arcs: dict[Arc, float],
        sets: dict[str, list[tuple[tuple[str, ...], float]]],
    ) -> None:
        self.arc_probabilities_ = arcs
        self.parent_sets_ = sets
        self.expected_parents_ = dict.fromkeys(self.networks_[0].nodes, 0.0)
        for (_, child), probability in arcs.items():
            self.expected_parents_[child] += probability


def _by_number(probability: Any, names: Sequence[str]) -> Any:
    """Probabilities of single arcs by the numbers of their ends."""
    if not isinstance(probability, Mapping):
        return probability
    place = {name: v for v, name in enumerate(names)}
    found: dict[tuple[int, int], float] = {}
    for arc, own in probability.items():
        if not isinstance(arc, tuple) or len(set(arc)) != 2 or not set(arc) <= set(place):
            raise ValueError(f"arc_prior has {arc!r}, which is no (parent, child) of nodes.")
        require_level(f"arc_prior of {arc!r}", own)
        found[place[arc[0]], place[arc[1]]] = own
    return found


def _mean_arcs(orders: list[dict[int, dict[int, float]]], names: Sequence[str]) -> dict[Arc, float]:
    """Probabilities of arcs over all orders; an arc that an order does not allow has none there."""
    found: dict[Arc, float] = {}
    for child, parents in (item for order in orders for item in order.items()):
        for parent, probability in parents.items():
            arc = names[parent], names[child]
            found[arc] = found.get(arc, 0.0) + probability / len(orders)
    return found


def _mean_sets(
    orders: list[dict[int, dict[tuple[int, ...], float]]], names: Sequence[str]
) -> dict[str, list[tuple[tuple[str, ...], float]]]:
    """The most probable parent sets of every node over all orders."""
    found: dict[str, dict[tuple[str, ...], float]] = {name: {} for name in names}
    for child, sets in (item for order in orders for item in order.items()):
        sums = found[names[child]]
        for parents, probability in sets.items():
            key = tuple(names[v] for v in parents)
            sums[key] = sums.get(key, 0.0) + probability / len(orders)
    return {
        name: sorted(sums.items(), key=lambda pair: -pair[1])[:MOST_SETS]
        for name, sums in found.items()
    }
