from itertools import product

import numpy as np
import pandas as pd
import pytest

from bayesgrove.datasets import load_dataset

SEGMENTS = "1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011"
DIGITS = np.array([[int(bit) for bit in code] for code in SEGMENTS.split()])
LIT = 0.1 + 0.8 * DIGITS  # P(segment = 1 | digit)
WAVES = np.array([[max(6 - abs(i - peak), 0) for i in range(1, 22)] for peak in (7, 15, 11)])
PAIRS = [(0, 1), (0, 2), (1, 2)]


def monks_rule(problem, a, b, c, d, e, f):
    if problem == 1:
        return a == b or e == 1
    if problem == 2:
        return [a, b, c, d, e, f].count(1) == 2
    return (e == 3 and d == 1) or (e != 4 and b != 3)


@pytest.mark.parametrize("name", ["tic-tac-toe", "balance-scale", "corral"])
def test_equals_the_folder_copy(name, data_folder, multiset):
    ours, theirs = load_dataset(name), load_dataset(name, source="folder")
    assert ours.info.source == "generated"
    assert multiset(ours.frame) == multiset(theirs.frame)
    pd.testing.assert_series_equal(ours.frame.dtypes, theirs.frame.dtypes)


@pytest.mark.parametrize("problem", [1, 2, 3])
def test_monks_equal_the_test_part_of_the_folder_copy(problem, data_folder):
    ours = load_dataset(f"monks-{problem}").frame
    theirs = load_dataset(f"monks-{problem}", source="folder").frame
    pd.testing.assert_frame_equal(ours, theirs.tail(432).reset_index(drop=True))


@pytest.mark.parametrize("problem", [1, 2, 3])
def test_monks_are_every_combination_with_the_rule(problem, multiset):
    combinations = product(*(range(1, size + 1) for size in (3, 3, 2, 3, 4, 2)))
    rows = [(*map(str, row), str(int(monks_rule(problem, *row)))) for row in combinations]
    assert multiset(load_dataset(f"monks-{problem}").frame) == multiset(pd.DataFrame(rows))


def test_tic_tac_toe_counts():
    X, y = load_dataset("tic-tac-toe")
    assert len(X.drop_duplicates()) == len(X) == 958
    assert y.value_counts().to_dict() == {"positive": 626, "negative": 332}
    assert ((X == "b").sum(axis=1) == 0).sum() == 78, "62 wins of x on a full board and 16 draws"


def test_balance_scale_counts():
    X, y = load_dataset("balance-scale")
    assert (X.dtypes == "float64").all()
    assert y.value_counts().to_dict() == {"L": 288, "R": 288, "B": 49}


def test_corral_correlated_attribute_agrees_in_three_of_four():
    X, y = load_dataset("corral")
    agrees = X["Correlated"].astype(str) == y.astype(str)
    settings = X.columns.drop("Correlated").to_list()
    assert (agrees.groupby([X[column] for column in settings], observed=True).sum() == 3).all()


def test_led7_bayes_rate():
    X, y = load_dataset("led7", rows=50_000, random_state=1)
    patterns = np.array(list(product([0, 1], repeat=7)))
    likelihood = np.where(patterns[:, None, :] == 1, LIT, 1 - LIT).prod(axis=2)
    exact = likelihood.max(axis=1).sum() / 10
    assert exact == pytest.approx(0.74, abs=0.001), "the figure in Breiman et al. 1984"
    index = X.astype(int).to_numpy() @ (2 ** np.arange(6, -1, -1))
    accuracy = (likelihood.argmax(axis=1)[index] == y.astype(int)).mean()
    assert accuracy == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / len(y)))


def assert_segments_follow_the_display(dataset):
    lit = dataset.X.astype(int).groupby(dataset.y.astype(int)).agg(["sum", "count"])
    observed, count = lit.xs("sum", axis=1, level=1), lit.xs("count", axis=1, level=1)
    error = np.sqrt(0.1 * 0.9 / count.to_numpy())
    assert (np.abs(observed / count - LIT).to_numpy() < 4.5 * error).all()


def test_led7_segments_given_the_digit():
    assert_segments_follow_the_display(load_dataset("led7"))


def test_led7_in_the_folder_follows_the_same_display(data_folder):
    assert_segments_follow_the_display(load_dataset("led7", source="folder"))


def assert_waves_follow_theory(X, y):
    for label, (first, second) in enumerate(PAIRS):
        rows = X[(y == str(label)).to_numpy()].to_numpy()[:, :21]
        variance = 1 + (WAVES[first] - WAVES[second]) ** 2 / 12
        error = np.sqrt(variance / len(rows))
        assert (np.abs(rows.mean(axis=0) - (WAVES[first] + WAVES[second]) / 2) < 4.5 * error).all()
        np.testing.assert_allclose(rows.var(axis=0), variance, rtol=0.15)
    noise = X.to_numpy()[:, 21:]
    assert (np.abs(noise.mean(axis=0)) < 4.5 / np.sqrt(len(X))).all()
    np.testing.assert_allclose(noise.var(axis=0), 1, rtol=0.1)


def test_waveform_means_and_variances():
    X, y = load_dataset("waveform")
    assert X.shape == (5000, 40)
    assert_waves_follow_theory(X, y)


def test_waveform_5000_in_the_folder_follows_the_same_theory(data_folder):
    assert_waves_follow_theory(*load_dataset("waveform-5000"))


def test_waveform_without_noise_attributes():
    X, _ = load_dataset("waveform", rows=10, noise_attributes=0)
    assert X.columns.to_list() == [f"x{i}" for i in range(1, 22)]


@pytest.mark.parametrize("name", ["led7", "waveform"])
def test_seed_decides_the_sample(name):
    first, again, other = (
        load_dataset(name, rows=50, random_state=seed).frame for seed in (3, 3, 4)
    )
    pd.testing.assert_frame_equal(first, again)
    assert not first.equals(other)


def test_complete_sets_take_no_options():
    with pytest.raises(TypeError, match="rows"):
        load_dataset("corral", rows=10)
