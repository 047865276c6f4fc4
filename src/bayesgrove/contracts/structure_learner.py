"""Interface of structure learners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from bayesgrove._utils.options import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    require_learner(option, value)
    learner: StructureLearner = value
    return learner


def require_learner(option: str, value: Any) -> None:
    """Raise unless a value is a structure learner.

    Parameters
    ----------
    option : str
        Name of the option, for the message.
    value : object
        The value that the user gave.

    Raises
    ------
    OptionError
        If the value is a class, or an object without the method ``learn``.
    """
    if isinstance(value, type) or not hasattr(value, "learn"):
        raise OptionError(f"{option}={value!r} must be a structure learner such as KDB(k=2).")


def learn_in_order(
    learner: StructureLearner, counts: CountSource, attributes: Sequence[int]
) -> Structure:
    """Learn a structure from attributes that come to the learner in the given order.

    Learners resolve ties by the order of the attributes. The order therefore decides between
    structures that are equally good.

    Parameters
    ----------
    learner : StructureLearner
        The structure learner.
    counts : CountSource
        Counts of the training rows.
    attributes : sequence of int
        Numbers of all attributes of ``counts``, in the order in which the learner gets them.

    Returns
    -------
    Structure
        The structure, numbered as the attributes of ``counts``.
    """
    structure = learner.learn(counts.restrict(attributes))
    return structure.renumbered([*attributes, counts.n_attributes])
