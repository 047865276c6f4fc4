"""The selector by description length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator

from bayesgrove.estimators.base.selecting import RedundancyMixin
from bayesgrove.estimators.base.selector import TableSelector
from bayesgrove.selection import MDL

if TYPE_CHECKING:
    from bayesgrove.contracts import TrainingData
    from bayesgrove.encoding import Discretizer


class MDLSelector(RedundancyMixin, TableSelector):
    """The attributes with which a classifier takes the fewest words (Drugan & van der Gaag 2004).

    Parameters
    ----------
    score : "mdl-fs", the description length ``ln(N)/2 |C| - (LL(C) - LL(S))`` of a classifier C
        beside a tree S of its attributes without the class, which asks what attributes tell about
        the class; "mdl", ``ln(N)/2 |C| - LL(C)``, which also values what they tell about each
        other
    network : "tan" or "naive", what the classifier is
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
        score: str = "mdl-fs",
        *,
        network: str = "tan",
        direction: str = "backward",
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        n_jobs: int | None = None,
    ) -> None:
        self.score = score
        self.network = network
        self.direction = direction
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.n_jobs = n_jobs

    @property
    def score(self) -> str:
        """None: this is where scikit-learn looks for a method, which the option is not."""
        raise AttributeError(f"{type(self).__name__} scores nothing; its options: get_params().")

    @score.setter
    def score(self, score: str) -> None:
        self.__dict__["score"] = score

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The options by name; with ``deep`` those of the discretizer, too."""
        names = [name for name in self._get_param_names() if name != "score"]
        options = {name: getattr(self, name) for name in names} | {"score": vars(self)["score"]}
        if deep and isinstance(self.discretizer, BaseEstimator):
            own = self.discretizer.get_params()
            options |= {f"discretizer__{name}": value for name, value in own.items()}
        return options

    def _selector(self) -> MDL:
        return MDL(vars(self)["score"], self.network, self.direction)

    def _keep_more(self, data: TrainingData) -> None:
        self._explain(data.counts)
