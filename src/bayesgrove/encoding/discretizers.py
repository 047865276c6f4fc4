"""Discretizers: transformers that replace numeric columns by the codes of intervals."""

from abc import ABC, abstractmethod
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
from bayesgrove.kernels.numpy.mdlp import middles
from bayesgrove.tables import plain_frame


class Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator, ABC):
    """The base class of discretizers; a subclass chooses the cuts of one column.

    A subclass must define `cuts_for_table` and `fit`.

    Attributes
    ----------
    cut_points_ : dict of str or int to ndarray
        The cut points of every column, ascending. The keys are column names, or column indices if
        X has no names.
    """

    cut_points_: dict[Any, Floats]

    @abstractmethod
    def cuts_for_table(self, distinct: ArrayLike, table: ArrayLike) -> Floats:
        """Return the cuts of one column, given its value table. No fit is needed.

        Parameters
        ----------
        distinct : array-like of shape (n_distinct,)
            The distinct values, finite and ascending.
        table : array-like of shape (n_distinct, n_classes)
            The summed weights of the rows by value and class.

        Returns
        -------
        ndarray of shape (n_cuts,)
            The cut points, ascending.
        """

    def cuts_for(
        self,
        values: ArrayLike,
        classes: ArrayLike,
        n_classes: int,
        weights: ArrayLike | None = None,
    ) -> Floats:
        """Return the cuts of one column, given its rows. No fit is needed.

        Parameters
        ----------
        values : array-like of shape (n_rows,)
            Finite numbers, or NaN for missing values, which are left out.
        classes : array-like of shape (n_rows,)
            Class codes, from 0 to ``n_classes - 1``.
        n_classes : int
            The number of classes.
        weights : array-like of shape (n_rows,) or None, default=None
            Non-negative row weights. None means that every row has weight 1.

        Returns
        -------
        ndarray of shape (n_cuts,)
            The cut points, ascending.
        """
        return self.cuts_for_table(*value_table(values, classes, n_classes, weights))

    def transform(self, X: ArrayLike) -> Floats:
        """Replace every number by the code of its interval.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Finite numbers, or NaN for missing values.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            The codes of the intervals as floats, from 0 to the number of cut points of the column.
            Missing values stay NaN.
        """
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
        """Set the cut points of all columns."""
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
    """A discretizer that minimises class entropy and stops by minimum description length (MDL).

    It implements the method of Fayyad and Irani (1993). A column is cut where the mean class
    entropy of the two parts is lowest, and each part is cut again in the same way. The rows S of an
    interval, of total weight N, are cut into S1 and S2 only if
    ``Gain > (log2(N - 1) + Delta) / N``, with
    ``Delta = log2(3**k - 2) - (k H(S) - k1 H(S1) - k2 H(S2))``, where ``Gain`` is the reduction of
    the mean class entropy by the cut, H is the class entropy, and k, k1 and k2 are the numbers of
    classes present in S, S1 and S2.

    Parameters
    ----------
    count_by : {"rows", "values"}, default="rows"
        How the stopping rule counts the possible cuts. ``"rows"`` counts ``N - 1`` cuts between N
        rows, as in the paper. ``"values"`` counts the distinct values minus 1, which gives more
        cuts if many rows share a value.

    Attributes
    ----------
    cut_points_ : dict of str or int to ndarray
        The cut points of every column, ascending. The keys are column names, or column indices if
        X has no names. A value belongs to the lower interval if it is at most the cut point.
    n_features_in_ : int
        The number of columns of X in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        The names of the columns of X in `fit`. It exists only if all names are strings.

    References
    ----------
    U. M. Fayyad and K. B. Irani (1993). Multi-interval discretization of continuous-valued
    attributes for classification learning. IJCAI-93, 1022-1027.

    Examples
    --------
    >>> from bayesgrove import MDLPDiscretizer
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], list("aaabbb")
    >>> MDLPDiscretizer().fit_transform(X, y).ravel()
    array([0., 0., 0., 1., 1., 1.])
    """

    def __init__(self, count_by: str = "rows") -> None:
        self.count_by = count_by

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Set the cut points of every column; missing values are left out.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Finite numbers, or NaN for missing values.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Non-negative weights of the rows. A row of weight 2 counts as two rows. None means that
            every row has weight 1.

        Returns
        -------
        Self
            The fitted discretizer.
        """
        data, target = _validated(self, X, y)
        check_classification_targets(target)
        labels, classes = np.unique(target, return_inverse=True)
        return self._fit_columns(data, classes, len(labels), sample_weight)

    def cuts_for_table(self, distinct: ArrayLike, table: ArrayLike) -> Floats:
        """Return the cuts of one column by the MDL criterion. No fit is needed.

        Parameters
        ----------
        distinct : array-like of shape (n_distinct,)
            The distinct values, finite and ascending.
        table : array-like of shape (n_distinct, n_classes)
            The summed weights of the rows by value and class.

        Returns
        -------
        ndarray of shape (n_cuts,)
            The cut points, ascending.
        """
        return mdlp_cuts_from_table(distinct, table, self.count_by)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class EqualFrequencyDiscretizer(Discretizer):
    """A discretizer whose intervals have about equal numbers of rows; it does not use the classes.

    It implements equal-frequency binning as in Dougherty, Kohavi and Sahami (1995). With sample
    weights, the intervals have about equal weights. Equal values always stay in one interval. The
    cuts are the boundaries between distinct values that are nearest to the weighted quantiles
    ``i / n_bins``. Ties go to the lower boundary. Quantiles with the same nearest boundary share
    one cut, so there can be fewer than ``n_bins`` intervals.

    Parameters
    ----------
    n_bins : int, default=5
        The largest number of intervals per column, at least 1.

    Attributes
    ----------
    cut_points_ : dict of str or int to ndarray
        The cut points of every column, ascending. The keys are column names, or column indices if
        X has no names. A value belongs to the lower interval if it is at most the cut point.
    n_features_in_ : int
        The number of columns of X in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        The names of the columns of X in `fit`. It exists only if all names are strings.

    References
    ----------
    J. Dougherty, R. Kohavi and M. Sahami (1995). Supervised and unsupervised discretization of
    continuous features. ICML 1995, 194-202.

    Examples
    --------
    >>> from bayesgrove import EqualFrequencyDiscretizer
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
        """Set the cut points of every column; missing values are left out.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Finite numbers, or NaN for missing values.
        y : array-like or None, default=None
            Ignored. Pipelines pass it to every step.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Non-negative weights of the rows. A row of weight 2 counts as two rows. None means that
            every row has weight 1.

        Returns
        -------
        Self
            The fitted discretizer.
        """
        data = _validated(self, X)
        return self._fit_columns(data, np.zeros(len(data), dtype=np.intp), 1, sample_weight)

    def cuts_for_table(self, distinct: ArrayLike, table: ArrayLike) -> Floats:
        """Return the cuts of one column by equal frequency. No fit is needed.

        Parameters
        ----------
        distinct : array-like of shape (n_distinct,)
            The distinct values, finite and ascending.
        table : array-like of shape (n_distinct, n_classes)
            The summed weights of the rows by value and class.

        Returns
        -------
        ndarray of shape (n_cuts,)
            The cut points, ascending.
        """
        if not is_whole(self.n_bins) or self.n_bins < 1:
            raise OptionError(f"n_bins={self.n_bins!r} must be a whole number of at least 1.")
        return equal_frequency_cuts_from_table(distinct, np.sum(table, axis=1), self.n_bins)


class FineDiscretizer(EqualFrequencyDiscretizer):
    """A discretizer with many intervals, which keeps the values of a column apart if it can.

    A column with at most ``n_bins`` distinct values has one interval per value. The grove joins
    these intervals to wider ones, differently in every member.

    Parameters
    ----------
    n_bins : int, default=255
        The largest number of intervals per column, at least 1.

    Attributes
    ----------
    cut_points_ : dict of str or int to ndarray
        The cut points of every column, ascending.
    n_features_in_ : int
        The number of columns of X in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        The names of the columns of X in `fit`. It exists only if all names are strings.
    """

    def __init__(self, n_bins: int = 255) -> None:
        super().__init__(n_bins)

    def cuts_for_table(self, distinct: ArrayLike, table: ArrayLike) -> Floats:
        """Return the cuts of one column. No fit is needed.

        Parameters
        ----------
        distinct : array-like of shape (n_distinct,)
            The distinct values, finite and ascending.
        table : array-like of shape (n_distinct, n_classes)
            The summed weights of the rows by value and class.

        Returns
        -------
        ndarray of shape (n_cuts,)
            The cut points, ascending.
        """
        values = np.asarray(distinct, dtype=np.float64)
        if is_whole(self.n_bins) and len(values) <= self.n_bins:
            return middles(values[:-1], values[1:])
        return super().cuts_for_table(distinct, table)


def _validated(
    estimator: Discretizer, X: ArrayLike, y: Any = "no_validation", **options: Any
) -> Any:
    """Return X as floats, and y if there is one, after the checks of scikit-learn."""
    return validate_data(
        estimator, plain_frame(X), y, dtype=np.float64, ensure_all_finite="allow-nan", **options
    )
