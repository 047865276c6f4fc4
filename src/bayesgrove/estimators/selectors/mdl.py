"""The attribute selector by description length (MDL-FS and MDL)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove._utils.renamed import renamed
from bayesgrove.estimators.base.selecting import RedundancyMixin
from bayesgrove.estimators.base.selector import TableSelector
from bayesgrove.selection import MDL

if TYPE_CHECKING:
    from bayesgrove.contracts import StructureLearner, TrainingData
    from bayesgrove.encoding import Discretizer


@renamed(score="criterion", network="structure")
class MDLSelector(RedundancyMixin, TableSelector):
    """Attribute selection by the shortest description length of a TAN or naive Bayes classifier.

    A greedy search removes or adds one attribute per step, so that the description length of the
    classifier becomes shortest. All scores are computed from counts of pairs of attributes. With
    few rows, or with columns of many values, few attributes remain.

    Parameters
    ----------
    criterion : {"mdl-fs", "mdl"}, default="mdl-fs"
        The number that is minimised. "mdl" is the description length ``ln(N)/2 |C| - LL(C)`` of the
        classifier C. N is the number of rows, |C| is the number of free parameters, and LL is the
        log-likelihood of the rows. "mdl-fs" is ``ln(N)/2 |C| - (LL(C) - LL(S))``. It subtracts the
        log-likelihood of a network S of the same attributes without the class, so it measures only
        the information about the class. "mdl" also rewards information of the attributes about
        each other, so it removes hardly any attribute.
    structure : {"tan", "naive"}, default="tan"
        The classifier C: "tan" is tree-augmented naive Bayes, and "naive" is naive Bayes.
    direction
    auxiliary : {"tree", "none"} or StructureLearner, default="tree"
        The network S of "mdl-fs". "tree" is the tree of maximum log-likelihood. "none" is the
        network without arcs, and gives the same selection as "mdl". A structure learner, such as
        ``KDB(k=2)``, learns S anew for every set of attributes that is tried, which is slow with
        many attributes.
    categorical_features, discretizer, missing, n_jobs

    Attributes
    ----------
    selected_ : list of str
        Names of the selected attributes, in the order of the table. Attributes that a step added
        come last, in the order in which they were added.
    path_ : list of Step
        Steps of the selection. Each has the attribute that was added or removed and the
        description length after the step, in nats. `path_text` returns them as text.
    redundancy_
    schema_, n_features_in_, feature_names_in_

    References
    ----------
    M. Drugan and L. van der Gaag (2004). A new MDL-based function for feature selection for
    Bayesian network classifiers. ECAI-2004, 999-1000.

    Examples
    --------
    >>> from bayesgrove import MDLSelector, load_dataset
    >>> X, y = load_dataset("corral")
    >>> MDLSelector().fit(X, y).selected_
    ['A0', 'A1', 'B0', 'B1']
    """

    def __init__(
        self,
        criterion: str = "mdl-fs",
        *,
        structure: str = "tan",
        direction: str = "backward",
        auxiliary: str | StructureLearner = "tree",
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.structure = structure
        self.direction = direction
        self.auxiliary = auxiliary
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.n_jobs = n_jobs

    def _selector(self) -> MDL:
        return MDL(self.criterion, self.structure, self.direction, self.auxiliary)

    def _keep_more(self, data: TrainingData) -> None:
        self._explain(data.counts)
