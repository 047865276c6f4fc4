"""Interface of structure learners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from bayesgrove._utils.options import OptionError

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource
    from bayesgrove.network import Structure


class StructureLearner(Protocol):
    """Interface of a structure learner: it finds the parents of every node from counts."""

    def learn(self, counts: CountSource) -> Structure:
        """Return the structure that fits the counts.

        Parameters
        ----------
        counts : CountSource
            Counts of the training rows.

        Returns
        -------
        Structure
            The parents of every attribute and, last, of the class.
        """


def checked_learner(option: str, value: Any, default: StructureLearner) -> StructureLearner:
    """Return the structure learner that a user gave, or the default for None.

    Parameters
    ----------
    option : str
        Name of the option, for the message.
    value : object
        The value that the user gave. None means the default.
    default : StructureLearner
        The learner to return if the value is None.

    Returns
    -------
    StructureLearner
        The value or the default.

    Raises
    ------
    OptionError
        If the value is a class, or an object without the method ``learn``.
    """
    if value is None:
        return default
    if isinstance(value, type) or not hasattr(value, "learn"):
        raise OptionError(f"{option}={value!r} must be a structure learner such as KDB(k=2).")
    learner: StructureLearner = value
    return learner
