"""Interfaces of selectors, which choose attributes from counts or from rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from bayesgrove._utils.options import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.contracts.selection import Selection
    from bayesgrove.contracts.training_data import TrainingData
    from bayesgrove.counts import CountSource
    from bayesgrove.kernels import Floats
    from bayesgrove.search import Evaluate


class Selector(Protocol):
    """Interface of a selector that needs only counts."""

    def select(self, counts: CountSource) -> Selection:
        """Return the attributes that are worth keeping.

        Parameters
        ----------
        counts : CountSource
            Counts of the training rows.

        Returns
        -------
        Selection
            The selected attributes and the steps of their selection.
        """


class RowSelector(Protocol):
    """Interface of a selector for which counts are not enough: it needs the training rows."""

    def select_rows(self, data: TrainingData) -> Selection:
        """Return the attributes that are worth keeping.

        Parameters
        ----------
        data : TrainingData
            The training rows.

        Returns
        -------
        Selection
            The selected attributes and the steps of their selection.
        """


class Guide(Protocol):
    """Interface of a selector that gives each attribute a value, given the selected attributes."""

    def values(
        self, counts: CountSource, selected: Sequence[int], remaining: Sequence[int]
    ) -> Floats:
        """Return the value of each remaining attribute, given the selected ones.

        Parameters
        ----------
        counts : CountSource
            Counts of the training rows.
        selected : sequence of int
            Numbers of the attributes that are selected already.
        remaining : sequence of int
            Numbers of the attributes to evaluate.

        Returns
        -------
        ndarray of shape (n_remaining,)
            One value per remaining attribute; 0 means that the attribute adds nothing.
        """


class SubsetScorer(Protocol):
    """Interface of a selector that can score any subset of the attributes."""

    @property
    def direction(self) -> str:
        """Where a search starts: "forward" from no attribute, "backward" from all attributes."""

    @property
    def ties(self) -> str:
        """Whether a search accepts a subset as good as the current one: "continue" or "stop"."""

    def evaluator(self, counts: CountSource) -> Evaluate:
        """Return a function that scores subsets of the attributes.

        Parameters
        ----------
        counts : CountSource
            Counts of the training rows.

        Returns
        -------
        callable
            A function of a list of subsets, each a list of attribute numbers.
            It returns one score per subset; larger scores are better.
        """


def select_from(selector: Selector | RowSelector, data: TrainingData) -> Selection:
    """Return the selection of a selector of either kind.

    Parameters
    ----------
    selector : Selector or RowSelector
        A selector. If it has the method ``select_rows``, this method is called, else ``select``.
    data : TrainingData
        The training rows.

    Returns
    -------
    Selection
        The selected attributes and the steps of their selection.
    """
    select_rows = getattr(selector, "select_rows", None)
    if select_rows is None:
        return cast("Selector", selector).select(data.counts)
    selection: Selection = select_rows(data)
    return selection


def require_selector(option: str, value: Any) -> None:
    """Raise unless the value is a selector that needs only counts.

    Parameters
    ----------
    option : str
        Name of the option, for the message.
    value : object
        The value that the user gave.

    Raises
    ------
    OptionError
        If the value is a class, or an object without the method ``select``.
    """
    if isinstance(value, type) or not hasattr(value, "select"):
        raise OptionError(f"{option}={value!r} must be a selector such as InfoAS('cgr').")
