"""What can be asked of whatever selected attributes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayesgrove._utils.warnings import warn_caller
from bayesgrove.estimators.base.network import NetworkClassifier
from bayesgrove.selection import path_text, redundancies, redundancy_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.contracts import Selector
    from bayesgrove.counts import CountSource
    from bayesgrove.selection import Redundancy, Step


class SelectionMixin(ABC):
    """Which attributes were selected, and how.

    Attributes
    ----------
    selected_ : names of the attributes in the order in which they were chosen
    path_ : one `Step` for each that was added or removed
    """

    selected_: list[str]
    path_: list[Step]

    def get_support(self, indices: bool = False) -> NDArray[Any]:
        """Mask of the columns that were selected, or their places."""
        check_is_fitted(self)
        kept = set(self.selected_)
        mask = np.array([name in kept for name in self._column_names()])
        return np.flatnonzero(mask) if indices else mask

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns that were selected, in the order of the columns."""
        support, names = self.get_support(), self._column_names()
        if input_features is not None and list(input_features) != names:
            raise ValueError("input_features is not equal to feature_names_in_.")
        chosen: NDArray[np.object_] = np.array(names, dtype=object)[support]
        return chosen

    def path_text(self) -> str:
        """The steps of the selection as a table to print."""
        check_is_fitted(self)
        return path_text(self.path_)

    @abstractmethod
    def _column_names(self) -> list[str]:
        """Names of all columns of training."""


class RedundancyMixin(SelectionMixin):
    """Why the other attributes were not selected.

    Attributes
    ----------
    redundancy_ : one `Redundancy` for each of them
    """

    redundancy_: list[Redundancy]

    def redundancy_text(self) -> str:
        """What attributes that were not selected tell about the class, as a table to print."""
        check_is_fitted(self)
        return redundancy_text(self.redundancy_)

    def _explain(self, counts: CountSource) -> None:
        self.redundancy_ = redundancies(counts, self.selected_)


def warn_of_none(
    consequence: str = "the class is predicted by its frequencies alone",
    *,
    sample_fraction: float = 1.0,
) -> None:
    """Tell the caller of `fit` that nothing was selected, by trees of a fraction of the rows."""
    remedy = " Trees of more rows may ask for some: raise sample_fraction."
    few = sample_fraction < 1
    warn_caller(f"No attribute was selected: {consequence}.{remedy if few else ''}")


class SelectiveClassifier(SelectionMixin, NetworkClassifier):
    """Base of classifiers whose network has some of the attributes only."""

    @abstractmethod
    def _selector(self) -> Selector | None:
        """What selects the attributes; None keeps all."""

    def _select(self, counts: CountSource) -> CountSource:
        selector = self._selector()
        if selector is None:
            self.selected_, self.path_ = counts.names[:-1], []
            return counts
        found = selector.select(counts)
        self.selected_ = [counts.names[v] for v in found.attributes]
        self.path_ = list(found.path)
        if not self.selected_:
            warn_of_none()
        return counts.restrict(sorted(found.attributes))

    def _check_parts(self) -> None:
        super()._check_parts()
        self._selector()

    def _column_names(self) -> list[str]:
        return [coding.name for coding in self.schema_.codings]
