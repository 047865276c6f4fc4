"""Groups of attributes that are joined into one attribute, as arcs of a network.

Naive Bayes over joined attributes is a Bayesian network over the original attributes: inside a
group, every attribute has the class and all earlier attributes of the group as parents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesgrove.network.structure import Structure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def structure_of_groups(groups: Iterable[Sequence[int]]) -> Structure:
    """Return the naive Bayes structure in which every group is one joined attribute.

    Parameters
    ----------
    groups : iterable of sequence of int
        Numbers of the attributes of each group. Every attribute is in exactly one group.

    Returns
    -------
    Structure
        The class and the earlier attributes of its group as the parents of every attribute; no
        parents for the class.

    Examples
    --------
    >>> structure_of_groups([(0, 2), (1,)]).parents
    ((3,), (3,), (0, 3), ())
    """
    members = [sorted(group) for group in groups]
    class_variable = sum(map(len, members))
    parents: dict[int, tuple[int, ...]] = {class_variable: ()}
    for group in members:
        for place, attribute in enumerate(group):
            parents[attribute] = (*group[:place], class_variable)
    return Structure(tuple(parents[v] for v in range(class_variable + 1)))


def groups_of_structure(structure: Structure) -> list[tuple[int, ...]]:
    """Return the groups of joined attributes of a structure: the inverse of `structure_of_groups`.

    Parameters
    ----------
    structure : Structure
        Parents of every node.

    Returns
    -------
    list of tuple of int
        Numbers of the attributes of each group, every attribute after its parents; groups by the
        number of their first attribute.

    Raises
    ------
    ValueError
        If the structure is not naive Bayes over groups of joined attributes.
    """
    attributes = range(structure.class_variable)
    earlier = [set(structure.parents[v]) - {structure.class_variable} for v in attributes]
    groups = {v: [v] for v in attributes if not earlier[v]}
    for attribute in sorted(attributes, key=lambda v: len(earlier[v])):
        for first in groups.keys() & earlier[attribute]:
            groups[first].append(attribute)
    joined = [tuple(group) for group in groups.values()]
    is_joined = sorted(v for group in joined for v in group) == list(attributes) and all(
        earlier[v] == set(group[:place]) for group in joined for place, v in enumerate(group)
    )
    has_class = all(structure.class_variable in structure.parents[v] for v in attributes)
    if not is_joined or not has_class or structure.parents[structure.class_variable]:
        raise ValueError(
            "The structure is not naive Bayes over joined attributes. The parents of an attribute "
            "must be the class and all earlier attributes of its group. Dirichlet() makes the "
            "tables of any other structure."
        )
    return joined
