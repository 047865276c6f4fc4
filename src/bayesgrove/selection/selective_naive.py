"""The selective naive Bayes classifier: naive-AS.

P. Langley and S. Sage (1994). Induction of selective Bayesian classifiers. UAI-94, 399-406.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import OptionError, require_choice, require_number
from bayesgrove._utils.renamed import renamed
from bayesgrove.contracts import walked
from bayesgrove.counts import CACHE_BYTES, LRUCache
from bayesgrove.parameters.dirichlet import normalise
from bayesgrove.scores.prediction import SCORINGS, fill_impossible, mean_area, row_scores
from bayesgrove.scores.validation_splits import validation_splits
from bayesgrove.search import forward

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bayesgrove.contracts import Selection
    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats
    from bayesgrove.parameters import Normals
    from bayesgrove.search import Move

    Densities = Callable[[CountSource], Normals]


@renamed(judge="cv")
@dataclass(frozen=True)
class SelectiveNaive:
    """Greedy forward selection by how well naive Bayes predicts with the attributes.

    ``ties="continue"`` goes on until every attribute makes the score worse, as Langley and Sage
    do; "stop" only as long as one makes it better. ``cv``, ``scoring`` and ``random_state``
    are those of `Wrapper`, and a ``scoring`` may be "auc", too; ``alpha`` is the pseudo-count of
    every cell.
    """

    scoring: str = "accuracy"
    ties: str = "continue"
    cv: int | str = "halves"
    alpha: float = 1.0
    random_state: int = 0

    @property
    def weights_repeat_rows(self) -> bool:
        """Return whether a row of weight 2 is the row twice."""
        return self.cv == "training"

    def select(self, counts: CountSource) -> Selection:
        """Attributes as long as the score does not fall."""
        return walked(counts, self.moves(counts, range(counts.n_attributes)))

    def moves(
        self, counts: CountSource, candidates: Sequence[int], densities: Densities | None = None
    ) -> list[Move]:
        """The attributes as they are added, one by one, and the score after each.

        The number of an attribute above that of the class is of a column that stayed a number;
        ``densities`` tells those of all such columns from counts.
        """
        require_number("alpha", self.alpha, lowest=0)
        require_choice("scoring", self.scoring, (*SCORINGS, "auc"))
        if self.scoring == "auc" and not counts.in_memory:
            raise OptionError("scoring='auc' ranks all rows, and needs them in memory.")
        parts = validation_splits(counts, self.cv, self.random_state)
        learned = [
            (LogTables(learning, self.alpha, densities), judging) for learning, judging in parts
        ]

        def evaluate(subsets: list[list[int]]) -> Floats:
            def measure(tables: LogTables, part: Encoded) -> Floats:
                joints = (fill_impossible(j, tables.prior) for j in tables.joint(part, subsets))
                return np.array([self._score(joint, part) for joint in joints])

            values = [
                judging.reduce(partial(measure, tables), np.add) / judging.total
                for tables, judging in learned
            ]
            return np.asarray(np.mean(values, axis=0))

        return forward(candidates, evaluate, self.ties)

    def _score(self, joint: Floats, part: Encoded) -> float:
        """The sum of the scores of rows."""
        if self.scoring != "auc":
            return row_scores(joint, part, self.scoring)
        return mean_area(joint, part) * (part.rows if part.weights is None else part.weights.sum())


class LogTables:
    """The logarithms that naive Bayes adds up; one more attribute is one more table.

    Rows of a class lie side by side in memory: there are few classes and many rows. Densities take
    long to work out: those of the rows that were asked for last are remembered.
    """

    _part: Encoded | None = None
    _known: LRUCache[Floats]

    def __init__(
        self, counts: CountSource, alpha: float, densities: Densities | None = None
    ) -> None:
        self._class = counts.n_attributes
        self._normals = None if densities is None else densities(counts)
        with np.errstate(divide="ignore"):
            self.prior: Floats = np.log(normalise(counts.class_counts + alpha))
            self._given_class = [
                np.pad(np.log(normalise(table + alpha)), ((0, 0), (0, 1)))
                for table in counts.attribute_tables()
            ]

    def joint(self, part: Encoded, subsets: list[list[int]]) -> Iterator[Floats]:
        """``ln P(class, attributes)`` of rows with every subset of the attributes.

        What the subsets have in common but for their last attribute is added up once.
        """
        heads: dict[tuple[int, ...], Floats] = {
            (): np.repeat(self.prior[:, None], part.rows, axis=1).T
        }
        for subset in subsets:
            head = tuple(subset[:-1])
            if head not in heads:
                heads[head] = sum((self._terms(part, v) for v in head), heads[()])
            yield heads[head] + self._terms(part, subset[-1]) if subset else heads[()]

    def _terms(self, part: Encoded, attribute: int) -> Floats:
        if attribute < self._class:
            terms: Floats = self._given_class[attribute].take(part.columns[attribute], axis=1).T
            return terms
        if part is not self._part:
            self._part, self._known = part, LRUCache(CACHE_BYTES)
        known = self._known.get(attribute)
        return self._densities(part, attribute) if known is None else known

    def _densities(self, part: Encoded, attribute: int) -> Floats:
        assert self._normals is not None
        at = attribute - self._class - 1
        terms = self._normals.terms(at, part.continuous[at])
        return self._known.keep(attribute, terms, terms.nbytes)
