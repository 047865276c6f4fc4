"""A sum of boosted trees as flat arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesgrove.kernels import kernels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats
    from bayesgrove.trees.tree import Numbers

    Bytes = NDArray[np.uint8]
    Flags = NDArray[np.bool_]


class AskedColumn(NamedTuple):
    """A column that trees test.

    Parameters
    ----------
    column : int
        The number of the column.
    splits : int
        The number of tests of the column.
    gain : float
        The sum of the gains of these tests.
    """

    column: int
    splits: int
    gain: float


class TreeArrays(NamedTuple):
    """Trees with two branches per test, one tree after another, as the kernels return them.

    Parameters
    ----------
    sizes : ndarray of shape (n_trees,)
        The number of nodes of each tree.
    column : ndarray of shape (n_nodes,)
        The column that each node tests, -1 for a leaf.
    child : ndarray of shape (n_nodes,)
        The first child of each test, numbered within its tree. The second child follows it.
    sides : ndarray of shape (n_bytes,)
        The bits of all tests: 1 for each bin that goes to the second child.
    value : ndarray of shape (n_nodes,)
        The value of each leaf.
    gain : ndarray of shape (n_nodes,)
        The gain of each test.
    """

    sizes: Numbers
    column: Numbers
    child: Numbers
    sides: Bytes
    value: Floats
    gain: Floats

    def chosen(self, trees: Flags, n_bins: Sequence[int]) -> TreeArrays:
        """Return some of the trees.

        Parameters
        ----------
        trees : ndarray of shape (n_trees,)
            Whether each tree is chosen.
        n_bins : sequence of int
            The number of bins of every column.

        Returns
        -------
        TreeArrays
            The chosen trees.
        """
        nodes = np.repeat(trees, self.sizes)
        tests = self.column >= 0
        widths = (np.array(n_bins, dtype=np.intp) // 8 + 1)[self.column[tests]]
        return TreeArrays(
            self.sizes[trees],
            self.column[nodes],
            self.child[nodes],
            self.sides[np.repeat(nodes[tests], widths)],
            self.value[nodes],
            self.gain[nodes],
        )


@dataclass(frozen=True)
class BoostedSum:
    """A sum of trees: every tree adds the value of one leaf to the scores of a row.

    Codes are translated into bins first. A test sends every bin to the first or to the second child
    of its node. With two classes, the sum v of the trees adds -v/2 to the score of the first class
    and v/2 to that of the second. Otherwise every tree adds to the score of one class.

    Parameters
    ----------
    n_classes : int
        The number of classes.
    asked : ndarray of shape (n_asked,)
        The numbers of the columns that the trees test, in ascending order.
    cards : ndarray of shape (n_asked,)
        The cardinality of each of these columns.
    n_bins : ndarray of shape (n_asked,)
        The number of bins of each of these columns.
    bin_of : ndarray of shape (n_codes,)
        The bin of every code, column by column. Each column has one more code, its cardinality, for
        unknown values. The bin of this code is the number of bins.
    sizes : ndarray of shape (n_trees,)
        The number of nodes of each tree.
    outputs : ndarray of shape (n_trees,)
        The class to whose score each tree adds. With two classes it is 0.
    column : ndarray of shape (n_nodes,)
        The place in ``asked`` of the column that each node tests, -1 for a leaf.
    child : ndarray of shape (n_nodes,)
        The first child of each test, numbered within its tree. The second child follows it.
    sides : ndarray of shape (n_bytes,)
        The bits of all tests. A test has one bit per bin and one for unknown values, and is filled
        up to whole bytes, the lowest bit first. The bit is 1 if the bin goes to the second child.
    value : ndarray of shape (n_nodes,)
        The value of each leaf, 0 for a test.
    gain : ndarray of shape (n_nodes,)
        The gain of each test, 0 for a leaf.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesgrove.encoding import Encoded
    >>> from bayesgrove.trees import BoostedTrees
    >>> wind = np.tile(np.array([0, 1], dtype=np.uint8), 20)
    >>> rows = Encoded([wind], [2], 40, target=wind, n_classes=2)
    >>> trees = BoostedTrees(max_rounds=3).learn(rows, [0], np.log([0.5, 0.5])).trees
    >>> trees.n_trees, trees.columns[0].splits
    (3, 3)
    >>> scores = np.zeros((40, 2))
    >>> trees.add_to(scores, rows)
    >>> bool((scores.argmax(axis=1) == wind).all())
    True
    """

    n_classes: int
    asked: Numbers
    cards: Numbers
    n_bins: Numbers
    bin_of: Bytes
    sizes: Numbers
    outputs: Numbers
    column: Numbers
    child: Numbers
    sides: Bytes
    value: Floats
    gain: Floats

    @classmethod
    def of(
        cls,
        trees: TreeArrays,
        outputs: Numbers,
        n_classes: int,
        columns: Sequence[int],
        tables: Sequence[Bytes],
    ) -> BoostedSum:
        """Return the sum of trees whose tests refer to tables of bins.

        Parameters
        ----------
        trees : TreeArrays
            The trees.
        outputs : ndarray of shape (n_trees,)
            The class to whose score each tree adds.
        n_classes : int
            The number of classes.
        columns : sequence of int
            The number of the column of every table.
        tables : sequence of ndarray
            The bin of every code of every column, and of unknown values.

        Returns
        -------
        BoostedSum
            The sum, with the tables of the tested columns only.
        """
        tested = np.unique(trees.column[trees.column >= 0])
        place = np.full(len(columns) + 1, -1, dtype=np.int32)  # the last entry is that of leaves
        place[tested] = np.arange(len(tested))
        chosen = [tables[k] for k in tested.tolist()]
        return cls(
            n_classes=n_classes,
            asked=np.array(columns, dtype=np.int32)[tested],
            cards=np.array([len(table) - 1 for table in chosen], dtype=np.int32),
            n_bins=np.array([table[-1] for table in chosen], dtype=np.int32),
            bin_of=np.concatenate([np.zeros(0, dtype=np.uint8), *chosen]),
            sizes=trees.sizes,
            outputs=np.ascontiguousarray(outputs),
            column=place[trees.column],
            child=trees.child,
            sides=trees.sides,
            value=trees.value,
            gain=trees.gain,
        )

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.sizes)

    @property
    def columns(self) -> list[AskedColumn]:
        """Columns that are tested, with the number of tests and the sum of their gains."""
        tests = self.column >= 0
        places, gains = self.column[tests], self.gain[tests]
        splits = np.bincount(places, minlength=len(self.asked)).tolist()
        sums = np.bincount(places, gains, len(self.asked)).tolist()
        return list(map(AskedColumn, self.asked.tolist(), splits, sums))

    def add_to(
        self, scores: Floats, encoded: Encoded, threads: int = 1, weight: float = 1.0
    ) -> None:
        """Add a multiple of the sum of the trees to the scores of rows.

        Parameters
        ----------
        scores : ndarray of shape (n_rows, n_classes)
            The scores, which are changed. They are float64 and contiguous.
        encoded : Encoded
            The rows. Only the columns that the trees test are read.
        threads : int, default=1
            The number of threads. The scores do not depend on it.
        weight : float, default=1.0
            The factor of the sum.
        """
        if scores.shape != (encoded.rows, self.n_classes):
            raise ValueError(
                f"The scores have the shape {scores.shape}, not {(encoded.rows, self.n_classes)}."
            )
        if scores.dtype != np.float64 or not scores.flags.c_contiguous:
            raise ValueError("The scores must be a contiguous array of float64.")
        if self.n_trees == 0:
            return
        if self.asked[-1] >= len(encoded.columns):
            raise ValueError(
                f"The rows have {len(encoded.columns)} columns, but the trees test column "
                f"{self.asked[-1]}."
            )
        kernels.add_boosted_trees(
            [np.ascontiguousarray(encoded.column(v)) for v in self.asked.tolist()],
            self.cards.tolist(),
            self.bin_of,
            self.n_bins.tolist(),
            self.sizes,
            self.column,
            self.child,
            self.sides,
            self.value,
            self.outputs,
            scores,
            float(weight),
            threads,
        )
