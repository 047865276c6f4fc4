"""Evaluation protocols: rules that split the rows into training rows and test rows.

The splits of a protocol depend only on the classes of the rows and on its seed. Every model gets
the same splits, and scikit-learn's splitters with that seed give them too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

import numpy as np
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

from bayesgrove._utils.folds import split_into_folds
from bayesgrove._utils.options import OptionError, is_whole, require_seed
from bayesgrove._utils.renamed import renamed
from bayesgrove._utils.ties import whole_above, whole_below
from bayesgrove.encoding import encode_target

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Rows = NDArray[np.intp]


class Split(NamedTuple):
    """A split of the rows of a table into training rows and test rows.

    Parameters
    ----------
    name : str
        Name of the split, such as "fold 3" or "repeat 2, fold 1".
    repeat : int
        Number of the repeat, from 1.
    train : ndarray of shape (n_train,)
        Numbers of the training rows, from 0.
    test : ndarray of shape (n_test,)
        Numbers of the test rows, from 0.
    """

    name: str
    repeat: int
    train: Rows
    test: Rows

    @property
    def test_share(self) -> float:
        """The ratio ``n_test / n_train``, which the corrected t-test uses."""
        return len(self.test) / len(self.train)


class EvaluationProtocol(Protocol):
    """A rule that splits the rows of a table into training and test rows."""

    def splits(self, y: Any) -> list[Split]:
        """Return the splits of a table whose rows have the classes ``y``."""

    def describe(self) -> str:
        """Return a short description of the protocol."""


@renamed(seed="random_state")
@dataclass(frozen=True)
class CrossValidation:
    """K-fold cross-validation, possibly repeated.

    In each repeat, every fold is the test rows of one split. The model of this split learns from
    the other folds.

    Parameters
    ----------
    folds : int, default=10
        Number of folds, at least 2 and at most the number of rows.
    repeats : int, default=1
        Number of repeats. Each repeat has other random folds.
    random_state : int, default=0
        Seed of the random choice of rows.
    stratified : bool, default=True
        Whether all folds have about the class frequencies of the table. A class with fewer rows
        than folds is spread over as many folds as it has rows. If all classes have fewer rows than
        folds, the classes are ignored.

    Examples
    --------
    >>> from bayesgrove.evaluation import CrossValidation
    >>> splits = CrossValidation(folds=2).splits(["no", "yes", "no", "yes"])
    >>> [(split.name, len(split.train), len(split.test)) for split in splits]
    [('fold 1', 2, 2), ('fold 2', 2, 2)]
    """

    folds: int = 10
    repeats: int = 1
    random_state: int = 0
    stratified: bool = True

    def __post_init__(self) -> None:
        _require_whole("folds", self.folds, 2)
        _require_whole("repeats", self.repeats, 1)
        require_seed("random_state", self.random_state)

    def splits(self, y: Any) -> list[Split]:
        """Return the splits, fold by fold within each repeat.

        Parameters
        ----------
        y : array-like of shape (n_rows,)
            Class labels of the rows.

        Returns
        -------
        list of Split
            One split per fold and repeat.
        """
        codes = _codes(y)
        if len(codes) < self.folds:
            raise OptionError(
                f"folds={self.folds} must be at most the number of rows, {len(codes)}."
            )
        positions = (divmod(i, self.folds) for i in range(self.folds * self.repeats))
        pairs = split_into_folds(
            codes,
            self.folds,
            repeats=self.repeats,
            random_state=self.random_state,
            stratified=self.stratified,
        )
        return [
            Split(_fold_name(repeat, fold, self.repeats), repeat + 1, train, test)
            for (repeat, fold), (train, test) in zip(positions, pairs, strict=True)
        ]

    def describe(self) -> str:
        """Return a short description of the protocol.

        Returns
        -------
        str
            The description.

        Examples
        --------
        >>> CrossValidation(repeats=5).describe()
        '5 x 10-fold cross-validation, stratified, seed 0'
        """
        times = f"{self.repeats} x " if self.repeats > 1 else ""
        kind = ", stratified" if self.stratified else ""
        return f"{times}{self.folds}-fold cross-validation{kind}, seed {self.random_state}"


@renamed(seed="random_state")
@dataclass(frozen=True)
class RandomSplits:
    """Independent random splits with fixed numbers of training and test rows.

    Parameters
    ----------
    train : int or float
        Number of training rows, or their share of the table between 0 and 1. A share is rounded
        down to whole rows.
    test : int or float or None, default=None
        Number of test rows, or their share of the table between 0 and 1. A share is rounded up to
        whole rows. None means all rows that are not training rows.
    repeats : int, default=30
        Number of splits.
    random_state : int, default=0
        Seed of the random choice of rows.
    stratified : bool, default=False
        Whether the training and the test rows have the class frequencies of the table.

    Examples
    --------
    >>> from bayesgrove.evaluation import RandomSplits
    >>> splits = RandomSplits(0.75, repeats=2).splits(["no", "yes", "no", "yes"])
    >>> [(split.name, len(split.train), len(split.test)) for split in splits]
    [('split 1', 3, 1), ('split 2', 3, 1)]
    """

    train: float
    test: float | None = None
    repeats: int = 30
    random_state: int = 0
    stratified: bool = False

    def __post_init__(self) -> None:
        _require_size("train", self.train)
        if self.test is not None:
            _require_size("test", self.test)
        _require_whole("repeats", self.repeats, 1)
        require_seed("random_state", self.random_state)

    def splits(self, y: Any) -> list[Split]:
        """Return the splits, one per repeat.

        Parameters
        ----------
        y : array-like of shape (n_rows,)
            Class labels of the rows.

        Returns
        -------
        list of Split
            One split per repeat.
        """
        codes = _codes(y)
        train, test = _counts(self.train, self.test, len(codes))
        if self.stratified:
            _require_strata(codes, train, test)
        splitter = StratifiedShuffleSplit if self.stratified else ShuffleSplit
        shuffle = splitter(
            self.repeats, train_size=train, test_size=test, random_state=self.random_state
        )
        return [
            Split(f"split {i}", i, train, test)
            for i, (train, test) in enumerate(shuffle.split(codes, codes), start=1)
        ]

    def describe(self) -> str:
        """Return a short description of the protocol.

        Returns
        -------
        str
            The description.

        Examples
        --------
        >>> RandomSplits(200, 235).describe()
        '30 random splits, 200 training and 235 test rows, seed 0'
        """
        kind = ", stratified" if self.stratified else ""
        noun = "splits" if self.repeats > 1 else "split"
        test = "all other" if self.test is None else _size_text(self.test)
        parts = f"{_size_text(self.train)} training and {test} test rows"
        return f"{self.repeats} random {noun}, {parts}{kind}, seed {self.random_state}"


@dataclass(frozen=True)
class FixedSplit:
    """A single split with predefined training and test rows.

    Parameters
    ----------
    train : int or sequence of int
        How many of the first rows are the training rows; or a list of the numbers of the training
        rows, counted from 0.
    test : sequence of int or None, default=None
        Numbers of the test rows, counted from 0. None means all rows that are not training rows.

    Examples
    --------
    >>> from bayesgrove.evaluation import FixedSplit
    >>> (split,) = FixedSplit(2).splits(["no", "yes", "no", "yes"])
    >>> split.train.tolist(), split.test.tolist()
    ([0, 1], [2, 3])
    """

    train: int | Sequence[int]
    test: Sequence[int] | None = None

    def __post_init__(self) -> None:
        if not _is_list(self.train):
            _require_whole("train", self.train, 1)

    def splits(self, y: Any) -> list[Split]:
        """Return the split in a list.

        Parameters
        ----------
        y : array-like of shape (n_rows,)
            Class labels of the rows.

        Returns
        -------
        list of Split
            The only split.
        """
        rows = len(_codes(y))
        train = _training_rows(self.train, rows)
        if self.test is None:
            return [Split("split", 1, train, _others("train", train, rows))]
        test = _row_numbers("test", self.test, rows)
        if np.isin(test, train).any():
            raise ValueError("test must not have rows of train.")
        return [Split("split", 1, train, test)]

    def describe(self) -> str:
        """Return a short description of the protocol.

        Returns
        -------
        str
            The description.

        Examples
        --------
        >>> FixedSplit(1084).describe()
        'the first 1084 rows for training, all others for testing'
        """
        chosen: Any = self.train
        train = f"{len(chosen)} given rows" if _is_list(chosen) else f"the first {chosen} rows"
        test = "all others" if self.test is None else f"{len(self.test)} given rows"
        return f"{train} for training, {test} for testing"


@renamed(seed="random_state")
@dataclass(frozen=True)
class LearningCurve:
    """Random splits with training sets of increasing sizes.

    Within a repeat, each training set contains the smaller ones, and the test rows are the same.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of training rows, strictly increasing.
    test : int or float
        Number of test rows, or their share of the table between 0 and 1.
    repeats : int, default=20
        Number of learning curves.
    random_state : int, default=0
        Seed of the random choice of rows.

    Examples
    --------
    >>> from bayesgrove.evaluation import LearningCurve
    >>> splits = LearningCurve([1, 3], test=1, repeats=1).splits(["no", "yes", "no", "yes"])
    >>> [split.name for split in splits]
    ['repeat 1, 1 rows', 'repeat 1, 3 rows']
    """

    sizes: Sequence[int]
    test: float
    repeats: int = 20
    random_state: int = 0

    def __post_init__(self) -> None:
        if not _is_list(self.sizes) or len(self.sizes) == 0:
            raise OptionError(f"sizes={self.sizes!r} must be a list of numbers of training rows.")
        for size in self.sizes:
            _require_whole("sizes", size, 1)
        if any(b <= a for a, b in zip(self.sizes, self.sizes[1:], strict=False)):
            raise OptionError(f"sizes={list(self.sizes)} must be strictly increasing.")
        _require_size("test", self.test)
        _require_whole("repeats", self.repeats, 1)
        require_seed("random_state", self.random_state)

    def splits(self, y: Any) -> list[Split]:
        """Return the splits, from the smallest to the largest training set within each repeat.

        Parameters
        ----------
        y : array-like of shape (n_rows,)
            Class labels of the rows.

        Returns
        -------
        list of Split
            One split per size and repeat.
        """
        codes = _codes(y)
        n_train, n_test = _counts(self.sizes[-1], self.test, len(codes), "sizes")
        largest = RandomSplits(n_train, n_test, self.repeats, self.random_state)
        return [
            Split(f"repeat {i}, {size} rows", i, train[:size], test)
            for _, i, train, test in largest.splits(codes)
            for size in self.sizes
        ]

    def describe(self) -> str:
        """Return a short description of the protocol.

        Returns
        -------
        str
            The description.

        Examples
        --------
        >>> LearningCurve([50, 100], 200).describe()
        'learning curve of 50, 100 training rows, 20 x 200 test rows, seed 0'
        """
        sizes = ", ".join(map(str, self.sizes))
        tests = f"{self.repeats} x {_size_text(self.test)} test rows"
        return f"learning curve of {sizes} training rows, {tests}, seed {self.random_state}"


@dataclass(frozen=True)
class PredefinedFolds:
    """Cross-validation with predefined folds, such as the folds of a published comparison.

    Parameters
    ----------
    tests : sequence of sequence of int
        Numbers of the test rows of each fold, one repeat after the other. The training rows of a
        fold are all other rows.
    repeats : int, default=1
        Number of repeats. It must divide the number of folds.

    Examples
    --------
    >>> from bayesgrove.evaluation import PredefinedFolds
    >>> splits = PredefinedFolds([[0, 2], [1, 3]]).splits(["no", "yes", "no", "yes"])
    >>> [split.train.tolist() for split in splits]
    [[1, 3], [0, 2]]
    """

    tests: Sequence[Sequence[int]]
    repeats: int = 1

    def __post_init__(self) -> None:
        _require_whole("repeats", self.repeats, 1)
        if len(self.tests) == 0 or len(self.tests) % self.repeats:
            raise OptionError(
                f"repeats={self.repeats} must divide the number of folds, {len(self.tests)}, which "
                "must be at least 1."
            )

    @classmethod
    def from_labels(cls, labels: Sequence[Sequence[Any]]) -> Self:
        """Return folds from a fold label per row.

        Parameters
        ----------
        labels : sequence of sequence
            One list or string per repeat, with one label per row. Rows with the same label are the
            test rows of one fold. The folds are in the order of the sorted labels.

        Returns
        -------
        PredefinedFolds
            The protocol with these folds.

        Examples
        --------
        >>> PredefinedFolds.from_labels(["0101", "0011"]).tests[1]
        [1, 3]
        """
        tests = [_rows_by_label(repeat) for repeat in labels]
        if len({len(folds) for folds in tests}) > 1:
            raise ValueError("The repeats must all have the same number of folds.")
        return cls([rows for folds in tests for rows in folds], repeats=len(tests))

    def splits(self, y: Any) -> list[Split]:
        """Return the splits in the order of the folds.

        Parameters
        ----------
        y : array-like of shape (n_rows,)
            Class labels of the rows.

        Returns
        -------
        list of Split
            One split per fold.
        """
        rows = len(_codes(y))
        splits = []
        for i, numbers in enumerate(self.tests):
            repeat, fold = divmod(i, len(self.tests) // self.repeats)
            name = _fold_name(repeat, fold, self.repeats)
            test = _row_numbers(name, numbers, rows)
            splits.append(Split(name, repeat + 1, _others(name, test, rows), test))
        return splits

    def describe(self) -> str:
        """Return a short description of the protocol.

        Returns
        -------
        str
            The description.

        Examples
        --------
        >>> PredefinedFolds.from_labels(["0101", "0011"]).describe()
        '2 x 2 given folds'
        """
        times = f"{self.repeats} x " if self.repeats > 1 else ""
        return f"{times}{len(self.tests) // self.repeats} given folds"


@renamed(seed="random_state")
def parse_protocol(text: str, random_state: int = 0) -> EvaluationProtocol:
    """Return the protocol that a text such as "5x10" stands for.

    Parameters
    ----------
    text : str
        "10" or "10-fold" is a 10-fold cross-validation, and "5x10" repeats it five times.
        "30x200/235" is 30 random splits of 200 training and 235 test rows, and "30x0.7/0.3" has
        shares of the rows instead. "split:1084" trains on the first 1084 rows and tests on the
        others.
    random_state : int, default=0
        Seed of the random choice of rows.

    Returns
    -------
    CrossValidation, RandomSplits or FixedSplit
        The protocol.

    Raises
    ------
    OptionError
        If the text has another form.

    Examples
    --------
    >>> from bayesgrove.evaluation import parse_protocol
    >>> parse_protocol("5x10").describe()
    '5 x 10-fold cross-validation, stratified, seed 0'
    """
    for pattern, make in _FORMS.items():
        match = re.fullmatch(pattern, str(text).strip().lower())
        if match:
            return make(random_state, *match.groups())
    raise OptionError(
        f"cv={text!r} is not understood: write '10' for 10-fold cross-validation, '5x10' for "
        "five repeats of it, '30x200/235' for 30 random splits of 200 training and 235 test rows, "
        "or 'split:1084' to train on the first 1084 rows."
    )


def protocol_of(cv: Any, random_state: int = 0) -> EvaluationProtocol:
    """Return a protocol as it is, and the protocol of a number or a text."""
    parsed: EvaluationProtocol = cv if hasattr(cv, "splits") else parse_protocol(cv, random_state)
    return parsed


def _cross_validation(random_state: int, repeats: str | None, folds: str) -> EvaluationProtocol:
    return CrossValidation(int(folds), int(repeats or 1), random_state)


def _random_splits(
    random_state: int, repeats: str | None, train: str, test: str
) -> EvaluationProtocol:
    return RandomSplits(_size(train), _size(test), int(repeats or 1), random_state)


def _fixed_split(_: int, train: str) -> EvaluationProtocol:
    return FixedSplit(int(train))


_FORMS: dict[str, Callable[..., EvaluationProtocol]] = {
    r"(?:(\d+)\s*x\s*)?(\d+)(?:-?fold)?": _cross_validation,
    r"(?:(\d+)\s*x\s*)?(\d*\.?\d+)\s*/\s*(\d*\.?\d+)": _random_splits,
    r"split:\s*(\d+)": _fixed_split,
}


def _size(text: str) -> float:
    """Return a number of rows, or a share if the text has a decimal point."""
    return float(text) if "." in text else int(text)


def _size_text(size: float) -> str:
    """Return a number of rows, or a share in percent, as text."""
    return str(size) if is_whole(size) else f"{100 * size:g}%"


def _fold_name(repeat: int, fold: int, repeats: int) -> str:
    """Return the name of a split, with the repeat if there are several."""
    return f"repeat {repeat + 1}, fold {fold + 1}" if repeats > 1 else f"fold {fold + 1}"


def _codes(y: Any) -> Rows:
    """Return the class codes of all rows."""
    rows = 0 if y is None else len(y)
    return encode_target(y, rows)[1].astype(np.intp)


def _counts(train: float, test: float | None, rows: int, option: str = "train") -> tuple[int, int]:
    """Return the numbers of training and test rows; shares are rounded down and up respectively.

    Products that are whole but for rounding errors count as whole: 0.07 * 100 is slightly above 7.
    """
    n_train = int(train) if is_whole(train) else whole_below(train * rows)
    if test is None:
        n_test = rows - n_train
    else:
        n_test = int(test) if is_whole(test) else whole_above(test * rows)
    if min(n_train, n_test) < 1 or n_train + n_test > rows:
        raise OptionError(
            f"{option}={train} and test={test} do not fit the table of {rows} rows: they make "
            f"{n_train} training and {n_test} test rows."
        )
    return n_train, n_test


def _require_strata(codes: Rows, train: int, test: int) -> None:
    """Raise unless there are enough rows for stratified splits."""
    counts = np.bincount(codes)
    if counts.min() < 2:
        raise OptionError(
            "stratified=True needs at least 2 rows of every class, and a class has 1: "
            "use stratified=False."
        )
    if min(train, test) < len(counts):
        raise OptionError(
            f"stratified=True needs a training and a test row for each of the {len(counts)} "
            f"classes; train={train}, test={test}."
        )


def _is_list(value: Any) -> bool:
    """Return whether a value has a length and is not a text."""
    return hasattr(value, "__len__") and not isinstance(value, str)


def _training_rows(train: Any, rows: int) -> Rows:
    """Return the first rows if ``train`` is a number, else the rows that it lists."""
    if _is_list(train):
        return _row_numbers("train", train, rows)
    if train >= rows:
        raise OptionError(f"train={train} must be less than the number of rows, {rows}.")
    return np.arange(train)


def _row_numbers(name: str, values: Any, rows: int) -> Rows:
    """Return row numbers; raise unless they are distinct rows of the table."""
    numbers = np.asarray(values)
    if numbers.ndim != 1 or len(numbers) == 0 or numbers.dtype.kind not in "iu":
        raise ValueError(f"{name} must be a list of row numbers, at least one.")
    if numbers.min() < 0 or numbers.max() >= rows:
        wrong = numbers[(numbers < 0) | (numbers >= rows)][0]
        raise ValueError(f"{name} has row {wrong}; the table has the rows 0 to {rows - 1}.")
    if len(np.unique(numbers)) < len(numbers):
        raise ValueError(f"{name} has a row twice.")
    return numbers.astype(np.intp)


def _others(name: str, chosen: Rows, rows: int) -> Rows:
    """Return all other rows; raise if there are none."""
    others = np.setdiff1d(np.arange(rows), chosen)
    if len(others) == 0:
        raise ValueError(f"{name} has all {rows} rows: no row remains.")
    return others


def _rows_by_label(labels: Sequence[Any]) -> list[list[int]]:
    """Return the rows of every label, in the order of the sorted labels."""
    column = np.asarray(list(labels))
    return [np.flatnonzero(column == label).tolist() for label in np.unique(column)]


def _require_whole(name: str, value: Any, lowest: int) -> None:
    """Raise unless the value is a whole number of at least ``lowest``."""
    if not is_whole(value) or value < lowest:
        raise OptionError(f"{name}={value!r} must be a whole number of at least {lowest}.")


def _require_size(name: str, value: Any) -> None:
    """Raise unless the value is a number of rows, or a share between 0 and 1."""
    share = isinstance(value, Real) and not is_whole(value) and not isinstance(value, bool)
    if (share and 0 < float(value) < 1) or (is_whole(value) and value >= 1):
        return
    raise OptionError(
        f"{name}={value!r} must be a whole number of rows or a share between 0 and 1."
    )
