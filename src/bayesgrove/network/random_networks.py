"""Networks and rows made up at random, to try learners on.

They are here and not among the data sets because a network and its rows need this layer.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bayesgrove._utils.options import OptionError, is_whole, require_seed
from bayesgrove._utils.renamed import renamed
from bayesgrove.counts import Partition
from bayesgrove.encoding import code_type, require_memory
from bayesgrove.network.network import BayesianNetwork
from bayesgrove.network.sampling import choose
from bayesgrove.network.structure import Structure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.kernels import Codes

MAX_CELLS = 1 << 24
"""Most cells of one table of a random network."""


@renamed(seed="random_state")
def random_network(
    nodes: int, max_parents: int, *, states: int = 2, random_state: int = 0
) -> BayesianNetwork:
    """A network with a random graph and random tables.

    The nodes are put in a random order. Each gets a number of parents, all numbers from 0 to
    ``max_parents`` (or to how many nodes come before it) equally likely, then so many of the nodes
    before it, all subsets equally likely. Each row of a table is drawn uniformly from all
    distributions, the Dirichlet distribution with parameters 1. Tables that would be too large are
    refused; `random_rows` makes only what it needs.

    Parameters
    ----------
    nodes : number of nodes: "x0", "x1", ... and, last by number but anywhere in the order, "class"
    max_parents : most parents of a node
    states : number of states of every node: "0", "1", ...
    random_state : fixes the network

    Examples
    --------
    >>> network = random_network(8, 2, random_state=1)
    >>> network.nodes[-2:], network.states("class")
    (('x6', 'class'), ('0', '1'))
    >>> max(len(network.parents(node)) for node in network.nodes)
    2
    """
    _check(nodes, max_parents, states, random_state)
    random = np.random.default_rng(random_state)
    structure = _graph(nodes, max_parents, random)
    names = _names(nodes)
    _require_small(structure, names, max_parents, states)
    even = np.ones(states)
    tables = [random.dirichlet(even, (states,) * len(own)) for own in structure.parents]
    return BayesianNetwork.from_tables(
        dict.fromkeys(names, _labels(states)),
        {names[v]: [names[p] for p in own] for v, own in enumerate(structure.parents)},
        dict(zip(names, tables, strict=True)),
    )


@renamed(seed="random_state")
def random_rows(
    nodes: int, max_parents: int, rows: int, *, states: int = 2, random_state: int = 0
) -> pd.DataFrame:
    """Rows drawn from a random network whose tables may be larger than any memory.

    The graph is that of `random_network` with the same options. The distribution of a node is
    drawn only for those joint values of its parents that occur in the rows, so that a node may have
    any number of parents (the lazy generation of Dash and Cooper 2003, section 4.1). All rows of
    one call are from one network; another number of rows is another network with the same graph:
    draw training and test rows together.

    Parameters
    ----------
    nodes, max_parents, states : as of `random_network`
    rows : number of rows
    random_state : fixes the rows

    Examples
    --------
    >>> frame = random_rows(60, 50, 100, random_state=1)
    >>> X, y = frame.drop(columns="class"), frame["class"]
    >>> X.shape
    (100, 59)
    """
    _check(nodes, max_parents, states, random_state)
    if not is_whole(rows) or rows < 0:
        raise OptionError(f"rows={rows!r} must be a whole number of at least 0.")
    itemsize = np.dtype(code_type(states)).itemsize
    size = int(rows) * (2 * int(nodes) * itemsize + 32 * int(states))
    require_memory(size, f"rows={rows} of {nodes} nodes", "draw fewer rows")
    random = np.random.default_rng(random_state)
    structure = _graph(nodes, max_parents, random)
    codes: list[Any] = [None] * len(structure.parents)
    for v in structure.order():
        own = [codes[p] for p in structure.parents[v]]
        codes[v] = _draw(own, rows, states, random)
    levels = pd.Index(_labels(states))
    return pd.DataFrame(
        {
            name: pd.Categorical.from_codes(column, levels)
            for name, column in zip(_names(nodes), codes, strict=True)
        }
    )


def _draw(parents: Sequence[Codes], rows: int, states: int, random: np.random.Generator) -> Codes:
    """Codes of a node, with one distribution for each joint value of its parents."""
    groups = Partition.whole(rows)
    for column in parents:
        groups = groups.refine(column, states)
        if groups.size == rows:  # every row has a joint value of its own
            break
    ends = random.dirichlet(np.ones(states), groups.size).cumsum(axis=1)
    return choose(ends[groups.ids], random.random(rows)).astype(code_type(states))


def _graph(nodes: int, max_parents: int, random: np.random.Generator) -> Structure:
    """Parents of every node among those before it in a random order."""
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
    """Refuse tables that would be too large, one of them or all together."""
    remedy = "give a smaller max_parents, fewer states, or use random_rows, which makes no tables"
    counts = [len(own) for own in structure.parents]
    most = max(counts)
    if (most + 1) * math.log(states) > math.log(MAX_CELLS) + 1e-9:
        raise OptionError(
            f"max_parents={max_parents!r}: node {names[counts.index(most)]!r} has {most} parents, "
            f"and its table {states}^{most + 1} cells; at most {MAX_CELLS} are possible: {remedy}."
        )
    cells = sum(states ** (count + 1) for count in counts)
    require_memory(32 * cells, f"max_parents={max_parents!r}: all tables", remedy)


def _check(nodes: int, max_parents: int, states: int, random_state: int) -> None:
    for name, value, least in (("nodes", nodes, 1), ("max_parents", max_parents, 0)):
        if not is_whole(value) or value < least:
            raise OptionError(f"{name}={value!r} must be a whole number of at least {least}.")
    if not is_whole(states) or not 2 <= states <= MAX_CELLS:
        raise OptionError(f"states={states!r} must be a whole number from 2 to {MAX_CELLS}.")
    require_seed("random_state", random_state)


def _names(nodes: int) -> list[str]:
    return [*(f"x{v}" for v in range(nodes - 1)), "class"]


def _labels(states: int) -> tuple[str, ...]:
    return tuple(map(str, range(states)))
