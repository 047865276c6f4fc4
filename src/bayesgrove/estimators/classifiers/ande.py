"""The AnDE classifier: the mean of networks in which n attributes are parents of all others."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bayesgrove._utils.options import OptionError, is_whole, require_choice
from bayesgrove.averaging.ande import SuperParentPairs, count_pairs, without_noise
from bayesgrove.averaging.subsumption import Implication, Subsumption, leave_out_implied
from bayesgrove.estimators.base.complexity import Complexity
from bayesgrove.estimators.base.super_parents import SuperParentClassifier
from bayesgrove.scores.information import information_with_class

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Discretizer, Encoded
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.network import BayesianNetwork
    from bayesgrove.network.prediction_program import Program

WEIGHTS = ("equal", "mutual_information")


class AnDEClassifier(SuperParentClassifier):
    """Averaged n-dependence estimators (AnDE): the mean over all sets of n super-parents.

    Each set s of n attributes in turn is the set of super-parents: all other attributes depend on
    them and on the class. A set is used for a row if its values ``x_s`` in the row occur together
    in at least ``min_rows`` training rows:

    ``P(y, x) = mean over s with F(x_s) >= min_rows of P(y, x_s) prod_j P(x_j | y, x_s)``,

    ``P(y, x_s) = (F(y, x_s) + alpha) / (N + alpha k v_s)``,

    ``P(x_j | y, x_s) = (F(y, x_s, x_j) + alpha) / (F(y, x_s) + alpha v_j)``.

    Here x is the row, y is a class, and j runs over all attributes outside s. F is the number of
    training rows with the values in the parentheses, N is the number of all training rows, k is the
    number of classes, v_j is the number of values of attribute j, and v_s is the number of joint
    values of s. If no pair is used for a row (``n=2``), the mean over single super-parents (A1DE)
    predicts the row. If no super-parent is used, naive Bayes predicts it.

    ``n=1`` is AODE, as in `AODEClassifier`. ``n=2`` models more dependence, and needs one table per
    triple of attributes: with m attributes, memory and the time of a prediction grow with m^3. An
    attribute whose value is missing and has no state is not used as a super-parent, and is summed
    out as a child. With ``missing="ignore"``, F and N of a table count only the rows in which all
    variables of the table are known. The probabilities are smoothed as in AODE: every cell gets the
    pseudo-count ``alpha``.

    Parameters
    ----------
    n : {1, 2}, default=2
        Number of super-parents in a set.
    min_rows : int, default=1
        Smallest number of training rows in which the values of a set of super-parents must occur
        together. With sample weights, the smallest total weight of these rows. The paper uses 1.
    alpha : float, default=1.0
        Pseudo-count of every cell of ``F(y, x_s)`` and ``F(y, x_s, x_j)``. 0 gives maximum
        likelihood estimates.
    subsumption_resolution : int or None, default=None
        Whether implied values are left out in predictions. A value ``x_i`` of a row is implied if
        every training row with another value ``x_j`` of the row has ``x_i``, and at least
        ``subsumption_resolution`` training rows have ``x_j``: it then has no information beyond
        ``x_j``. Of two values that imply each other, the value of the earlier column stays. The
        paper of Zheng et al. uses 100. None leaves out no values.
    weights : {"equal", "mutual_information"}, default="equal"
        Weights of the sets in the mean. "equal": all are equal. "mutual_information": the
        information of the super-parents about the class, I(X_i; C) or I(X_i, X_j; C), as in WAODE.
        A set of weight 0 is not used.
    categorical_features, discretizer, missing, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    networks_ : list of BayesianNetwork
        Naive Bayes, then the network of every single super-parent that has a value with at least
        ``min_rows`` rows. With ``n=2``, they predict the rows for which no pair is used. The pairs
        are kept as counts, not as networks.
    weights_ : ndarray of shape (n_networks,)
        Weight of every network: 0 for naive Bayes, and the weights of the single super-parents,
        with sum 1. If no super-parent has a weight above 0, the weight of naive Bayes is 1.
    network_ : BayesianNetwork
        Naive Bayes. It exists only if no value occurs in ``min_rows`` training rows.
    cut_points_, schema_, used_codings_, n_features_in_, feature_names_in_

    References
    ----------
    G. I. Webb, J. R. Boughton, F. Zheng, K. M. Ting and H. Salem (2012). Learning by extrapolation
    from marginal to full-multivariate probability distributions: decreasingly naive Bayesian
    classification. Machine Learning 86, 233-272.

    F. Zheng, G. I. Webb, P. Suraweera and L. Zhu (2012). Subsumption resolution: an efficient and
    effective technique for semi-naive Bayesian learning. Machine Learning 87, 93-125.

    L. Jiang and H. Zhang (2006). Weightily averaged one-dependence estimators. PRICAI 2006,
    970-974.

    Examples
    --------
    >>> from bayesgrove import AnDEClassifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> [AnDEClassifier(n).fit(X, y).score(X, y) for n in (1, 2)]
    [0.96875, 1.0]
    """

    short_name: ClassVar[str] = "ande"
    state_kinds: ClassVar[tuple[str, ...]] = ("networks", "counts", "pairs", "implications")
    _pairs: SuperParentPairs | None
    _implications: list[Implication]

    def __init__(
        self,
        n: int = 2,
        min_rows: int = 1,
        *,
        alpha: float = 1.0,
        subsumption_resolution: int | None = None,
        weights: str = "equal",
        categorical_features: Any = None,
        discretizer: Discretizer | None = None,
        missing: str = "value",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.n = n
        self.min_rows = min_rows
        self.alpha = alpha
        self.subsumption_resolution = subsumption_resolution
        self.weights = weights
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the mean joint probabilities, ``ln P(class, row)``.

        The mean is over the sets of super-parents that are used for the row. Each of their networks
        gives the joint probability of the class and of all known values that are not left out. A
        row without such a set gets the joint probability of the next smaller n, down to naive
        Bayes.

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
        """Return the total size of naive Bayes and of the networks of all sets of super-parents.

        Returns
        -------
        Complexity
            The number of attributes, arcs and free parameters. With m attributes, naive Bayes has m
            arcs, the network of a super-parent has 2m - 1, and the network of a pair has 3m - 3.
            Only sets with joint values that have ``min_rows`` rows count. The free parameters of
            all their tables count, also for values with fewer rows.
        """
        size = super().complexity()
        naive = self.networks_[0]
        *cards, classes = (len(naive.states(node)) for node in naive.nodes)
        pairs = [] if self._pairs is None else self._pairs.frequent
        free = sum(card - 1 for card in cards)
        parameters = 0
        for pair in pairs:
            joint = prod(cards[v] for v in pair)
            others = free - sum(cards[v] - 1 for v in pair)
            parameters += joint * classes - 1 + joint * classes * others
        arcs = (size.arcs or 0) + len(pairs) * (3 * len(cards) - 3)
        return Complexity(size.attributes, arcs, size.parameters + parameters)

    def beyond_network(self) -> str:
        """Describe the part of the model that the network of naive Bayes does not contain.

        Returns
        -------
        str
            The description, or an empty string if naive Bayes is the whole model.
        """
        pairs = [] if self._pairs is None else self._pairs.frequent
        if not pairs:
            return super().beyond_network()
        return f"the average over {len(pairs)} pairs of super-parents"

    def _check_parts(self) -> None:
        if not is_whole(self.n) or self.n not in (1, 2):
            raise OptionError(f"n={self.n!r} must be 1 or 2.")
        require_choice("weights", self.weights, WEIGHTS)
        if self.subsumption_resolution is not None:
            Subsumption(self.subsumption_resolution).check()
        super()._check_parts()

    def _learn(self, training: Training) -> None:
        self._check_parts()
        counts = training.counts(self._threads())
        pairs = count_pairs(counts) if self.n == 2 else None
        implications = []
        if self.subsumption_resolution is not None:
            implications = Subsumption(self.subsumption_resolution).learn(counts)
        super()._learn(training)
        self._keep_pairs(pairs)
        self._implications = implications

    def _weights_of(self, counts: CountSource, members: Sequence[BayesianNetwork]) -> Floats:
        if self.weights == "equal":
            return super()._weights_of(counts, members)
        parents = [network.structure.parents[-1][0] for network in members]
        return without_noise(information_with_class(counts)[parents])

    def _keep_pairs(self, pairs: Floats | None) -> None:
        """Set the average over pairs, from the counts of pairs and triples; None if ``n=1``."""
        if pairs is None:
            self._pairs = None
            return
        *tables, of_class = self._tables
        total = of_class.counts.sum()
        self._pairs = SuperParentPairs(
            (*(table.counts.shape[2] for table in tables), of_class.counts.shape[2]),
            pairs,
            tuple(bool(table.counts.sum() < total * (1 - 1e-12)) for table in tables),
            self.min_rows,
            self.alpha,
            self.weights == "mutual_information",
        )

    def _program(self) -> Program | None:
        return None if self.subsumption_resolution is not None else super()._program()

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        if self._implications:
            encoded = leave_out_implied(encoded, self._implications)
        if self._pairs is None or len(self.networks_) == 1:
            return super()._joint_encoded(encoded, threads, relative=relative)
        joint, is_used = self._pairs.log_joint(encoded, threads)
        rest = np.flatnonzero(~is_used)
        if len(rest):
            joint[rest] = super()._joint_encoded(encoded.take(rest), threads, relative=False)
        return joint
