"""The selector by description length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove._utils.renamed import renamed
from bayesgrove.estimators.base.selecting import RedundancyMixin
from bayesgrove.estimators.base.selector import TableSelector
from bayesgrove.selection import MDL

if TYPE_CHECKING:
    from bayesgrove.contracts import TrainingData
    from bayesgrove.encoding import Discretizer


@renamed(score="criterion", network="structure")
class MDLSelector(RedundancyMixin, TableSelector):
    """The attributes with which a classifier takes the fewest words (Drugan & van der Gaag 2004).

    Parameters
    ----------
    criterion : "mdl-fs", the description length ``ln(N)/2 |C| - (LL(C) - LL(S))`` of a classifier C
        beside a tree S of its attributes without the class, which asks what attributes tell about
        the class; "mdl", ``ln(N)/2 |C| - LL(C)``, which also values what they tell about each
        other
    structure : "tan" or "naive", what the classifier is
    direction : "backward" starts with all attributes, "forward" with none; "both" is backward,
        and what was left out may come back
    categorical_features, discretizer, missing, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    selected_ : names of the attributes: in the order of the columns, or as they were added
    path_ : attribute and description length after it came or went, step by step
    redundancy_ : what the other attributes tell about the class, see `SelectiveTANClassifier`;
        ``print(selector.redundancy_text())`` shows it

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
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.structure = structure
        self.direction = direction
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.n_jobs = n_jobs

    def _selector(self) -> MDL:
        return MDL(self.criterion, self.structure, self.direction)

    def _keep_more(self, data: TrainingData) -> None:
        self._explain(data.counts)
