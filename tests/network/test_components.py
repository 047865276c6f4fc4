"""Which missing attributes go together, against a search of the graph row by row."""

import numpy as np
import pytest

from bayesgrove.network import Structure
from bayesgrove.network.missing_components import components


def random_structure(rng, n):
    """A random network over n attributes; the class is a parent of some and a child of some."""
    order = rng.permutation(n + 1).tolist()
    parents = [()] * (n + 1)
    for at, child in enumerate(order):
        before = order[:at]
        count = int(rng.integers(0, min(len(before), 3) + 1))
        parents[child] = tuple(rng.choice(before, count, replace=False).tolist()) if count else ()
    return Structure(tuple(parents))


def descendants(structure, variable):
    children = {v for v, parents in enumerate(structure.parents) if variable in parents}
    return children.union(*(descendants(structure, child) for child in children))


def by_search(structure, missing):
    """Components of one row: attributes that matter, joined by the tables that matter."""
    everything = set(range(len(structure.parents)))
    known = everything - missing
    active = {v for v in missing if descendants(structure, v) & known}
    tables = [{v, *structure.parents[v]} for v in everything if v in known or v in active]
    found = []
    while active:
        group, waiting = set(), [active.pop()]
        while waiting:
            variable = waiting.pop()
            group.add(variable)
            near = set().union(*(table for table in tables if variable in table)) & active
            active -= near
            waiting += near
        found.append(frozenset(group))
    return set(found)


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_components_equal_a_search_of_every_row(seed, share):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    structure = random_structure(rng, n)
    missing = rng.random((n, 30)) < share
    found = [set() for _ in range(30)]
    for component in components(structure, missing):
        for row in component.rows:
            found[row].add(component.members)
    expected = [by_search(structure, set(np.flatnonzero(row).tolist())) for row in missing.T]
    assert found == expected
