"""The composition that every named classifier is a shortcut of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove._utils.options import OptionError
from bayesgrove.contracts import checked_learner, require_selector, weights_repeat_rows
from bayesgrove.estimators.base.selecting import SelectiveClassifier
from bayesgrove.parameters import Dirichlet
from bayesgrove.structures import Naive

if TYPE_CHECKING:
    from bayesgrove.contracts import Selector, StructureLearner
    from bayesgrove.encoding import Discretizer
    from bayesgrove.estimators.base.network import ParameterLearner


class BayesianNetworkClassifier(SelectiveClassifier):
    """A Bayesian network classifier put together from its parts.

    Parameters
    ----------
    structure : what learns the parents of every node, such as ``TAN()`` or ``KDB(k=2)`` from
        `bayesgrove.structures`; None is naive Bayes
    parameters : what learns the conditional tables: ``Dirichlet(alpha)``, ``BDeu(alpha)`` or
        ``MaximumLikelihood()`` from `bayesgrove.parameters`; None is ``Dirichlet(1)``
    selection : what selects the attributes first, such as ``InfoAS("cgr")`` from
        `bayesgrove.selection`; None keeps all
    categorical_features : "all", or names, indices or a mask of the nominal columns; None infers:
        numbers are numeric, unless they are whole and take at most 10 values; all else is nominal
    discretizer : how numeric columns are cut; None is `MDLPDiscretizer`
    missing : "value" makes missing a value of its own in columns where training has any;
        "ignore" leaves missing cells out of the counts
    unseen : "missing" treats a value that training did not have as missing, with a warning;
        "error" refuses it
    n_jobs : number of threads; None is 1, -1 all. It does not change results

    Attributes
    ----------
    classes_ : class labels, sorted
    network_ : the fitted `BayesianNetwork`
    selected_, path_ : with a selection, names of the attributes in the order in which they were
        chosen, and its steps
    cut_points_ : cut points of every numeric column, by name
    n_features_in_, feature_names_in_ : columns of training

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
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.structure = structure
        self.parameters = parameters
        self.selection = selection
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    @property
    def weights_repeat_rows(self) -> bool:
        """Return whether a row of weight 2 is the row twice."""
        return weights_repeat_rows(self.structure, self.selection)

    def _structure_learner(self) -> StructureLearner:
        return checked_learner("structure", self.structure, Naive())

    def _parameter_learner(self) -> ParameterLearner:
        if self.parameters is None:
            return Dirichlet()
        if isinstance(self.parameters, type) or not hasattr(self.parameters, "estimate"):
            raise OptionError(
                f"parameters={self.parameters!r} must be a parameter learner such as BDeu(10)."
            )
        return self.parameters

    def _selector(self) -> Selector | None:
        if self.selection is None:
            return None
        require_selector("selection", self.selection)
        return self.selection
