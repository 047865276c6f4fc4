"""Whether a difference between models is more than chance.

All tests are two-sided. Scores that differ by less than 1e-12 of the largest one are equal, so that
the noise of summation decides no tie.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from scipy import stats

from bayesgrove._utils.options import OptionError, is_whole, require_number
from bayesgrove._utils.renamed import renamed
from bayesgrove._utils.ties import SUM_NOISE, TIE_DIGITS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from bayesgrove.kernels import Floats

EXACT = 50
"""Up to so many differences the signed-rank distribution is enumerated."""


@dataclass(frozen=True)
class TestResult:
    """A statistic with its two-sided p-value.

    ``effect`` is above 0 where the first model scores higher: the mean difference of a t-test, the
    rank correlation ``(R+ - R-) / (R+ + R-)`` of the signed ranks; NaN for more than two models.
    """

    __test__: ClassVar[bool] = False  # pytest would take the name for a test

    statistic: float
    p_value: float
    effect: float = math.nan


NO_DIFFERENCE = TestResult(0.0, 1.0, 0.0)


@dataclass(frozen=True)
class FriedmanResult:
    """Average ranks of the models, 1 the best, and the two tests that they are the same."""

    ranks: Floats
    chi_square: TestResult
    iman_davenport: TestResult
    n_datasets: int


@dataclass(frozen=True)
class PostHoc:
    """The difference of average ranks that is significant, and p-values corrected for their number.

    The p-values have the shape (models, models), or (models,) where one of them is the control.
    """

    critical_difference: float
    p_values: Floats


class Tally(NamedTuple):
    """On how many data sets the first model is significantly better, neither, or worse."""

    wins: int
    ties: int
    losses: int


def paired_t(a: ArrayLike, b: ArrayLike) -> TestResult:
    """Test by Student's paired t: ``mean(d) / sqrt(var(d) / J)``, J - 1 degrees of freedom.

    It takes the J differences for independent. Those of one cross-validation are not: see
    `corrected_t`.

    >>> round(paired_t([0.9, 0.8, 0.85], [0.8, 0.75, 0.85]).statistic, 4)
    1.7321
    """
    differences = _differences(a, b, least=2)
    return _t_test(differences, 1.0 / len(differences))


def corrected_t(a: ArrayLike, b: ArrayLike, test_share: float) -> TestResult:
    """Test by the corrected resampled t (Nadeau & Bengio 2003, Machine Learning 52).

    ``mean(d) / sqrt(var(d) (1/J + n_test/n_train))``, J - 1 degrees of freedom: training sets that
    overlap make the differences of J splits depend on each other. It assumes that a learner changes
    little from one of them to the next; for those that do not it rejects somewhat too often.

    Parameters
    ----------
    a, b : scores of two models on the same splits
    test_share : ``n_test / n_train``, 1/9 in 10-fold cross-validation
    """
    require_number("test_share", test_share, lowest=0)
    differences = _differences(a, b, least=2)
    return _t_test(differences, 1.0 / len(differences) + test_share)


def wilcoxon(a: ArrayLike, b: ArrayLike) -> TestResult:
    """Test by signed ranks; the statistic is ``T = min(R+, R-)`` (Wilcoxon 1945).

    Equal absolute differences share their ranks. Zeros are ranked too, and their ranks are split
    evenly between R+ and R- (Demsar 2006, JMLR 7). The p-value is over the signs of the other
    differences (Pratt 1959): exact up to 50 of them, with ties too, and normal beyond, without a
    correction for continuity.
    """
    differences = _differences(a, b, least=1)
    ranks = stats.rankdata(np.abs(differences))
    up, down = float(ranks[differences > 0].sum()), float(ranks[differences < 0].sum())
    if up + down == 0.0:
        return NO_DIFFERENCE
    zeros = float(ranks[differences == 0].sum())
    p_value = _signed_rank_p(ranks[differences != 0], min(up, down))
    return TestResult(min(up, down) + zeros / 2, p_value, (up - down) / (up + down + zeros))


def friedman(
    scores: ArrayLike, *, higher_is_better: bool = True, correct_ties: bool = True
) -> FriedmanResult:
    """Test average ranks over data sets (Friedman 1937), also by Iman & Davenport (1980).

    ``chi2 = 12 N / (k(k + 1)) (sum R_j^2 - k(k + 1)^2 / 4)`` with k - 1 degrees of freedom and
    ``F = (N - 1) chi2 / (N(k - 1) - chi2)`` with k - 1 and (k - 1)(N - 1); F is less conservative.

    Parameters
    ----------
    scores : shape (N data sets, k models)
    higher_is_better : whether rank 1 is the highest score
    correct_ties : divide chi2 by ``1 - sum (t^3 - t) / (N (k^3 - k))``, t the numbers of equal
        scores of a data set (Conover 1999); Demsar (2006) does not
    """
    table = _score_table(scores)
    ranks = stats.rankdata(-table if higher_is_better else table, axis=1)
    (n, k), means = ranks.shape, ranks.mean(axis=0)
    # The ranks of a data set have the variance (k^2 - 1)/12, and less where there are ties.
    variance = ranks.var(axis=1).mean() if correct_ties else (k * k - 1) / 12
    spread = n * ((means - (k + 1) / 2) ** 2).sum()
    chi2 = float(spread * (k - 1) / (k * variance)) if spread > SUM_NOISE else 0.0
    return FriedmanResult(
        means,
        TestResult(chi2, float(stats.chi2.sf(chi2, k - 1))),
        _iman_davenport(chi2, n, k),
        n,
    )


@renamed(alpha="level")
def nemenyi(ranks: ArrayLike, n_datasets: int, level: float = 0.05) -> PostHoc:
    """Compare all pairs of models after Friedman's test (Nemenyi 1963; Demsar 2006).

    ``CD = q sqrt(k(k + 1) / (6 N))``, q the quantile of the studentized range of k means with
    infinitely many degrees of freedom, divided by sqrt(2).
    """
    means, unit = _rank_unit(ranks, n_datasets, level)
    k = len(means)
    quantile = stats.studentized_range.isf(level, k, np.inf) / math.sqrt(2.0)
    distances = np.abs(means[:, None] - means) / unit * math.sqrt(2.0)
    p_values = np.asarray(stats.studentized_range.sf(distances, k, np.inf), dtype=np.float64)
    return PostHoc(float(quantile * unit), np.clip(p_values, 0.0, 1.0))


@renamed(alpha="level")
def bonferroni_dunn(
    ranks: ArrayLike, n_datasets: int, control: int = 0, level: float = 0.05
) -> PostHoc:
    """Compare all models with a control after Friedman's test (Dunn 1961; Demsar 2006).

    ``CD = z sqrt(k(k + 1) / (6 N))``, z the normal quantile of ``level / (k - 1)``, two-sided.
    """
    means, unit = _rank_unit(ranks, n_datasets, level)
    others = len(means) - 1
    quantile = stats.norm.isf(level / (2 * others))
    p_values = control_p_values(means, n_datasets, control)
    return PostHoc(float(quantile * unit), np.minimum(others * p_values, 1.0))


def control_p_values(ranks: ArrayLike, n_datasets: int, control: int = 0) -> Floats:
    """Return uncorrected p-values of ``z = (R_i - R_control) / sqrt(k(k + 1) / (6 N))``.

    Give them to `holm`, without the one of the control itself, which is 1.
    """
    means, unit = _rank_unit(ranks, n_datasets)
    if not is_whole(control) or not 0 <= control < len(means):
        raise OptionError(f"control={control!r} must be the place of one of {len(means)} models.")
    return np.asarray(2.0 * stats.norm.sf(np.abs(means - means[control]) / unit), dtype=np.float64)


def holm(p_values: ArrayLike) -> Floats:
    """Correct p-values for their number: the i-th smallest of m times m - i + 1 (Holm 1979).

    None falls below a smaller one's, and none exceeds 1.

    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    given = np.asarray(p_values, dtype=np.float64)
    if given.ndim != 1 or not ((given >= 0) & (given <= 1)).all():
        raise OptionError(f"p_values={p_values!r} must be a list of numbers from 0 to 1.")
    order = np.argsort(given)
    factors = np.arange(len(given), 0, -1)
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(np.maximum.accumulate(given[order] * factors), 1.0)
    return adjusted


@renamed(alpha="level")
def wins_ties_losses(
    a: Sequence[ArrayLike],
    b: Sequence[ArrayLike],
    test: Callable[[Any, Any], TestResult],
    level: float = 0.05,
    *,
    higher_is_better: bool = True,
) -> Tally:
    """Count the data sets on which one model is significantly better or worse than another.

    Parameters
    ----------
    a, b : for each data set, the scores of the two models on the same splits
    test : such as `paired_t`, or `corrected_t` with its share filled in
    level : a p-value of at most this is significant
    """
    _require_share("level", level)
    if len(a) != len(b):
        raise ValueError(f"There are scores of {len(a)} and of {len(b)} data sets.")
    results = [test(x, y) for x, y in zip(a, b, strict=True)]
    effects = [result.effect for result in results if result.p_value <= level]
    higher, lower = sum(e > 0 for e in effects), sum(e < 0 for e in effects)
    wins, losses = (higher, lower) if higher_is_better else (lower, higher)
    return Tally(wins, len(results) - wins - losses, losses)


def _require_share(name: str, value: Any) -> None:
    """Raise unless the value is a number between 0 and 1."""
    require_number(name, value)
    if not 0 < value < 1:
        raise OptionError(f"{name}={value!r} must lie between 0 and 1.")


def _differences(a: ArrayLike, b: ArrayLike, least: int) -> Floats:
    """Return the differences of paired scores; those that are rounding noise are 0."""
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(
            "The scores of two models must be two lists of the same length: "
            f"they have the shapes {first.shape} and {second.shape}."
        )
    if len(first) < least:
        raise ValueError(f"There are {len(first)} pairs of scores: the test needs {least}.")
    pairs = np.stack([first, second])
    _require_finite(pairs)
    return _rounded(first - second, float(np.abs(pairs).max()))


def _score_table(scores: ArrayLike) -> Floats:
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or min(table.shape) < 2:
        raise ValueError(
            f"The scores have shape {table.shape}: the test needs a row for each of at least two "
            "data sets, a column for each of at least two models."
        )
    _require_finite(table)
    return _rounded(table, float(np.abs(table).max()))


def _require_finite(scores: Floats) -> None:
    if not np.isfinite(scores).all():
        raise ValueError("The scores have a NaN or an infinity: leave these splits out.")


def _rounded(values: Floats, largest: float) -> Floats:
    """Round values to twelve digits of the largest score."""
    return np.round(values / largest, TIE_DIGITS) * largest if largest > 0 else values


def _t_test(differences: Floats, factor: float) -> TestResult:
    """Return ``mean / sqrt(variance * factor)``; infinite where all differences are the same."""
    mean = float(differences.mean())
    if not differences.any() or mean == 0.0:
        return NO_DIFFERENCE
    if np.ptp(differences) == 0.0:
        return TestResult(math.copysign(math.inf, mean), 0.0, mean)
    statistic = mean / math.sqrt(float(differences.var(ddof=1)) * factor)
    p_value = 2.0 * stats.t.sf(abs(statistic), len(differences) - 1)
    return TestResult(statistic, float(p_value), mean)


def _signed_rank_p(ranks: Floats, smaller: float) -> float:
    """Return ``P(min(R+, R-) <= smaller)`` when every sign is as likely as its opposite."""
    if len(ranks) > EXACT:
        z = (smaller - ranks.sum() / 2) / math.sqrt((ranks**2).sum() / 4)
        return min(1.0, float(2.0 * stats.norm.cdf(z)))
    ways = np.ones(1)  # ways[s]: how many choices of signs give R+ = s/2
    for step in np.rint(2.0 * ranks).astype(int):
        ways = np.pad(ways, (0, step)) + np.pad(ways, (step, 0))
    return min(1.0, float(2.0 * ways[: round(2.0 * smaller) + 1].sum() / ways.sum()))


def _iman_davenport(chi2: float, n: int, k: int) -> TestResult:
    rest = n * (k - 1) - chi2
    if rest <= SUM_NOISE * n * k:  # all data sets agree
        return TestResult(math.inf, 0.0)
    statistic = (n - 1) * chi2 / rest
    return TestResult(statistic, float(stats.f.sf(statistic, k - 1, (k - 1) * (n - 1))))


def _rank_unit(ranks: ArrayLike, n_datasets: int, level: float = 0.05) -> tuple[Floats, float]:
    """Return validated average ranks, and the standard error of a difference of two of them."""
    _require_share("level", level)
    if not is_whole(n_datasets) or n_datasets < 1:
        raise OptionError(f"n_datasets={n_datasets!r} must be a whole number of at least 1.")
    means = np.asarray(ranks, dtype=np.float64)
    k = means.size
    if means.ndim != 1 or k < 2 or not np.isfinite(means).all():
        raise OptionError(f"ranks={ranks!r} must be the average ranks of at least two models.")
    return means, math.sqrt(k * (k + 1) / (6.0 * n_datasets))
