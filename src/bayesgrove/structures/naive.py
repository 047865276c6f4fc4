"""Naive Bayes: attributes are independent given the class (Good 1965)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesgrove.network import Structure

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource


@dataclass(frozen=True)
class Naive:
    """The class is the only parent of every attribute."""

    def learn(self, counts: CountSource) -> Structure:
        """Parents of every node; needs no counts."""
        n = counts.n_attributes
        return Structure((*[(n,)] * n, ()))
