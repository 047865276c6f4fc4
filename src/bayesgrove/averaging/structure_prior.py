"""Priors of structures that are products over the nodes: one factor per node and parent set.

D. Dash and G. Cooper (2003). Model averaging with discrete Bayesian network classifiers. AISTATS.
Equation 4 has the factors ``p_s(node, parents)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove._utils.options import OptionError
from bayesgrove._utils.wording import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats

SetFunction = Callable[[str, tuple[str, ...]], float]
"""A function of the name of a node and of the names of its parents that returns a factor."""
SetTable = Mapping[str, Mapping[Collection[str], float]]
"""The factors of parent sets by node: ``{node: {(parent, ...): factor}}``."""


def require_structure_prior(prior: Any) -> None:
    """Raise unless a prior is None, a callable, or a dict of dicts."""
    tables = prior.values() if isinstance(prior, Mapping) else None
    if prior is None or callable(prior):
        return
    if tables is None or not all(isinstance(table, Mapping) for table in tables):
        raise OptionError(
            f"structure_prior={prior!r:.60} must be None, a function of a node and its parents, or "
            "a dict {node: {(parent, ...): factor}}."
        )


def require_known_sets(prior: Any, names: Sequence[str], max_parents: int) -> None:
    """Raise unless the nodes and parents of a dict exist, and each of its sets can be used."""
    if not isinstance(prior, Mapping):
        return
    for node, table in prior.items():
        _require_node(node, names)
        seen: set[frozenset[str]] = set()
        for parents in table:
            members = _members(node, parents, names)
            if len(members) > max_parents:
                raise OptionError(
                    f"structure_prior has {parents!r} for {node!r}, more parents than "
                    f"max_parents={max_parents}."
                )
            if members in seen:
                raise OptionError(f"structure_prior has {parents!r} for {node!r} more than once.")
            seen.add(members)


def log_prior(
    prior: SetFunction | SetTable, child: int, sets: NDArray[np.int32], names: Sequence[str]
) -> Floats:
    """Return the log factor of each parent set of a child; minus infinity for the factor 0.

    Parameters
    ----------
    prior : callable or dict
        The prior.
    child : int
        The number of the node.
    sets : ndarray of shape (n_sets, max_parents)
        The numbers of the parents in each set. Sets with fewer parents end with -1.
    names : sequence of str
        The names of all nodes.

    Returns
    -------
    ndarray of shape (n_sets,)
        One number per set.
    """
    node = names[child]
    if not callable(prior) and node not in prior:
        return np.zeros(len(sets))
    factor = prior if callable(prior) else _lookup(prior[node])
    every = (tuple(names[v] for v in members if v >= 0) for members in sets.tolist())
    return np.array([_log_factor(factor(node, parents), node, parents) for parents in every])


def _lookup(table: Mapping[Collection[str], float]) -> SetFunction:
    """Return the function that looks up a parent set of one node; 0 if it is not listed."""
    factors = {frozenset(parents): factor for parents, factor in table.items()}
    return lambda _, parents: factors.get(frozenset(parents), 0.0)


def _log_factor(factor: Any, node: str, parents: tuple[str, ...]) -> float:
    """Return the logarithm of a factor; raise unless it is a finite number of at least 0."""
    try:
        value = math.nan if isinstance(factor, (str, bytes)) else float(factor)
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not 0.0 <= value < math.inf:
        raise OptionError(
            f"structure_prior of {node!r} with the parents {parents!r} is {factor!r:.40}, not a "
            "finite number of at least 0."
        )
    return math.log(value) if value else -math.inf


def _require_node(name: Any, names: Sequence[str]) -> None:
    """Raise unless a name is the name of a node."""
    if name not in names:
        raise OptionError(
            f"structure_prior names {name!r}, which is not a node: the nodes are {listed(names)}."
        )


def _members(node: str, parents: Any, names: Sequence[str]) -> frozenset[str]:
    """Return the members of a parent set; raise unless they are other nodes, each named once."""
    if isinstance(parents, (str, bytes)) or not isinstance(parents, Collection):
        raise OptionError(
            f"structure_prior has {parents!r} for {node!r}, which is not a tuple of parents."
        )
    for name in parents:
        _require_node(name, names)
    members = frozenset(parents)
    if node in members or len(members) < len(parents):
        raise OptionError(
            f"structure_prior has {parents!r} for {node!r}: parents must be other nodes, each once."
        )
    return members
