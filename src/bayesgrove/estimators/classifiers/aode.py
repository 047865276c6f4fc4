"""The AODE classifier: the mean of the networks in which one attribute is a parent of all others.

G. I. Webb, J. R. Boughton and Z. Wang (2005). Not so naive Bayes: aggregating one-dependence
estimators. Machine Learning 58, 5-24.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from bayesgrove.estimators.base.super_parents import SuperParentClassifier

if TYPE_CHECKING:
    from bayesgrove.encoding import Discretizer
    from bayesgrove.estimators.base.complexity import Complexity
    from bayesgrove.kernels import Floats


class AODEClassifier(SuperParentClassifier):
    """Averaged one-dependence estimators (AODE): the mean over all super-parent networks.

    Each attribute in turn is the super-parent: all other attributes depend on it and on the class.
    A super-parent is used for a row if its value ``x_i`` in the row occurs in at least
    ``min_rows`` training rows. All super-parents that are used have the same weight:

    ``P(y, x) = mean over i with F(x_i) >= min_rows of P(y, x_i) prod_j P(x_j | y, x_i)``,

    ``P(y, x_i) = (F(y, x_i) + alpha) / (N + alpha k v_i)``,

    ``P(x_j | y, x_i) = (F(y, x_i, x_j) + alpha) / (F(y, x_i) + alpha v_j)``.

    Here x is the row, y is a class, and j runs over all attributes except i. F is the number of
    training rows with the values in the parentheses, N is the number of all training rows, k is the
    number of classes, and v_i is the number of values of attribute i. If no super-parent is used,
    naive Bayes predicts the row. An attribute whose value is missing and has no state is not used
    as a super-parent, and is summed out as a child. With ``missing="ignore"``, F and N of a table
    count only the rows in which all variables of the table are known, so that the probabilities of
    the table sum to 1. AODE needs no search: it counts one table per pair of attributes.
    `AnDEClassifier` with ``n=1`` is the same classifier, and has more options.

    Parameters
    ----------
    min_rows : int, default=1
        Smallest number of training rows in which the value of a super-parent must occur. With
        sample weights, the smallest total weight of these rows. The paper uses 30.
    alpha : float, default=1.0
        Pseudo-count of every cell of ``F(y, x_i)`` and ``F(y, x_i, x_j)``. 0 gives maximum
        likelihood estimates.
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    networks_ : list of BayesianNetwork
        Naive Bayes, then the network of every super-parent that has a value with at least
        ``min_rows`` rows.
    weights_ : ndarray of shape (n_networks,)
        Weight of every network: 0 for naive Bayes, and equal weights for the others. The values of
        a row decide which of them are used. If naive Bayes is the only network, its weight is 1.
    network_ : BayesianNetwork
        Naive Bayes. It exists only if no value occurs in ``min_rows`` training rows.
    cut_points_, schema_, used_codings_, n_features_in_, feature_names_in_

    References
    ----------
    G. I. Webb, J. R. Boughton and Z. Wang (2005). Not so naive Bayes: aggregating one-dependence
    estimators. Machine Learning 58, 5-24.

    Examples
    --------
    >>> from bayesgrove import AODEClassifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> [AODEClassifier(min_rows=m).fit(X, y).score(X, y) for m in (1, 1000)]
    [0.96875, 0.90625]
    """

    short_name: ClassVar[str] = "aode"

    def __init__(
        self,
        min_rows: int = 1,
        *,
        alpha: float = 1.0,
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.min_rows = min_rows
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the mean joint probabilities, ``ln P(class, row)``.

        The mean is over the super-parents whose value in the row has at least ``min_rows`` training
        rows. Each of their networks gives the joint probability of the class and of all known
        values. A row without such a super-parent gets the joint probability of naive Bayes.

        Parameters
        ----------
        X : data frame, array, lists, path, dataset, stream or Table
            The rows, with the columns of the training table. `fit` lists the kinds of tables.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The logarithms, with the classes in the order of ``classes_``.
        """
        return super().predict_joint_log_proba(X)

    def complexity(self) -> Complexity:
        """Return the total size of naive Bayes and of the networks of all super-parents.

        Returns
        -------
        Complexity
            The number of attributes, arcs and free parameters. With n attributes, naive Bayes has n
            arcs and the network of a super-parent has 2n - 1. An attribute without a value that has
            ``min_rows`` rows is never a super-parent and has no network. The free parameters of
            all tables count, also for values with fewer than ``min_rows`` rows.
        """
        return super().complexity()
