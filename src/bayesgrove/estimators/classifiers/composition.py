"""The classifier that is composed of a structure learner, a parameter learner and a selector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove._utils.options import OptionError
from bayesgrove.contracts import checked_learner, require_selector, weights_repeat_rows
from bayesgrove.estimators.base.selecting import SelectiveClassifier
from bayesgrove.parameters import EM, Dirichlet
from bayesgrove.structures import Naive

if TYPE_CHECKING:
    from bayesgrove.contracts import Selector, StructureLearner
    from bayesgrove.encoding import Discretizer
    from bayesgrove.estimators.base.network import ParameterLearner


class BayesianNetworkClassifier(SelectiveClassifier):
    """A Bayesian network composed of a structure learner, a parameter learner and a selector.

    The selector, if there is one, chooses the attributes. The structure learner finds the parents
    of every node, and the parameter learner estimates the conditional tables. Use it for
    combinations that no named classifier has, and for your own learners.

    Parameters
    ----------
    structure : StructureLearner or None, default=None
        Learner of the parents of every node, such as ``TAN()`` or ``KDB(k=2)`` from
        `bayesgrove.structures`. None gives naive Bayes.
    parameters : ParameterLearner or None, default=None
        Learner of the conditional tables: ``Dirichlet(alpha)``, ``BDeu(equivalent_sample_size)`` or
        ``MaximumLikelihood()`` from `bayesgrove.parameters`. None means ``Dirichlet(1)``.
        ``EM(parameters)`` completes missing values, and needs ``missing="em"`` or
        ``missing="ignore"``.
    selection : Selector or None, default=None
        Selector of the attributes, such as ``InfoAS("cgr")`` from `bayesgrove.selection`. None
        keeps all attributes.
    weights, corrections
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    selected_ : list of str
        Names of the selected attributes, in the order in which they were selected. Without a
        ``selection``, names of all attributes in the order of the table.
    path_ : list of Step
        Steps of the selection. The list is empty without a ``selection``. `path_text` returns the
        steps as text.
    network_, networks_, em_, exponents_, cut_points_, schema_, used_codings_, n_features_in_
    feature_names_in_

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier, load_dataset
    >>> from bayesgrove.structures import KDB
    >>> from bayesgrove.parameters import BDeu
    >>> X, y = load_dataset("vote")
    >>> model = BayesianNetworkClassifier(KDB(k=2), BDeu(10)).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.986
    """

    def __init__(
        self,
        structure: StructureLearner | None = None,
        parameters: ParameterLearner | None = None,
        selection: Selector | None = None,
        *,
        weights: str | None = None,
        corrections: bool = False,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.structure = structure
        self.parameters = parameters
        self.selection = selection
        self.weights = weights
        self.corrections = corrections
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 gives the same model as the row twice."""
        return super().weights_repeat_rows and weights_repeat_rows(self.structure, self.selection)

    def _structure_learner(self) -> StructureLearner:
        return checked_learner("structure", self.structure, Naive())

    def _parameter_learner(self) -> ParameterLearner:
        if self.parameters is None:
            return Dirichlet()
        if isinstance(self.parameters, type) or not hasattr(self.parameters, "estimate"):
            raise OptionError(
                f"parameters={self.parameters!r} must be a parameter learner such as BDeu(10)."
            )
        if isinstance(self.parameters, EM) and self.missing == "value":
            raise OptionError(
                f"parameters={self.parameters!r:.80} completes missing values, but missing='value' "
                "makes them a state, so that none is left: set missing='em', or missing='ignore' "
                "to learn the structure from the known values only."
            )
        return self.parameters

    def _selector(self) -> Selector | None:
        if self.selection is None:
            return None
        require_selector("selection", self.selection)
        return self.selection
