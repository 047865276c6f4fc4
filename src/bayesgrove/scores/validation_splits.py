"""Rows to learn from and rows to judge by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesgrove._utils.options import OptionError, is_whole, require_seed

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource


def validation_splits(
    counts: CountSource, cv: Any, random_state: int
) -> list[tuple[CountSource, CountSource]]:
    """Return pairs of rows to learn from and rows to judge by.

    "halves" learns from a random half and judges by the other, "training" does both with all
    rows; a number is that of folds of a cross-validation.
    """
    require_seed("random_state", random_state)
    if cv == "training":
        return [(counts, counts)]
    if cv == "halves":
        return [next(counts.folds(2, random_state))] if counts.rows > 1 else [(counts, counts)]
    if is_whole(cv) and 2 <= cv <= counts.rows:
        return list(counts.folds(int(cv), random_state))
    raise OptionError(
        f"cv={cv!r:.80} must be 'halves', 'training' or a number of folds of at least 2 and at "
        f"most the number of rows, {counts.rows}."
    )
