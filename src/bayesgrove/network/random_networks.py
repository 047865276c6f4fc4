"""Random networks, and rows drawn from random networks, for experiments with learners.

They are in this package and not in `bayesgrove.datasets` because they need the classes of networks.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bayesgrove._utils.options import OptionError, is_whole, require_flag, require_seed
from bayesgrove._utils.renamed import renamed
from bayesgrove.counts import Partition
from bayesgrove.encoding import code_type, require_memory
from bayesgrove.kernels import kernels
from bayesgrove.network.network import BayesianNetwork
from bayesgrove.network.sampling import choose
from bayesgrove.network.structure import Structure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.kernels import Codes

MAX_CELLS = 1 << 24
"""Largest number of cells of one table of a random network."""
SWEEPS = 20
"""Steps of the Markov chain on graphs, per pair of nodes."""
BATCH = 1 << 20
"""Largest number of steps whose pairs are drawn at once."""


@renamed(seed="random_state")
def random_network(
    nodes: int,
    max_parents: int,
    *,
    states: int = 2,
    uniform: bool = False,
    random_state: int = 0,
) -> BayesianNetwork:
    """Return a network with a random graph and random tables.

    By default, the graph is drawn as follows. The nodes are put in a random order. The number of
    parents of a node is uniform from 0 to ``max_parents``, or to the number of nodes before it if
    that is smaller. The parents are then drawn from the nodes before it; all subsets of this size
    are equally likely. Graphs are not equally likely: those with few arcs are drawn more often.

    With ``uniform=True``, all acyclic graphs with at most ``max_parents`` parents per node are
    equally likely. Most of these graphs have nearly the largest number of arcs. A Markov chain
    draws the graph. Each step picks an ordered pair of nodes, all with the same probability. If the
    graph has this arc, the step removes it. If not, it adds the arc, unless the new graph has a
    cycle or too many parents. The chain starts from the default graph and makes 20 steps per pair
    of nodes. In experiments with 10 to 160 nodes and 1 to 160 parents, the mean number of arcs, the
    mean longest path and the mean number of ancestors did not depend on the start (no arcs, or as
    many as possible) after 5 steps per pair.

    Each row of a table is drawn uniformly from all distributions, which is the Dirichlet
    distribution with all parameters 1.

    Parameters
    ----------
    nodes : int
        Number of nodes. Their names are "x0", "x1" and so on, and "class" for the last one. The
        class can be anywhere in the random order.
    max_parents : int
        Largest number of parents of a node. If a table would have more than 2^24 cells, an
        OptionError is raised; `random_rows` has no such limit.
    states : int, default=2
        Number of states of every node. Their labels are "0", "1" and so on.
    uniform : bool, default=False
        Whether all graphs with at most ``max_parents`` parents per node are equally likely.
    random_state : int, default=0
        Seed that fixes the network.

    Returns
    -------
    BayesianNetwork
        The random network.

    References
    ----------
    G. Melançon, I. Dutour and M. Bousquet-Mélou (2001). Random generation of directed acyclic
    graphs. Electronic Notes in Discrete Mathematics 10, 202-207.

    J. Ide and F. Cozman (2002). Random generation of Bayesian networks. SBIA 2002, 366-376.

    Examples
    --------
    >>> from bayesgrove import random_network
    >>> network = random_network(8, 2, random_state=1)
    >>> network.nodes[-2:], network.states("class")
    (('x6', 'class'), ('0', '1'))
    >>> max(len(network.parents(node)) for node in network.nodes)
    2
    >>> len(random_network(20, 2).arcs), len(random_network(20, 2, uniform=True).arcs)
    (19, 33)
    """
    _check(nodes, max_parents, states, uniform, random_state)
    random = np.random.default_rng(random_state)
    structure = _graph(nodes, max_parents, uniform, random)
    names = _names(nodes)
    _require_small(structure, names, max_parents, states)
    ones = np.ones(states)
    tables = [random.dirichlet(ones, (states,) * len(parents)) for parents in structure.parents]
    return BayesianNetwork.from_tables(
        dict.fromkeys(names, _labels(states)),
        {names[v]: [names[p] for p in parents] for v, parents in enumerate(structure.parents)},
        dict(zip(names, tables, strict=True)),
    )


@renamed(seed="random_state")
def random_rows(
    nodes: int,
    max_parents: int,
    rows: int,
    *,
    states: int = 2,
    uniform: bool = False,
    random_state: int = 0,
) -> pd.DataFrame:
    """Draw rows from a random network whose tables may be too large for the memory.

    The graph is the same as the graph of `random_network` with the same options. The distribution
    of a node is drawn only for the joint values of its parents that occur in the rows. A node may
    therefore have any number of parents. This is the lazy generation of Dash and Cooper (2003).

    All rows of one call come from one network. Another number of rows gives another network with
    the same graph, so draw training and test rows in one call.

    Parameters
    ----------
    nodes : int
        Number of nodes. Their names are "x0", "x1" and so on, and "class" for the last one. The
        class can be anywhere in the random order.
    max_parents : int
        Largest number of parents of a node.
    rows : int
        Number of rows to draw.
    states : int, default=2
        Number of states of every node. Their labels are "0", "1" and so on.
    uniform : bool, default=False
        Whether all graphs with at most ``max_parents`` parents per node are equally likely, as in
        the paper. `random_network` describes both ways to draw a graph.
    random_state : int, default=0
        Seed that fixes the rows.

    Returns
    -------
    pandas.DataFrame
        One categorical column per node, the class last.

    References
    ----------
    D. Dash and G. Cooper (2003). Model averaging with discrete Bayesian network classifiers.
    AISTATS. Section 4.1.

    Examples
    --------
    >>> from bayesgrove import random_rows
    >>> frame = random_rows(60, 50, 100, random_state=1)
    >>> X, y = frame.drop(columns="class"), frame["class"]
    >>> X.shape
    (100, 59)
    """
    _check(nodes, max_parents, states, uniform, random_state)
    if not is_whole(rows) or rows < 0:
        raise OptionError(f"rows={rows!r} must be a whole number of at least 0.")
    itemsize = np.dtype(code_type(states)).itemsize
    size = int(rows) * (2 * int(nodes) * itemsize + 32 * int(states))
    require_memory(size, f"rows={rows} of {nodes} nodes", "draw fewer rows")
    random = np.random.default_rng(random_state)
    structure = _graph(nodes, max_parents, uniform, random)
    codes: list[Any] = [None] * len(structure.parents)
    for v in structure.order():
        parents = [codes[p] for p in structure.parents[v]]
        codes[v] = _draw(parents, rows, states, random)
    levels = pd.Index(_labels(states))
    return pd.DataFrame(
        {
            name: pd.Categorical.from_codes(column, levels)
            for name, column in zip(_names(nodes), codes, strict=True)
        }
    )


def _draw(parents: Sequence[Codes], rows: int, states: int, random: np.random.Generator) -> Codes:
    """Draw the codes of a node, with one distribution per joint value of its parents."""
    groups = Partition.whole(rows)
    for column in parents:
        groups = groups.refine(column, states)
        if groups.size == rows:  # Every row has a different joint value already.
            break
    ends = random.dirichlet(np.ones(states), groups.size).cumsum(axis=1)
    return choose(ends[groups.ids], random.random(rows)).astype(code_type(states))


def _graph(nodes: int, max_parents: int, uniform: bool, random: np.random.Generator) -> Structure:
    """Draw the parents of every node."""
    ordered = _ordered_graph(nodes, max_parents, random)
    return _uniform_graph(ordered, max_parents, random) if uniform else ordered


def _uniform_graph(start: Structure, max_parents: int, random: np.random.Generator) -> Structure:
    """Walk from one graph to another; all graphs are equally likely after many steps.

    The stationary distribution is uniform: a step leads from one graph to another with the same
    probability as back, and all graphs can be reached through the graph without arcs. The names of
    the nodes are interchangeable in the start, and so they are in every later graph.
    """
    nodes = len(start.parents)
    require_memory(nodes * nodes, f"nodes={nodes}: all possible arcs", "draw fewer nodes")
    arcs = np.zeros((nodes, nodes), dtype=np.uint8)
    for v, parents in enumerate(start.parents):
        arcs[list(parents), v] = 1
    pairs = nodes * (nodes - 1)
    for done in range(0, SWEEPS * pairs, BATCH):
        moves = random.integers(0, pairs, min(BATCH, SWEEPS * pairs - done), dtype=np.int64)
        kernels.walk_dags(arcs, moves, min(max_parents, nodes))
    return Structure(tuple(tuple(np.flatnonzero(column).tolist()) for column in arcs.T))


def _ordered_graph(nodes: int, max_parents: int, random: np.random.Generator) -> Structure:
    """Draw a random order, and the parents of every node from the nodes before it."""
    order = random.permutation(nodes)
    parents: list[tuple[int, ...]] = [()] * nodes
    for place, v in enumerate(order.tolist()):
        count = int(random.integers(0, min(place, max_parents), endpoint=True))
        chosen = random.choice(place, count, replace=False) if count else np.empty(0, np.intp)
        parents[v] = tuple(sorted(order[chosen].tolist()))
    return Structure(tuple(parents))


def _require_small(
    structure: Structure, names: Sequence[str], max_parents: int, states: int
) -> None:
    """Raise if one table has too many cells, or if all tables need too much memory."""
    remedy = "give a smaller max_parents, fewer states, or use random_rows, which makes no tables"
    counts = [len(parents) for parents in structure.parents]
    largest = max(counts)
    if (largest + 1) * math.log(states) > math.log(MAX_CELLS) + 1e-9:
        raise OptionError(
            f"max_parents={max_parents!r}: node {names[counts.index(largest)]!r} has {largest} "
            f"parents, and its table would have {states}^{largest + 1} cells; at most {MAX_CELLS} "
            f"are possible: {remedy}."
        )
    cells = sum(states ** (count + 1) for count in counts)
    require_memory(32 * cells, f"max_parents={max_parents!r}: all tables", remedy)


def _check(nodes: int, max_parents: int, states: int, uniform: bool, random_state: int) -> None:
    """Raise unless the options are valid."""
    for name, value, lowest in (("nodes", nodes, 1), ("max_parents", max_parents, 0)):
        if not is_whole(value) or value < lowest:
            raise OptionError(f"{name}={value!r} must be a whole number of at least {lowest}.")
    if not is_whole(states) or not 2 <= states <= MAX_CELLS:
        raise OptionError(f"states={states!r} must be a whole number from 2 to {MAX_CELLS}.")
    require_flag("uniform", uniform)
    require_seed("random_state", random_state)


def _names(nodes: int) -> list[str]:
    return [*(f"x{v}" for v in range(nodes - 1)), "class"]


def _labels(states: int) -> tuple[str, ...]:
    return tuple(map(str, range(states)))
