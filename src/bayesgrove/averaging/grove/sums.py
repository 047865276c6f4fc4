"""A learned grove: members, rule tables and trees whose scores are added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats
    from bayesgrove.network.table_sum import TableSum
    from bayesgrove.trees import BoostedSum, RuleSum


class Plan(NamedTuple):
    """The plan of a member.

    Parameters
    ----------
    k : int
        Largest number of attribute parents.
    fold : int
        The fold of rows that the member leaves out.
    residual : bool
        Whether parents are chosen by their gain beyond the members without parents. Otherwise
        they are chosen by conditional mutual information.
    """

    k: int
    fold: int
    residual: bool


@dataclass(frozen=True)
class GroveMember:
    """One network of a grove.

    Parameters
    ----------
    plan : Plan
        Largest number of parents, left-out fold, and how parents are chosen.
    exponents : ndarray of shape (n_tables,)
        Exponent of each table.
    weight : float
        Stacking weight of the logarithms of the tables.
    correction_weight : float
        Stacking weight of the corrections.
    tables : TableSum
        The tables: ``weight * exponent * ln P + correction_weight * correction`` of every cell.
    """

    plan: Plan
    exponents: Floats
    weight: float
    correction_weight: float
    tables: TableSum


@dataclass(frozen=True)
class GroveSum:
    """A learned grove.

    Parameters
    ----------
    members : tuple of GroveMember
        The members.
    offset : ndarray of shape (n_classes,)
        Score of each class before any table.
    floor : float
        Share of the uniform distribution that is mixed into the predicted probabilities.
    out_of_fold_loss : float
        Mean log-loss of rows: the members that left a row out, with stacking weights that are
        fitted without its fold. These are a quarter of the members for every row, so the whole
        grove is usually better. A class with a single row has no such row; if there are only
        such classes, the loss is nan.
    importances : ndarray of shape (n_attributes,)
        Mean absolute change of the scores by the tables of each attribute; they sum to 1.
    n_unconverged : int
        Number of fits of exponents and stacking weights that used all their iterations.
    rules : RuleSum or None, default=None
        Rule tables beside the members.
    rule_weight : float, default=1.0
        Weight of the rule tables.
    trees : BoostedSum or None, default=None
        Boosted trees beside the members.
    tree_weight : float, default=0.0
        Stacking weight of the trees.
    """

    members: tuple[GroveMember, ...]
    offset: Floats
    floor: float
    out_of_fold_loss: float
    importances: Floats
    n_unconverged: int
    rules: RuleSum | None = None
    rule_weight: float = 1.0
    trees: BoostedSum | None = None
    tree_weight: float = 0.0

    def scores(self, encoded: Encoded, threads: int = 1) -> Floats:
        """Return the scores of rows: unnormalised log-probabilities of the classes.

        Parameters
        ----------
        encoded : Encoded
            Codes of the rows.
        threads : int, default=1
            Number of threads.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The scores.
        """
        scores = np.tile(self.offset, (encoded.rows, 1))
        for member in self.members:
            member.tables.add_to(scores, encoded, threads)
        if self.rules is not None:
            self.rules.add_to(scores, encoded, threads, self.rule_weight)
        if self.trees is not None:
            self.trees.add_to(scores, encoded, threads, self.tree_weight)
        return scores
