"""The learner of a grove: members in two stages, then stacking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesgrove._utils.options import OptionError, require_count, require_flag, require_seed
from bayesgrove.averaging.grove.members import Start, fit_members
from bayesgrove.averaging.grove.rows import GroveRows
from bayesgrove.averaging.grove.stacking import stacked
from bayesgrove.averaging.grove.sums import GroveSum, Plan
from bayesgrove.parameters.network_sum import FOLDS
from bayesgrove.trees import BoostedTrees, RuleTables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats


@dataclass(frozen=True)
class Grove:
    """The learner of a grove.

    Parameters
    ----------
    n_members : int, default=16
        Number of members, at least 4. A quarter of them, and at least 4, have no attribute
        parents.
    max_parents : int, default=3
        Largest number of attribute parents. The members with parents have 1, 2, ...,
        ``max_parents`` of them by turns.
    random_state : int, default=0
        Seed of folds, samples, cuts and orders.
    rules : bool, default=True
        Whether rule tables are added for what the members miss.
    trees : bool, default=False
        Whether boosted trees are stacked beside the members.
    """

    n_members: int = 16
    max_parents: int = 3
    random_state: int = 0
    rules: bool = True
    trees: bool = False

    def check(self) -> None:
        """Raise unless the options are valid."""
        require_count("n_members", self.n_members)
        if self.n_members < FOLDS:
            raise OptionError(
                f"n_members={self.n_members!r} must be at least {FOLDS}: every member leaves out "
                f"one of {FOLDS} folds."
            )
        require_count("max_parents", self.max_parents)
        require_seed("random_state", self.random_state)
        require_flag("rules", self.rules)
        require_flag("trees", self.trees)

    def learn(
        self, rows: Encoded, positions: Sequence[Floats | None], threads: int = 1
    ) -> GroveSum:
        """Learn a grove from rows.

        Parameters
        ----------
        rows : Encoded
            Codes of the rows, with classes. Numeric columns have fine intervals.
        positions : sequence of ndarray or None
            For each column the positions of its ordered codes on an axis, or None for a nominal
            column. One further code may stand for a missing value.
        threads : int, default=1
            Number of threads. It does not change the result.

        Returns
        -------
        GroveSum
            The grove.
        """
        self.check()
        if rows.n_classes < 2:
            return GroveSum((), np.zeros(1), 0.0, 0.0, np.zeros(len(rows.columns)), 0)
        data = GroveRows(rows, positions, self.random_state, threads)
        plans = self.plans(data.n_folds)
        rng = np.random.default_rng([self.random_state, 1])
        naive = [plan for plan in plans if plan.k == 0]
        fitted = fit_members(data, Start(), naive, rng)
        if len(naive) < len(plans):
            fitted += fit_members(data, Start.after(data, fitted), plans[len(naive) :], rng)
        boosted = None
        ordered = [0 if axis is None else len(axis) for axis in positions]
        if self.trees:
            learner = BoostedTrees(random_state=self.random_state)
            boosted = learner.learn(rows, ordered, data.prior, threads)
        return stacked(
            data,
            fitted,
            RuleTables(random_state=self.random_state) if self.rules else None,
            ordered,
            boosted,
        )

    def plans(self, folds: int) -> list[Plan]:
        """Return what every member is like: first the members without parents."""
        naive = self.n_members if self.max_parents == 0 else max(folds, self.n_members // 4)
        plans = [Plan(0, m % folds, residual=False) for m in range(min(naive, self.n_members))]
        for m in range(self.n_members - len(plans)):
            turn, k = divmod(m, self.max_parents)
            plans.append(Plan(1 + k, (turn + k) % folds, residual=turn % 2 == 1))
        return plans
