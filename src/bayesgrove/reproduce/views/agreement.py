"""The rule by which our number agrees with a printed number; all tables use it."""

from __future__ import annotations

import math
from dataclasses import dataclass

CLOSE = 2.0
"""Largest distance of numbers that agree, in standard errors of their difference."""
AGREES, DIFFERS, NOT_TESTABLE = "agrees", "differs", "not testable"


@dataclass(frozen=True)
class Estimate:
    """A number and its standard error.

    Parameters
    ----------
    value : float
        The number.
    error : float, default=nan
        Its standard error. NaN means that it is not known.
    """

    value: float
    error: float = math.nan


@dataclass(frozen=True)
class Judgement:
    """The comparison of our number with a printed one.

    Parameters
    ----------
    verdict : {"agrees", "differs", "not testable"}
        The result of the comparison.
    distance : float
        Our number minus the printed number, in standard errors of their difference.
    reason : str, default=""
        Why the number is not testable.
    """

    verdict: str
    distance: float
    reason: str = ""


def compared(
    ours: Estimate, theirs: Estimate, *, rounding: float = 0.0, widest: float = math.inf
) -> Judgement:
    """Compare our number with a printed one: they agree within two combined standard errors.

    Parameters
    ----------
    ours : Estimate
        Our number. An error of 0 means that it has no error of its own, because it was computed
        from the splits of the paper.
    theirs : Estimate
        The printed number. If its error is not known, it is taken to be the same as ours.
    rounding : float, default=0.0
        Half a unit of the last printed digit. The error of rounding, with the standard deviation
        ``rounding / sqrt(3)``, is one part of the combined standard error.
    widest : float, default=inf
        Our error may be at most this many times the printed error if the numbers are to agree.
        Otherwise numbers that would agree are not testable, because our number is too imprecise.

    Returns
    -------
    Judgement
        The verdict and the distance.

    Examples
    --------
    >>> compared(Estimate(5.0, 0.3), Estimate(4.0, 0.4))
    Judgement(verdict='agrees', distance=2.0, reason='')
    """
    error = combined_error(ours, theirs, rounding)
    apart = ours.value - theirs.value
    distance = apart / error if error > 0 else math.copysign(math.inf, apart) if apart else 0.0
    if not abs(distance) <= CLOSE:
        return Judgement(DIFFERS, distance)
    if ours.error > widest * theirs.error:
        wide, narrow = _told_apart(ours.error, theirs.error)
        reason = f"Our standard error ({wide}) is wider than the printed one ({narrow})"
        return Judgement(NOT_TESTABLE, distance, reason)
    return Judgement(AGREES, distance)


def _told_apart(one: float, two: float) -> tuple[str, str]:
    """Return two different numbers as texts with as many digits as they need to differ.

    >>> _told_apart(0.1648, 0.1629)
    ('0.165', '0.163')
    """
    texts = ((f"{one:.{digits}g}", f"{two:.{digits}g}") for digits in range(2, 17))
    return next((pair for pair in texts if pair[0] != pair[1]), (f"{one:.2g}", f"{two:.2g}"))


def combined_error(ours: Estimate, theirs: Estimate, rounding: float = 0.0) -> float:
    """Return the standard error of the difference of two numbers; see `compared`.

    >>> combined_error(Estimate(5.0, 0.3), Estimate(4.0, 0.4))
    0.5
    """
    their_error = ours.error if math.isnan(theirs.error) else theirs.error
    return math.hypot(ours.error, their_error, rounding / math.sqrt(3.0))


def perturbation(ours: Estimate, perturbed: Estimate, tolerance: float) -> str:
    """Return why a number is not testable: a tiny change moves it too far; empty if it does not.

    Parameters
    ----------
    ours : Estimate
        Our number.
    perturbed : Estimate
        The same number after a tiny change of the inputs, such as one weight by 1%, or one row.
    tolerance : float
        The largest difference with which our number would agree with the printed one.

    Returns
    -------
    str
        The reason, or an empty text.
    """
    if abs(ours.value - perturbed.value) <= tolerance:
        return ""
    return (
        f"A tiny change of the inputs moves our number from {ours.value:.2f} to "
        f"{perturbed.value:.2f}, by more than the tolerance of {tolerance:.2f}"
    )
