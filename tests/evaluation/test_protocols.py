"""Protocols: what splits promise, scikit-learn's splits, and errors that are sentences."""

import warnings
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.model_selection import (
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from bayesgrove.evaluation.protocols import (
    CrossValidation,
    FixedSplit,
    LearningCurve,
    PredefinedFolds,
    RandomSplits,
    parse_protocol,
)

examples = settings(deadline=None, derandomize=True, database=None)


def classes(*counts, seed=0):
    """Labels with so many rows of each class, shuffled."""
    labels = np.repeat([f"class {k}" for k in range(len(counts))], counts)
    return np.random.default_rng(seed).permutation(labels)


Y = classes(60, 30, 10)


def same(splits, pairs):
    for split, (train, test) in zip(splits, pairs, strict=True):
        assert_array_equal(split.train, train)
        assert_array_equal(split.test, test)


def covers_once(splits, rows):
    """Whether each repeat tests every row once, and no split a row that it learns from."""
    for repeat in {split.repeat for split in splits}:
        tests = [split.test for split in splits if split.repeat == repeat]
        if sorted(np.concatenate(tests)) != list(range(rows)):
            return False
    return all(len(np.union1d(s.train, s.test)) == len(s.train) + len(s.test) for s in splits)


# --- cross-validation


def test_every_row_is_tested_once_a_repeat():
    splits = CrossValidation(folds=10, repeats=5).splits(Y)
    assert len(splits) == 50
    assert [split.repeat for split in splits] == np.repeat(range(1, 6), 10).tolist()
    assert covers_once(splits, 100)
    assert all(len(split.train) + len(split.test) == 100 for split in splits)


def test_folds_are_stratified():
    for split in CrossValidation(repeats=2).splits(Y):
        assert [int((Y[split.test] == f"class {k}").sum()) for k in range(3)] == [6, 3, 1]


def test_cross_validation_is_that_of_scikit_learn():
    X = np.zeros(len(Y))
    same(
        CrossValidation(random_state=3).splits(Y),
        StratifiedKFold(10, shuffle=True, random_state=3).split(X, Y),
    )
    same(
        CrossValidation(repeats=4, random_state=3).splits(Y),
        RepeatedStratifiedKFold(n_splits=10, n_repeats=4, random_state=3).split(X, Y),
    )
    same(
        CrossValidation(folds=4, random_state=3, stratified=False).splits(Y),
        KFold(4, shuffle=True, random_state=3).split(X),
    )


def test_names_of_folds_are_unique():
    assert CrossValidation(folds=2).splits(Y)[1].name == "fold 2"
    names = [split.name for split in CrossValidation(folds=3, repeats=2).splits(Y)]
    assert names[4] == "repeat 2, fold 2"
    assert len(set(names)) == 6


def test_seeds_differ_and_repeat():
    first, again, other = (CrossValidation(random_state=seed).splits(Y) for seed in (1, 1, 2))
    same(first, [(split.train, split.test) for split in again])
    assert any(list(a.test) != list(b.test) for a, b in zip(first, other, strict=True))


@pytest.mark.parametrize("y", [Y.tolist(), pd.Series(Y), pd.Series(Y, dtype="category")])
def test_any_column_of_classes_gives_the_same_splits(y):
    for protocol in (CrossValidation(), RandomSplits(50, stratified=True, repeats=2)):
        same(protocol.splits(y), [(s.train, s.test) for s in protocol.splits(Y)])


def test_new_names_for_classes_change_no_fold():
    renamed = np.array([{"class 0": 7, "class 1": 3, "class 2": 5}[label] for label in Y])
    same(
        CrossValidation().splits(renamed), [(s.train, s.test) for s in CrossValidation().splits(Y)]
    )


@examples
@given(
    counts=st.lists(st.integers(1, 14), min_size=1, max_size=6),
    folds=st.integers(2, 12),
    stratified=st.booleans(),
)
def test_small_classes_neither_fail_nor_warn(counts, folds, stratified):
    y = classes(*counts)
    protocol = CrossValidation(folds, repeats=2, stratified=stratified)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if len(y) < folds:
            with pytest.raises(ValueError, match=f"folds={folds} must be at most"):
                protocol.splits(y)
            return
        splits = protocol.splits(y)
    assert covers_once(splits, len(y))
    assert all(len(split.train) and len(split.test) for split in splits)


def test_a_small_class_is_spread_over_folds():
    y = classes(50, 4)
    tests = [split.test for split in CrossValidation().splits(y)]
    assert sorted(int((y[test] == "class 1").sum()) for test in tests) == [0] * 6 + [1] * 4


def test_leave_one_out():
    splits = CrossValidation(folds=6).splits(classes(4, 2))
    assert [len(split.test) for split in splits] == [1] * 6
    assert covers_once(splits, 6)


def test_test_share():
    assert CrossValidation().splits(Y)[0].test_share == pytest.approx(1 / 9)


# --- random splits


def test_random_splits_have_the_sizes_asked_for():
    splits = RandomSplits(20, 30, repeats=7).splits(Y)
    assert [split.repeat for split in splits] == list(range(1, 8))
    assert [split.name for split in splits[:2]] == ["split 1", "split 2"]
    for split in splits:
        assert (len(split.train), len(split.test)) == (20, 30)
        assert len(np.union1d(split.train, split.test)) == 50
    assert len({tuple(sorted(split.test)) for split in splits}) == 7


def test_random_splits_are_those_of_scikit_learn():
    X = np.zeros(len(Y))
    same(
        RandomSplits(20, 30, repeats=4, random_state=5).splits(Y),
        ShuffleSplit(4, train_size=20, test_size=30, random_state=5).split(X),
    )
    same(
        RandomSplits(20, 30, repeats=4, random_state=5, stratified=True).splits(Y),
        StratifiedShuffleSplit(4, train_size=20, test_size=30, random_state=5).split(X, Y),
    )


@pytest.mark.parametrize(
    ("train", "test", "expected"),
    [
        (0.5, None, (50, 50)),
        (0.93, 0.07, (93, 7)),  # 0.07 * 100 is a little more than 7
        (0.29, 0.71, (29, 71)),  # 0.29 * 100 is a little less than 29
        (70, None, (70, 30)),
        (np.int64(70), 0.1, (70, 10)),
        (0.333, 0.333, (33, 34)),
    ],
)
def test_shares_and_rests(train, test, expected):
    (split,) = RandomSplits(train, test, repeats=1).splits(Y)
    assert (len(split.train), len(split.test)) == expected


def test_stratified_random_splits():
    for split in RandomSplits(50, 20, stratified=True, repeats=3).splits(Y):
        assert [int((Y[split.train] == f"class {k}").sum()) for k in range(3)] == [30, 15, 5]
        assert [int((Y[split.test] == f"class {k}").sum()) for k in range(3)] == [12, 6, 2]


# --- given splits


def test_fixed_split_by_number():
    (split,) = FixedSplit(70).splits(Y)
    assert_array_equal(split.train, np.arange(70))
    assert_array_equal(split.test, np.arange(70, 100))
    assert split.name == "split"


def test_fixed_split_by_rows():
    (split,) = FixedSplit([3, 1]).splits(list("abab"))
    assert_array_equal(split.train, [3, 1])
    assert_array_equal(split.test, [0, 2])
    (split,) = FixedSplit(np.array([3, 1]), [2]).splits(list("abab"))
    assert_array_equal(split.test, [2])


def test_given_folds():
    splits = PredefinedFolds([[0, 2], [1, 3]]).splits(list("abab"))
    same(splits, [([1, 3], [0, 2]), ([0, 2], [1, 3])])
    assert [split.name for split in splits] == ["fold 1", "fold 2"]


def test_given_folds_by_label():
    protocol = PredefinedFolds.from_labels(["0110", "1100"])
    splits = protocol.splits(list("abab"))
    assert [split.repeat for split in splits] == [1, 1, 2, 2]
    assert splits[2].name == "repeat 2, fold 1"
    same(splits, [([1, 2], [0, 3]), ([0, 3], [1, 2]), ([0, 1], [2, 3]), ([2, 3], [0, 1])])
    assert covers_once(splits, 4)
    assert PredefinedFolds.from_labels([[10, 9, 9]]).tests == [[1, 2], [0]]


# --- learning curves


def test_training_sets_of_a_learning_curve_are_nested():
    splits = LearningCurve([5, 20, 60], test=30, repeats=4, random_state=2).splits(Y)
    assert len(splits) == 12
    assert splits[4].name == "repeat 2, 20 rows"
    for i in range(0, 12, 3):
        small, middle, large = splits[i : i + 3]
        assert [len(split.train) for split in (small, middle, large)] == [5, 20, 60]
        assert set(small.train) < set(middle.train) < set(large.train)
        assert_array_equal(small.test, large.test)
        assert not set(large.train) & set(large.test)
        assert len(large.test) == 30
    assert set(splits[0].test) != set(splits[3].test)


# --- texts


@pytest.mark.parametrize(
    ("protocol", "text"),
    [
        (CrossValidation(repeats=5), "5 x 10-fold cross-validation, stratified, seed 0"),
        (CrossValidation(3, stratified=False, random_state=8), "3-fold cross-validation, seed 8"),
        (RandomSplits(200, 235), "30 random splits, 200 training and 235 test rows, seed 0"),
        (
            RandomSplits(0.7, repeats=1, stratified=True),
            "1 random split, 70% training and all other test rows, stratified, seed 0",
        ),
        (FixedSplit(1084), "the first 1084 rows for training, all others for testing"),
        (FixedSplit([1, 2], [4]), "2 given rows for training, 1 given rows for testing"),
        (
            LearningCurve((50, 100), 0.25, 10, 1),
            "learning curve of 50, 100 training rows, 10 x 25% test rows, seed 1",
        ),
        (PredefinedFolds([[0], [1]]), "2 given folds"),
        (PredefinedFolds([[0], [1]], repeats=2), "2 x 1 given folds"),
    ],
)
def test_descriptions(protocol, text):
    assert protocol.describe() == text


@pytest.mark.parametrize(
    ("text", "protocol"),
    [
        ("10", CrossValidation(10)),
        ("3-fold", CrossValidation(3)),
        (" 5x10 ", CrossValidation(10, repeats=5)),
        ("5 X 10-fold", CrossValidation(10, repeats=5)),
        ("30x200/235", RandomSplits(200, 235, repeats=30)),
        ("200/235", RandomSplits(200, 235, repeats=1)),
        ("30x0.7/.3", RandomSplits(0.7, 0.3, repeats=30)),
        ("split:1084", FixedSplit(1084)),
    ],
)
def test_written_protocols(text, protocol):
    assert parse_protocol(text) == protocol


def test_the_seed_of_a_written_protocol():
    assert parse_protocol("5x10", random_state=4) == CrossValidation(10, 5, random_state=4)
    assert parse_protocol("9x5/5", random_state=4) == RandomSplits(5, 5, 9, random_state=4)


@pytest.mark.parametrize(
    "text", ["", "ten", "-3", "5x", "x10", "5x10x2", "10%", "split:", "split:a", "30x200/", "1e3"]
)
def test_written_protocols_that_are_not_understood(text):
    with pytest.raises(ValueError, match="is not understood: write '10' for 10-fold"):
        parse_protocol(text)


# --- errors


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CrossValidation(folds=1), "folds=1 must be a whole number of at least 2."),
        (lambda: CrossValidation(folds=2.5), "folds=2.5 must be a whole number"),
        (lambda: CrossValidation(folds=True), "folds=True must be a whole number"),
        (lambda: CrossValidation(repeats=0), "repeats=0 must be a whole number of at least 1."),
        (
            lambda: CrossValidation(random_state=-1),
            "random_state=-1 must be a whole number from 0 to",
        ),
        (lambda: CrossValidation(random_state=None), "random_state=None must be a whole number"),
        (lambda: RandomSplits(0), "train=0 must be a whole number of rows or a share"),
        (lambda: RandomSplits(1.0), "train=1.0 must be a whole number of rows or a share"),
        (lambda: RandomSplits(True), "train=True must be a whole number of rows or a share"),
        (lambda: RandomSplits("7"), "train='7' must be a whole number of rows or a share"),
        (lambda: RandomSplits(5, -0.2), "test=-0.2 must be a whole number of rows or a share"),
        (lambda: RandomSplits(5, repeats=0), "repeats=0 must be"),
        (lambda: FixedSplit(0), "train=0 must be a whole number of at least 1."),
        (lambda: FixedSplit("ab"), "train='ab' must be a whole number of at least 1."),
        (lambda: LearningCurve([], 5), "must be a list of numbers of training rows"),
        (lambda: LearningCurve(5, 5), "sizes=5 must be a list of numbers of training rows"),
        (lambda: LearningCurve([5, 5], 5), r"sizes=\[5, 5\] must be strictly increasing."),
        (lambda: LearningCurve([0, 5], 5), "sizes=0 must be a whole number of at least 1."),
        (lambda: LearningCurve([5], 0), "test=0 must be a whole number of rows or a share"),
        (lambda: PredefinedFolds([]), "repeats=1 must divide the number of folds, 0,"),
        (
            lambda: PredefinedFolds([[0], [1]], repeats=3),
            "repeats=3 must divide the number of folds, 2,",
        ),
        (lambda: PredefinedFolds.from_labels(["011", "012"]), "the same number of folds"),
        (lambda: parse_protocol("1"), "folds=1 must be"),
        (lambda: parse_protocol("0x10"), "repeats=0 must be"),
        (lambda: parse_protocol("30x1.5/2"), "train=1.5 must be"),
    ],
)
def test_options_that_make_no_sense(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("protocol", "message"),
    [
        (CrossValidation(101), "folds=101 must be at most the number of rows, 100."),
        (RandomSplits(80, 30), "train=80 and test=30 do not fit the table of 100 rows"),
        (RandomSplits(100), "they make 100 training and 0 test rows"),
        (RandomSplits(0.001), "they make 0 training and 100 test rows"),
        (RandomSplits(50, 2, stratified=True), "for each of the 3 classes; train=50, test=2"),
        (LearningCurve([10, 90], 20), "sizes=90 and test=20 do not fit the table of 100 rows"),
        (FixedSplit(100), "train=100 must be less than the number of rows, 100."),
        (FixedSplit([5, 100]), "train has row 100; the table has the rows 0 to 99."),
        (FixedSplit([5, -1]), "train has row -1;"),
        (FixedSplit([5, 5]), "train has a row twice."),
        (FixedSplit([]), "train must be a list of row numbers, at least one."),
        (FixedSplit([0.5]), "train must be a list of row numbers, at least one."),
        (FixedSplit(list(range(100))), "train has all 100 rows: no row remains."),
        (FixedSplit(50, [49]), "test must not have rows of train."),
        (PredefinedFolds([[0], [100]]), "fold 2 has row 100;"),
        (PredefinedFolds([[0], []]), "fold 2 must be a list of row numbers"),
    ],
)
def test_protocols_that_do_not_fit_the_table(protocol, message):
    with pytest.raises(ValueError, match=message):
        protocol.splits(Y)


def test_a_class_of_one_row_cannot_be_split_in_proportion():
    with pytest.raises(ValueError, match="a class has 1: use stratified=False"):
        RandomSplits(5, stratified=True).splits(classes(9, 1))


def test_no_class_column():
    with pytest.raises(ValueError, match="requires y to be passed"):
        CrossValidation().splits(None)


def test_protocols_do_not_change():
    with pytest.raises(FrozenInstanceError):
        CrossValidation().folds = 3
