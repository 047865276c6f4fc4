"""Which rows a model learns from and which it is tested on.

The splits of a protocol depend on the classes of the rows and on its seed only: every model meets
the same ones, and scikit-learn's splitters with that seed make them too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

import numpy as np
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

from bayesgrove._utils.folds import deal
from bayesgrove._utils.options import OptionError, is_whole, require_seed
from bayesgrove._utils.renamed import renamed
from bayesgrove._utils.ties import whole_above, whole_below
from bayesgrove.encoding import encode_target

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Rows = NDArray[np.intp]


class Split(NamedTuple):
    """Row numbers to learn from and to test on; repeats count from 1."""

    name: str
    repeat: int
    train: Rows
    test: Rows

    @property
    def test_share(self) -> float:
        """``n_test / n_train``, which `corrected_t` asks for."""
        return len(self.test) / len(self.train)


class EvaluationProtocol(Protocol):
    """A rule that splits rows into training and test rows, given their classes."""

    def splits(self, y: Any) -> list[Split]:
        """Return the splits of rows with these classes."""

    def describe(self) -> str:
        """Return the protocol in a few words."""


@renamed(seed="random_state")
@dataclass(frozen=True)
class CrossValidation:
    """Every row is tested once per repeat, by a model that learns from the other folds.

    Parameters
    ----------
    folds, repeats, seed : how many, and what fixes the random choice of rows
    stratified : whether folds have the class frequencies of the table. A class of fewer rows than
        folds is spread over as many folds as it can; where all classes are that small, folds are
        drawn without regard to them
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
        """Return the splits, fold by fold within each repeat."""
        codes = _codes(y)
        if len(codes) < self.folds:
            raise OptionError(
                f"folds={self.folds} must be at most the number of rows, {len(codes)}."
            )
        parts = (divmod(i, self.folds) for i in range(self.folds * self.repeats))
        pairs = deal(
            codes,
            self.folds,
            repeats=self.repeats,
            random_state=self.random_state,
            stratified=self.stratified,
        )
        return [
            Split(_fold_name(repeat, fold, self.repeats), repeat + 1, train, test)
            for (repeat, fold), (train, test) in zip(parts, pairs, strict=True)
        ]

    def describe(self) -> str:
        """Return the protocol in a few words.

        >>> CrossValidation(repeats=5).describe()
        '5 x 10-fold cross-validation, stratified, seed 0'
        """
        times = f"{self.repeats} x " if self.repeats > 1 else ""
        kind = ", stratified" if self.stratified else ""
        return f"{times}{self.folds}-fold cross-validation{kind}, seed {self.random_state}"


@renamed(seed="random_state")
@dataclass(frozen=True)
class RandomSplits:
    """Training and test rows drawn anew every time, in fixed numbers.

    Parameters
    ----------
    train, test : whole numbers of rows, or shares of the table between 0 and 1; None tests all
        rows that are not trained on
    repeats, seed : how many splits, and what fixes the random choice of rows
    stratified : whether both parts have the class frequencies of the table
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
        """Return the splits, one per repeat."""
        codes = _codes(y)
        train, test = _counts(self.train, self.test, len(codes))
        if self.stratified:
            _require_strata(codes, train, test)
        splitter = StratifiedShuffleSplit if self.stratified else ShuffleSplit
        made = splitter(
            self.repeats, train_size=train, test_size=test, random_state=self.random_state
        )
        return [
            Split(f"split {i}", i, train, test)
            for i, (train, test) in enumerate(made.split(codes, codes), start=1)
        ]

    def describe(self) -> str:
        """Return the protocol in a few words.

        >>> RandomSplits(200, 235).describe()
        '30 random splits, 200 training and 235 test rows, seed 0'
        """
        kind = ", stratified" if self.stratified else ""
        several = "splits" if self.repeats > 1 else "split"
        test = "all other" if self.test is None else _size_text(self.test)
        parts = f"{_size_text(self.train)} training and {test} test rows"
        return f"{self.repeats} random {several}, {parts}{kind}, seed {self.random_state}"


@dataclass(frozen=True)
class FixedSplit:
    """One split that is given.

    Parameters
    ----------
    train : how many of the first rows to learn from, or the numbers of those rows
    test : numbers of the rows to test on; None is all others
    """

    train: int | Sequence[int]
    test: Sequence[int] | None = None

    def __post_init__(self) -> None:
        if not _is_list(self.train):
            _require_whole("train", self.train, 1)

    def splits(self, y: Any) -> list[Split]:
        """Return the one split."""
        rows = len(_codes(y))
        train = _first_or_given(self.train, rows)
        if self.test is None:
            return [Split("split", 1, train, _others("train", train, rows))]
        test = _row_numbers("test", self.test, rows)
        if np.isin(test, train).any():
            raise ValueError("test must have no row of train.")
        return [Split("split", 1, train, test)]

    def describe(self) -> str:
        """Return the protocol in a few words.

        >>> FixedSplit(1084).describe()
        'the first 1084 rows for training, all others for testing'
        """
        given: Any = self.train
        train = f"{len(given)} given rows" if _is_list(given) else f"the first {given} rows"
        test = "all others" if self.test is None else f"{len(self.test)} given rows"
        return f"{train} for training, {test} for testing"


@renamed(seed="random_state")
@dataclass(frozen=True)
class LearningCurve:
    """Training sets that grow: each holds the ones before; a repeat has one test set.

    Parameters
    ----------
    sizes : numbers of training rows, growing
    test : number of test rows, or their share between 0 and 1
    repeats, seed : how many curves, and what fixes the random choice of rows
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
            raise OptionError(f"sizes={list(self.sizes)} must grow.")
        _require_size("test", self.test)
        _require_whole("repeats", self.repeats, 1)
        require_seed("random_state", self.random_state)

    def splits(self, y: Any) -> list[Split]:
        """Return the splits, from the smallest to the largest training set within each repeat."""
        codes = _codes(y)
        largest, tested = _counts(self.sizes[-1], self.test, len(codes), "sizes")
        whole = RandomSplits(largest, tested, self.repeats, self.random_state)
        return [
            Split(f"repeat {i}, {size} rows", i, train[:size], test)
            for _, i, train, test in whole.splits(codes)
            for size in self.sizes
        ]

    def describe(self) -> str:
        """Return the protocol in a few words.

        >>> LearningCurve([50, 100], 200).describe()
        'learning curve of 50, 100 training rows, 20 x 200 test rows, seed 0'
        """
        sizes = ", ".join(map(str, self.sizes))
        tests = f"{self.repeats} x {_size_text(self.test)} test rows"
        return f"learning curve of {sizes} training rows, {tests}, seed {self.random_state}"


@dataclass(frozen=True)
class PredefinedFolds:
    """Predefined folds, such as those of a published comparison.

    Parameters
    ----------
    tests : numbers of the test rows of each fold, repeat after repeat; a model learns from all
        other rows
    repeats : how many repeats they make up
    """

    tests: Sequence[Sequence[int]]
    repeats: int = 1

    def __post_init__(self) -> None:
        _require_whole("repeats", self.repeats, 1)
        if len(self.tests) == 0 or len(self.tests) % self.repeats:
            raise ValueError(
                f"{len(self.tests)} given folds do not make up repeats={self.repeats} of them."
            )

    @classmethod
    def from_labels(cls, labels: Sequence[Sequence[Any]]) -> Self:
        """Return folds from the fold of every row, one list or string per repeat.

        >>> PredefinedFolds.from_labels(["0101", "0011"]).tests[1]
        [1, 3]
        """
        tests = [_rows_by_label(repeat) for repeat in labels]
        if len({len(folds) for folds in tests}) > 1:
            raise ValueError("The repeats must all have the same number of folds.")
        return cls([rows for folds in tests for rows in folds], repeats=len(tests))

    def splits(self, y: Any) -> list[Split]:
        """Return the splits in the order of the folds."""
        rows = len(_codes(y))
        splits = []
        for i, given in enumerate(self.tests):
            repeat, fold = divmod(i, len(self.tests) // self.repeats)
            name = _fold_name(repeat, fold, self.repeats)
            test = _row_numbers(name, given, rows)
            splits.append(Split(name, repeat + 1, _others(name, test, rows), test))
        return splits

    def describe(self) -> str:
        """Return the protocol in a few words.

        >>> PredefinedFolds.from_labels(["0101", "0011"]).describe()
        '2 x 2 given folds'
        """
        times = f"{self.repeats} x " if self.repeats > 1 else ""
        return f"{times}{len(self.tests) // self.repeats} given folds"


@renamed(seed="random_state")
def parse_protocol(text: str, random_state: int = 0) -> EvaluationProtocol:
    """Return the protocol that a text such as "5x10" describes.

    "10" or "10-fold" is a cross-validation, "5x10" five of them, "30x200/235" 30 random splits of
    200 training and 235 test rows ("30x0.7/0.3" of these shares), "split:1084" learns from the
    first 1084 rows.

    >>> parse_protocol("5x10").describe()
    '5 x 10-fold cross-validation, stratified, seed 0'
    """
    for pattern, make in _WRITTEN.items():
        match = re.fullmatch(pattern, str(text).strip().lower())
        if match:
            return make(random_state, *match.groups())
    raise OptionError(
        f"cv={text!r} is not understood: write '10' for 10-fold cross-validation, '5x10' for "
        "five of them, '30x200/235' for 30 random splits of 200 training and 235 test rows, or "
        "'split:1084' to learn from the first 1084 rows."
    )


def _cross_validation(random_state: int, repeats: str | None, folds: str) -> EvaluationProtocol:
    return CrossValidation(int(folds), int(repeats or 1), random_state)


def _random_splits(
    random_state: int, repeats: str | None, train: str, test: str
) -> EvaluationProtocol:
    return RandomSplits(_size(train), _size(test), int(repeats or 1), random_state)


def _fixed_split(_: int, train: str) -> EvaluationProtocol:
    return FixedSplit(int(train))


_WRITTEN: dict[str, Callable[..., EvaluationProtocol]] = {
    r"(?:(\d+)\s*x\s*)?(\d+)(?:-?fold)?": _cross_validation,
    r"(?:(\d+)\s*x\s*)?(\d*\.?\d+)\s*/\s*(\d*\.?\d+)": _random_splits,
    r"split:\s*(\d+)": _fixed_split,
}


def _size(text: str) -> float:
    return float(text) if "." in text else int(text)


def _size_text(size: float) -> str:
    return str(size) if is_whole(size) else f"{100 * size:g}%"


def _fold_name(repeat: int, fold: int, repeats: int) -> str:
    return f"repeat {repeat + 1}, fold {fold + 1}" if repeats > 1 else f"fold {fold + 1}"


def _codes(y: Any) -> Rows:
    """Return the codes of the classes of all rows."""
    rows = 0 if y is None else len(y)
    return encode_target(y, rows)[1].astype(np.intp)


def _counts(train: float, test: float | None, rows: int, option: str = "train") -> tuple[int, int]:
    """Return numbers of training and test rows; the first rounds a share down, the second up.

    Products are rounded before: 0.07 * 100 is a little more than 7.
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
    return hasattr(value, "__len__") and not isinstance(value, str)


def _first_or_given(train: Any, rows: int) -> Rows:
    if _is_list(train):
        return _row_numbers("train", train, rows)
    if train >= rows:
        raise OptionError(f"train={train} must be less than the number of rows, {rows}.")
    return np.arange(train)


def _row_numbers(name: str, given: Any, rows: int) -> Rows:
    """Return row numbers; raise unless all are rows of the table, each once."""
    numbers = np.asarray(given)
    if numbers.ndim != 1 or len(numbers) == 0 or numbers.dtype.kind not in "iu":
        raise ValueError(f"{name} must be a list of row numbers, at least one.")
    if numbers.min() < 0 or numbers.max() >= rows:
        wrong = numbers[(numbers < 0) | (numbers >= rows)][0]
        raise ValueError(f"{name} has row {wrong}; the table has the rows 0 to {rows - 1}.")
    if len(np.unique(numbers)) < len(numbers):
        raise ValueError(f"{name} has a row twice.")
    return numbers.astype(np.intp)


def _others(name: str, chosen: Rows, rows: int) -> Rows:
    left = np.setdiff1d(np.arange(rows), chosen)
    if len(left) == 0:
        raise ValueError(f"{name} has all {rows} rows: none is left.")
    return left


def _rows_by_label(labels: Sequence[Any]) -> list[list[int]]:
    """Return the rows of every label, the labels sorted."""
    column = np.asarray(list(labels))
    return [np.flatnonzero(column == label).tolist() for label in np.unique(column)]


def _require_whole(name: str, value: Any, lowest: int) -> None:
    if not is_whole(value) or value < lowest:
        raise OptionError(f"{name}={value!r} must be a whole number of at least {lowest}.")


def _require_size(name: str, value: Any) -> None:
    """Raise unless the value is a number of rows or a share."""
    share = isinstance(value, Real) and not is_whole(value) and not isinstance(value, bool)
    if (share and 0 < float(value) < 1) or (is_whole(value) and value >= 1):
        return
    raise OptionError(
        f"{name}={value!r} must be a whole number of rows or a share between 0 and 1."
    )
