"""Naive Bayes over joined attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove._utils.options import require_choice, require_seed
from bayesgrove.contracts import checked_learner, require_selector, weights_repeat_rows
from bayesgrove.estimators.base.selecting import SelectiveClassifier
from bayesgrove.network.groups import groups_of_structure, structure_of_groups
from bayesgrove.parameters import JointDirichlet
from bayesgrove.selection import Chain, Joining
from bayesgrove.structures import CB, JoinedParents

if TYPE_CHECKING:
    from bayesgrove.contracts import Selector, StructureLearner
    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Discretizer
    from bayesgrove.estimators.base.network import ParameterLearner
    from bayesgrove.network import Structure


class JoiningNaiveBayesClassifier(SelectiveClassifier):
    """Naive Bayes in which attributes that depend on each other are joined into one attribute.

    A joined attribute has the joint values of its members as values, so that naive Bayes does not
    assume that the members are independent. A search by the accuracy of naive Bayes finds the
    joins and deletes attributes (Pazzani), or the joins come from the arcs of a learned network.
    The model is a Bayesian network over the original attributes: inside a group of joined
    attributes, every attribute has the class and the earlier attributes of the group as parents.
    Queries, missing values and network files therefore work as with any network. Attributes that
    have more joint values than there are rows are not joined by a search, and cause an error if a
    network joins them.

    Parameters
    ----------
    search : {"backward", "forward", "network"}, default="backward"
        How the joins are found. "backward" starts with all attributes. Each step joins two of the
        current attributes or deletes one (Pazzani's BSEJ). "forward" starts with no attributes.
        Each step adds an attribute, or joins it with a current one (Pazzani's FSSJ). Both make the
        change with the best score while the score improves. "network" learns a network with
        ``structure`` and visits its attributes children first: each attribute that is not yet in a
        group is joined with its attribute parents that are not yet in a group.
    cv : int, "leave-one-out", "halves" or "training", default="leave-one-out"
        How a change is scored. "leave-one-out" predicts every row from the counts of all other
        rows, as in the paper. "halves" learns from a random half of the rows and predicts the other
        half. "training" learns from all rows and predicts the same rows. A number is the number of
        folds of a cross-validation. ``search="network"`` ignores it.
    scoring : {"accuracy", "log_loss"}, default="accuracy"
        Score of the predictions. "accuracy" is the share of correct predictions. "log_loss" is the
        mean log-probability of the true class; larger is better. ``search="network"`` ignores it.
    ties : {"stop", "continue"}, default="stop"
        When the search ends. "stop" goes on only while the score improves. "continue" also makes
        changes that leave the score unchanged. ``search="network"`` ignores it.
    structure : StructureLearner or None, default=None
        Structure learner of the network with ``search="network"``, such as ``TAN()`` from
        `bayesgrove.structures`. None means ``CB()``.
    selection : Selector or None, default=None
        Selector that chooses attributes before any are joined, such as ``InfoAS("cgr")`` from
        `bayesgrove.selection`. None keeps all attributes.
    alpha : float, default=1.0
        Pseudo-count of every joint value given the class. 0 gives maximum likelihood estimates.
    random_state : int, default=0
        Seed that fixes the halves or folds.
    smoothing, weights, corrections
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    groups_ : list of tuple of str
        Names of the attributes of every group. An attribute that is not joined is a group by
        itself.
    selected_ : list of str
        Names of all attributes of the groups: in the order in which they were selected, or in the
        order of the table.
    path_ : list of Step
        Steps of the ``selection`` and of the search. `path_text` returns the steps as text, with
        ``*`` before the attributes that a step joined.
    network_, networks_, exponents_, cut_points_, schema_, used_codings_, n_features_in_
    feature_names_in_

    References
    ----------
    M. Pazzani (1996). Searching for dependencies in Bayesian classifiers. Learning from Data:
    Artificial Intelligence and Statistics V, Lecture Notes in Statistics 112, 239-248.

    M. Singh and G. Provan (1995). Efficient learning of selective Bayesian network classifiers.
    Technical report MS-CIS-95-36, University of Pennsylvania, section 6.

    Examples
    --------
    >>> from bayesgrove import JoiningNaiveBayesClassifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> model = JoiningNaiveBayesClassifier().fit(X, y)
    >>> model.groups_
    [('A0', 'A1', 'B0', 'B1'), ('Irrelevant',), ('Correlated',)]
    """

    short_name: ClassVar[str] = "jnb"

    def __init__(
        self,
        search: str = "backward",
        *,
        cv: int | str = "leave-one-out",
        scoring: str = "accuracy",
        ties: str = "stop",
        structure: StructureLearner | None = None,
        selection: Selector | None = None,
        alpha: float = 1.0,
        random_state: int = 0,
        smoothing: str = "dirichlet",
        weights: str | None = None,
        corrections: bool = False,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.search = search
        self.cv = cv
        self.scoring = scoring
        self.ties = ties
        self.structure = structure
        self.selection = selection
        self.alpha = alpha
        self.random_state = random_state
        self.smoothing = smoothing
        self.weights = weights
        self.corrections = corrections
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    @property
    def groups_(self) -> list[tuple[str, ...]]:
        """The joined attributes: names of the attributes of every group."""
        names = self.network_.nodes
        groups = groups_of_structure(self.network_.structure)
        return [tuple(names[v] for v in group) for group in groups]

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 gives the same model as the row twice."""
        learner = self._structure_learner() if self.search == "network" else None
        parts = self._selector(), learner
        return super().weights_repeat_rows and weights_repeat_rows(*parts)

    @property
    def _offers_em(self) -> bool:
        return False

    def _selector(self) -> Selector | None:
        require_choice("search", self.search, ("backward", "forward", "network"))
        require_seed("random_state", self.random_state)
        checked_learner("structure", self.structure, CB())
        if self.selection is not None:
            require_selector("selection", self.selection)
        if self.search == "network":
            return self.selection
        joining = Joining(
            self.search, self.cv, self.scoring, self.ties, self.alpha, self.random_state
        )
        return joining if self.selection is None else Chain(self.selection, joining)

    def _structure_learner(self) -> JoinedParents:
        """Return the learner of ``search="network"``; a search by accuracy gives the groups."""
        return JoinedParents(checked_learner("structure", self.structure, CB()))

    def _parameter_learner(self) -> ParameterLearner:
        return self._smoothed(JointDirichlet(self.alpha))

    def _structure(self, counts: CountSource) -> tuple[CountSource, Structure]:
        selector = self._selector()
        if selector is None or self.search == "network":
            return super()._structure(counts)
        selection = selector.select(counts)
        place = {v: at for at, v in enumerate(sorted(selection.attributes))}
        groups = [[place[v] for v in group] for group in selection.groups]
        return self._restrict(counts, selection), structure_of_groups(groups)
