"""ReliefF: attributes that differ between near rows of different classes, but not of one class.

I. Kononenko (1994). Estimating attributes: analysis and extensions of RELIEF. ECML-94, 171-182.

M. Robnik-Sikonja and I. Kononenko (2003). Theoretical and empirical analysis of ReliefF and
RReliefF. Machine Learning 53, 23-69.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bayesgrove._utils.options import require_choice, require_count, require_flag, require_seed
from bayesgrove._utils.renamed import renamed
from bayesgrove._utils.ties import TIE_DIGITS
from bayesgrove.contracts import rescaled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bayesgrove.contracts import TrainingData
    from bayesgrove.encoding import MixedTable
    from bayesgrove.kernels import Codes, Floats

    Rows = NDArray[np.intp]

BLOCK_CELLS = 1 << 20
"""Number of pairs of rows whose distances are in memory at a time."""
CACHE_CELLS = 1 << 15
"""Number of pairs of rows whose distances are computed together; they fit in the CPU cache."""
STRIDE = 64
"""Number of rows that are compared with the lists of neighbours before any of them enters."""


@renamed(neighbours="n_neighbors", sample="sample_size", seed="random_state")
@dataclass(frozen=True)
class ReliefF:
    """ReliefF weights: ``W[A] = mean of diff(A, row, misses) - diff(A, row, hits)``.

    This score of an attribute A is between -1 and 1. A score below 0 becomes the weight 0. The hits
    of a row are its nearest rows of the same class. Its misses are the nearest rows of each other
    class c; they have the weight
    ``P(c) / (1 - P(class of the row))``. All neighbours of one class have the same weight. If a
    class has fewer rows than ``n_neighbors``, all its rows are neighbours. The distance of two rows
    is the sum of the differences ``diff`` of their attributes. The difference of two labels is 0
    or 1. The difference of two numbers is ``|a - b| / (max - min)``. Sample weights are not used:
    every row counts as one.

    Ties between rows at the distance of the farthest neighbour are decided as follows. Rows are
    visited in the order of the table, and each class has a list of neighbours. A row that is nearer
    than the farthest row in the list replaces the farthest row (the first of them, if several are
    equally far). A row at the same distance does not enter. These are the definitions of WEKA's
    ReliefFAttributeEval. With ``missing="weka"`` the scores are those of WEKA.

    Scores are small, often below 0.2. As exponents of naive Bayes they leave the class frequencies
    much influence. Hall (2006) says that the scores are the weights; the tables of this paper have
    weights that are rescaled.

    Parameters
    ----------
    n_neighbors : int, default=10
        The number of hits of a row, and the number of its misses per other class.
    sample_size : int or None, default=None
        The number of rows for which neighbours are searched. They are drawn with replacement. None
        means all rows, each once. The same holds for a number that is at least the number of rows.
    random_state : int, default=0
        The seed that fixes which rows are drawn.
    missing : {"conditional", "weka"}, default="conditional"
        The difference of two values where one or both are missing. "conditional" is the expected
        difference if the missing value has the distribution of its class (Kononenko 1994): for one
        missing label ``1 - P(label | class)``, for two
        ``1 - sum_v P(v | class) P(v | other class)``, and for numbers the mean difference over this
        distribution. If the class has no known value, the distribution of all rows is used; if no
        row has a known value, the difference is 0. "weka" is ``1 - 1 / number of labels`` for a
        missing label and any other value, the largest possible difference for a missing number and
        a known number, and 1 for two missing numbers.
    rescale : bool, default=False
        Whether the weights are multiplied by a number that makes their mean 1.

    Attributes
    ----------
    weights_repeat_rows : bool
        False: a row of weight 2 does not have the same effect as two copies of the row.

    References
    ----------
    I. Kononenko (1994). Estimating attributes: analysis and extensions of RELIEF. European
    Conference on Machine Learning (ECML-94), 171-182.

    M. Robnik-Sikonja and I. Kononenko (2003). Theoretical and empirical analysis of ReliefF and
    RReliefF. Machine Learning 53, 23-69.

    M. Hall (2006). A decision tree-based attribute weighting filter for naive Bayes. Working paper
    05/2006, Department of Computer Science, University of Waikato.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.contracts import TrainingData
    >>> from bayesgrove.weighting import ReliefF
    >>> a, b = np.tile(np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint8), 9)
    >>> ReliefF(n_neighbors=5).weights(TrainingData.of_columns([a, b], [2, 2], a, 2)).tolist()
    [1.0, 0.0]
    """

    weights_repeat_rows: ClassVar[bool] = False

    n_neighbors: int = 10
    sample_size: int | None = None
    random_state: int = 0
    missing: str = "conditional"
    rescale: bool = False

    def weights(self, data: TrainingData) -> Floats:
        """Return the ReliefF weight of every attribute.

        Parameters
        ----------
        data : TrainingData
            The training rows.

        Returns
        -------
        ndarray of shape (n_columns,)
            The weight of each column, at least 0, in the order of the table.
        """
        scores = self.scores(data)
        return rescaled(scores) if self.rescale else np.maximum(scores, 0.0)

    def scores(self, data: TrainingData) -> Floats:
        """Return the ReliefF score of every attribute.

        Parameters
        ----------
        data : TrainingData
            The training rows.

        Returns
        -------
        ndarray of shape (n_columns,)
            The score of each column, between -1 and 1, in the order of the table.
        """
        self._check()
        table, target = data.mixed, data.mixed.classes
        _require_codes(table)
        by_class = np.argsort(target, kind="stable")
        attributes = [
            Attribute(column[by_class], card, target[by_class], self.missing)
            for column, card in zip(table.columns, table.cards, strict=True)
        ]
        ends = np.cumsum(np.bincount(target, minlength=table.n_classes)).tolist()
        classes = [slice(a, b) for a, b in zip([0, *ends], ends, strict=False) if a < b]
        drawn = np.argsort(by_class)[self._draw(table.rows)]
        return _mean_differences(attributes, classes, drawn, self.n_neighbors)

    def _check(self) -> None:
        require_count("n_neighbors", self.n_neighbors, lowest=1)
        require_count("sample_size", self.sample_size, optional=True, lowest=1)
        require_seed("random_state", self.random_state)
        require_choice("missing", self.missing, ("conditional", "weka"))
        require_flag("rescale", self.rescale)

    def _draw(self, rows: int) -> Rows:
        """Return the numbers of the rows for which neighbours are searched."""
        if self.sample_size is None or self.sample_size >= rows:
            return np.arange(rows)
        return np.random.default_rng(self.random_state).integers(rows, size=self.sample_size)


def _require_codes(table: MixedTable) -> None:
    """Raise unless every code stands for a value or for a missing value."""
    for j, (column, card) in enumerate(zip(table.columns, table.cards, strict=True)):
        if card and (column > card).any():
            raise ValueError(
                f"Column {j} has the code {column.max()}, above cards[{j}]={card}, the code of a "
                "missing value."
            )


class Attribute:
    """The values of one attribute, and the expected differences where a value is missing."""

    def __init__(self, column: Codes | Floats, card: int, classes: Codes, rule: str) -> None:
        self.is_number = card == 0
        self.missing = np.isnan(column) if self.is_number else column == card
        self.values: NDArray[Any] = _scaled(column) if self.is_number else column
        self.missing_rows = np.flatnonzero(self.missing)
        self.is_complete = len(self.missing_rows) == 0
        if not self.is_complete:
            groups = classes if rule == "conditional" else np.zeros_like(classes)
            self._set_expected(card, groups, rule)

    def _set_expected(self, card: int, groups: Codes, rule: str) -> None:
        """Compute codes of values and of groups with missing values, and expected differences.

        ``expected[g, v]`` is the difference between code v and a missing value of group g. The
        codes of missing values come after the codes of the values, one per group.
        """
        known = ~self.missing
        points: NDArray[Any] = np.unique(self.values[known]) if self.is_number else np.arange(card)
        codes = np.searchsorted(points, self.values)
        incomplete = np.unique(groups[self.missing])
        self.group = np.searchsorted(incomplete, groups).clip(max=len(incomplete) - 1)
        self.code = np.where(self.missing, len(points) + self.group, codes)
        if rule == "weka":
            self.expected = _weka_differences(points, self.is_number)
        else:
            counts = np.zeros((int(groups.max()) + 1, len(points)))
            np.add.at(counts, (groups[known], codes[known]), 1.0)
            self.expected = _conditional_differences(points, counts, incomplete, self.is_number)

    def from_all(self, queries: Rows) -> NDArray[Any]:
        """Return the differences between some rows and all rows, shape (queries, rows)."""
        known = self._between_known(queries[:, None], slice(None))
        if self.is_complete:
            return known
        rows, is_missing = self.missing_rows, self.missing[queries]
        differences: Floats = known.astype(np.float64)
        differences[:, rows] = self.expected[self.group[rows], self.code[queries, None]]
        differences[is_missing] = self.expected[self.group[queries[is_missing], None], self.code]
        return differences

    def from_near(self, block: Rows, near: Rows) -> NDArray[Any]:
        """Return the differences between rows and their neighbours, shape (block, neighbours)."""
        block = block[:, None]
        known = self._between_known(block, near)
        if self.is_complete:
            return known
        of_near = self.expected[self.group[near], self.code[block]]
        differences = np.where(self.missing[near], of_near, known)
        of_block = self.expected[self.group[block], self.code[near]]
        return np.where(self.missing[block], of_block, differences)

    def _between_known(self, one: Rows, two: Rows | slice) -> NDArray[Any]:
        """Return the differences of values as if both were known."""
        a, b = self.values[one], self.values[two]
        differences: NDArray[Any] = np.abs(a - b) if self.is_number else a != b
        return differences


def _weka_differences(points: NDArray[Any], numbers: bool) -> Floats:
    """Return WEKA's differences between a missing value and each value, then a missing value."""
    if numbers:
        return np.append(np.maximum(points, 1.0 - points), 1.0)[None]
    return np.full((1, len(points) + 1), 1.0 - 1.0 / len(points))


def _conditional_differences(
    points: NDArray[Any], counts: Floats, groups: NDArray[Any], numbers: bool
) -> Floats:
    """Return expected differences of a missing value of each group: to values, then to groups."""
    if not counts.any():
        return np.zeros((len(groups), len(points) + len(groups)))
    shares = _value_shares(counts, groups)
    to_values = _mean_number_differences(points, shares) if numbers else 1.0 - shares
    to_groups = np.einsum("gv,hv->gh", to_values, shares)
    # Rounding makes distances equal that differ only by rounding errors.
    return np.round(np.hstack([to_values, to_groups]), TIE_DIGITS)


def _value_shares(counts: Floats, groups: NDArray[Any]) -> Floats:
    """Return the shares of the values in groups; in all rows where a group has no known value."""
    group_counts = counts[groups]
    group_counts[~group_counts.any(axis=1)] = counts.sum(axis=0)
    shares: Floats = group_counts / group_counts.sum(axis=1, keepdims=True)
    return shares


def _mean_number_differences(points: Floats, shares: Floats) -> Floats:
    """Return the mean difference between each of the sorted points and the points of each group."""
    gaps, below = np.diff(points), np.cumsum(shares, axis=1)[:, :-1]
    none = np.zeros((len(shares), 1))
    up = np.hstack([none, np.cumsum(below * gaps, axis=1)])
    down = np.cumsum(((1.0 - below) * gaps)[:, ::-1], axis=1)[:, ::-1]
    return up + np.hstack([down, none])


def _scaled(column: NDArray[Any]) -> Floats:
    """Return the numbers scaled to the range from 0 to 1; a constant becomes 0."""
    halves = column / 2  # The range of the halves cannot overflow.
    known = halves[~np.isnan(halves)]
    low, high = (known.min(), known.max()) if known.size else (0.0, 0.0)
    scaled: Floats = (halves - low) / (high - low) if high > low else np.zeros(len(column))
    return scaled


def _mean_differences(
    attributes: Sequence[Attribute], classes: Sequence[slice], drawn: Rows, neighbours: int
) -> Floats:
    """Return the mean differences to the misses of the drawn rows, minus those to the hits."""
    sums = np.zeros(len(attributes))
    rows = classes[-1].stop if classes else 0
    for hit_class in classes:
        queries = drawn[(drawn >= hit_class.start) & (drawn < hit_class.stop)]
        for block, distances in _blocks(attributes, queries, rows):
            for other in classes:
                part = (other.stop - other.start) / (rows - hit_class.stop + hit_class.start or 1)
                is_hit = other == hit_class
                near = _neighbours(block, distances, other, neighbours, hits=is_hit)
                if near.size:
                    means = [_mean_sum(attribute, block, near) for attribute in attributes]
                    sums += np.array(means) * (-1.0 if is_hit else part)
    return sums / max(len(drawn), 1)


def _mean_sum(attribute: Attribute, block: Rows, near: Rows) -> float:
    """Return the sum over rows of the mean difference to their neighbours."""
    return float(attribute.from_near(block, near).sum() / near.shape[1])


def _blocks(
    attributes: Sequence[Attribute], queries: Rows, rows: int
) -> Iterator[tuple[Rows, Floats]]:
    """Yield the query rows in blocks, each with the distances to all rows."""
    length = max(1, BLOCK_CELLS // rows)
    for first in range(0, len(queries), length):
        block = queries[first : first + length]
        distances = np.zeros((len(block), rows))
        size = max(1, CACHE_CELLS // rows)
        for start in range(0, len(block), size):
            rows_of_step = block[start : start + size]
            distances_of_step = distances[start : start + size]
            for attribute in attributes:
                distances_of_step += attribute.from_all(rows_of_step)
        yield block, distances


def _neighbours(block: Rows, distances: Floats, rows: slice, k: int, *, hits: bool) -> Rows:
    """Return the nearest rows of a class, shape (block, at most k); a row is not its own hit."""
    near, members = distances[:, rows], np.arange(rows.start, rows.stop)
    if not hits:
        return members[_nearest(near, k)]
    others = members != block[:, None]
    shape = len(block), len(members) - 1
    numbers = np.broadcast_to(members, others.shape)[others].reshape(shape)
    return np.take_along_axis(numbers, _nearest(near[others].reshape(shape), k), axis=1)


def _nearest(distances: Floats, k: int) -> Rows:
    """Return the indices of the k smallest distances of every row."""
    rows, width = distances.shape
    if width <= k:
        return np.broadcast_to(np.arange(width), (rows, width))
    near = distances <= np.partition(distances, k - 1, axis=1)[:, k - 1 : k]
    tied = near.sum(axis=1) > k
    places = np.empty((rows, k), dtype=np.intp)
    places[~tied] = np.nonzero(near[~tied])[1].reshape(-1, k)
    places[tied] = _listed(distances[tied], k)
    return places


def _listed(distances: Floats, k: int) -> Rows:
    """Return the same where other rows are as far as the last neighbour: WEKA's lists of k rows."""
    rows = np.arange(len(distances))
    listed, places = distances[:, :k].copy(), np.tile(np.arange(k), (len(rows), 1))
    farthest = listed.argmax(axis=1)
    limit = listed[rows, farthest]
    columns = np.ascontiguousarray(distances.T)
    for start in range(k, len(columns), STRIDE):
        may_enter = (columns[start : start + STRIDE] < limit).any(axis=1)
        for place in start + np.flatnonzero(may_enter):
            nearer = np.flatnonzero(columns[place] < limit)
            at = farthest[nearer]
            listed[nearer, at], places[nearer, at] = columns[place, nearer], place
            farthest[nearer] = listed[nearer].argmax(axis=1)
            limit[nearer] = listed[nearer, farthest[nearer]]
    return places
