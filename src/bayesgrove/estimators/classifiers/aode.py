"""The AODE classifier: the mean of all networks in which one attribute is a parent of all others.

G. I. Webb, J. R. Boughton and Z. Wang (2005). Not so naive Bayes: aggregating one-dependence
estimators. Machine Learning 58, 5-24.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bayesgrove._utils.memory import require_memory
from bayesgrove._utils.options import require_count, require_number
from bayesgrove._utils.ties import nearly
from bayesgrove.counts import Configurations, Family, FamilyTable, Moments
from bayesgrove.estimators.base.averaging import AveragingClassifier
from bayesgrove.network import BayesianNetwork, Structure
from bayesgrove.parameters import Dirichlet
from bayesgrove.parameters.dirichlet import conditional
from bayesgrove.structures import Naive

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Discretizer, Encoded
    from bayesgrove.estimators.base.complexity import Complexity
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.network import ConditionalTable

WIDE = 256
"""Columns of more values are counted pair by pair: the table of all pairs would be too large."""


class AODEClassifier(AveragingClassifier):
    """Averaged one-dependence estimators (Webb, Boughton and Wang 2005: AODE).

    Each attribute in turn is the super-parent: all others depend on it and on the class. Of a row
    those count whose value ``x_i`` has at least ``min_rows`` rows of training, all alike:

    ``P(y, x) = mean over i with F(x_i) >= min_rows of P(y, x_i) prod_j P(x_j | y, x_i)``,

    ``P(y, x_i) = (F(y, x_i) + alpha) / (N + alpha k v_i)``,
    ``P(x_j | y, x_i) = (F(y, x_i, x_j) + alpha) / (F(y, x_i) + alpha v_j)``

    for k classes and v values. Where no super-parent counts, the answer is naive Bayes. A missing
    value is not a super-parent, and is summed out as a child. With ``missing="ignore"`` the F and
    N of a table are of the rows in which all its variables are known, so that tables sum to 1.

    Parameters
    ----------
    min_rows : least number of training rows that the value of a super-parent must have; of
        weighted rows, their least weight. The paper has 30; 1 asks for one row
    alpha : pseudo-count of every cell of the tables above; 0 is maximum likelihood
    categorical_features, discretizer, missing, unseen, n_jobs : see `BayesianNetworkClassifier`

    Attributes
    ----------
    classes_, cut_points_ : see `BayesianNetworkClassifier`
    networks_ : naive Bayes, then the network of every super-parent with a value that counts
    weights_ : 0 for naive Bayes and the same for all others; rows decide which of them count
    network_ : naive Bayes, where no value of training has ``min_rows`` rows

    Examples
    --------
    >>> from bayesgrove import AODEClassifier, load_dataset
    >>> X, y = load_dataset("corral")
    >>> [AODEClassifier(min_rows=m).fit(X, y).score(X, y) for m in (1, 1000)]
    [0.96875, 0.90625]
    """

    short_name: ClassVar[str] = "aode"
    state_kinds: ClassVar[tuple[str, ...]] = ("networks", "counts")
    _tables: list[FamilyTable]
    _moments: Moments

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
        """``ln P(class, row)``, shape (rows, classes): the mean over the super-parents that count.

        Each of them gives the probability of the class and of all values that are known. Of a row
        in which none counts it is that of naive Bayes.
        """
        return super().predict_joint_log_proba(X)

    def complexity(self) -> Complexity:
        """Return the size of naive Bayes and of all super-parents' networks together.

        With n attributes naive Bayes has n arcs, and a super-parent 2n - 1. An attribute without
        a value of ``min_rows`` rows is never a super-parent, and has no network. Parameters are
        the free ones of all tables, also those of values that do not count.
        """
        return super().complexity()

    def beyond_network(self) -> str:
        """Say what predictions have and naive Bayes is without; empty where it has all."""
        members = len(self.networks_) - 1
        return f"the average over {members} super-parents" if members else ""

    def _check_parts(self) -> None:
        require_count("min_rows", self.min_rows, lowest=1)
        require_number("min_rows", self.min_rows)
        require_number("alpha", self.alpha, lowest=0)

    def _learn(self, training: Training) -> None:
        self._check_parts()
        counts, states = training.counts(self._threads()), training.states
        naive = Naive().learn(counts)
        tables = counts.tables([naive.family(v) for v in range(len(counts.cards))])
        networks = [
            Dirichlet(self.alpha).network(naive, tables, counts.names, states),
            *self._super_parents(counts, tables, states),
        ]
        weights = np.ones(len(networks))
        weights[0] = len(networks) == 1
        self._tables, self._moments = tables, Moments.none(counts.n_classes)
        self._keep_networks(training.schema, training.classes, networks, weights / weights.sum())

    def _super_parents(
        self,
        counts: CountSource,
        of_attributes: Sequence[FamilyTable],
        states: Sequence[tuple[Any, ...]],
    ) -> Iterator[BayesianNetwork]:
        """Yield the network of every attribute that has a value with enough rows."""
        last = counts.n_attributes
        parents = [v for v, codes in enumerate(self._frequent(of_attributes)) if codes.any()]
        tables = _child_tables(counts, parents, self.alpha)
        for parent in parents:
            given = [() if v == parent else (parent, last) for v in range(last)]
            structure = Structure((*given, (parent,)))
            tables |= _top_tables(parent, last, of_attributes[parent].counts[0], self.alpha)
            families = [structure.family(v) for v in range(last + 1)]
            yield BayesianNetwork(counts.names, states, structure, [tables[f] for f in families])

    def _frequent(self, tables: Sequence[FamilyTable]) -> list[NDArray[np.bool_]]:
        """Say of every code of every attribute whether it has enough rows; missing has not.

        Weights that sum to ``min_rows`` up to rounding are enough.
        """
        least = nearly(float(self.min_rows))
        sums = [table.counts.sum(axis=(0, 1)) for table in tables[:-1]]
        return [np.append(rows >= least, False) for rows in sums]

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        naive, *members = self.networks_
        if not members:
            return super()._joint_encoded(encoded, threads, relative=relative)
        with np.errstate(divide="ignore"):
            log_weights = np.log(self.weights_[1:])
        frequent = self._frequent(self._tables)
        joint = np.full((encoded.rows, len(self.classes_)), -np.inf)
        total = np.zeros(encoded.rows)
        for network, log_weight in zip(members, log_weights, strict=True):
            counting, logs = _member(network, encoded, frequent, threads)
            np.logaddexp(joint, logs + log_weight, out=joint, where=counting[:, None])
            total += counting * np.exp(log_weight)
        joint -= np.log(np.where(total > 0, total, 1.0))[:, None]
        alone = np.flatnonzero(total == 0)
        joint[alone] = naive.log_joint(encoded.take(alone), threads)
        return joint

    def _class_log_probabilities(self) -> Floats:
        return self.networks_[0].class_log_probabilities

    # The codec of the kind "counts" asks for densities as well: no column here stays a number.

    @property
    def theta_(self) -> Floats:
        """Means of columns that stay numbers, of which there are none: shape (classes, 0)."""
        return self._moments.mean

    @property
    def var_(self) -> Floats:
        """Variances of columns that stay numbers, of which there are none: shape (classes, 0)."""
        return self._moments.squares

    def _keep_normals(self, means: Floats, variances: Floats) -> None:
        """Take back the densities of no column."""


def _member(
    network: BayesianNetwork,
    encoded: Encoded,
    frequent: Sequence[NDArray[np.bool_]],
    threads: int,
) -> tuple[NDArray[np.bool_], Floats]:
    """Return in which rows a super-parent counts, and ``ln P(class, row)`` of those rows.

    Other rows get the super-parent's first value, so that nothing has to be summed out for them.
    """
    counting, columns = np.ones(encoded.rows, dtype=bool), list(encoded.columns)
    for parent in network.structure.parents[-1]:
        counting &= frequent[parent][columns[parent]]
        columns[parent] = columns[parent] * counting
    return counting, network.log_joint(replace(encoded, columns=columns), threads)


def _top_tables(
    parent: int, last: int, counts: Floats, alpha: float
) -> dict[Family, ConditionalTable]:
    """Return ``P(x_i)`` and ``P(y | x_i)``, whose product is ``P(y, x_i)``, from ``F[y, x_i]``.

    Each cell of ``F[y, x_i]`` has the pseudo-count alpha, so that of a value has k alpha.
    """
    classes, card = counts.shape
    of_parent = FamilyTable(
        Family(parent, (), given_class=False), Configurations(()), counts.sum(axis=0)[None, None]
    )
    of_class = FamilyTable(
        Family(last, (parent,), given_class=False), Configurations((card,)), counts.T[:, None]
    )
    return {
        of_parent.family: conditional(of_parent, classes * alpha),
        of_class.family: conditional(of_class, alpha),
    }


def _child_tables(
    counts: CountSource, parents: Sequence[int], alpha: float
) -> dict[Family, ConditionalTable]:
    """Return ``P(x_j | y, x_i)`` of all super-parents i and all other attributes j."""
    if not parents:
        return {}
    room = [card + 1 for card in counts.attribute_cards]  # a program has cells for missing values
    total = sum(room)
    require_memory(
        2 * 8 * counts.n_classes * sum(room[v] * (total - room[v]) for v in parents),
        f"The tables of {len(parents)} super-parents",
        "raise min_rows, or leave out or merge values of columns with very many values",
    )
    wanted = set(parents)
    return {
        table.family: conditional(table, alpha)
        for table in chain(_narrow_pairs(counts), _wide_pairs(counts, parents))
        if table.family.parents[0] in wanted
    }


def _narrow_pairs(counts: CountSource) -> Iterator[FamilyTable]:
    """Yield the tables of all pairs of columns without too many values, in both directions."""
    narrow = [v for v, card in enumerate(counts.attribute_cards) if card <= WIDE]
    ends = np.cumsum([0, *(counts.cards[v] for v in narrow)])
    for block in counts.pair_tables(narrow):
        for i in range(block.first, block.last):
            start, stop = ends[i : i + 2] - ends[block.first]
            for j in range(i):
                cells = block.counts[:, start:stop, ends[j] : ends[j + 1]]
                yield _pair_table(narrow[i], narrow[j], cells.transpose(1, 0, 2))
                yield _pair_table(narrow[j], narrow[i], cells.transpose(2, 0, 1))


def _pair_table(parent: int, child: int, cells: Floats) -> FamilyTable:
    """Return ``F[x_i, y, x_j]`` as the table of a child given its super-parent and the class."""
    family = Family(child, (parent,), given_class=True)
    return FamilyTable(family, Configurations((len(cells),)), np.ascontiguousarray(cells))


def _wide_pairs(counts: CountSource, parents: Sequence[int]) -> list[FamilyTable]:
    """Return the tables of pairs with a column of many values, counted in one further pass."""
    wide = {v for v, card in enumerate(counts.attribute_cards) if card > WIDE}
    return counts.tables(
        [
            Family(child, (parent,), given_class=True)
            for parent in parents
            for child in range(counts.n_attributes)
            if child != parent and wide & {child, parent}
        ]
    )
