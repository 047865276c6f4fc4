"""The model averaging classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove.averaging import OrderedAverage
from bayesgrove.averaging.orders import levels_of
from bayesgrove.classifiers.base import NetworkClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.structures import ThickThin

if TYPE_CHECKING:
    from bayesgrove.classifiers.files import Field
    from bayesgrove.classifiers.reading import Training
    from bayesgrove.encoding import Discretizer


class ModelAveragingClassifier(NetworkClassifier):
    """The average over all networks that follow an order (Dash and Cooper 2003: AMA).

    All networks in which every node has at most ``max_parents`` parents among the nodes before it
    count with their probability. One network, whose nodes have the union of the most probable
    parent sets, predicts as the average does.

    Parameters
    ----------
    max_parents : most parents of a node in the networks that are averaged, the class included
    summary_parents : most parents of a node in the network that stands for the average, fewer
        where its table would have more than a million cells; None is no bound: the average is
        then exact, or refused where a table is larger
    order : "thick-thin", the order of the network that greedy thick-thinning finds;
        "information", the class and then the attributes by mutual information with it; "random";
        or levels of names, the class by its own name: ``[["age", "sex"], ["class"], ["test"]]``
    criterion : "k2", or "bdeu" with equivalent sample size ``alpha``
    alpha : equivalent sample size of "bdeu"
    arc_probability : probability of an arc beforehand; 0.5 makes all networks equally probable
    random_state : seed of a random order
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    classes_, network_, cut_points_ : see `BayesianNetworkClassifier`
    arc_probabilities_ : ``{(parent, child): probability}`` of all arcs that the order allows
    expected_parents_ : expected number of parents of every node, by name

    Examples
    --------
    >>> from bayesgrove import ModelAveragingClassifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> model = ModelAveragingClassifier(order="information").fit(X, y)
    >>> round(model.arc_probabilities_["class", "Correlated"], 3)
    1.0
    """

    def __init__(
        self,
        max_parents: int = 2,
        summary_parents: int | None = 12,
        order: Any = "thick-thin",
        *,
        criterion: str = "k2",
        alpha: float = 1.0,
        arc_probability: float = 0.5,
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
        self.criterion = criterion
        self.alpha = alpha
        self.arc_probability = arc_probability
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _structure_learner(self) -> ThickThin:
        return ThickThin(self.criterion, self.alpha)

    def _parameter_learner(self) -> Dirichlet:
        return Dirichlet()

    def _learn(self, training: Training) -> None:
        counts = training.counts(self._threads())
        average = OrderedAverage(
            self.max_parents, self.summary_parents, self.criterion, self.alpha, self.arc_probability
        )
        levels = levels_of(self.order, counts, self.random_state)
        sets = average.parent_sets(counts, levels)
        self._keep(
            training.schema, training.classes, average.network(counts, training.states, sets)
        )
        names = self.network_.nodes
        self._keep_arcs(
            {
                (names[parent], names[own.child]): probability
                for own in sets
                for parent, probability in sorted(own.arc_probabilities().items())
            }
        )

    def _keep_arcs(self, probabilities: dict[tuple[str, str], float]) -> None:
        self.arc_probabilities_ = probabilities
        self.expected_parents_ = dict.fromkeys(self.network_.nodes, 0.0)
        for (_, child), probability in probabilities.items():
            self.expected_parents_[child] += probability

    def _extra_state(self) -> dict[str, Any]:
        return {"arcs": [[*arc, own] for arc, own in self.arc_probabilities_.items()]}

    def _restore_extra(self, extra: Field) -> None:
        arcs: dict[tuple[str, str], float] = {}
        for item in extra.members("arcs")["arcs"].items():
            parent, child, probability = item.items(3)
            ends = tuple(end.choice(*self.network_.nodes) for end in (parent, child))
            arcs[ends[0], ends[1]] = probability.number()
        self._keep_arcs(arcs)
