"""The Bayesian network: a graph with conditional tables, exact queries and sampling."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import pandas as pd

from bayesgrove._utils.options import OptionError, is_whole
from bayesgrove._utils.renamed import renamed
from bayesgrove._utils.wording import counted
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
    """The most probable states of all nodes: the result of `BayesianNetwork.most_probable`.

    Parameters
    ----------
    states : dict of str to object
        One state per node. The keys are the names of the nodes.
    log_probability : float
        Natural logarithm of the joint probability of these states.
    """

    states: dict[str, Any]
    log_probability: float


class BayesianNetwork:
    """A Bayesian network over discrete variables, one of which is the class.

    A network is a graph without cycles and one conditional table ``P(node | parents)`` per node. A
    network never changes after it is made. All answers are exact, up to rounding.

    The constructor is meant for learners and checks nothing. Use `BayesianNetwork.from_tables` for
    a network that you write by hand: it checks everything.

    Parameters
    ----------
    names : sequence of str
        Names of the attributes, then the name of the class.
    states : sequence of tuple
        Labels of the states of every node, in the order of ``names``. The label None is the state
        of missing values.
    structure : Structure
        Parents of every node, by number.
    tables : sequence of ConditionalTable
        Conditional table of every node, in the order of ``names``.

    Examples
    --------
    >>> from bayesgrove import BayesianNetwork
    >>> network = BayesianNetwork.from_tables(
    ...     states={"rain": ("yes", "no"), "wet": ("yes", "no")},
    ...     parents={"wet": ("rain",)},
    ...     tables={"rain": [0.2, 0.8], "wet": [[0.9, 0.1], [0.1, 0.9]]},
    ... )
    >>> network
    <BayesianNetwork of 2 nodes and 1 arc>
    >>> network.posterior("rain", {"wet": "yes"})
    {'yes': 0.6923..., 'no': 0.3076...}
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
        """Return a network from states, parents and tables that are written by hand.

        Everything is checked. The last node is the class.

        Parameters
        ----------
        states : dict of str to sequence of hashable
            Labels of the states of every node. The order of the keys is the order of the nodes. The
            label None, if there is one, must be the last one; it is the state of missing values.
        parents : dict of str to sequence of str
            Names of the parents of every node. A node without parents may be left out.
        tables : dict of str to array-like
            ``P(node | parents)`` of every node: one axis per parent, in the order of ``parents``,
            then one axis for the node. Every row must sum to 1 within 0.001. Rows are not
            normalised.

        Returns
        -------
        BayesianNetwork
            The network with these nodes and tables.

        Raises
        ------
        NodeError
            If the states, the parents or the table of a node are wrong.

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
                raise NodeError(name, f"There is a table for {name!r}, which is not a node.")
        labels = [checked_states(name, states[name]) for name in names]
        structure = checked_structure(names, parents)
        cards = [len(node_labels) for node_labels in labels]
        checked = []
        for v, name in enumerate(names):
            if name not in tables:
                raise NodeError(name, f"Node {name!r} has no table.")
            checked.append(checked_table(name, v, structure, cards, tables[name]))
        return cls(names, labels, structure, checked)

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of all nodes, the class last."""
        return self._names

    @property
    def class_node(self) -> str:
        """Name of the class."""
        return self._names[-1]

    @property
    def structure(self) -> Structure:
        """Parents of every node, by number."""
        return self._structure

    @cached_property
    def arcs(self) -> set[tuple[str, str]]:
        """All arcs as pairs (parent, child) of names."""
        return {
            (self._names[parent], self._names[child])
            for child, parents in enumerate(self._structure.parents)
            for parent in parents
        }

    def parents(self, node: str) -> tuple[str, ...]:
        """Return the parents of a node in the order of the axes of its table.

        Parameters
        ----------
        node : str
            Name of the node.

        Returns
        -------
        tuple of str
            Names of the parents in the order of the nodes. The class comes last.
        """
        family = self._structure.family(self._number(node))
        names = [self._names[v] for v in family.parents]
        return (*names, self.class_node) if family.given_class else tuple(names)

    def children(self, node: str) -> tuple[str, ...]:
        """Return the children of a node.

        Parameters
        ----------
        node : str
            Name of the node.

        Returns
        -------
        tuple of str
            Names of the children, in the order of the nodes.
        """
        return self._sorted(self._structure.children[self._number(node)])

    def states(self, node: str) -> tuple[Any, ...]:
        """Return the labels of the states of a node.

        Parameters
        ----------
        node : str
            Name of the node.

        Returns
        -------
        tuple
            Labels of the states. The label None, if there is one, is the last one; it is the state
            of missing values.
        """
        return self._states[self._number(node)]

    def table(self, node: str) -> ConditionalTable:
        """Return the conditional table ``P(node | parents)`` of a node.

        Parameters
        ----------
        node : str
            Name of the node.

        Returns
        -------
        ConditionalTable
            The table. ``numpy.asarray(table)`` has one axis per parent, in the order of
            `BayesianNetwork.parents`, then one axis for the node.
        """
        return self._tables[self._number(node)]

    def topological_order(self) -> tuple[str, ...]:
        """Return all nodes in an order in which parents come before their children.

        Returns
        -------
        tuple of str
            Names of all nodes.
        """
        return tuple(self._names[v] for v in self._structure.order())

    def markov_blanket(self, node: str) -> tuple[str, ...]:
        """Return the parents, the children and the other parents of the children of a node.

        Given its Markov blanket, a node is independent of all other nodes.

        Parameters
        ----------
        node : str
            Name of the node.

        Returns
        -------
        tuple of str
            Names of the nodes in the Markov blanket, in the order of the nodes.
        """
        return self._sorted(graph.markov_blanket(self._structure, self._number(node)))

    def d_separated(self, first: str, second: str, given: Iterable[str] = ()) -> bool:
        """Return whether the graph makes two nodes independent when the given nodes are known.

        This depends on the arcs only, not on the probabilities.

        Parameters
        ----------
        first : str
            Name of one node.
        second : str
            Name of another node.
        given : iterable of str, default=()
            Names of the nodes that are known. They must not contain the two nodes.

        Returns
        -------
        bool
            Whether the given nodes block every path between the two nodes.
        """
        known = {self._number(node) for node in given}
        a, b = self._number(first), self._number(second)
        if a == b or {a, b} & known:
            raise ValueError(f"{first!r} and {second!r} must be two nodes that are not given.")
        return graph.d_separated(self._structure, a, b, known)

    def posterior(self, query: str, evidence: Mapping[str, Any] | None = None) -> dict[Any, float]:
        """Return the exact posterior ``P(query | evidence)`` of a node.

        Tables that do not affect the result are left out. These are the tables of unobserved nodes
        that have neither the query nor an observed node below them, and the tables of nodes that
        the evidence separates from the query.

        Parameters
        ----------
        query : str
            Name of the node.
        evidence : dict of str to object, default=None
            Known states by name of the node. None means no evidence.

        Returns
        -------
        dict of object to float
            Probability of every state of the node, keyed by the label of the state.

        Raises
        ------
        ValueError
            If the evidence has probability 0.
        """
        target = self._number(query)
        return self._by_state(target, self._inference.posterior(target, self._known(evidence)))

    def marginals(self, evidence: Mapping[str, Any] | None = None) -> dict[str, dict[Any, float]]:
        """Return the exact posteriors ``P(node | evidence)`` of all nodes, with one junction tree.

        This is much faster than one call of `BayesianNetwork.posterior` per node.

        Parameters
        ----------
        evidence : dict of str to object, default=None
            Known states by name of the node. None means no evidence.

        Returns
        -------
        dict of str to dict
            Probability of every state of every node, keyed by the name of the node, then by the
            label of the state.

        Raises
        ------
        ValueError
            If the evidence has probability 0.
        """
        posteriors = self._inference.marginals(self._known(evidence))
        return {self._names[v]: self._by_state(v, values) for v, values in enumerate(posteriors)}

    def most_probable(self, evidence: Mapping[str, Any] | None = None) -> Explanation:
        """Return the states of all nodes that are most probable together, given the evidence.

        These states need not be the most probable states of each node by itself.

        Parameters
        ----------
        evidence : dict of str to object, default=None
            Known states by name of the node. None means no evidence.

        Returns
        -------
        Explanation
            One state per node, and the logarithm of the joint probability of these states.

        Raises
        ------
        ValueError
            If the evidence has probability 0.
        """
        codes, log_probability = self._inference.most_probable(self._known(evidence))
        states = {
            name: labels[code]
            for name, labels, code in zip(self._names, self._states, codes, strict=True)
        }
        return Explanation(states, log_probability)

    def log_probability(self, X: Any) -> Floats:
        """Return the log-probability of every row of a data frame.

        Missing values are summed out, and so are nodes without a column. If None is a state of a
        node, a missing value of that node is this state instead.

        Parameters
        ----------
        X : data frame
            Rows whose column names are names of nodes.

        Returns
        -------
        ndarray of shape (n_rows,)
            ``ln P(row)`` of every row.
        """
        encoded, target = self._encode(X)
        joint = self.log_joint(encoded)
        known = np.flatnonzero(target < joint.shape[1])
        logs: Floats = np.logaddexp.reduce(joint, axis=1)
        logs[known] = joint[known, target[known]]
        return logs

    def log_likelihood(self, X: Any) -> float:
        """Return the log-likelihood of a data frame: the sum of the log-probabilities of its rows.

        Missing values are summed out, and so are nodes without a column. If None is a state of a
        node, a missing value of that node is this state instead.

        Parameters
        ----------
        X : data frame
            Rows whose column names are names of nodes.

        Returns
        -------
        float
            The natural logarithm of the probability of all rows together.
        """
        return float(self.log_probability(X).sum())

    @renamed(seed="random_state")
    def sample(
        self, rows: int, random_state: int | np.random.Generator | None = None
    ) -> pd.DataFrame:
        """Draw random rows from the network.

        Parameters
        ----------
        rows : int
            Number of rows to draw.
        random_state : int, numpy.random.Generator or None, default=None
            Seed that fixes the rows, or a random number generator. None means different rows at
            every call.

        Returns
        -------
        pandas.DataFrame
            One column per node, with the labels of its states.
        """
        if not is_whole(rows) or rows < 0:
            raise OptionError(f"rows={rows!r} must be a whole number of at least 0.")
        random = np.random.default_rng(random_state)
        codes = forward_sample(self._structure, self._tables, rows, random)
        return pd.DataFrame(
            {
                name: _index(labels).take(drawn)
                for name, labels, drawn in zip(self._names, self._states, codes, strict=True)
            }
        )

    def log_joint(self, encoded: Encoded, threads: int = 1, *, relative: bool = False) -> Floats:
        """Return ``ln P(class, attributes)`` of every row and class.

        Missing attributes are summed out.

        Parameters
        ----------
        encoded : Encoded
            Codes of the attributes of the rows.
        threads : int, default=1
            Number of threads.
        relative : bool, default=False
            Whether to leave out the tables that do not contain the class. This subtracts a number
            per row that is the same for all classes. Rows that differ only in these tables then
            have exactly the same class probabilities.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Joint log-probabilities.
        """
        out = (self.class_program if relative else self._program).run(encoded, threads)
        if 1 in encoded.cards:
            encoded = _with_single_states(encoded)
        self._missing_parents.add(encoded, out, threads)
        return out

    @cached_property
    def class_program(self) -> Program:
        """Compiled tables that contain the class: all tables that class probabilities need.

        Rows with a missing attribute that has children also need `log_joint`, which sums over the
        missing attribute.
        """
        class_variable = self._structure.class_variable
        tables = [table for table in self._tables if table.family.has_class(class_variable)]
        parents = Parents.of(self._missing_parents.inner, self._cards)
        return compile_tables(tables, class_variable, self._cards[-1], parents=parents)

    def power_program(self, exponents: Sequence[float]) -> Program:
        """Return the compiled tables, each raised to a power.

        The program of the last call is cached.

        Parameters
        ----------
        exponents : sequence of float
            One exponent per node, in the order of the nodes. A table with exponent 0 is left out.

        Returns
        -------
        Program
            The sum of exponent times log-probability over all tables.
        """
        powers = tuple(exponents)
        if powers not in self._power_programs:
            self._power_programs.clear()
            class_variable = self._structure.class_variable
            program = compile_tables(self._tables, class_variable, self._cards[-1], powers)
            self._power_programs[powers] = program
        return self._power_programs[powers]

    @cached_property
    def class_log_probabilities(self) -> Floats:
        """``ln P(class)`` without evidence."""
        with np.errstate(divide="ignore"):
            return np.log(list(self.posterior(self.class_node).values()))

    @cached_property
    def _cards(self) -> list[int]:
        return [len(labels) for labels in self._states]

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
        return [{state: code for code, state in enumerate(labels)} for labels in self._states]

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: v for v, name in enumerate(self._names)}

    def _known(self, evidence: Mapping[str, Any] | None) -> NDArray[np.int32]:
        """Return the code of every node in the evidence, and -1 for all other nodes."""
        known = np.full(len(self._names), -1, dtype=np.int32)
        for node, state in (evidence or {}).items():
            variable = self._number(node)
            known[variable] = self._code(variable, state)
        return known

    def _encode(self, X: Any) -> tuple[Encoded, Codes]:
        """Return the codes of the attributes and of the class of a data frame.

        Nodes without a column are missing in all rows.
        """
        table = batch_of(X)
        if table.names is None:
            raise ValueError(
                "The columns have no names: give a data frame whose columns are named like nodes."
            )
        place = [self._number(name) for name in table.names]
        codings = tuple(_coding(self._names[v], self._states[v]) for v in place)
        encoded = Schema(codings, named=True).encode(table)
        for name, _, example in encoded.unseen:
            self._code(self._number(name), example)  # Raises an error that lists the states.
        columns = [np.full(table.rows, card, dtype=code_type(card)) for card in self._cards]
        for v, column in zip(place, encoded.columns, strict=True):
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
            raise ValueError(f"{node!r} is not a node of this network; nodes: {names}.") from None

    def _code(self, variable: int, state: Any) -> int:
        try:
            return self._codes[variable][state]
        except (KeyError, TypeError):
            states = list(self._states[variable])[:10]
            raise ValueError(
                f"{state!r} is not a state of {self._names[variable]!r}; states: {states}."
            ) from None

    def __eq__(self, other: object) -> bool:
        """Return whether nodes, states with their types, arcs and all probabilities are equal."""
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
        """Pickle the network without its compiled programs."""
        return BayesianNetwork, (self._names, self._states, self._structure, self._tables)

    def __repr__(self) -> str:
        nodes, arcs = counted(len(self._names), "node"), counted(len(self.arcs), "arc")
        return f"<BayesianNetwork of {nodes} and {arcs}>"


def _typed(states: tuple[tuple[Any, ...], ...]) -> list[list[tuple[type, Any]]]:
    """Return the labels with their types: 1, 1.0 and True are equal in Python but not as labels."""
    return [[(type(label), label) for label in labels] for labels in states]


def _coding(name: str, states: tuple[Any, ...]) -> Nominal:
    """Return the coding of the states of a node."""
    missing_state = states[-1] is None
    return Nominal(name, states[:-1] if missing_state else states, missing_state)


def _index(states: tuple[Any, ...]) -> pd.Index[Any]:
    """Return the states as a pandas index; labels of different types keep their types."""
    alike = len({type(state) for state in states}) == 1
    return pd.Index(states, dtype=None if alike else object, tupleize_cols=False)


def _with_single_states(encoded: Encoded) -> Encoded:
    """Return the rows with no missing values in attributes with one state."""
    columns = [
        np.zeros_like(column) if card == 1 else column
        for column, card in zip(encoded.columns, encoded.cards, strict=True)
    ]
    return replace(encoded, columns=columns)
