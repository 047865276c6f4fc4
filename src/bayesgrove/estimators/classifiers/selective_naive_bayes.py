"""The selective naive Bayes classifier: attributes selected by predictive accuracy."""

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
    """Naive Bayes with the attributes that predict best, found by greedy forward selection.

    Each step adds the attribute with which naive Bayes predicts the validation rows best. Adding an
    attribute needs no new counts, so the search is fast. It leaves out attributes that repeat
    others and would make naive Bayes overconfident. Before the search, numeric columns are cut into
    intervals. The cut points come from all training rows.

    Parameters
    ----------
    scoring : {"accuracy", "log_loss", "auc", "monitor"}, default="accuracy"
        Score of the predictions. "accuracy" is the share of correct predictions. "log_loss" is the
        mean log-probability of the true class; larger is better. "auc" is the mean area under the
        ROC curve of every class against the rest; it needs all rows in memory. "monitor" is the
        global monitor per row: the mean log-probability of the true class of each row, predicted
        from the rows before it. It ignores ``cv``, and needs all rows in memory,
        ``numeric="discretize"`` and an ``alpha`` above 0.
    ties : {"stop", "continue"}, default="continue"
        When the selection ends. "continue" adds attributes until every further attribute makes
        the score worse, as in the paper. "stop" adds attributes only while the score improves.
    cv, numeric, alpha, var_smoothing
    random_state : int, default=0
        Seed that fixes the halves or folds.
    smoothing, weights, corrections
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_, selected_, path_
    network_ : BayesianNetwork
        The fitted network of the selected attributes. Its last node is the class. With
        ``numeric="gaussian"`` or ``numeric="rounded"``, it does not contain the numeric columns.
    networks_, exponents_, theta_, var_, cut_points_, schema_, used_codings_, n_features_in_
    feature_names_in_

    References
    ----------
    P. Langley and S. Sage (1994). Induction of selective Bayesian classifiers. UAI-94, 399-406.

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
        smoothing: str = "dirichlet",
        weights: str | None = None,
        corrections: bool = False,
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
        """Whether a row of weight 2 gives the same model as the row twice."""
        return super().weights_repeat_rows and self._selector().weights_repeat_rows

    def _selector(self) -> SelectiveNaive:
        return SelectiveNaive(self.scoring, self.ties, self.cv, self.alpha, self.random_state)

    def _columns(self, training: Training) -> list[int]:
        schema, counts = training.schema, training.counts(self._threads())
        if schema.continuous:
            steps = self._select_mixed(schema, counts)
        else:
            selection = self._selector().select(counts)
            places = [schema.discrete[v] for v in selection.attributes]
            steps = list(zip(places, selection.path, strict=True))
        self.selected_ = [schema.codings[j].name for j, _ in steps]
        self.path_ = [step for _, step in steps]
        if not steps:
            warn_of_none()
        return [j for j, _ in steps]

    def _select_mixed(self, schema: Schema, counts: CountSource) -> list[tuple[int, Step]]:
        """Select among discrete and continuous columns; return their indices and the steps."""
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
        """Return the density of every continuous column as if it were the only one."""
        return Normals.concatenate(
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
