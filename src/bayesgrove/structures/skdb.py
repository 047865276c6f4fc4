"""SKDB: the part of a KDB network that predicts best when each row is left out.

A. M. Martinez, G. I. Webb, S. Chen and N. A. Zaidi (2016). Scalable learning of Bayesian network
classifiers. Journal of Machine Learning Research 17(44), 1-35.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from bayesgrove._utils.options import require_choice, require_count, require_flag, require_number
from bayesgrove._utils.ties import MEAN_NOISE
from bayesgrove.parameters.nested_losses import LOSSES, leave_one_out_losses
from bayesgrove.scores.dependence_ranking import DependenceRanking, rank_dependence
from bayesgrove.search import first_best

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats
    from bayesgrove.network import Structure


@dataclass(frozen=True, eq=False)
class Submodel:
    """The part of a KDB network that was chosen, with the losses that decided.

    Parameters
    ----------
    ranking : DependenceRanking
        The full KDB network: the order of the attributes, and their parents, strongest first.
    losses : ndarray of shape (largest k + 1, n_attributes + 1)
        The leave-one-out loss of every number of parents and of attributes.
    k : int
        The number of attribute parents that was chosen.
    size : int
        The number of attributes that was chosen.
    """

    ranking: DependenceRanking
    losses: Floats
    k: int
    size: int

    @property
    def attributes(self) -> list[int]:
        """Numbers of the chosen attributes, in the order of their information about the class."""
        return self.ranking.order[: self.size]

    @property
    def structure(self) -> Structure:
        """The network of all attributes; those that were not chosen have no arcs."""
        return self.ranking.structure(self.k, self.size)


@dataclass(frozen=True)
class SKDB:
    """Selective KDB: a KDB network whose k and attributes are chosen by leave-one-out losses.

    The first two passes of the paper learn KDB with the largest ``k``: attributes enter in the
    order of decreasing I(X;C), and the parents of each are the k attributes X' before it with the
    highest I(X;X'|C), best first. The third pass predicts every row from the counts of all other
    rows, by every network that has the first s attributes of the order and the first k' parents of
    each: 0 <= k' <= k and 0 <= s <= n. The network with the smallest loss is taken. Ties go to the
    smaller k', then to fewer attributes.

    A row of weight w is left out with its weight w. The order and the parents are learned once,
    from all rows, as in the paper. The paper smooths by m-estimates with m = 1, which add ``1 / r``
    to every cell of an attribute with r values; here every cell gets ``alpha``.

    Parameters
    ----------
    k : int, default=5
        The largest number of attribute parents that is tried.
    scoring : {"rmse", "accuracy", "log_loss"}, default="rmse"
        The loss, where p is the probability of the true class of a row. "rmse" is the root of the
        mean of ``(1 - p)^2``, as in the paper. "accuracy" is the share of wrong predictions (0-1
        loss). "log_loss" is the mean of ``-ln p``; it needs an ``alpha`` above 0.
    select_attributes : bool, default=True
        Whether attributes are selected. If False, all attributes are used, and only k is chosen.
    alpha : float, default=1.0
        The pseudo-count of every cell of the tables by which the rows are predicted.

    References
    ----------
    A. M. Martinez, G. I. Webb, S. Chen and N. A. Zaidi (2016). Scalable learning of Bayesian
    network classifiers. Journal of Machine Learning Research 17(44), 1-35.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier, load_dataset
    >>> from bayesgrove.structures import SKDB
    >>> X, y = load_dataset("corral")
    >>> network = BayesianNetworkClassifier(SKDB(k=3)).fit(X, y).network_
    >>> network.parents("Irrelevant")
    ()
    """

    k: int = 5
    scoring: str = "rmse"
    select_attributes: bool = True
    alpha: float = 1.0
    weights_repeat_rows: ClassVar[bool] = False

    def learn(self, counts: CountSource) -> Structure:
        """Learn the parents of every node.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        Structure
            The class and at most k attributes as parents of every chosen attribute. The other
            attributes have no parents and no children.
        """
        return self.choose(counts).structure

    def choose(self, counts: CountSource) -> Submodel:
        """Compute the losses of all networks, and choose the best one.

        Parameters
        ----------
        counts : CountSource
            The counts of the training rows.

        Returns
        -------
        Submodel
            The chosen network, and the losses of all networks.
        """
        self.check()
        ranking = rank_dependence(counts, min(int(self.k), max(counts.n_attributes - 1, 0)))
        losses = leave_one_out_losses(counts, ranking, self.scoring, self.alpha)
        return Submodel(ranking, losses, *self.best(losses))

    def best(self, losses: Floats) -> tuple[int, int]:
        """Return the number of parents and the number of attributes with the smallest loss.

        Parameters
        ----------
        losses : ndarray of shape (largest k + 1, n_attributes + 1)
            The loss of every number of parents and of attributes.

        Returns
        -------
        tuple of int and int
            The two numbers. Ties go to fewer parents, then to fewer attributes.
        """
        sizes = np.arange(losses.shape[1])
        if not self.select_attributes:
            losses, sizes = losses[:, -1:], sizes[-1:]
        k, place = divmod(first_best(-losses.ravel(), MEAN_NOISE), len(sizes))
        return k, int(sizes[place])

    def check(self) -> None:
        """Raise unless the options are valid."""
        require_count("k", self.k)
        require_choice("scoring", self.scoring, LOSSES)
        require_flag("select_attributes", self.select_attributes)
        require_number("alpha", self.alpha, lowest=0)
