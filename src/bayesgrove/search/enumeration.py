"""All subsets up to a size."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Subsets(NamedTuple):
    """Subsets, smaller ones first; each one comes after the subset without its last member.

    Parameters
    ----------
    members : ndarray of shape (n_subsets, max_size)
        Members of each subset in ascending order, as int32; -1 fills the places after the last one.
    shorter : ndarray of shape (n_subsets,)
        Position of the subset without the last member; 0 for the first subset, which is empty.
    """

    members: NDArray[np.int32]
    shorter: NDArray[np.intp]


def subset_count(elements: int, max_size: int) -> int:
    """Return the number of subsets with at most ``max_size`` members.

    >>> subset_count(4, 2)
    11
    """
    return sum(math.comb(elements, size) for size in range(max_size + 1))


def subsets_up_to(elements: int, max_size: int) -> Subsets:
    """Return all subsets of ``0..elements-1`` with at most ``max_size`` members.

    >>> subsets_up_to(3, 2).members.tolist()
    [[-1, -1], [0, -1], [1, -1], [2, -1], [0, 1], [0, 2], [1, 2]]
    """
    width = min(elements, max_size)
    members = np.full((subset_count(elements, width), max(width, 1)), -1, dtype=np.int32)
    shorter = np.zeros(len(members), dtype=np.intp)
    first, end = 0, 1
    for size in range(width):
        last = members[first:end, size - 1] if size else np.array([-1], dtype=np.int32)
        followers = elements - 1 - last
        within = np.arange(followers.sum()) - np.repeat(np.cumsum(followers) - followers, followers)
        before = first + np.repeat(np.arange(end - first), followers)
        first, end = end, end + len(within)
        shorter[first:end] = before
        members[first:end] = members[before]
        members[first:end, size] = np.repeat(last, followers) + 1 + within
    return Subsets(members, shorter)
