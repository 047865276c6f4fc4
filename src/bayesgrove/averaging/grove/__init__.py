"""The grove: a weighted sum of small networks with random cuts, orders and parents.

Every member is a KDB network with its own intervals of the numeric columns. Its tables back off
(`parameters.back_off`). Each table has an exponent, and each cell a small correction, which are
fitted to the conditional likelihood (`parameters.conditional`). Every member leaves out one fold of
the rows: nothing that is fitted for it has seen them. On these rows, stacking weights are
fitted that sum the members, and rule tables are learned for what the members miss, which needs many
columns together (`trees.rule_tables`). The sum of all members is a sum of tables. Boosted trees may
be one more member (`trees.boosting`).
"""

from bayesgrove.averaging.grove.learner import Grove
from bayesgrove.averaging.grove.sums import GroveMember, GroveSum, Plan

__all__ = ["Grove", "GroveMember", "GroveSum", "Plan"]
