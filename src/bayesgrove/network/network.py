"""The network itself: a graph with conditional tables, and what can be asked of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import pandas as pd

from bayesgrove._utils.options import OptionError, is_whole
from bayesgrove._utils.renamed import renamed
from bayesgrove.encoding import Encoded, Nominal, Schema, code_type
from bayesgrove.network import graph
from bayesgrove.network.inference import Inference
from bayesgrove.network.prediction_program import Parents, Program, compile_tables
from bayesgrove.network.sampling import forward_sample
from bayesgrove.network.sum_out_missing import MissingParents
from bayesgrove.network.validation import (
    NodeError,
    checked_states,
    checked_structure,
    checked_table,
)
from bayesgrove.tables import batch_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.network.structure import Structure
    from bayesgrove.network.tables import ConditionalTable


class Explanation(NamedTuple):
    """A state of every node, and the logarithm of the probability of all of them together."""

    states: dict[str, Any]
    log_probability: float


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

    def children(self, node: str) -> tuple[str, ...]:
        """Children of a node."""
        return self._sorted(self._structure.children[self._number(node)])

    def states(self, node: str) -> tuple[Any, ...]:
        """Labels of the states of a node; None is the state of missing values."""
        return self._states[self._number(node)]

    def table(self, node: str) -> ConditionalTable:
        """``P(node | parents)``; ``numpy.asarray`` of it has one axis a parent, then the node."""
        return self._tables[self._number(node)]

    def topological_order(self) -> tuple[str, ...]:
        """All nodes, parents before their children."""
        return tuple(self._names[v] for v in self._structure.order())

    def markov_blanket(self, node: str) -> tuple[str, ...]:
        """Parents, children and the children's other parents: given them no other node matters."""
        return self._sorted(graph.markov_blanket(self._structure, self._number(node)))

    def d_separated(self, first: str, second: str, given: Iterable[str] = ()) -> bool:
        """Whether the graph makes two nodes independent once the given ones are known."""
        known = {self._number(node) for node in given}
        a, b = self._number(first), self._number(second)
        if a == b or {a, b} & known:
            raise ValueError(f"{first!r} and {second!r} must be two nodes that are not given.")
        return graph.d_separated(self._structure, a, b, known)

    def posterior(self, query: str, evidence: Mapping[str, Any] | None = None) -> dict[Any, float]:
        """``P(query | evidence)`` of every state, exactly.

        Tables that do not bear on the query are left out: nodes below it that nothing is known
        of, and those that the evidence separates from it. Evidence of probability zero is refused.
        """
        target = self._number(query)
        return self._by_state(target, self._inference.posterior(target, self._known(evidence)))

    def marginals(self, evidence: Mapping[str, Any] | None = None) -> dict[str, dict[Any, float]]:
        """``P(node | evidence)`` of every node, exactly and at once, by a junction tree."""
        found = self._inference.marginals(self._known(evidence))
        return {self._names[v]: self._by_state(v, values) for v, values in enumerate(found)}

    def most_probable(self, evidence: Mapping[str, Any] | None = None) -> Explanation:
        """The most probable states of all nodes together, given the evidence."""
        codes, log_probability = self._inference.most_probable(self._known(evidence))
        states = {
            name: own[code]
            for name, own, code in zip(self._names, self._states, codes, strict=True)
        }
        return Explanation(states, log_probability)

    def log_probability(self, X: Any) -> Floats:
        """``ln P(row)`` of every row of a data frame whose columns are nodes.

        What is missing, and nodes without a column, are summed out.
        """
        encoded, target = self._encode(X)
        joint = self.log_joint(encoded)
        known = np.flatnonzero(target < joint.shape[1])
        logs: Floats = np.logaddexp.reduce(joint, axis=1)
        logs[known] = joint[known, target[known]]
        return logs

    def log_likelihood(self, X: Any) -> float:
        """The logarithm of the probability of all rows together."""
        return float(self.log_probability(X).sum())

    @renamed(seed="random_state")
    def sample(
        self, rows: int, random_state: int | np.random.Generator | None = None
    ) -> pd.DataFrame:
        """Rows drawn from the network; a seed fixes them."""
        if not is_whole(rows) or rows < 0:
            raise OptionError(f"rows={rows!r} must be a whole number of at least 0.")
        random = np.random.default_rng(random_state)
        codes = forward_sample(self._structure, self._tables, rows, random)
        return pd.DataFrame(
            {
                name: _index(own).take(drawn)
                for name, own, drawn in zip(self._names, self._states, codes, strict=True)
            }
        )

    def log_joint(self, encoded: Encoded, threads: int = 1, *, relative: bool = False) -> Floats:
        """``ln P(class, attributes)`` for every class, missing attributes summed out.

        With ``relative``, less a number of every row: tables that do not have the class are left
        out, so that rows which differ in nothing else have the very same class probabilities.
        """
        out = (self.class_program if relative else self._program).run(encoded, threads)
        if 1 in encoded.cards:
            encoded = _with_single_states(encoded)
        self._missing_parents.add(encoded, out, threads)
        return out

    @cached_property
    def class_program(self) -> Program:
        """The tables that have the class, compiled: all that class probabilities need.

        Rows with a missing attribute that has children need more, see `log_joint`.
        """
        goal = self._structure.class_variable
        tables = [table for table in self._tables if table.family.has_class(goal)]
        parents = Parents.of(self._missing_parents.inner, self._cards)
        return compile_tables(tables, goal, self._cards[-1], parents=parents)

    def power_program(self, exponents: Sequence[float]) -> Program:
        """The tables to these powers, compiled; those of the last call are kept."""
        powers = tuple(exponents)
        if powers not in self._power_programs:
            self._power_programs.clear()
            goal = self._structure.class_variable
            made = compile_tables(self._tables, goal, self._cards[-1], powers)
            self._power_programs[powers] = made
        return self._power_programs[powers]

    @cached_property
    def class_log_probabilities(self) -> Floats:
        """``ln P(class)`` without evidence."""
        with np.errstate(divide="ignore"):
            return np.log(list(self.posterior(self.class_node).values()))

    @cached_property
    def _cards(self) -> list[int]:
        return [len(own) for own in self._states]

    @cached_property
    def _program(self) -> Program:
        return compile_tables(self._tables, self._structure.class_variable, self._cards[-1])

    @cached_property
    def _power_programs(self) -> dict[tuple[float, ...], Program]:
        return {}

    @cached_property
    def _inference(self) -> Inference:
        return Inference(self._structure, self._tables, self._cards)

    @cached_property
    def _missing_parents(self) -> MissingParents:
        return MissingParents(self._structure, self._tables, self._cards)

    @cached_property
    def _codes(self) -> list[dict[Any, int]]:
        return [{state: code for code, state in enumerate(own)} for own in self._states]

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: v for v, name in enumerate(self._names)}

    def _known(self, evidence: Mapping[str, Any] | None) -> NDArray[np.int32]:
        """Codes of what is known, -1 elsewhere."""
        known = np.full(len(self._names), -1, dtype=np.int32)
        for node, state in (evidence or {}).items():
            variable = self._number(node)
            known[variable] = self._code(variable, state)
        return known

    def _encode(self, X: Any) -> tuple[Encoded, Codes]:
        """Codes of a data frame's columns, attributes and class; what it lacks is missing."""
        table = batch_of(X)
        if table.names is None:
            raise ValueError(
                "Give a data frame: the names of its columns say which nodes they are."
            )
        place = [self._number(name) for name in table.names]
        codings = tuple(_coding(self._names[v], self._states[v]) for v in place)
        found = Schema(codings, named=True).encode(table)
        for name, _, example in found.unseen:
            self._code(self._number(name), example)  # says what states there are
        columns = [np.full(table.rows, card, dtype=code_type(card)) for card in self._cards]
        for v, column in zip(place, found.columns, strict=True):
            columns[v] = column
        return Encoded(columns[:-1], self._cards[:-1], table.rows), columns[-1]

    def _by_state(self, variable: int, values: Floats) -> dict[Any, float]:
        return dict(zip(self._states[variable], values.tolist(), strict=True))

    def _sorted(self, variables: Iterable[int]) -> tuple[str, ...]:
        return tuple(self._names[v] for v in sorted(variables))

    def _number(self, node: str) -> int:
        try:
            return self._place[node]
        except KeyError:
            names = ", ".join(map(repr, self._names[:10]))
            raise ValueError(f"{node!r} is no node of this network; nodes: {names}.") from None

    def _code(self, variable: int, state: Any) -> int:
        try:
            return self._codes[variable][state]
        except (KeyError, TypeError):
            states = list(self._states[variable])[:10]
            raise ValueError(
                f"{state!r} is no state of {self._names[variable]!r}; states: {states}."
            ) from None

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

    def __reduce__(self) -> tuple[Any, ...]:
        """What is compiled for speed is not pickled."""
        return BayesianNetwork, (self._names, self._states, self._structure, self._tables)

    def __repr__(self) -> str:
        return f"<BayesianNetwork of {len(self._names)} nodes and {len(self.arcs)} arcs>"


def _typed(states: tuple[tuple[Any, ...], ...]) -> list[list[tuple[type, Any]]]:
    """1, 1.0 and True are equal in Python, and not as labels."""
    return [[(type(label), label) for label in own] for own in states]


def _coding(name: str, states: tuple[Any, ...]) -> Nominal:
    """How labels of the states, and None, become their codes."""
    missing_state = states[-1] is None
    return Nominal(name, states[:-1] if missing_state else states, missing_state)


def _index(states: tuple[Any, ...]) -> pd.Index[Any]:
    """The states as pandas keeps them: labels of different types stay what they are."""
    alike = len({type(state) for state in states}) == 1
    return pd.Index(states, dtype=None if alike else object, tupleize_cols=False)


def _with_single_states(encoded: Encoded) -> Encoded:
    """An attribute with one state is never missing."""
    columns = [
        np.zeros_like(column) if card == 1 else column
        for column, card in zip(encoded.columns, encoded.cards, strict=True)
    ]
    return replace(encoded, columns=columns)
