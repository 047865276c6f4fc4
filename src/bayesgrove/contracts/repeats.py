"""Whether a row of weight 2 counts like two equal rows."""

from __future__ import annotations

from typing import Any


def weights_repeat_rows(*parts: Any) -> bool:
    """Return whether a row of weight 2 counts like two equal rows in every part.

    Some parts draw rows at random, split them into folds, or count every row once. Such a part has
    the attribute ``weights_repeat_rows = False``.

    Parameters
    ----------
    *parts : object
        Parts of a classifier, such as structure learners, selectors and weightings.

    Returns
    -------
    bool
        False if the attribute ``weights_repeat_rows`` of any part is False, else True.

    Examples
    --------
    >>> from bayesgrove.structures import TAN
    >>> from bayesgrove.contracts import weights_repeat_rows
    >>> weights_repeat_rows(TAN())
    True
    """
    return all(getattr(part, "weights_repeat_rows", True) for part in parts)
