"""The averaged TAN classifier: the exact average over all trees on the attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from sklearn.utils.validation import check_is_fitted

from bayesgrove._utils.options import OptionError
from bayesgrove.averaging import TANAverage, TreeAverage
from bayesgrove.estimators.base.averaging import AveragingClassifier
from bayesgrove.estimators.base.complexity import Complexity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding import Discretizer, Encoded, Schema
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.network.prediction_program import Program

    Arcs = Mapping[tuple[str, str], float]


class AveragedTANClassifier(AveragingClassifier):
    """Exact Bayesian model averaging over all tree-augmented naive Bayes (TAN) structures.

    In a TAN structure the attributes form a tree, and the class is a parent of every attribute.
    With n attributes there are n^(n-2) trees. Each has its probability given the training rows as
    its weight. The average over all trees is a ratio of two determinants (the matrix-tree theorem).
    They are computed without subtractions, so that no digits are lost.

    With few rows, many trees are nearly as probable as the best one, and their average is the safer
    prediction. With many rows, one tree is nearly certain, and the prediction is that of TAN.

    If values of a row are missing, the average is summed over their joint values. Missing
    attributes that are leaves of all probable trees need no sum. If there are more than 4,096 joint
    values, the most probable tree alone predicts the row. With ``missing="ignore"``, each table
    counts the rows in which all its variables are known.

    Parameters
    ----------
    equivalent_sample_size : float, default=1.0
        Sum of the pseudo-counts of every table, at least 1e-6. All cells of a table have the same
        pseudo-count (the BDeu prior), so that the direction of the arcs does not matter.
    edge_prior : dict of tuple to float or None, default=None
        Prior weights of some edges between two columns, at least 1e-100:
        ``{(column, column): weight}``.
        The order of the two columns does not matter. All other edges have the weight 1. The prior
        probability of a tree is proportional to the product of the weights of its edges. None means
        that all trees are equally probable.
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    network_ : BayesianNetwork
        The network of the most probable tree, for display and export. Predictions average over all
        trees.
    networks_
    weights_ : ndarray of shape (1,)
        The weight of ``network_``, 1.
    edge_probabilities_ : dict of tuple to float
        Probability that two columns are neighbours in the tree, given the training rows, as
        ``{(column, column): probability}``, with the columns of a pair in the order of the table.
        Pairs that are left out have a probability below 1e-18.
    cut_points_, schema_, used_codings_, n_features_in_, feature_names_in_

    References
    ----------
    J. Cerquides and R. Lopez de Mantaras (2005). TAN classifiers based on decomposable
    distributions. Machine Learning 59, 323-354.

    M. Meila and T. Jaakkola (2000). Tractable Bayesian learning of tree belief networks. UAI-2000,
    380-388.

    Examples
    --------
    >>> from bayesgrove import AveragedTANClassifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> model = AveragedTANClassifier().fit(X, y)
    >>> for edge in ("A0", "A1"), ("A0", "B0"), ("A0", "Irrelevant"):
    ...     print(edge, round(model.edge_probabilities_[edge], 2))
    ('A0', 'A1') 1.0
    ('A0', 'B0') 0.25
    ('A0', 'Irrelevant') 0.2
    """

    short_name: ClassVar[str] = "averaged-tan"
    state_kinds: ClassVar[tuple[str, ...]] = ("tree_averages",)
    _average: TreeAverage

    def __init__(
        self,
        *,
        equivalent_sample_size: float = 1.0,
        edge_prior: Arcs | None = None,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.equivalent_sample_size = equivalent_sample_size
        self.edge_prior = edge_prior
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def complexity(self) -> Complexity:
        """Return the size of the average.

        Returns
        -------
        Complexity
            The number of attributes with more than one state, the number of arcs from the class and
            of edges with a probability of at least 1e-18, and the number of free parameters of
            their tables. For a single tree, the parameters are those of TAN.
        """
        check_is_fitted(self)
        classes = len(self.classes_)
        free = [len(table) - 1 for table in self._average.marginals]
        edges = self._average.edges.tolist()
        return Complexity(
            attributes=sum(values > 0 for values in free),
            arcs=len(free) + len(edges),
            parameters=classes
            - 1
            + classes * (sum(free) + sum(free[a] * free[b] for a, b in edges)),
        )

    def beyond_network(self) -> str:
        """Describe the part of the model that ``network_`` does not contain.

        Returns
        -------
        str
            The description, or an empty string if only one tree is probable.
        """
        several = len(self._average.edges) >= len(self._average.marginals) > 0
        return "the average over all trees on the attributes" if several else ""

    def _check_parts(self) -> None:
        TANAverage(self.equivalent_sample_size, _checked(self.edge_prior)).check()

    def _learn(self, training: Training) -> None:
        self._check_parts()
        counts = training.counts(self._threads())
        prior = _by_number(self.edge_prior, counts.names[:-1])
        average = TANAverage(self.equivalent_sample_size, prior).learn(counts, training.states)
        self._keep_average(training.schema, training.classes, average)

    def _keep_average(self, schema: Schema, classes: NDArray[Any], average: TreeAverage) -> None:
        """Set the average over all trees."""
        self._keep(schema, classes, average.network)
        self._average = average
        names = average.network.nodes
        self.edge_probabilities_ = {
            (names[a], names[b]): probability
            for (a, b), probability in zip(
                average.edges.tolist(), average.edge_probabilities().tolist(), strict=True
            )
        }

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        del relative
        return self._average.log_joint(encoded, threads)

    def _program(self) -> Program | None:
        return None


def _checked(prior: Any) -> Any:
    """Return a prior of edges; raise unless it is None or a mapping."""
    if prior is not None and not isinstance(prior, Mapping):
        raise OptionError(
            f"edge_prior={prior!r:.40} must be None or a dict of pairs of columns and weights."
        )
    return prior


def _by_number(prior: Arcs | None, names: Sequence[str]) -> dict[tuple[int, int], float] | None:
    """Return a prior of edges by the numbers of the columns, the smaller number first."""
    if prior is None:
        return None
    numbers: dict[tuple[int, int], float] = {}
    for edge, weight in prior.items():
        if not isinstance(edge, tuple) or len(set(edge)) != 2 or not set(edge) <= set(names):
            raise OptionError(f"edge_prior has {edge!r}, which is not a pair of columns.")
        a, b = sorted(map(names.index, edge))
        if (a, b) in numbers:
            raise OptionError(f"edge_prior has {edge!r} twice, in both orders: give it once.")
        numbers[a, b] = weight
    return numbers
