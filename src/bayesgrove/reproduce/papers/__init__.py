"""Papers by name; each has a module, which is imported when the paper is requested."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from bayesgrove._utils.options import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bayesgrove.reproduce.paper import Paper

NUMBERS = {
    "000": "singh-1995",
    "001": "dash-2003",
    "002": "hall-2006",
    "003": "sahami-1996",
    "004": "drugan-2004",
}
"""Names of the papers by their numbers, which are also accepted."""
COMPARISON = "modern"
"""Name of a comparison of our own, which stands beside the papers."""


def has_paper(name: str) -> bool:
    """Return whether there is a paper with this name or number; no paper is imported."""
    return NUMBERS.get(name, name) in PAPERS


def find_paper(name: str) -> Paper:
    """Return the paper with this name or number; no other paper is imported.

    >>> find_paper("003").citation
    'M. Sahami (1996). Learning limited dependence Bayesian classifiers. KDD-96, 335-338.'
    """
    if not has_paper(name):
        raise OptionError(f"paper={name!r} must be one of {known_papers()}.")
    return PAPERS[NUMBERS.get(name, name)]()


def known_papers() -> str:
    """Return the names of the papers, each with its number."""
    return ", ".join([*(f"{name} ({number})" for number, name in NUMBERS.items()), COMPARISON])


def _build(name: str) -> Paper:
    """Import the module of a paper and return the paper."""
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    paper: Paper = module.PAPER
    return paper


PAPERS: dict[str, Callable[[], Paper]] = {
    name: partial(_build, name) for name in (*NUMBERS.values(), COMPARISON)
}
"""Functions that build the papers and the comparison, by name."""
