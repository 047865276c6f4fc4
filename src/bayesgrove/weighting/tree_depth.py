"""Weights from the minimum depths at which unpruned decision trees test the attributes.

M. Hall (2006). A decision tree-based attribute weighting filter for naive Bayes. Working paper
05/2006, University of Waikato.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.renamed import renamed
from bayesgrove.trees import Bagging, warn_of_missed_classes, warn_of_small_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.contracts import TrainingData
    from bayesgrove.kernels import Floats
    from bayesgrove.trees import Tree


@renamed(seed="random_state")
@dataclass(frozen=True)
class TreeDepth:
    """Weights of attributes: the mean of ``1 / sqrt(d)`` over unpruned C4.5 trees.

    Every tree is grown from a sample of the rows. d is the minimum depth at which the tree tests
    the attribute. The root has depth 1. A tree that does not test the attribute contributes 0 to
    the mean (lines 1 to 11 of figure 1 of the paper). Naive Bayes uses the weights as exponents
    (equation 2).

    Parameters
    ----------
    n_trees : int, default=10
        The number of bagging iterations: one tree is grown per iteration (the paper's i).
    sample_fraction : float, default=0.5
        The size of each sample as a fraction of the number of rows, above 0 and at most 1 (the
        paper's j, there in percent).
    random_state : int, default=0
        The seed that fixes the samples.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement. ``TreeDepth(1, 1.0, bootstrap=False)`` grows one
        tree from all training rows.

    References
    ----------
    M. Hall (2006). A decision tree-based attribute weighting filter for naive Bayes. Working paper
    05/2006, Department of Computer Science, University of Waikato.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> from bayesgrove.weighting import TreeDepth
    >>> a, b = np.tile(np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint8), 9)
    >>> TreeDepth().weights(TrainingData.of_columns([b, a], [2, 2], a, 2)).tolist()
    [0.0, 1.0]
    """

    n_trees: int = 10
    sample_fraction: float = 0.5
    random_state: int = 0
    bootstrap: bool = True

    @property
    def bagging(self) -> Bagging:
        """Learner of the trees: unpruned C4.5 trees of samples."""
        options = self.n_trees, self.sample_fraction, self.random_state
        return Bagging(*options, bootstrap=self.bootstrap)

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 counts like two equal rows: only if no row is drawn."""
        return self.bagging.weights_repeat_rows

    def weights(self, data: TrainingData) -> Floats:
        """Return the weight of every attribute.

        The method warns if the sample weights are too small for a tree with a test, and if a class
        has no row in any sample.

        Parameters
        ----------
        data : TrainingData
            The training rows.

        Returns
        -------
        ndarray of shape (n_columns,)
            The weight of each column, between 0 and 1, in the order of the table.
        """
        trees = self.bagging.grow(data.mixed, data.threads)
        warn_of_small_weights(data.mixed, self.bagging)
        consequence = "the weights ignore this class"
        warn_of_missed_classes(trees, data.mixed, data.classes, consequence)
        return depth_weights(trees, len(data.mixed.columns))


def depth_weights(trees: Sequence[Tree], n_columns: int) -> Floats:
    """Return the mean of ``1 / sqrt(d)`` over trees, where d is the minimum depth of a column.

    Parameters
    ----------
    trees : sequence of Tree
        The trees.
    n_columns : int
        The number of columns of the table from which the trees were grown.

    Returns
    -------
    ndarray of shape (n_columns,)
        The weight of each column. A tree that does not test the column contributes 0 to the mean.
    """
    depths = np.array([tree.depths(n_columns) for tree in trees], dtype=np.float64)
    with np.errstate(divide="ignore"):
        weights: Floats = np.where(depths > 0, 1.0 / np.sqrt(depths), 0.0).mean(axis=0)
    return weights
