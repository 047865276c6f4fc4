"""The model averaging classifier: the average over all networks that follow an order."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.special import logsumexp

from bayesgrove._utils.memory import require_memory
from bayesgrove._utils.options import require_choice, require_level
from bayesgrove._utils.renamed import renamed
from bayesgrove._utils.warnings import warn_caller
from bayesgrove.averaging import CompletedAverage, OrderedAverage, OrderMCMC, OrderScores
from bayesgrove.averaging.convergence import MAX_R_HAT, chains_differ, convergence
from bayesgrove.averaging.orders import ORDERS, orders_of
from bayesgrove.estimators.base.averaging import AveragingClassifier
from bayesgrove.parameters import EMRecord
from bayesgrove.structures import ThickThin
from bayesgrove.structures.thick_thin import SCORES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.averaging import AveragedNetwork, ParentSets
    from bayesgrove.averaging.structure_prior import SetFunction, SetTable
    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Discretizer, Encoded, Schema
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.network.prediction_program import Program

    Arc = tuple[str, str]
    Arcs = Mapping[Arc, float]
    Levels = Sequence[str | Sequence[str]]

MAX_SETS = 10
"""Number of the most probable parent sets of a node that ``parent_sets_`` holds."""
MIN_PROBABILITY = 1e-6
"""With several orders, sets that are less probable than this along an order count as impossible."""
SAMPLED_CELLS = 1 << 12
"""Largest number of cells of a table in the networks of "mcmc", of which there are many."""
MIN_DEVIATION = 0.01
"""Arcs whose probability varies less between orders have no part in R-hat."""


@renamed(alpha="equivalent_sample_size", arc_probability="arc_prior")
class ModelAveragingClassifier(AveragingClassifier):
    """Bayesian model averaging over all networks that follow an order of the nodes (AMA).

    The average is over all networks in which every node has at most ``max_parents`` parents, and
    all parents come before the node in the order. The weight of a network is its probability given
    the training rows. One network represents the average: the parents of a node are the union of
    its most probable parent sets. With few rows, many networks are nearly as probable as the best
    one. Their average is then the safer prediction.

    If the table of a node would have more than 65,536 cells (4,096 with ``order="mcmc"``),
    predictions come from the weighted tables of its parent sets. The network then has a table with
    fewer parents for this node, for display and export.

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
        attributes by decreasing mutual information with it. "greedy" is the best order that hill
        climbing from five random orders finds. "random" is a random order. "opposite" is a random
        order and its reverse. "mcmc" draws orders by their probability given the training rows,
        with Markov chains. A sequence of all names, including the class, gives the order itself.
        Its elements may also be levels, which are lists of names:
        ``[["age", "sex"], ["class"], ["test"]]``. There are no arcs between nodes of one level.
    n_orders : int or None, default=None
        Number of random orders for "random" and "opposite", which adds the reverse of each. For
        "mcmc", the number of orders to keep over all chains, a multiple of ``n_chains``. None means
        1, and 100 for "mcmc". Other values of ``order`` need 1 or None. With several orders of
        "random" or "opposite", the class probabilities are the means over all orders. With "mcmc",
        they come from the mean of ``P(class, row)`` over the orders, which is the Bayesian average.
    burn_in : int, default=10000
        Number of proposals at the start of each Markov chain after which no order is kept. Used by
        "mcmc".
    thinning : int, default=1000
        One order is kept after this number of proposals. Used by "mcmc".
    n_chains : int, default=4
        Number of Markov chains. Each chain starts from its own random order. Used by "mcmc".
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
    structure_prior : callable, dict or None, default=None
        A further factor of the prior probability of a network: the product over all nodes of
        ``structure_prior(node, parents)``. The callable gets the name of a node and the tuple of
        the names of its parents, in the order of the columns with the class last. It returns a
        number of at least 0. A dict holds the factors of some nodes:
        ``{node: {(parent, ...): factor}}``. A set of such a node that is not listed has the factor
        0. The sets of other nodes have the factor 1. A model file can hold a dict, but not a
        callable.
    random_state : int, default=0
        Seed of the random orders, of the Markov chains and of the hill climbing.
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    networks_ : list of BayesianNetwork
        One network per order, which represents the average along this order. Equal orders of "mcmc"
        have one network.
    weights_ : ndarray of shape (n_networks,)
        Weight of each network in the class probabilities. With "mcmc", it is the share of the kept
        orders that are equal to the order of the network. Otherwise all weights are equal.
    network_ : BayesianNetwork
        The network of the order. It exists only if there is one order.
    arc_probabilities_ : dict of tuple to float
        Probability of every arc that an order and the structure prior allow, as ``{(parent,
        child): probability}``. With several orders, it is the mean over all orders.
    arc_errors_ : dict of tuple to float
        Monte Carlo standard error of every arc probability. Only with "mcmc".
    order_scores_ : ndarray of shape (n_chains, n_kept)
        ``ln P(rows | order)`` of every kept order. Only with "mcmc".
    r_hat_ : float
        Split R-hat of ``order_scores_``. A warning says that the chains have not mixed if it, or
        ``arc_r_hat_``, is above 1.1 by more than chance. Only with "mcmc".
    arc_r_hat_ : float
        The largest split R-hat of an arc probability that varies by at least 0.01 (standard
        deviation); 1 if there is none. Only with "mcmc".
    effective_size_ : float
        Effective sample size of ``order_scores_``. Only with "mcmc".
    expected_parents_ : dict of str to float
        Expected number of parents of every node, by name.
    parent_sets_ : dict of str to list
        The ten most probable parent sets of every node, by name:
        ``[((parent, ...), probability), ...]``.
    em_, cut_points_, schema_, used_codings_, n_features_in_, feature_names_in_

    References
    ----------
    D. Dash and G. Cooper (2003). Model averaging with discrete Bayesian network classifiers.
    AISTATS 9.

    N. Friedman and D. Koller (2003). Being Bayesian about network structure: a Bayesian approach to
    structure discovery in Bayesian networks. Machine Learning 50, 95-125.

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
    em_: EMRecord

    def __init__(
        self,
        max_parents: int = 2,
        summary_parents: int | None = 12,
        order: str | Levels = "thick-thin",
        *,
        n_orders: int | None = None,
        burn_in: int = 10_000,
        thinning: int = 1000,
        n_chains: int = 4,
        criterion: str = "k2",
        equivalent_sample_size: float = 1.0,
        arc_prior: float | Arcs = 0.5,
        parent_penalty: float = 0.0,
        structure_prior: SetFunction | SetTable | None = None,
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
        self.burn_in = burn_in
        self.thinning = thinning
        self.n_chains = n_chains
        self.criterion = criterion
        self.equivalent_sample_size = equivalent_sample_size
        self.arc_prior = arc_prior
        self.parent_penalty = parent_penalty
        self.structure_prior = structure_prior
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
            self.structure_prior,
        )
        if isinstance(self.order, str):  # Finding an order takes time: check the options before.
            require_choice("order", self.order, ORDERS)
            average.check([[v] for v in range(len(counts.names))])
        if self._samples_orders:
            self._learn_sampled(training, counts, average)
            return
        if self.missing == "em":
            self.em_ = EMRecord(True, ())
        orders = orders_of(self.order, counts, self.n_orders, self.random_state, greedy, average)
        averaged = (self._averaged(average, counts, training.states, levels) for levels in orders)
        weights = np.full(len(orders), 1.0 / len(orders))
        self._keep_orders(training, counts.names, averaged, weights)

    @property
    def _samples_orders(self) -> bool:
        """Whether orders are drawn by Markov chains."""
        return isinstance(self.order, str) and self.order == "mcmc"

    def _learn_sampled(
        self, training: Training, counts: CountSource, average: OrderedAverage
    ) -> None:
        """Draw orders with Markov chains, and keep their average and its Monte Carlo errors."""
        n_orders = 100 if self.n_orders is None else self.n_orders
        chains = OrderMCMC(n_orders, self.burn_in, self.thinning, self.n_chains, self.random_state)
        chains.check(len(counts.names))
        scores = OrderScores.of(average, counts)
        sample = chains.sample(scores)
        orders, which = sample.distinct()
        weights = np.bincount(which.ravel()) / which.size
        by_order = (scores.parent_sets(order) for order in orders.tolist())
        averaged = (
            (nodes, average.network(counts, training.states, nodes, SAMPLED_CELLS))
            for nodes in by_order
        )
        arcs = self._keep_orders(training, counts.names, averaged, weights)
        self._keep_chains(sample.scores, *_arc_convergence(arcs, which))
        of_scores, of_arcs = self.r_hat_ > MAX_R_HAT, self.arc_r_hat_ > MAX_R_HAT
        if (of_scores and chains_differ(sample.scores[:, :, None])) or (
            of_arcs and chains_differ(_varying_arcs(arcs, which))
        ):
            _warn_of_chains(self.r_hat_, self.arc_r_hat_)

    def _keep_orders(
        self,
        training: Training,
        names: Sequence[str],
        averaged: Iterable[tuple[list[ParentSets], AveragedNetwork]],
        weights: Floats,
    ) -> list[dict[Arc, float]]:
        """Set the average over orders, and return the arc probabilities of every order."""
        averages, arcs, sets = [], [], []
        least = MIN_PROBABILITY if len(weights) > 1 else 1.0
        for nodes, average in averaged:
            averages.append(average)
            _require_network_memory(averages, len(weights))
            arcs.append(_named_arcs(nodes, names))
            sets.append({node.child: dict(_frequent(node, least)) for node in nodes})
        self._keep_averages(training.schema, training.classes, averages, weights)
        self._keep_sets(_mean_arcs(arcs, weights), _mean_sets(sets, weights, names))
        return arcs

    @property
    def _offers_em(self) -> bool:
        return not self._samples_orders

    def _averaged(
        self, average: OrderedAverage, counts: CountSource, states: Any, levels: Any
    ) -> tuple[list[ParentSets], AveragedNetwork]:
        """Return the parent sets and the average of one order, and record what EM did for it."""
        if self.missing != "em":
            nodes = average.parent_sets(counts, levels)
            return nodes, average.network(counts, states, nodes)
        completed = CompletedAverage(average).learn(counts, states, levels)
        self.em_ = EMRecord(
            self.em_.converged and completed.converged,
            (*self.em_.log_likelihoods, completed.path),
        )
        return completed.parent_sets, completed.network

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        if len(self._averages) == 1:
            return self._averages[0].log_joint(encoded, threads, relative=relative)
        if self._samples_orders:
            joint = np.full((encoded.rows, len(self.classes_)), -np.inf)
            for average, weight in zip(self._averages, self.weights_.tolist(), strict=True):
                logs = average.log_joint(encoded, threads) + math.log(weight)
                np.logaddexp(joint, logs, out=joint)
            return joint
        joints = np.stack(
            [average.log_joint(encoded, threads, relative=relative) for average in self._averages]
        )
        evidence = logsumexp(joints, axis=2, keepdims=True)
        mean: Floats = logsumexp(joints - evidence, axis=0) - np.log(len(joints))
        if not relative:
            mean += logsumexp(evidence, axis=0) - np.log(len(joints))
        return mean

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
        self,
        schema: Schema,
        classes: NDArray[Any],
        averages: list[AveragedNetwork],
        weights: Floats,
    ) -> None:
        """Set the averages, one per order, and their weights."""
        self._averages = averages
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

    def _keep_chains(self, scores: Floats, arc_errors: dict[Arc, float], arc_r_hat: float) -> None:
        """Set what is known about the convergence of the Markov chains."""
        of_scores = convergence(scores)
        self.order_scores_ = scores
        self.r_hat_, self.effective_size_ = of_scores.r_hat, of_scores.effective_size
        self.arc_errors_, self.arc_r_hat_ = arc_errors, arc_r_hat


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


def _named_arcs(nodes: Sequence[ParentSets], names: Sequence[str]) -> dict[Arc, float]:
    """Return the probability of each arc (parent, child) that one order allows."""
    return {
        (names[parent], names[node.child]): probability
        for node in nodes
        for parent, probability in node.arc_probabilities().items()
    }


def _mean_arcs(orders: list[dict[Arc, float]], weights: Floats) -> dict[Arc, float]:
    """Return the mean probabilities of arcs over all orders; 0 where an order forbids the arc."""
    means: dict[Arc, float] = {}
    for arcs, weight in zip(orders, weights.tolist(), strict=True):
        for arc, probability in arcs.items():
            means[arc] = means.get(arc, 0.0) + probability * weight
    return {arc: min(mean, 1.0) for arc, mean in means.items()}  # A sum may round to above 1.


def _arc_convergence(
    orders: list[dict[Arc, float]], which: NDArray[np.intp]
) -> tuple[dict[Arc, float], float]:
    """Return the Monte Carlo error of every arc, and the largest R-hat of an arc that varies."""
    errors, r_hat = {}, 1.0
    for arc, draws in _arc_draws(orders, which):
        of_arc = convergence(draws)
        errors[arc] = of_arc.error
        if draws.std() >= MIN_DEVIATION:
            r_hat = max(r_hat, of_arc.r_hat)
    return errors, r_hat


def _arc_draws(
    orders: list[dict[Arc, float]], which: NDArray[np.intp]
) -> Iterator[tuple[Arc, Floats]]:
    """Yield every arc with its probability in each draw of each chain."""
    for arc in dict.fromkeys(arc for arcs in orders for arc in arcs):
        yield arc, np.array([arcs.get(arc, 0.0) for arcs in orders])[which]


def _varying_arcs(orders: list[dict[Arc, float]], which: NDArray[np.intp]) -> Floats:
    """Return the probabilities of all arcs that vary, by chain, draw and arc."""
    every = (draws for _, draws in _arc_draws(orders, which))
    return np.stack([draws for draws in every if draws.std() >= MIN_DEVIATION], axis=2)


def _warn_of_chains(of_scores: float, of_arcs: float) -> None:
    """Warn that the chains are still in different places."""
    warn_caller(
        "The Markov chains over orders have not mixed: R-hat is "
        f"{_bounded(of_scores)} for the scores of orders and at most {_bounded(of_arcs)} for "
        f"arcs; one of them is above {MAX_R_HAT}, by more than chance. Probabilities of arcs and "
        "classes depend on random_state. Set a larger burn_in, a larger thinning or a larger "
        "n_orders."
    )


def _bounded(r_hat: float) -> str:
    """Return R-hat as text; beyond 100 it only says that no chain has moved."""
    return f"{r_hat:.4g}" if r_hat <= 100.0 else "over 100"


def _require_network_memory(averages: list[AveragedNetwork], count: int) -> None:
    """Raise unless ``count`` networks fit into memory, if all are as large as the last one."""
    network = averages[-1].network
    cells = sum(network.table(name).probabilities.size for name in network.nodes)
    means = (
        table.probabilities.size for mean in averages[-1].means.values() for table in mean.tables
    )
    require_memory(
        8 * 2 * (cells + sum(means)) * (count - len(averages)),  # tables and their logarithms
        f"The networks of {count} orders",
        "set a lower n_orders, max_parents or summary_parents",
    )


def _frequent(node: ParentSets, least: float) -> list[tuple[tuple[int, ...], float]]:
    """Return the most probable sets of a node: ten, and all with at least this probability."""
    return node.most_probable(max(MAX_SETS, int((node.weights >= least).sum())))


def _mean_sets(
    orders: list[dict[int, dict[tuple[int, ...], float]]], weights: Floats, names: Sequence[str]
) -> dict[str, list[tuple[tuple[str, ...], float]]]:
    """Return the most probable parent sets of every node over all orders."""
    by_node: list[dict[tuple[int, ...], float]] = [{} for _ in names]
    for order, weight in zip(orders, weights.tolist(), strict=True):
        for child, sets in order.items():
            for parents, probability in sets.items():
                mean = by_node[child].get(parents, 0.0) + probability * weight
                by_node[child][parents] = mean
    return {
        name: [
            (tuple(names[v] for v in parents), min(mean, 1.0))
            for parents, mean in sorted(means.items(), key=lambda pair: -pair[1])[:MAX_SETS]
        ]
        for name, means in zip(names, by_node, strict=True)
    }
