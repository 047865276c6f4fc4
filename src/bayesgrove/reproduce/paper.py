"""A paper with its tables, figures and conclusions, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bayesgrove.reproduce.views.claims import Claim
    from bayesgrove.reproduce.views.curves import Curves
    from bayesgrove.reproduce.views.tables import Table


@dataclass(frozen=True)
class Paper:
    """A paper with the tables, figures and claims that can be run.

    ``number`` is the key of the paper in ``published.csv``. ``needs_folder`` is whether all of its
    data sets come from the folder of data sets.
    """

    number: str
    citation: str
    tables: tuple[Table, ...]
    figures: tuple[Curves, ...] = ()
    claims: tuple[Claim, ...] = ()
    needs_folder: bool = False
