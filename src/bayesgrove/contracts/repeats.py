"""Whether a row of weight 2 is the row twice."""

from __future__ import annotations

from typing import Any


def weights_repeat_rows(*parts: Any) -> bool:
    """Return whether a row of weight 2 is the row twice for every one of some parts.

    A part for which it is not has the attribute ``weights_repeat_rows = False``: it draws rows,
    deals them into folds, or counts every row as one.
    """
    return all(getattr(part, "weights_repeat_rows", True) for part in parts)
