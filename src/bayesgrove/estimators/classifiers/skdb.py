"""The selective k-dependence Bayesian (SKDB) classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove.contracts import Selection, Step
from bayesgrove.estimators.base.selecting import SelectiveClassifier
from bayesgrove.network import Structure
from bayesgrove.parameters import Dirichlet
from bayesgrove.structures import SKDB

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Discretizer
    from bayesgrove.estimators.base.network import ParameterLearner
    from bayesgrove.kernels import Floats


class SKDBClassifier(SelectiveClassifier):
    """Selective KDB (SKDB): KDB whose k and attributes are chosen by leave-one-out losses.

    The full model is `KDBClassifier` with the largest ``k``: attributes enter in the order of
    decreasing mutual information with the class, I(X;C), and the parents of an attribute X are the
    class and the attributes X' before it with the largest I(X;X'|C). The full model contains
    smaller ones: the first s attributes of the order, each with its first k' parents. One more pass
    over the rows predicts every row by all of them, from the counts of all other rows. The model
    with the smallest loss is taken. Ties go to the smaller k', then to fewer attributes. The time
    is proportional to the number of rows, and files may be larger than memory.

    The order and the parents are learned once, from all rows, as in the paper. A row of weight w is
    left out with its weight. For the losses, a missing value that is not a state has no table, and
    a missing parent of an attribute is left out together with its weaker parents; the fitted
    network sums them out. The paper smooths by m-estimates with m = 1, which add ``1 / r`` to every
    cell of an attribute with r values. Here every cell gets ``alpha``. The losses use these
    pseudo-counts also if the network has another ``smoothing``, ``weights`` or ``corrections``.

    Parameters
    ----------
    k : int, default=5
        Largest number of attribute parents that is tried.
    scoring : {"rmse", "accuracy", "log_loss"}, default="rmse"
        Leave-one-out loss, where p is the probability of the true class of a row. "rmse" is the
        root of the mean of ``(1 - p)^2``, as in the paper. "accuracy" is the share of wrong
        predictions, the 0-1 loss. "log_loss" is the mean of ``-ln p``; it needs an ``alpha`` above
        0.
    select_attributes : bool, default=True
        Whether attributes are selected. If False, all attributes are used, and only k is chosen.
    alpha
    smoothing, weights, corrections
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    k_ : int
        Number of attribute parents that was chosen.
    losses_ : ndarray of shape (largest k + 1, n_attributes + 1)
        Leave-one-out losses: ``losses_[j, s]`` is the loss with j parents and the first s
        attributes of ``order_``. The largest k is at most the number of attributes minus 1.
    order_ : list of str
        Names of all attributes, by decreasing information about the class.
    selected_ : list of str
        Names of the selected attributes, the first ones of ``order_``.
    path_ : list of Step
        One step per selected attribute, with the loss of the attributes up to this one. `path_text`
        returns the steps as text.
    network_ : BayesianNetwork
        The fitted network of the selected attributes. Its last node is the class.
    networks_, exponents_, cut_points_, schema_, used_codings_, n_features_in_, feature_names_in_

    References
    ----------
    A. M. Martinez, G. I. Webb, S. Chen and N. A. Zaidi (2016). Scalable learning of Bayesian
    network classifiers. Journal of Machine Learning Research 17(44), 1-35.

    Examples
    --------
    >>> from bayesgrove import SKDBClassifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> model = SKDBClassifier(k=3).fit(X, y)
    >>> model.k_, len(model.selected_), model.losses_.shape
    (2, 5, (4, 7))
    """

    short_name: ClassVar[str] = "skdb"
    state_kinds: ClassVar[tuple[str, ...]] = ("losses",)
    k_: int
    losses_: Floats
    order_: list[str]

    def __init__(
        self,
        k: int = 5,
        *,
        scoring: str = "rmse",
        select_attributes: bool = True,
        alpha: float = 1.0,
        smoothing: str = "dirichlet",
        weights: str | None = None,
        corrections: bool = False,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.k = k
        self.scoring = scoring
        self.select_attributes = select_attributes
        self.alpha = alpha
        self.smoothing = smoothing
        self.weights = weights
        self.corrections = corrections
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 gives the same model as the row twice: it is left out whole."""
        return False

    @property
    def _offers_em(self) -> bool:
        return False

    def _selector(self) -> None:
        """Return None: the structure learner selects the attributes."""

    def _structure_learner(self) -> SKDB:
        return SKDB(self.k, self.scoring, self.select_attributes, self.alpha)

    def _parameter_learner(self) -> ParameterLearner:
        return self._smoothed(Dirichlet(self.alpha))

    def _structure(self, counts: CountSource) -> tuple[CountSource, Structure]:
        submodel = self._structure_learner().choose(counts)
        names = counts.names
        self._keep_losses([names[v] for v in submodel.ranking.order], submodel.losses)
        chosen = submodel.attributes
        values = submodel.losses[submodel.k, 1:].tolist()
        steps = [Step(names[v], value, None) for v, value in zip(chosen, values, strict=False)]
        restricted = self._restrict(counts, Selection(tuple(chosen), tuple(steps)))
        place = {v: at for at, v in enumerate([*sorted(chosen), counts.n_attributes])}
        parents = submodel.structure.parents
        return restricted, Structure(tuple(tuple(place[p] for p in parents[v]) for v in place))

    def _keep_losses(self, order: list[str], losses: Floats) -> None:
        """Set the order of the attributes, the losses, and the k with the smallest loss."""
        self.order_, self.losses_ = order, losses
        self.k_, _ = self._structure_learner().best(losses)

    def _check_parts(self) -> None:
        super()._check_parts()
        self._structure_learner().check()
