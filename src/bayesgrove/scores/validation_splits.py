"""Splits of rows into learning rows and validation rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove._utils.options import OptionError, is_whole, require_seed

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource

LEAVE_ONE_OUT = "leave-one-out"
"""The value of ``cv`` that validates on every row with the counts of all other rows."""


def validation_splits(
    counts: CountSource, cv: Any, random_state: int, other: str | None = None
) -> list[tuple[CountSource, CountSource]]:
    """Return pairs of learning rows and validation rows.

    Parameters
    ----------
    counts : CountSource
        Counts of the training rows.
    cv : {"halves", "training"} or int
        "halves" learns from a random half of the rows and validates on the other half. "training"
        learns from all rows and validates on all rows. A number is the number of folds of a
        cross-validation.
    random_state : int
        Seed of the split.
    other : str or None, default=None
        Another value of ``cv`` that the caller offers, for the message of the error.

    Returns
    -------
    list of tuple of CountSource and CountSource
        The learning rows and the validation rows of each split.

    Raises
    ------
    OptionError
        If ``cv`` is none of these, or exceeds the number of rows.
    """
    require_seed("random_state", random_state)
    if isinstance(cv, str) and cv == "training":
        return [(counts, counts)]
    if isinstance(cv, str) and cv == "halves":
        return [next(counts.folds(2, random_state))] if counts.rows > 1 else [(counts, counts)]
    if is_whole(cv) and 2 <= cv <= counts.rows:
        return list(counts.folds(int(cv), random_state))
    named = "" if other is None else f"{other!r}, "
    raise OptionError(
        f"cv={cv!r:.80} must be {named}'halves', 'training' or a number of folds of at least 2 and "
        f"at most the number of rows, {counts.rows}."
    )
