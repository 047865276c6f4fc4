"""Selection by the accuracy of the network that the attributes give: K2-AS.

M. Singh and G. Provan (1995). A comparison of induction algorithms for selective and
non-selective Bayesian classifiers. ICML-95, 497-505. G. Provan and M. Singh (1996). Learning
Bayesian networks using feature selection. Lecture Notes in Statistics 112.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import require_choice
from bayesgrove._utils.renamed import renamed
from bayesgrove.contracts import checked_learner, walked, weights_repeat_rows
from bayesgrove.parameters.predictive_score import predictive_score
from bayesgrove.scores.validation_splits import validation_splits
from bayesgrove.search import backward, forward
from bayesgrove.structures import CB

if TYPE_CHECKING:
    from bayesgrove.contracts import Selection, StructureLearner
    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats
    from bayesgrove.search import Evaluate


@renamed(judge="cv", network="structure")
@dataclass(frozen=True)
class Wrapper:
    """Greedy selection by how well a network of the attributes predicts.

    ``structure`` learns the structure, None is `CB`; the tables have one pseudo-count a cell.
    ``direction="forward"`` starts without attributes, "backward" with all. ``ties="stop"`` goes
    on as long as the score rises (K2-AS), "continue" also while it stays (K2-AS<). ``cv`` is
    "halves" (learn from a random half of the rows, judge by the other), "training" (both with
    all rows) or a number of folds; ``scoring`` is "accuracy" or "log_loss".
    """

    structure: StructureLearner | None = None
    direction: str = "forward"
    ties: str = "stop"
    cv: int | str = "halves"
    scoring: str = "accuracy"
    random_state: int = 0

    @property
    def weights_repeat_rows(self) -> bool:
        """Return whether a row of weight 2 is the row twice."""
        return self.cv == "training" and weights_repeat_rows(self.structure)

    def select(self, counts: CountSource) -> Selection:
        """The attributes at which no step makes the network better."""
        require_choice("direction", self.direction, ("forward", "backward"))
        evaluate = self.evaluator(counts)
        attributes = list(range(counts.n_attributes))
        if self.direction == "forward":
            return walked(counts, forward(attributes, evaluate, self.ties))
        moves = backward(attributes, evaluate, self.ties)
        return walked(counts, moves, attributes, "removed")

    def evaluator(self, counts: CountSource) -> Evaluate:
        """What gives the score of any subset of the attributes."""
        parts = validation_splits(counts, self.cv, self.random_state)
        learner = checked_learner("structure", self.structure, CB())

        def evaluate(subsets: list[list[int]]) -> Floats:
            return np.array([self._value(learner, parts, subset) for subset in subsets])

        return evaluate

    def _value(
        self,
        learner: StructureLearner,
        parts: list[tuple[CountSource, CountSource]],
        subset: list[int],
    ) -> float:
        values = []
        for learning, judging in parts:
            columns = sorted(subset)
            own = learning.restrict(columns)
            structure = learner.learn(own)
            values.append(predictive_score(structure, own, judging.restrict(columns), self.scoring))
        return float(np.mean(values))
