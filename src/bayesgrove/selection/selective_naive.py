"""The selective naive Bayes classifier: naive-AS.

P. Langley and S. Sage (1994). Induction of selective Bayesian classifiers. UAI-94, 399-406.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.options import require_number
from bayesgrove.parameters.dirichlet import normalise
from bayesgrove.scores.prediction import fill_impossible, row_scores
from bayesgrove.search import forward
from bayesgrove.selection.judging import judging_parts
from bayesgrove.selection.path import walked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats
    from bayesgrove.selection.path import Selection


@dataclass(frozen=True)
class SelectiveNaive:
    """Greedy forward selection by how well naive Bayes predicts with the attributes.

    ``ties="continue"`` goes on until every attribute makes the score worse, as Langley and Sage
    do; "stop" only as long as one makes it better. ``judge``, ``scoring`` and ``random_state``
    are those of `Wrapper`; ``alpha`` is the pseudo-count of every cell.
    """

    scoring: str = "accuracy"
    ties: str = "continue"
    judge: Any = "halves"
    alpha: float = 1.0
    random_state: int = 0

    def select(self, counts: CountSource) -> Selection:
        """Attributes as long as the score does not fall."""
        require_number("alpha", self.alpha, lowest=0)
        parts = judging_parts(counts, self.judge, self.random_state)
        learned = [(LogTables(learning, self.alpha), judging) for learning, judging in parts]

        def evaluate(subsets: list[list[int]]) -> Floats:
            def measure(tables: LogTables, part: Encoded) -> Floats:
                joints = (fill_impossible(j, tables.prior) for j in tables.joint(part, subsets))
                return np.array([row_scores(joint, part, self.scoring) for joint in joints])

            values = [
                judging.reduce(partial(measure, tables), np.add) / judging.total
                for tables, judging in learned
            ]
            return np.asarray(np.mean(values, axis=0))

        return walked(counts, forward(range(counts.n_attributes), evaluate, self.ties))


class LogTables:
    """The logarithms that naive Bayes adds up; one more attribute is one more table."""

    def __init__(self, counts: CountSource, alpha: float) -> None:
        with np.errstate(divide="ignore"):
            self.prior = np.log(normalise(counts.class_counts + alpha))
            self._given_class = [
                np.vstack([np.log(normalise(table + alpha)).T, np.zeros(counts.n_classes)])
                for table in counts.attribute_tables()
            ]

    def joint(self, part: Encoded, subsets: list[list[int]]) -> Iterator[Floats]:
        """``ln P(class, attributes)`` of rows with every subset of the attributes.

        What the subsets have in common but for their last attribute is added up once.
        """
        heads: dict[tuple[int, ...], Floats] = {
            (): np.broadcast_to(self.prior, (part.rows, len(self.prior)))
        }
        for subset in subsets:
            head = tuple(subset[:-1])
            if head not in heads:
                heads[head] = sum((self._terms(part, v) for v in head), heads[()])
            yield heads[head] + self._terms(part, subset[-1]) if subset else heads[()]

    def _terms(self, part: Encoded, attribute: int) -> Floats:
        terms: Floats = self._given_class[attribute][part.columns[attribute]]
        return terms
