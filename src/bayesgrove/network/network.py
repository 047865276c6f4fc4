"""The network itself: a graph with conditional tables, and what can be asked of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.network.inference import Factor, eliminate
from bayesgrove.network.program import Program, compile_tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Floats
    from bayesgrove.network.structure import Structure
    from bayesgrove.network.tables import ConditionalTable


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
        values, _ = eliminate(factors, (target,), 1)
        total = values.sum()
        if total <= 0:
            raise ValueError("The evidence has probability 0 under this network.")
        return dict(zip(self._states[target], (values[0] / total).tolist(), strict=True))

    def log_joint(self, encoded: Encoded, threads: int = 1) -> Floats:
        """``ln P(class, attributes)`` for every class, missing attributes summed out."""
        hard = self._rows_with_missing_parents(encoded)
        if not hard.any():
            return self._program.run(encoded, threads)
        out = np.empty((encoded.rows, self._n_classes))
        easy = np.flatnonzero(~hard)
        if len(easy):
            out[easy] = self._program.run(_rows(encoded, easy), threads)
        for rows in _patterns(encoded, np.flatnonzero(hard)):
            out[rows] = self._sum_out(_rows(encoded, rows), threads)
        return out

    @property
    def _n_classes(self) -> int:
        return len(self._states[-1])

    @cached_property
    def _program(self) -> Program:
        return compile_tables(self._tables, self._structure.class_variable, self._n_classes)

    @cached_property
    def _inner(self) -> list[int]:
        """Attributes that have children."""
        parents = {v for parents in self._structure.parents for v in parents}
        return sorted(parents - {self._structure.class_variable})

    def _rows_with_missing_parents(self, encoded: Encoded) -> NDArray[np.bool_]:
        hard = np.zeros(encoded.rows, dtype=bool)
        for v in self._inner:
            hard |= encoded.columns[v] == encoded.cards[v]
        return hard

    def _sum_out(self, encoded: Encoded, threads: int) -> Floats:
        """Joint log-probabilities of rows that miss the same attributes."""
        known = {
            v: column.astype(np.intp)
            for v, (column, card) in enumerate(zip(encoded.columns, encoded.cards, strict=True))
            if column[0] != card
        }
        goal = self._structure.class_variable
        relevant = self._without_barren(set(known) | {goal})
        hidden = {v for v in relevant if v not in known and v != goal}
        touched = [v for v in relevant if hidden & {v, *self._structure.parents[v]}]
        rest = [self._tables[v] for v in relevant if v not in set(touched)]
        factors = [self._factor(v, known, encoded.rows) for v in touched]
        values, scale = eliminate(factors, (goal,), encoded.rows)
        with np.errstate(divide="ignore"):
            logs = np.log(np.broadcast_to(values, (encoded.rows, self._n_classes)))
        program = compile_tables(rest, goal, self._n_classes)
        return logs + scale[:, None] + program.run(encoded, threads)

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

    def __repr__(self) -> str:
        return f"<BayesianNetwork of {len(self._names)} nodes and {len(self.arcs)} arcs>"


def _rows(encoded: Encoded, rows: NDArray[np.intp]) -> Encoded:
    return replace(
        encoded,
        columns=[column[rows] for column in encoded.columns],
        continuous=[values[rows] for values in encoded.continuous],
        rows=len(rows),
    )


def _patterns(encoded: Encoded, rows: NDArray[np.intp]) -> Iterable[NDArray[np.intp]]:
    """Groups of rows that miss the same attributes."""
    missing = np.column_stack(
        [c[rows] == card for c, card in zip(encoded.columns, encoded.cards, strict=True)]
    )
    packed = np.ascontiguousarray(np.packbits(missing, axis=1))
    keys = packed.view(f"V{packed.shape[1]}").ravel()
    _, group = np.unique(keys, return_inverse=True)
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group))
    return (rows[part] for part in np.split(order, ends[:-1]))
