"""The selective Bayesian classifier (SBC): attributes in the upper levels of decision trees.

C. A. Ratanamahatana and D. Gunopulos (2003). Feature selection for the naive Bayesian classifier
using decision trees. Applied Artificial Intelligence 17, 475-487.
C. Cardie (1993). Using decision trees to improve case-based learning. ICML-93, 25-32.
M. Kubat, D. Flotzinger and G. Pfurtscheller (1993). Discovering patterns in EEG signals:
comparative study of a few methods. ECML-93, 366-371.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import require_count
from bayesgrove._utils.renamed import renamed
from bayesgrove.contracts import Selection, Step
from bayesgrove.trees import C45, Bagging, warn_of_missed_classes, warn_of_small_weights

if TYPE_CHECKING:
    from bayesgrove.contracts import TrainingData


@renamed(seed="random_state")
@dataclass(frozen=True)
class TreeLevels:
    """A selector of the attributes that at least one of several trees tests in its first levels.

    By default, each tree is an unpruned C4.5 tree of a bootstrap sample of the rows, as in SBC.
    ``TreeLevels(1, 1.0, None, bootstrap=False, pruned=True)`` selects all attributes of one pruned
    C4.5 tree of all rows, as Cardie (1993) did for nearest neighbours and Kubat et al. (1993) for
    naive Bayes.

    Parameters
    ----------
    n_trees : int, default=5
        The number of trees.
    sample_fraction : float, default=0.1
        The size of each sample as a fraction of the number of rows, above 0 and at most 1.
    max_depth : int or None, default=3
        An attribute is selected if a tree tests it at this depth or nearer to the root. The root
        has depth 1. None means any depth.
    random_state : int, default=0
        The seed that fixes the samples.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement.
    pruned : bool, default=False
        Whether the trees are pruned.

    References
    ----------
    C. A. Ratanamahatana and D. Gunopulos (2003). Feature selection for the naive Bayesian
    classifier using decision trees. Applied Artificial Intelligence 17, 475-487.

    C. Cardie (1993). Using decision trees to improve case-based learning. International Conference
    on Machine Learning (ICML-93), 25-32.

    M. Kubat, D. Flotzinger and G. Pfurtscheller (1993). Discovering patterns in EEG signals:
    comparative study of a few methods. European Conference on Machine Learning (ECML-93), 366-371.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> from bayesgrove.selection import TreeLevels
    >>> a, b = np.tile(np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint8), 50)
    >>> TreeLevels().select_rows(TrainingData.of_columns([b, a], [2, 2], a, 2)).attributes
    (1,)
    """

    n_trees: int = 5
    sample_fraction: float = 0.1
    max_depth: int | None = 3
    random_state: int = 0
    bootstrap: bool = True
    pruned: bool = False

    @property
    def bagging(self) -> Bagging:
        """Learner of the trees: C4.5 trees of samples."""
        options = self.n_trees, self.sample_fraction, self.random_state
        return Bagging(*options, C45(pruned=self.pruned), self.bootstrap)

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 counts like two equal rows: only if no row is drawn."""
        return self.bagging.weights_repeat_rows

    def select_rows(self, data: TrainingData) -> Selection:
        """Select the attributes in the upper levels of the trees.

        The method warns if the sample weights are too small for a tree with a test, and if a class
        has no row in any sample.

        Parameters
        ----------
        data : TrainingData
            The training rows.

        Returns
        -------
        Selection
            The selected attributes, sorted by the minimum depth over all trees; ties go to the
            earlier column. The value of a step is the minimum depth.
        """
        require_count("max_depth", self.max_depth, optional=True, lowest=1)
        trees = self.bagging.grow(data.mixed, data.threads)
        warn_of_small_weights(data.mixed, self.bagging)
        consequence = "the selection ignores this class"
        warn_of_missed_classes(trees, data.mixed, data.classes, consequence)
        depths = np.array([tree.depths(len(data.names)) for tree in trees])
        minimum = np.fmin.reduce(np.where(depths > 0, depths, np.nan))  # NaN if no tree tests it
        levels = np.inf if self.max_depth is None else self.max_depth
        order = np.argsort(minimum, kind="stable").tolist()
        chosen = tuple(j for j in order if minimum[j] <= levels)
        steps = tuple(Step(data.names[j], float(minimum[j]), None) for j in chosen)
        return Selection(chosen, steps)
