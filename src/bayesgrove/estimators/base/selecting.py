"""Methods and base classes of estimators that select attributes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from bayesgrove._utils.warnings import warn_caller
from bayesgrove.contracts import learn_in_order
from bayesgrove.estimators.base.network import NetworkClassifier
from bayesgrove.estimators.base.table import require_same_names
from bayesgrove.estimators.base.training_data import training_data
from bayesgrove.selection import path_text, redundancies, redundancy_levels, redundancy_text

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from bayesgrove.contracts import Selector
    from bayesgrove.counts import CountSource
    from bayesgrove.network import Structure
    from bayesgrove.selection import Redundancy, RedundancyLevels, Selection, Step


class SelectionMixin(ABC):
    """Mixin of estimators that select attributes.

    Attributes
    ----------
    selected_ : list of str
        Names of the selected attributes, in the order in which they were selected.
    path_ : list of Step
        The steps of the selection: one for each attribute that was added, removed or joined.
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
            A table with one line per step: the attribute, with + for added, - for removed or * for
            joined, the value of the criterion, and the number of joint values of the selected
            attributes.
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

    def redundancy_levels(
        self,
        X: Any,
        y: Any,
        max_level: int,
        by: str = "definition",
        sample_weight: ArrayLike | None = None,
    ) -> list[RedundancyLevels]:
        """Return the levels at which the attributes that were not selected are redundant.

        An attribute is redundant at level m if it has no more information about the class, given
        some m of the selected attributes. The rows are read as by `fit`, with the same options.

        Parameters
        ----------
        X : data frame, array, lists, path, dataset, stream or Table
            The training rows, as for `fit`.
        y : array-like of shape (n_rows,) or str
            The class labels, or the name of the class column, as for `fit`.
        max_level : int
            Largest number of selected attributes that are given, at most their number.
        by : {"definition", "mdl"}, default="definition"
            "definition": the information must be 0. "mdl": it must be at most the description
            length of the table of the attribute.
        sample_weight : array-like of shape (n_rows,), default=None
            Non-negative weights of the rows, as for `fit`. None means weight 1.

        Returns
        -------
        list of RedundancyLevels
            One entry per attribute that was not selected, in the order of the columns. It has the
            best set of each size, and the information and the description length, in nats.
        """
        check_is_fitted(self)
        reader: Any = clone(self)  # Reading sets the columns of an estimator.
        training = reader._read(X, y, sample_weight)
        names = [coding.name for coding in training.schema.codings]
        require_same_names(self._column_names(), names)
        counts = training_data(training, reader.discretizer, reader._threads()).counts
        return redundancy_levels(counts, max_level, by, self.selected_)

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
    """Base class of classifiers whose network contains only the selected attributes.

    The structure learner gets the attributes in the order in which they were selected. The nodes of
    the network are in the order of the columns.
    """

    @abstractmethod
    def _selector(self) -> Selector | None:
        """Return the selector of the attributes, or None to keep all of them."""

    def _select(self, counts: CountSource) -> CountSource:
        selector = self._selector()
        if selector is None:
            self.selected_, self.path_ = counts.names[:-1], []
            return counts
        return self._restrict(counts, selector.select(counts))

    def _restrict(self, counts: CountSource, selection: Selection) -> CountSource:
        """Keep the selection, and return the counts of the selected attributes."""
        self.selected_ = [counts.names[v] for v in selection.attributes]
        self.path_ = list(selection.path)
        if not self.selected_:
            warn_of_none()
        return counts.restrict(sorted(selection.attributes))

    def _learn_structure(self, counts: CountSource) -> Structure:
        attributes = [counts.names.index(name) for name in self.selected_]
        return learn_in_order(self._structure_learner(), counts, attributes)

    @property
    def _offers_em(self) -> bool:
        return super()._offers_em and self._selector() is None

    def _check_parts(self) -> None:
        super()._check_parts()
        self._selector()

    def _column_names(self) -> list[str]:
        return [coding.name for coding in self.schema_.codings]
