"""Transformers that replace each numeric column by the codes of its intervals."""

from abc import ABC, abstractmethod
from collections import Counter
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from bayesgrove._utils.options import OptionError, is_whole
from bayesgrove._utils.renamed import renamed
from bayesgrove.encoding.cuts import (
    Floats,
    equal_frequency_cuts_from_table,
    mdlp_cuts_from_table,
    value_table,
)


class Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator, ABC):
    """Everything but the choice of the cuts of one column."""

    cut_points_: dict[Any, Floats]

    @abstractmethod
    def cuts_for_table(self, distinct: ArrayLike, table: ArrayLike) -> Floats:
        """Cuts of one column given as its value table; needs no fit.

        Parameters
        ----------
        distinct : distinct values, ascending, finite, shape (d,)
        table : summed weights by value and class, shape (d, n_classes)
        """

    def cuts_for(
        self,
        values: ArrayLike,
        classes: ArrayLike,
        n_classes: int,
        weights: ArrayLike | None = None,
    ) -> Floats:
        """Cuts of one column given row by row; needs no fit.

        Parameters
        ----------
        values : array-like of float, finite or NaN (missing, left out)
        classes : array-like of int in ``0 .. n_classes - 1``
        n_classes : number of classes
        weights : non-negative row weights, 1 each when None
        """
        return self.cuts_for_table(*value_table(values, classes, n_classes, weights))

    def transform(self, X: ArrayLike) -> Floats:
        """Interval codes ``0 .. len(cuts)`` as floats; missing cells stay NaN."""
        check_is_fitted(self)
        columns = _validated(self, X, reset=False).T
        codes = [
            np.where(np.isnan(column), np.nan, np.searchsorted(cuts, column, side="left"))
            for column, cuts in zip(columns, self.cut_points_.values(), strict=True)
        ]
        return np.column_stack(codes)

    def _fit_columns(
        self, X: Floats, classes: NDArray[np.intp], n_classes: int, sample_weight: ArrayLike | None
    ) -> Self:
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        names = getattr(self, "feature_names_in_", range(X.shape[1]))
        self.cut_points_ = {}
        for name, column in zip(names, X.T, strict=True):
            self.cut_points_[name] = self.cuts_for(column, classes, n_classes, weights)
        return self

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


@renamed(choices="count_by")
class MDLPDiscretizer(Discretizer):
    """Discretize by recursive entropy minimisation with the MDL stopping rule.

    Each column is cut where the class entropy falls most, as long as
    ``Gain > (log2(N - 1) + Delta) / N``; see :func:`bayesgrove.encoding.cuts.mdlp_cuts`.

    Parameters
    ----------
    count_by : "rows" (``N - 1`` places for a cut of N rows, as in the paper) or "values" (distinct
        values less 1: more cuts where many rows share a value)

    Attributes
    ----------
    cut_points_ : dict of column name (or index, without names) to ascending cuts; a value
        belongs to the lower interval when it is at most the cut
    n_features_in_ : number of columns seen in fit
    feature_names_in_ : their names, when all are strings

    References
    ----------
    U. M. Fayyad and K. B. Irani (1993). Multi-interval discretization of continuous-valued
    attributes for classification learning. IJCAI-93, 1022-1027.

    Examples
    --------
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], list("aaabbb")
    >>> MDLPDiscretizer().fit_transform(X, y).ravel()
    array([0., 0., 0., 1., 1., 1.])
    """

    def __init__(self, count_by: str = "rows") -> None:
        self.count_by = count_by

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the cuts of every column from its non-missing cells.

        Parameters
        ----------
        X : numeric, shape (n_samples, n_features), NaN where missing
        y : class labels, shape (n_samples,)
        sample_weight : non-negative weights, shape (n_samples,)
        """
        data, target = _validated(self, X, y)
        check_classification_targets(target)
        labels, classes = np.unique(target, return_inverse=True)
        return self._fit_columns(data, classes, len(labels), sample_weight)

    def cuts_for_table(self, distinct: ArrayLike, table: ArrayLike) -> Floats:
        """Cuts of one column by :func:`bayesgrove.encoding.cuts.mdlp_cuts_from_table`."""
        return mdlp_cuts_from_table(distinct, table, self.count_by)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class EqualFrequencyDiscretizer(Discretizer):
    """Discretize into intervals of as equal weight as ties allow, whatever the target.

    The cuts lie at the boundaries nearest to the weighted quantiles ``i / n_bins``; see
    :func:`bayesgrove.encoding.cuts.equal_frequency_cuts`.

    Parameters
    ----------
    n_bins : largest number of intervals of a column, at least 1

    Attributes
    ----------
    cut_points_ : dict of column name (or index, without names) to ascending cuts; a value
        belongs to the lower interval when it is at most the cut
    n_features_in_ : number of columns seen in fit
    feature_names_in_ : their names, when all are strings

    References
    ----------
    J. Dougherty, R. Kohavi and M. Sahami (1995). Supervised and unsupervised discretization of
    continuous features. ICML 1995, 194-202.

    Examples
    --------
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]
    >>> EqualFrequencyDiscretizer(n_bins=3).fit_transform(X).ravel()
    array([0., 0., 1., 1., 2., 2.])
    """

    def __init__(self, n_bins: int = 5) -> None:
        self.n_bins = n_bins

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike | None = None,  # noqa: ARG002 - pipelines pass it to every step
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Find the cuts of every column from its non-missing cells.

        Parameters
        ----------
        X : numeric, shape (n_samples, n_features), NaN where missing
        y : ignored
        sample_weight : non-negative weights, shape (n_samples,)
        """
        data = _validated(self, X)
        return self._fit_columns(data, np.zeros(len(data), dtype=np.intp), 1, sample_weight)

    def cuts_for_table(self, distinct: ArrayLike, table: ArrayLike) -> Floats:
        """Cuts of one column from its row sums; the classes do not count."""
        if not is_whole(self.n_bins) or self.n_bins < 1:
            raise OptionError(f"n_bins={self.n_bins!r} must be a whole number of at least 1.")
        return equal_frequency_cuts_from_table(distinct, np.sum(table, axis=1), self.n_bins)


def _validated(
    estimator: Discretizer, X: ArrayLike, y: Any = "no_validation", **options: Any
) -> Any:
    _refuse_duplicate_names(X)
    return validate_data(
        estimator, X, y, dtype=np.float64, ensure_all_finite="allow-nan", **options
    )


def _refuse_duplicate_names(X: ArrayLike) -> None:
    counts = Counter(getattr(X, "columns", ()))
    repeated = [name for name, count in counts.items() if count > 1]
    if repeated:
        raise ValueError(f"Column names must be unique, but {repeated[0]!r} occurs more than once.")
