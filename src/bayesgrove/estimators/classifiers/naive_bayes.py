"""The naive Bayes classifier: tables for nominal columns, intervals or densities for numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from bayesgrove.counts import Configurations, FamilyTable, Moments
from bayesgrove.encoding import codes_of, extend_schema
from bayesgrove.estimators.base.naive import BaseNaiveBayes, NaiveParts
from bayesgrove.estimators.base.table import Training, row_weights
from bayesgrove.tables import is_external

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from bayesgrove.encoding import Discrete, Discretizer


class NaiveBayesClassifier(BaseNaiveBayes):
    """Naive Bayes: the attributes are independent of each other given the class.

    The model has one conditional table or density per attribute and is fast to learn. It is
    overconfident when attributes carry the same information. `partial_fit` adds rows to a model.

    Parameters
    ----------
    numeric, alpha, var_smoothing
    smoothing, weights, corrections
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    network_ : BayesianNetwork
        The fitted network. Its last node is the class. With ``numeric="gaussian"`` or
        ``numeric="rounded"``, it does not contain the numeric columns.
    networks_, exponents_, theta_, var_, cut_points_, schema_, used_codings_, n_features_in_
    feature_names_in_

    References
    ----------
    I. J. Good (1965). The Estimation of Probabilities: An Essay on Modern Bayesian Methods. MIT
    Press.

    Examples
    --------
    >>> from bayesgrove import NaiveBayesClassifier, load_dataset
    >>> X, y = load_dataset("iris")
    >>> model = NaiveBayesClassifier().fit(X, y)
    >>> model.cut_points_["petal length (cm)"]
    array([2.45, 4.75])
    """

    short_name: ClassVar[str] = "nb"
    _tables: list[FamilyTable]
    _moments: Moments

    state_kinds: ClassVar[tuple[str, ...]] = ("counts", "moments")

    def __init__(
        self,
        numeric: str = "discretize",
        *,
        alpha: float = 1.0,
        var_smoothing: float = 1e-9,
        smoothing: str = "dirichlet",
        weights: str | None = None,
        corrections: bool = False,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.numeric = numeric
        self.alpha = alpha
        self.var_smoothing = var_smoothing
        self.smoothing = smoothing
        self.weights = weights
        self.corrections = corrections
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def partial_fit(
        self,
        X: Any,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Update the model with further rows.

        The first call on an unfitted model learns as `fit` does. Later calls add the rows to the
        counts. New values of nominal columns become new states. Cut points do not change.

        Parameters
        ----------
        X : data frame, array or lists
            The further rows, in memory.
        y : array-like of shape (n_rows,)
            The class labels.
        classes : array-like of shape (n_classes,) or None, default=None
            All class labels, for the first call. None takes the labels in y.
        sample_weight : array-like of shape (n_rows,), default=None
            Non-negative weights of the rows. None means weight 1. A row of weight 2 counts as two
            equal rows.

        Returns
        -------
        Self
            The updated classifier.
        """
        if is_external(X):
            raise ValueError("partial_fit needs rows in memory: pass files to fit.")
        if self._sum_learner() is not None:
            raise ValueError(
                "partial_fit cannot update exponents and corrections: call fit with all rows, or "
                "set weights=None and corrections=False."
            )
        if not hasattr(self, "classes_"):
            training = self._read_memory(X, y, sample_weight, classes)
            self._learn(training)
            self.class_name_ = training.names[-1]
            return self
        table = self._read_rows(X)
        schema = extend_schema(self.schema_, table, missing_state=self.missing == "value")
        encoded = replace(
            schema.encode(table, self._threads()),
            target=codes_of(y, self.classes_, table.rows),
            n_classes=len(self.classes_),
            weights=row_weights(sample_weight, table.rows),
        )
        training = Training(schema, self.classes_, self.class_name_, encoded)
        counts = training.counts(self._threads())
        structure = self._structure_learner().learn(counts)
        tables = counts.tables([structure.family(v) for v in range(len(counts.cards))])
        grown = [
            *map(_grown, self._tables[:-1], self.schema_.variables, schema.variables),
            self._tables[-1],
        ]
        tables = [a.merge(b) for a, b in zip(grown, tables, strict=True)]
        moments = self._moments.merge(counts.moments(self._steps(schema)))
        parts = NaiveParts(counts, tables, moments, self._normals_of(schema, moments))
        self._estimate(training, parts)
        return self

    def _estimate(self, training: Training, parts: NaiveParts) -> None:
        super()._estimate(training, parts)
        self._tables, self._moments = parts.tables, parts.moments


def _grown(table: FamilyTable, old: Discrete, new: Discrete) -> FamilyTable:
    """Return the count table with cells for new states."""
    code_of = {state: code for code, state in enumerate(new.states)}
    counts = np.zeros((1, table.counts.shape[1], new.card + 1))
    counts[..., [code_of.get(state, -1) for state in old.states]] = table.counts
    return FamilyTable(table.family, Configurations(()), counts[..., : new.card])
