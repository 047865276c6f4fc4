"""The Occam's window classifier: the average over good networks that a greedy search has met."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove.averaging import OccamsWindow
from bayesgrove.estimators.base.averaging import AveragingClassifier
from bayesgrove.parameters import BDeu, Dirichlet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding import Discretizer, Schema
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.network import BayesianNetwork
    from bayesgrove.parameters.dirichlet import PseudoCounts


class OccamsWindowClassifier(AveragingClassifier):
    """Model averaging over Occam's window: good networks that a greedy search has met.

    Greedy thick-thinning (see `ThickThinClassifier`) compares many networks: at each step, the
    network so far with every arc that may be added or removed. The average is over those of them
    that are in Occam's window. A network is left out if it is more than ``window`` times less
    probable than the best one, or if a network with some of its arcs, and no others, is more
    probable. The weight of a network is its probability given the training rows. All networks are
    equally probable before.

    Parameters
    ----------
    criterion : {"k2", "bdeu"}, default="k2"
        Score of a structure: the probability of the training rows under a prior. "k2" has one
        pseudo-count per cell. "bdeu" divides the ``equivalent_sample_size`` equally among the cells
        of a table. The conditional tables use the same prior.
    max_parents
    window : float, default=20.0
        Largest ratio between the probability of the best network and of another one, at least 1.
        The paper uses 20.
    max_networks : int, default=100
        Largest number of networks. If more are in the window, the most probable ones are averaged.
    equivalent_sample_size
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    networks_ : list of BayesianNetwork
        The networks in the window, most probable first.
    weights_ : ndarray of shape (n_networks,)
        Probability of each network among the networks in the window.
    network_ : BayesianNetwork
        The network in the window. It exists only if there is one.
    arc_probabilities_ : dict of tuple to float
        Sum of the weights of the networks with each arc, as ``{(parent, child): probability}``.
        Arcs that are in no network are left out.
    cut_points_, schema_, used_codings_, n_features_in_, feature_names_in_

    References
    ----------
    D. Madigan and A. Raftery (1994). Model selection and accounting for model uncertainty in
    graphical models using Occam's window. Journal of the American Statistical Association 89,
    1535-1546.

    Examples
    --------
    >>> from bayesgrove import OccamsWindowClassifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> model = OccamsWindowClassifier().fit(X, y)
    >>> len(model.networks_), round(model.score(X, y), 3)
    (6, 1.0)
    """

    short_name: ClassVar[str] = "occams-window"

    def __init__(
        self,
        criterion: str = "k2",
        max_parents: int | None = None,
        *,
        window: float = 20.0,
        max_networks: int = 100,
        equivalent_sample_size: float = 1.0,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_parents = max_parents
        self.window = window
        self.max_networks = max_networks
        self.equivalent_sample_size = equivalent_sample_size
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _check_parts(self) -> None:
        self._window().check()

    def _window(self) -> OccamsWindow:
        return OccamsWindow(
            self.criterion,
            self.equivalent_sample_size,
            self.max_parents,
            self.window,
            self.max_networks,
        )

    def _learn(self, training: Training) -> None:
        counts = training.counts(self._threads())
        structures, weights = self._window().learn(counts)
        parameters: PseudoCounts = (
            BDeu(self.equivalent_sample_size) if self.criterion == "bdeu" else Dirichlet(1.0)
        )
        networks = [
            parameters.estimate(structure, counts, training.states) for structure in structures
        ]
        self._keep_networks(training.schema, training.classes, networks, weights)

    def _keep_networks(
        self,
        schema: Schema,
        classes: NDArray[Any],
        networks: Sequence[BayesianNetwork],
        weights: Floats,
    ) -> None:
        super()._keep_networks(schema, classes, networks, weights)
        self.arc_probabilities_: dict[tuple[str, str], float] = {}
        for network, weight in zip(networks, weights.tolist(), strict=True):
            for arc in network.arcs:
                self.arc_probabilities_[arc] = self.arc_probabilities_.get(arc, 0.0) + weight
