"""Methods and base classes of estimators that select attributes."""

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
    """Mixin of estimators that select attributes.

    Attributes
    ----------
    selected_ : list of str
        Names of the selected attributes, in the order in which they were selected.
    path_ : list of Step
        The steps of the selection: one for each attribute that was added or removed.
    """

    selected_: list[str]
    path_: list[Step]

    def get_support(self, indices: bool = False) -> NDArray[Any]:
        """Return a mask of the selected columns, or their indices.

        Parameters
        ----------
        indices : bool, default=False
            Whether indices are returned instead of a mask.

        Returns
        -------
        ndarray
            The mask, one bool per column, or the indices of the selected columns in ascending
            order.
        """
        check_is_fitted(self)
        kept = set(self.selected_)
        mask = np.array([name in kept for name in self._column_names()])
        return np.flatnonzero(mask) if indices else mask

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the selected columns, in the order of the table.

        Parameters
        ----------
        input_features : sequence of str or None, default=None
            Names of all columns of the training table. They are only checked.

        Returns
        -------
        ndarray of str
            The names of the selected columns.
        """
        support, names = self.get_support(), self._column_names()
        if input_features is not None and list(input_features) != names:
            raise ValueError("input_features is not equal to feature_names_in_.")
        chosen: NDArray[np.object_] = np.array(names, dtype=object)[support]
        return chosen

    def path_text(self) -> str:
        """Return the steps of the selection as text.

        Returns
        -------
        str
            A table with one line per step: the attribute, with + for added or - for removed, the
            value of the criterion, and the number of joint values of the selected attributes.
        """
        check_is_fitted(self)
        return path_text(self.path_)

    @abstractmethod
    def _column_names(self) -> list[str]:
        """Return the names of all columns of the training table."""


class RedundancyMixin(SelectionMixin):
    """Mixin of selections that explain why the other attributes were not selected.

    Attributes
    ----------
    redundancy_ : list of Redundancy
        The redundancy of each attribute that was not selected.
    """

    redundancy_: list[Redundancy]

    def redundancy_text(self) -> str:
        """Return a table of the attributes that were not selected, with their information, as text.

        Returns
        -------
        str
            A table with one line per attribute: its information about the class and the description
            length of its table, the same two numbers given its neighbour (the selected attribute
            that leaves the least information), and the levels at which it is redundant (0: alone,
            1: given the neighbour).
        """
        check_is_fitted(self)
        return redundancy_text(self.redundancy_)

    def _explain(self, counts: CountSource) -> None:
        """Set ``redundancy_`` from the counts of all attributes."""
        self.redundancy_ = redundancies(counts, self.selected_)


def warn_of_none(
    consequence: str = "the class is predicted by its frequencies alone",
    *,
    sample_fraction: float = 1.0,
) -> None:
    """Warn the caller of `fit` that no attribute was selected.

    Parameters
    ----------
    consequence : str, default="the class is predicted by its frequencies alone"
        What follows from an empty selection.
    sample_fraction : float, default=1.0
        Share of the rows from which the selecting trees were grown. Below 1, the warning proposes
        to raise it.
    """
    remedy = " Trees of more rows may test some attributes: raise sample_fraction."
    is_sampled = sample_fraction < 1
    warn_caller(f"No attribute was selected: {consequence}.{remedy if is_sampled else ''}")


class SelectiveClassifier(SelectionMixin, NetworkClassifier):
    """Base class of classifiers whose network contains only the selected attributes."""

    @abstractmethod
    def _selector(self) -> Selector | None:
        """Return the selector of the attributes, or None to keep all of them."""

    def _select(self, counts: CountSource) -> CountSource:
        selector = self._selector()
        if selector is None:
            self.selected_, self.path_ = counts.names[:-1], []
            return counts
        selection = selector.select(counts)
        self.selected_ = [counts.names[v] for v in selection.attributes]
        self.path_ = list(selection.path)
        if not self.selected_:
            warn_of_none()
        return counts.restrict(sorted(selection.attributes))

    def _check_parts(self) -> None:
        super()._check_parts()
        self._selector()

    def _column_names(self) -> list[str]:
        return [coding.name for coding in self.schema_.codings]
