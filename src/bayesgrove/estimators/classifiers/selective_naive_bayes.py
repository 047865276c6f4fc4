"""The selective naive Bayes classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove._utils.renamed import renamed
from bayesgrove.estimators.base.naive import BaseNaiveBayes
from bayesgrove.estimators.base.selecting import SelectionMixin, warn_of_none
from bayesgrove.parameters import Normals
from bayesgrove.selection import SelectiveNaive, Step

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource, Moments
    from bayesgrove.encoding import Discretizer, Schema
    from bayesgrove.estimators.base.table import Training


@renamed(judge="cv")
class SelectiveNaiveBayesClassifier(SelectionMixin, BaseNaiveBayes):
    """Naive Bayes of the attributes that make it predict best (Langley and Sage 1994).

    Greedy forward selection; adding an attribute to the ones there are counts nothing anew.

    Parameters
    ----------
    scoring : "accuracy", "log_loss" or "auc", the mean area under the ROC curve of every class
        against the rest
    ties : "continue" adds attributes until each makes the score worse, "stop" only as long as one
        makes it better
    cv : "halves" learns from one half of the rows and judges by the other; "training" does both
        with all rows; a number is that of folds of a cross-validation
    numeric, alpha, var_smoothing : see `NaiveBayesClassifier`
    random_state : seed of the halves or folds
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    classes_, network_, cut_points_ : see `BayesianNetworkClassifier`
    selected_ : names of the attributes in the order in which they were chosen
    path_ : the steps of the selection; ``print(model.path_text())`` shows them

    Examples
    --------
    >>> from bayesgrove import SelectiveNaiveBayesClassifier, load_dataset
    >>> X, y = load_dataset("vote")
    >>> SelectiveNaiveBayesClassifier(ties="stop").fit(X, y).selected_
    ['physician-fee-freeze']
    """

    short_name: ClassVar[str] = "naive-as"

    def __init__(
        self,
        scoring: str = "accuracy",
        ties: str = "continue",
        *,
        cv: int | str = "halves",
        numeric: str = "discretize",
        alpha: float = 1.0,
        var_smoothing: float = 1e-9,
        random_state: int = 0,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.scoring = scoring
        self.ties = ties
        self.cv = cv
        self.numeric = numeric
        self.alpha = alpha
        self.var_smoothing = var_smoothing
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    @property
    def weights_repeat_rows(self) -> bool:
        """Return whether a row of weight 2 is the row twice."""
        return self._selector().weights_repeat_rows

    def _selector(self) -> SelectiveNaive:
        return SelectiveNaive(self.scoring, self.ties, self.cv, self.alpha, self.random_state)

    def _columns(self, training: Training) -> list[int]:
        schema, counts = training.schema, training.counts(self._threads())
        if schema.continuous:
            found = self._select_mixed(schema, counts)
        else:
            selection = self._selector().select(counts)
            places = [schema.discrete[v] for v in selection.attributes]
            found = list(zip(places, selection.path, strict=True))
        self.selected_ = [schema.codings[j].name for j, _ in found]
        self.path_ = [step for _, step in found]
        if not found:
            warn_of_none()
        return [j for j, _ in found]

    def _select_mixed(self, schema: Schema, counts: CountSource) -> list[tuple[int, Step]]:
        """Places of columns in the order in which they are chosen; some stay numbers."""
        numbers = {j: v for v, j in enumerate(schema.discrete)}
        numbers |= {j: counts.n_attributes + 1 + k for k, j in enumerate(schema.continuous)}
        place = {v: j for j, v in numbers.items()}
        moves = self._selector().moves(
            counts,
            [numbers[j] for j in range(len(schema.codings))],
            lambda part: self._normals_apart(schema, self._count_moments(schema, part)),
        )
        return [(place[v], Step(schema.codings[place[v]].name, value, None)) for v, value in moves]

    def _normals_apart(self, schema: Schema, moments: Moments) -> Normals:
        """Densities of every column as if there were no other."""
        return Normals.beside(
            [
                self._normals_of(schema.select([j]), moments.select([k]))
                for k, j in enumerate(schema.continuous)
            ]
        )

    def _has(self, column: str) -> bool:
        return column in self.selected_

    def _check_parts(self) -> None:
        super()._check_parts()
        self._selector()

    def _column_names(self) -> list[str]:
        return [coding.name for coding in self.schema_.codings]
