"""Significance tests for differences between models.

All tests are two-sided. Scores that differ by less than 1e-12 of the largest score count as equal,
so that rounding errors do not break ties.
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
"""Largest number of differences for which the signed-rank distribution is exact."""


@dataclass(frozen=True)
class TestResult:
    """A test statistic with its two-sided p-value.

    Parameters
    ----------
    statistic : float
        Value of the test statistic.
    p_value : float
        Two-sided p-value.
    effect : float, default=nan
        Size of the difference, above 0 if the first model has the higher scores. It is the mean
        difference in a t-test and the rank correlation ``(R+ - R-) / (R+ + R-)`` in a signed-rank
        test. It is NaN for tests of more than two models.
    """

    __test__: ClassVar[bool] = False  # Otherwise pytest would collect this class as a test.

    statistic: float
    p_value: float
    effect: float = math.nan


NO_DIFFERENCE = TestResult(0.0, 1.0, 0.0)


@dataclass(frozen=True)
class FriedmanResult:
    """Average ranks of the models, and two tests of whether the ranks differ.

    Parameters
    ----------
    ranks : ndarray of shape (n_models,)
        Average ranks over the data sets. Rank 1 is the best.
    chi_square : TestResult
        Friedman's chi-squared test.
    iman_davenport : TestResult
        The F test of Iman and Davenport.
    n_datasets : int
        Number of data sets.
    """

    ranks: Floats
    chi_square: TestResult
    iman_davenport: TestResult
    n_datasets: int


@dataclass(frozen=True)
class PostHoc:
    """A critical difference of average ranks, and p-values corrected for multiple testing.

    Parameters
    ----------
    critical_difference : float
        Smallest difference of two average ranks that is significant.
    p_values : ndarray of shape (n_models, n_models) or (n_models,)
        Corrected p-values of all pairs of models, or of each model against the control.
    """

    critical_difference: float
    p_values: Floats


class Tally(NamedTuple):
    """Numbers of data sets on which a model wins, ties and loses against another.

    Parameters
    ----------
    wins : int
        Number of data sets on which the first model is significantly better.
    ties : int
        Number of data sets without a significant difference.
    losses : int
        Number of data sets on which the first model is significantly worse.
    """

    wins: int
    ties: int
    losses: int


def paired_t(a: ArrayLike, b: ArrayLike) -> TestResult:
    """Compare two models by Student's paired t-test.

    The statistic is ``mean(d) / sqrt(var(d) / J)`` with J - 1 degrees of freedom, where d are the
    differences on J splits. The test assumes that they are independent. The differences of one
    cross-validation are not, which `corrected_t` allows for.

    Parameters
    ----------
    a : array-like of shape (n_splits,)
        Scores of the first model.
    b : array-like of shape (n_splits,)
        Scores of the second model on the same splits.

    Returns
    -------
    TestResult
        The test; its effect is the mean difference.

    Examples
    --------
    >>> round(paired_t([0.9, 0.8, 0.85], [0.8, 0.75, 0.85]).statistic, 4)
    1.7321
    """
    differences = _differences(a, b, at_least=2)
    return _t_test(differences, 1.0 / len(differences))


def corrected_t(a: ArrayLike, b: ArrayLike, test_share: float) -> TestResult:
    """Compare two models by the corrected resampled t-test.

    The statistic is ``mean(d) / sqrt(var(d) (1/J + n_test/n_train))`` with J - 1 degrees of
    freedom, where d are the differences on J splits. The differences are dependent because the
    training sets overlap; the second term corrects for that. The correction assumes that a learner
    changes little from one training set to the next. For other learners the test rejects somewhat
    too often.

    Parameters
    ----------
    a : array-like of shape (n_splits,)
        Scores of the first model.
    b : array-like of shape (n_splits,)
        Scores of the second model on the same splits.
    test_share : float
        Ratio ``n_test / n_train``, 1/9 in 10-fold cross-validation.

    Returns
    -------
    TestResult
        The test; its effect is the mean difference.

    References
    ----------
    C. Nadeau and Y. Bengio (2003). Inference for the generalization error. Machine Learning 52.
    """
    require_number("test_share", test_share, lowest=0)
    differences = _differences(a, b, at_least=2)
    return _t_test(differences, 1.0 / len(differences) + test_share)


def wilcoxon(a: ArrayLike, b: ArrayLike) -> TestResult:
    """Compare two models by the Wilcoxon signed-rank test.

    The statistic is ``T = min(R+, R-)`` (Wilcoxon 1945). Equal absolute differences share their
    ranks. Zeros are ranked too, and their ranks are split evenly between R+ and R- (Demsar 2006,
    JMLR 7). The p-value is the probability over random signs of the nonzero differences (Pratt
    1959). It is exact for up to 50 of them, also with ties. For more differences it is that of the
    normal approximation without continuity correction.

    Parameters
    ----------
    a : array-like of shape (n_splits,)
        Scores of the first model.
    b : array-like of shape (n_splits,)
        Scores of the second model on the same splits.

    Returns
    -------
    TestResult
        The test; its effect is the rank correlation ``(R+ - R-) / (R+ + R-)``.
    """
    differences = _differences(a, b, at_least=1)
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
    """Test whether the average ranks of models over data sets differ.

    Friedman's statistic (1937) is ``chi2 = 12 N / (k(k + 1)) (sum R_j^2 - k(k + 1)^2 / 4)`` with
    k - 1 degrees of freedom. The statistic of Iman and Davenport (1980) is
    ``F = (N - 1) chi2 / (N(k - 1) - chi2)`` with k - 1 and (k - 1)(N - 1) degrees of freedom. It is
    less conservative.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_models)
        Scores of k models on N data sets.
    higher_is_better : bool, default=True
        Whether the highest score gets rank 1.
    correct_ties : bool, default=True
        Whether to divide chi2 by ``1 - sum (t^3 - t) / (N (k^3 - k))``, where t are the numbers of
        equal scores of a data set (Conover 1999). Demsar (2006) does not correct for ties.

    Returns
    -------
    FriedmanResult
        The average ranks and both tests.
    """
    table = _score_table(scores)
    ranks = stats.rankdata(-table if higher_is_better else table, axis=1)
    (n, k), means = ranks.shape, ranks.mean(axis=0)
    # Without ties, the ranks of a data set have the variance (k^2 - 1)/12; ties reduce it.
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
    """Compare all pairs of models after Friedman's test, by Nemenyi's test.

    The critical difference is ``CD = q sqrt(k(k + 1) / (6 N))``. Here q is the quantile of the
    studentized range of k means with infinitely many degrees of freedom, divided by sqrt(2)
    (Nemenyi 1963; Demsar 2006).

    Parameters
    ----------
    ranks : array-like of shape (n_models,)
        Average ranks of the models, as in `FriedmanResult`.
    n_datasets : int
        Number of data sets that the ranks are averaged over.
    level : float, default=0.05
        Significance level of the critical difference.

    Returns
    -------
    PostHoc
        The critical difference, and the p-values of all pairs of models.
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
    """Compare all models with a control after Friedman's test, by the Bonferroni-Dunn test.

    The critical difference is ``CD = z sqrt(k(k + 1) / (6 N))``. Here z is the two-sided normal
    quantile of ``level / (k - 1)`` (Dunn 1961; Demsar 2006).

    Parameters
    ----------
    ranks : array-like of shape (n_models,)
        Average ranks of the models, as in `FriedmanResult`.
    n_datasets : int
        Number of data sets that the ranks are averaged over.
    control : int, default=0
        Position of the control in ``ranks``.
    level : float, default=0.05
        Significance level of the critical difference.

    Returns
    -------
    PostHoc
        The critical difference, and the p-values of each model against the control.
    """
    means, unit = _rank_unit(ranks, n_datasets, level)
    others = len(means) - 1
    quantile = stats.norm.isf(level / (2 * others))
    p_values = control_p_values(means, n_datasets, control)
    return PostHoc(float(quantile * unit), np.minimum(others * p_values, 1.0))


def control_p_values(ranks: ArrayLike, n_datasets: int, control: int = 0) -> Floats:
    """Return uncorrected p-values of each model against a control.

    They belong to ``z = (R_i - R_control) / sqrt(k(k + 1) / (6 N))``. `holm` corrects them; leave
    out the p-value of the control itself, which is 1.

    Parameters
    ----------
    ranks : array-like of shape (n_models,)
        Average ranks of the models, as in `FriedmanResult`.
    n_datasets : int
        Number of data sets that the ranks are averaged over.
    control : int, default=0
        Position of the control in ``ranks``.

    Returns
    -------
    ndarray of shape (n_models,)
        Two-sided p-values.
    """
    means, unit = _rank_unit(ranks, n_datasets)
    if not is_whole(control) or not 0 <= control < len(means):
        raise OptionError(f"control={control!r} must be a whole number from 0 to {len(means) - 1}.")
    return np.asarray(2.0 * stats.norm.sf(np.abs(means - means[control]) / unit), dtype=np.float64)


def holm(p_values: ArrayLike) -> Floats:
    """Correct p-values for multiple testing by Holm's method.

    The i-th smallest of m p-values is multiplied by m - i + 1 (Holm 1979). A corrected p-value is
    at least that of every smaller p-value, and at most 1.

    Parameters
    ----------
    p_values : array-like of shape (n_tests,)
        Uncorrected p-values.

    Returns
    -------
    ndarray of shape (n_tests,)
        Corrected p-values, in the same order.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    values = np.asarray(p_values, dtype=np.float64)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise OptionError(f"p_values={p_values!r} must be a list of numbers from 0 to 1.")
    order = np.argsort(values)
    factors = np.arange(len(values), 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
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
    a : sequence of array-like
        Scores of the first model, one list of splits per data set.
    b : sequence of array-like
        Scores of the second model on the same data sets and splits.
    test : callable
        Function that takes two lists of scores and returns a `TestResult`, such as `paired_t`, or
        `corrected_t` with a fixed ``test_share``.
    level : float, default=0.05
        Significance level. A p-value of at most this level is significant.
    higher_is_better : bool, default=True
        Whether higher scores are better.

    Returns
    -------
    Tally
        The numbers of wins, ties and losses of the first model.
    """
    _require_share("level", level)
    if len(a) != len(b):
        raise ValueError(f"a has {len(a)} data sets and b has {len(b)}: they must have the same.")
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


def _differences(a: ArrayLike, b: ArrayLike, at_least: int) -> Floats:
    """Return the differences of paired scores; rounding errors become 0."""
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(
            "The scores of two models must be two lists of the same length: "
            f"they have the shapes {first.shape} and {second.shape}."
        )
    if len(first) < at_least:
        raise ValueError(
            f"The number of scores per model is {len(first)}; the test needs at least {at_least}."
        )
    pairs = np.stack([first, second])
    _require_finite(pairs)
    return _rounded(first - second, float(np.abs(pairs).max()))


def _score_table(scores: ArrayLike) -> Floats:
    """Return scores without rounding errors; raise unless they fit Friedman's test."""
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or min(table.shape) < 2:
        raise ValueError(
            f"The scores have shape {table.shape}: the test needs one row per data set and one "
            "column per model, for at least two data sets and at least two models."
        )
    _require_finite(table)
    return _rounded(table, float(np.abs(table).max()))


def _require_finite(scores: Floats) -> None:
    """Raise unless all scores are finite."""
    if not np.isfinite(scores).all():
        raise ValueError("The scores have a NaN or an infinity: leave these splits out.")


def _rounded(values: Floats, largest: float) -> Floats:
    """Round values to twelve digits of the largest score."""
    return np.round(values / largest, TIE_DIGITS) * largest if largest > 0 else values


def _t_test(differences: Floats, factor: float) -> TestResult:
    """Return the test of ``mean / sqrt(variance * factor)``, infinite if the variance is 0."""
    mean = float(differences.mean())
    if not differences.any() or mean == 0.0:
        return NO_DIFFERENCE
    if np.ptp(differences) == 0.0:
        return TestResult(math.copysign(math.inf, mean), 0.0, mean)
    statistic = mean / math.sqrt(float(differences.var(ddof=1)) * factor)
    p_value = 2.0 * stats.t.sf(abs(statistic), len(differences) - 1)
    return TestResult(statistic, float(p_value), mean)


def _signed_rank_p(ranks: Floats, smaller: float) -> float:
    """Return ``P(min(R+, R-) <= smaller)`` if both signs of every difference are equally likely."""
    if len(ranks) > EXACT:
        z = (smaller - ranks.sum() / 2) / math.sqrt((ranks**2).sum() / 4)
        return min(1.0, float(2.0 * stats.norm.cdf(z)))
    ways = np.ones(1)  # ways[s] is the number of choices of signs with R+ = s/2.
    for step in np.rint(2.0 * ranks).astype(int):
        ways = np.pad(ways, (0, step)) + np.pad(ways, (step, 0))
    return min(1.0, float(2.0 * ways[: round(2.0 * smaller) + 1].sum() / ways.sum()))


def _iman_davenport(chi2: float, n: int, k: int) -> TestResult:
    """Return the F test of Iman and Davenport for Friedman's chi2."""
    rest = n * (k - 1) - chi2
    if rest <= SUM_NOISE * n * k:  # All data sets give the same ranks.
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
