"""The network itself: a graph with conditional tables, and what can be asked of it."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayesgrove.counts import Partition
from bayesgrove.network.build import NodeError, checked_states, checked_structure, checked_table
from bayesgrove.network.components import components
from bayesgrove.network.inference import Factor, eliminate
from bayesgrove.network.program import Program, compile_tables

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.network.structure import Structure
    from bayesgrove.network.tables import ConditionalTable

BLOCK_CELLS = 1 << 24
"""Rows with missing parents are looked at so many at a time that they have about so many cells."""
SUM_OUT_BYTES = 1 << 27
"""Rows are summed out so many at a time that their tables take about this much memory."""


class BayesianNetwork:
    """A Bayesian network over discrete variables, one of them the class.

    Parameters
    ----------
    names : names of the attributes, then of the class
    states : labels of the states of each of them; None is the state of missing values
    structure : parents of each of them
    tables : conditional table of each of them
    """

    def __init__(
        self,
        names: Sequence[str],
        states: Sequence[tuple[Any, ...]],
        structure: Structure,
        tables: Sequence[ConditionalTable],
    ) -> None:
        self._names = tuple(names)
        self._states = tuple(states)
        self._structure = structure
        self._tables = tuple(tables)

    @classmethod
    def from_tables(
        cls,
        states: Mapping[str, Sequence[Hashable]],
        parents: Mapping[str, Sequence[str]],
        tables: Mapping[str, ArrayLike],
    ) -> Self:
        """A network as it is written down by hand; the last node counts as the class.

        Parameters
        ----------
        states : labels of the states of each node; the order of the nodes is theirs
        parents : names of the parents of each node; a node without any may be left out
        tables : ``P(node | parents)``, one axis a parent, in the order given, then the node

        Examples
        --------
        >>> network = BayesianNetwork.from_tables(
        ...     states={"rain": ("yes", "no"), "wet": ("yes", "no")},
        ...     parents={"wet": ("rain",)},
        ...     tables={"rain": [0.2, 0.8], "wet": [[0.9, 0.1], [0.1, 0.9]]},
        ... )
        >>> network.posterior("rain", {"wet": "yes"})
        {'yes': 0.6923..., 'no': 0.3076...}
        """
        names = tuple(states)
        if not names:
            raise ValueError("A network needs at least one node.")
        for name in tables:
            if name not in states:
                raise NodeError(name, f"There is a table for {name!r}, which is no node.")
        labels = [checked_states(name, states[name]) for name in names]
        structure = checked_structure(names, parents)
        cards = [len(own) for own in labels]
        made = []
        for v, name in enumerate(names):
            if name not in tables:
                raise NodeError(name, f"Node {name!r} has no table.")
            made.append(checked_table(name, v, structure, cards, tables[name]))
        return cls(names, labels, structure, made)

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of all variables, the class last."""
        return self._names

    @property
    def class_node(self) -> str:
        """Name of the class variable."""
        return self._names[-1]

    @property
    def structure(self) -> Structure:
        """Parents of every variable, by number."""
        return self._structure

    @cached_property
    def arcs(self) -> set[tuple[str, str]]:
        """All (parent, child) pairs."""
        return {
            (self._names[parent], self._names[child])
            for child, parents in enumerate(self._structure.parents)
            for parent in parents
        }

    def parents(self, node: str) -> tuple[str, ...]:
        """Parents of a node in the order of the axes of its table: the class comes last."""
        family = self._structure.family(self._number(node))
        names = [self._names[v] for v in family.parents]
        return (*names, self.class_node) if family.given_class else tuple(names)

    def states(self, node: str) -> tuple[Any, ...]:
        """Labels of the states of a node; None is the state of missing values."""
        return self._states[self._number(node)]

    def table(self, node: str) -> ConditionalTable:
        """``P(node | parents)``; ``numpy.asarray`` of it has one axis a parent, then the node."""
        return self._tables[self._number(node)]

    def posterior(self, query: str, evidence: Mapping[str, Any] | None = None) -> dict[Any, float]:
        """``P(query | evidence)`` of every state, exactly.

        Evidence of probability zero is refused.
        """
        target = self._number(query)
        observed = {
            self._number(node): self._code(node, state) for node, state in (evidence or {}).items()
        }
        if target in observed:
            return {s: float(k == observed[target]) for k, s in enumerate(self._states[target])}
        codes = {v: np.array([code]) for v, code in observed.items()}
        relevant = self._without_barren(set(codes) | {target})
        factors = [self._factor(v, codes, 1) for v in relevant]
        logs = eliminate(factors, (target,), 1)[0]
        if np.isneginf(logs).all():
            raise ValueError("The evidence has probability 0 under this network.")
        values = np.exp(logs - logs.max())
        return dict(zip(self._states[target], (values / values.sum()).tolist(), strict=True))

    def log_joint(self, encoded: Encoded, threads: int = 1) -> Floats:
        """``ln P(class, attributes)`` for every class, missing attributes summed out."""
        if 1 in encoded.cards:
            encoded = _with_single_states(encoded)
        out = self._program.run(encoded, threads)
        hard = np.flatnonzero(self._rows_with_missing_parents(encoded))
        step = max(1, BLOCK_CELLS // max(len(encoded.columns), 1))
        for start in range(0, len(hard), step):
            rows = hard[start : start + step]
            self._add_summed_out(_rows(encoded, rows), out, rows)
        return out

    @property
    def _n_classes(self) -> int:
        return len(self._states[-1])

    @cached_property
    def _program(self) -> Program:
        return compile_tables(self._tables, self._structure.class_variable, self._n_classes)

    @cached_property
    def _children(self) -> list[set[int]]:
        children: list[set[int]] = [set() for _ in self._names]
        for child, parents in enumerate(self._structure.parents):
            for parent in parents:
                children[parent].add(child)
        return children

    @cached_property
    def _inner(self) -> list[int]:
        """Attributes that have children."""
        return [v for v, children in enumerate(self._children[:-1]) if children]

    def _rows_with_missing_parents(self, encoded: Encoded) -> NDArray[np.bool_]:
        hard = np.zeros(encoded.rows, dtype=bool)
        for v in self._inner:
            hard |= encoded.columns[v] == encoded.cards[v]
        return hard

    def _add_summed_out(self, encoded: Encoded, out: Floats, places: NDArray[np.intp]) -> None:
        """Add what the tables that missing attributes touch come to, summed over these."""
        missing = np.array(
            [c == card for c, card in zip(encoded.columns, encoded.cards, strict=True)]
        )
        for component in components(self._structure, missing):
            hidden = component.members
            touched = sorted(hidden.union(*(self._children[v] for v in hidden)))
            scope = {u for v in touched for u in (v, *self._structure.parents[v])}
            known = sorted(scope - hidden - {self._structure.class_variable})
            codes = {v: encoded.columns[v][component.rows] for v in known}
            first, like = _distinct(codes, encoded.cards, len(component.rows))
            cases = {v: column[first].astype(np.intp) for v, column in codes.items()}
            out[places[component.rows]] += self._summed(touched, hidden, cases, len(first))[like]

    def _summed(
        self,
        touched: list[int],
        hidden: frozenset[int],
        cases: Mapping[int, NDArray[np.intp]],
        count: int,
    ) -> Floats:
        """Logarithm of the product of some tables, summed over the hidden attributes."""
        goal = self._structure.class_variable
        logs = np.empty((count, self._n_classes))
        step = max(1, SUM_OUT_BYTES // self._row_bytes(touched, hidden))
        for start in range(0, count, step):
            here = slice(start, min(start + step, count))
            codes = {v: column[here] for v, column in cases.items()}
            factors = [self._factor(v, codes, here.stop - start) for v in touched]
            logs[here] = eliminate(factors, (goal,), here.stop - start)
        return logs

    def _row_bytes(self, touched: list[int], hidden: frozenset[int]) -> int:
        """About what one row needs in the largest table that is inserted for it."""
        sizes = [
            math.prod(len(self._states[u]) for u in self._structure.parents[v] if u in hidden)
            * (2 + len(self._structure.parents[v]) + 3 * len(self._states[v]) * self._n_classes)
            for v in touched
        ]
        return 8 * max(sizes, default=1)

    def _without_barren(self, needed: set[int]) -> list[int]:
        """The needed variables and their ancestors: all others sum to one."""
        relevant: set[int] = set()
        waiting = list(needed)
        while waiting:
            variable = waiting.pop()
            if variable not in relevant:
                relevant.add(variable)
                waiting += self._structure.parents[variable]
        return sorted(relevant)

    def _factor(self, variable: int, codes: Mapping[int, NDArray[np.intp]], rows: int) -> Factor:
        """The table of a variable for some rows: known variables inserted, the others as axes."""
        return Factor(*self._tables[variable].given(codes, rows, self._structure.class_variable))

    def _number(self, node: str) -> int:
        try:
            return self._names.index(node)
        except ValueError:
            names = ", ".join(map(repr, self._names[:10]))
            raise ValueError(f"{node!r} is no node of this network; nodes: {names}.") from None

    def _code(self, node: str, state: Any) -> int:
        states = self.states(node)
        if state not in states:
            raise ValueError(f"{state!r} is no state of {node!r}; states: {list(states)[:10]}.")
        return states.index(state)

    def __eq__(self, other: object) -> bool:
        """Whether nodes, states with their types, arcs and all probabilities are the same."""
        if not isinstance(other, BayesianNetwork):
            return NotImplemented
        return (
            self._names == other._names
            and _typed(self._states) == _typed(other._states)
            and self.arcs == other.arcs
            and all(a.same(b) for a, b in zip(self._tables, other._tables, strict=True))
        )

    def __hash__(self) -> int:
        return hash((self._names, frozenset(self.arcs)))

    def __repr__(self) -> str:
        return f"<BayesianNetwork of {len(self._names)} nodes and {len(self.arcs)} arcs>"


def _typed(states: tuple[tuple[Any, ...], ...]) -> list[list[tuple[type, Any]]]:
    """1, 1.0 and True are equal in Python, and not as labels."""
    return [[(type(label), label) for label in own] for own in states]


def _with_single_states(encoded: Encoded) -> Encoded:
    """An attribute with one state is never missing."""
    columns = [
        np.zeros_like(column) if card == 1 else column
        for column, card in zip(encoded.columns, encoded.cards, strict=True)
    ]
    return replace(encoded, columns=columns)


def _distinct(
    codes: Mapping[int, Codes], cards: Sequence[int], rows: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """One row for each joint value, and which of these each row is like."""
    partition = Partition.whole(rows)
    for v, column in codes.items():
        partition = partition.refine(column, cards[v] + 1)
    _, first, like = np.unique(partition.ids, return_index=True, return_inverse=True)
    return first, like


def _rows(encoded: Encoded, rows: NDArray[np.intp]) -> Encoded:
    return replace(
        encoded,
        columns=[column[rows] for column in encoded.columns],
        continuous=[values[rows] for values in encoded.continuous],
        rows=len(rows),
    )
