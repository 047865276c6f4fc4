"""Boosted trees: folds, the number of rounds, what is predicted; accuracy beside scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from bayesgrove.encoding import Encoded, code_type
from bayesgrove.kernels import kernels, numpy_kernels
from bayesgrove.trees import BoostedTrees
from bayesgrove.trees import boosting as module
from bayesgrove.trees.binned import _equal_bins


def make_rows(rows=300, classes=3, seed=0, weights=None):
    """A nominal column, an axis, an axis with missing values, and noise."""
    rng = np.random.default_rng(seed)
    target = rng.integers(0, classes, rows)
    colour = np.where(rng.random(rows) < 0.5, target, rng.integers(0, 5, rows))
    size = np.clip(target * 3 + rng.integers(0, 6, rows), 0, 11)
    weight = np.where(rng.random(rows) < 0.2, 12, np.clip(target + rng.integers(0, 9, rows), 0, 11))
    columns = [colour, size, weight, rng.integers(0, 3, rows)]
    codes = [column.astype(np.uint8) for column in columns]
    cards = [max(5, classes), 12, 13, 3]
    return Encoded(codes, cards, rows, target.astype(np.uint8), classes, weights)


ORDERED = [0, 12, 12, 3]


def prior_of(rows):
    counts = np.bincount(rows.target, minlength=rows.n_classes)
    return np.log((counts + 0.5) / (rows.rows + 0.5 * rows.n_classes))


def learn(rows, threads=1, ordered=ORDERED, **options):
    return BoostedTrees(**options).learn(rows, ordered, prior_of(rows), threads)


def scores_of(fit, rows):
    scores = np.tile(prior_of(rows), (rows.rows, 1))
    fit.trees.add_to(scores, rows)
    return scores


def loss_of(scores, target, weights=None):
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return log_loss(target, shares, labels=np.arange(scores.shape[1]), sample_weight=weights)


def assert_same_trees(one, two):
    for name in ("asked", "sizes", "outputs", "column", "child", "sides", "value", "gain"):
        assert_array_equal(getattr(one, name), getattr(two, name))


@pytest.fixture
def calls(monkeypatch):
    """The calls of the kernel that boosts: folds, first round, number of rounds, sampled."""
    noted = []

    class Noting:
        def __getattr__(self, name):
            return getattr(kernels, name)

        def boost_rounds(self, *given):
            noted.append((given[6].copy(), given[8], given[9], given[15]))
            return kernels.boost_rounds(*given)

    monkeypatch.setattr(module, "kernels", Noting())
    return noted


# ---------------------------------------------------------------- folds and rounds


@pytest.mark.parametrize(
    ("rows", "folds", "held_out", "sampled"),
    [(5, 5, 5, False), (1999, 8, 1999, False), (2000, 5, 800, True), (6000, 10, 600, True)],
)
def test_folds_depend_on_the_number_of_rows(calls, rows, folds, held_out, sampled):
    data = make_rows(rows)
    fit = learn(data, max_rounds=1)
    dealt, _, _, is_sampled = calls[0]
    assert sorted(set(dealt.tolist())) == list(range(folds))
    assert is_sampled is sampled
    assert len(fit.held_out) == held_out
    assert (np.diff(fit.held_out) > 0).all()
    for c in range(3):
        sizes = np.bincount(dealt[data.target == c], minlength=folds)
        assert sizes.max() - sizes.min() <= 1


@pytest.mark.parametrize(("rows", "classes"), [(200, 2), (300, 3), (2100, 2), (2100, 3)])
def test_out_of_fold_scores_come_from_the_other_rows(calls, rows, classes):
    """Each fold again: a table without its rows, boosted without held-out rows."""
    data = make_rows(rows, classes)
    fit = learn(data, max_rounds=5, max_leaves=8)
    assert fit.rounds == 5
    folds, prior = calls[0][0], prior_of(data)
    start = prior if classes > 2 else np.diff(prior)
    position = {row: k for k, row in enumerate(fit.held_out.tolist())}
    seed = int(_generator_after_folds(rows).integers(1 << 63))
    for run in range(2):
        held_out = folds == run
        scores = np.zeros((run + 1, len(start), rows)) + start[:, None]
        # Only runs before and at this one: a run does not depend on how many there are.
        kernels.boost_rounds(
            *_bins(data), data.target, classes, None, folds, scores, 0, 5, 8, 8, 0.2, 1.0, 0.1,
            rows >= 2000, seed, 1,
        )  # fmt: skip
        expected = scores[run].T[held_out]
        places = [position[row] for row in np.flatnonzero(held_out).tolist()]
        actual = fit.scores[places]
        if classes == 2:
            actual = np.diff(actual, axis=1)
        assert_allclose(actual, expected, rtol=1e-9, atol=1e-12)
    assert fit.loss == pytest.approx(loss_of(fit.scores, data.target[fit.held_out]))


def _generator_after_folds(rows):
    random = np.random.default_rng(0)
    random.permutation(rows)
    return random


def _bins(data):
    return np.stack(data.columns, axis=1), data.cards, ORDERED


def test_a_class_of_a_held_out_row_does_not_change_its_score(calls):
    """The classes of two rows of one fold are exchanged: the folds stay, and so do their scores."""
    data = make_rows(120, 2)
    before = learn(data, max_rounds=4, patience=4)
    folds = calls[0][0]
    same = np.flatnonzero(folds == 0)
    pair = [same[data.target[same] == c][0] for c in (0, 1)]
    target = data.target.copy()
    target[pair] = target[pair[::-1]]
    scores = np.zeros((8, 1, 120))
    arguments = [0, 4, 32, 8, 0.2, 1.0, 0.1, False, 1, 1]
    kernels.boost_rounds(*_bins(data), data.target, 2, None, folds, scores, *arguments)
    changed = np.zeros((8, 1, 120))
    kernels.boost_rounds(*_bins(data), target, 2, None, folds, changed, *arguments)
    assert_array_equal(scores[0], changed[0])
    assert not np.array_equal(scores[1], changed[1])
    assert before.rounds == 4


@pytest.mark.parametrize("patience", [1, 3, 6])
@pytest.mark.parametrize("rows", [150, 400])
def test_boosting_stops_as_a_plain_loop_does(calls, patience, rows):
    data = make_rows(rows, 3, seed=4)
    fit = learn(data, patience=patience, max_rounds=40)
    folds, prior = calls[0][0], prior_of(data)
    scores = np.zeros((8, 3, rows)) + prior[:, None]
    seed = int(_generator_after_folds(rows).integers(1 << 63))
    losses, _, _ = kernels.boost_rounds(
        *_bins(data), data.target, 3, None, folds, scores, 0, 40, 32, 8, 0.2, 1.0, 0.1, False,
        seed, 1,
    )  # fmt: skip
    best = reference = loss_of(np.tile(prior, (rows, 1)), data.target) * rows
    chosen = stale = done = 0
    for loss in losses.sum(axis=1):
        done += 1
        stale = 0 if loss < reference * 0.999 else stale + 1
        reference = min(reference, loss) if stale == 0 else reference
        if loss < best:
            best, chosen = loss, done
        if stale == patience:
            break
    assert fit.rounds == chosen
    assert fit.loss == pytest.approx(best / rows)
    assert sum(count for at, _, count, _ in calls if (at >= 0).all()) == done
    assert 0 < chosen < 40


def test_small_tables_are_learned_again_from_all_rows(calls):
    data = make_rows(300)
    fit = learn(data)
    folds, first, rounds, _ = calls[-1]
    assert (folds == -1).all()
    assert (first, rounds) == (0, fit.rounds)
    assert fit.trees.n_trees == 3 * fit.rounds


def test_larger_tables_have_the_mean_of_two_runs():
    data = make_rows(2500, 3)
    fit = learn(data, max_rounds=6)
    assert fit.trees.n_trees == 2 * 3 * fit.rounds
    single = learn(data, max_rounds=6).trees
    runs = [np.repeat(np.arange(fit.trees.n_trees) // (3 * fit.rounds) == k, single.sizes)
            for k in range(2)]  # fmt: skip
    sums = []
    for mine in runs:
        scores = np.zeros((2500, 3))
        # The other run says nothing, and this one counts twice: it is the whole of one run.
        object.__setattr__(single, "value", np.where(mine, fit.trees.value * 2, 0.0))
        single.add_to(scores, data)
        sums.append(scores + prior_of(data))
    assert_allclose(np.mean(sums, axis=0), scores_of(fit, data), rtol=1e-9)
    # A held-out row has the score of one of the runs.
    held = [np.abs(fit.scores - scores[fit.held_out]).max(axis=1) < 1e-9 for scores in sums]
    assert (held[0] | held[1]).all()
    assert 300 < held[0].sum() < 700


# ---------------------------------------------------------------- what does not matter, what does


@pytest.mark.parametrize("rows", [300, 2500, 6500])
def test_threads_change_nothing_and_seeds_do(rows):
    data = make_rows(rows)
    one, two = learn(data, max_rounds=8), learn(data, threads=2, max_rounds=8)
    assert_same_trees(one.trees, two.trees)
    assert_array_equal(one.scores, two.scores)
    other = learn(data, max_rounds=8, random_state=1)
    assert not np.array_equal(one.scores, other.scores)


def test_rows_of_weight_0_are_left_out():
    data = make_rows(300)
    weights = np.random.default_rng(0).choice([0.0, 0.5, 2.0], 300)
    kept = np.flatnonzero(weights)
    heavy = Encoded(data.columns, data.cards, 300, data.target, 3, weights)
    prior = prior_of(data)
    fit = BoostedTrees().learn(heavy, ORDERED, prior)
    part = BoostedTrees().learn(heavy.take(kept), ORDERED, prior)
    assert_same_trees(fit.trees, part.trees)
    assert_array_equal(fit.held_out, kept[part.held_out])
    assert_array_equal(fit.scores, part.scores)
    expected = loss_of(fit.scores, data.target[fit.held_out], weights[fit.held_out])
    assert fit.loss == pytest.approx(expected)


def test_weights_move_the_predictions_to_heavy_rows():
    data = make_rows(400, 2)
    weights = np.where(data.target == 1, 9.0, 1.0)
    heavy = Encoded(data.columns, data.cards, 400, data.target, 2, weights)
    differences = [np.diff(scores_of(learn(rows), data), axis=1) for rows in (data, heavy)]
    assert (differences[1] > differences[0]).mean() > 0.9


def test_an_axis_is_cut_into_bins_of_equal_frequency():
    counts = np.array([5, 1, 1, 1, 0, 4, 2, 2], dtype=float)
    # 16 rows in 4 bins: cuts where 4, 8 and 12 rows are reached.
    assert _equal_bins(counts, 4).tolist() == [0, 1, 1, 1, 2, 2, 3, 3]
    assert _equal_bins(counts, 8).tolist() == list(range(8))
    assert _equal_bins(np.ones(300), 128).max() == 127


def test_many_ordered_codes_are_tested_in_bins():
    rng = np.random.default_rng(0)
    fine = rng.integers(0, 1000, 500)
    target = (fine > 400).astype(np.uint8)
    data = Encoded([fine.astype(np.uint16)], [1001], 500, target, 2)
    fit = learn(data, ordered=[1000])
    assert fit.trees.n_bins.tolist() == [129]
    assert (scores_of(fit, data).argmax(axis=1) == target).mean() > 0.98


# ---------------------------------------------------------------- prediction


def test_columns_are_counted_with_their_gains():
    data = make_rows(300)
    trees = learn(data, max_rounds=5).trees
    tests = trees.column >= 0
    assert [use.column for use in trees.columns] == trees.asked.tolist()
    assert sum(use.splits for use in trees.columns) == tests.sum()
    assert sum(use.gain for use in trees.columns) == pytest.approx(trees.gain.sum())
    for place, use in enumerate(trees.columns):
        assert use.splits == (trees.column == place).sum()
        assert use.gain == pytest.approx(trees.gain[trees.column == place].sum())


def test_missing_values_have_their_own_place():
    """The value is missing in the rows of class 1, so a missing value means class 1."""
    rng = np.random.default_rng(1)
    target = rng.integers(0, 2, 200).astype(np.uint8)
    axis = np.where(target == 1, 6, rng.integers(0, 6, 200)).astype(np.uint8)
    data = Encoded([axis], [7], 200, target, 2)
    fit = learn(data, ordered=[6])
    assert (scores_of(fit, data).argmax(axis=1) == target).all()


@pytest.mark.parametrize("ordered", [0, 4, 3])
def test_an_unknown_value_goes_with_most_rows(ordered):
    """Code 0 has three quarters of the rows, so an unknown value has the scores of code 0."""
    codes = np.tile(np.array([0, 0, 0, 3], dtype=np.uint8), 50)
    target = (codes == 3).astype(np.uint8)
    data = Encoded([codes], [4], 200, target, 2)
    fit = learn(data, ordered=[ordered], max_rounds=1)
    new = Encoded([np.array([0, 3, 4], dtype=np.uint8)], [4], 3)
    scores = np.zeros((3, 2))
    fit.trees.add_to(scores, new)
    assert_array_equal(scores[2], scores[0])
    assert (scores[1] != scores[0]).all()


def test_the_sum_is_added_with_its_weight():
    data = make_rows(300, 2)
    trees = learn(data).trees
    once, half = np.ones((300, 2)), np.ones((300, 2))
    trees.add_to(once, data)
    trees.add_to(half, data, threads=2, weight=0.5)
    assert_allclose(half - 1, (once - 1) / 2, atol=1e-12)
    assert_allclose(once.sum(axis=1), 2.0)  # two classes: v/2 is added and subtracted


def test_only_tested_columns_are_read():
    data = make_rows(300)
    fit = learn(data, max_rounds=2, max_leaves=3)
    asked = {use.column for use in fit.trees.columns}
    assert asked < {0, 1, 2, 3}
    columns = [c if v in asked else None for v, c in enumerate(data.columns)]
    part = Encoded(columns, data.cards, data.rows)
    scores, expected = np.zeros((300, 3)), np.zeros((300, 3))
    fit.trees.add_to(scores, part)
    fit.trees.add_to(expected, data)
    assert_array_equal(scores, expected)


# ---------------------------------------------------------------- what cannot be learned


def nothing_learned(data, ordered, held_out):
    fit = BoostedTrees().learn(data, ordered, prior_of(data))
    assert (fit.rounds, fit.trees.n_trees, fit.trees.columns) == (0, 0, [])
    assert fit.held_out.tolist() == list(range(held_out))
    assert_array_equal(fit.scores, np.tile(prior_of(data), (held_out, 1)))
    scores = np.ones((data.rows, data.n_classes))
    fit.trees.add_to(scores, data)
    assert (scores == 1).all()
    return fit


def test_constant_columns_are_not_tested():
    target = (np.arange(50) % 2).astype(np.uint8)
    same = np.full(50, 1, dtype=np.uint8)
    data = Encoded([same, same], [3, 3], 50, target, 2)
    fit = nothing_learned(data, [0, 2], 50)
    assert fit.loss == pytest.approx(np.log(2))


def test_nominal_columns_with_more_than_255_values_are_not_tested():
    codes = np.arange(512, dtype=np.uint16) % 256
    target = (codes % 2).astype(np.uint8)
    nothing_learned(Encoded([codes], [256], 512, target, 2), [0], 512)
    fewer = Encoded([np.minimum(codes, 254)], [255], 512, target, 2)
    assert learn(fewer, ordered=[0]).rounds > 0


def test_one_class_needs_no_trees():
    data = make_rows(30, 1)
    fit = nothing_learned(data, ORDERED, 30)
    assert fit.loss == 0.0
    absent = Encoded(data.columns, data.cards, 30, data.target, 3)
    nothing_learned(absent, ORDERED, 30)


def test_tables_with_few_rows_have_fewer_folds():
    data = make_rows(5, 2, seed=3)
    nothing_learned(data.take(np.arange(1)), ORDERED, 1)
    fit = learn(data.take(np.arange(2)), max_rounds=3)
    assert fit.held_out.tolist() == [0, 1]
    none = nothing_learned(data.take(np.arange(0)), ORDERED, 0)
    assert np.isnan(none.loss)


def test_columns_without_any_use_leave_the_prior():
    """Noise: held-out loss does not fall for long, so few rounds are chosen."""
    rng = np.random.default_rng(0)
    noise = [rng.integers(0, 20, 200).astype(np.uint8) for _ in range(5)]
    data = Encoded(noise, [20] * 5, 200, rng.integers(0, 2, 200).astype(np.uint8), 2)
    fit = learn(data, ordered=[20] * 5)
    assert fit.rounds <= 3
    assert fit.loss == pytest.approx(np.log(2), abs=0.03)


# ---------------------------------------------------------------- wrong input


@pytest.mark.parametrize(
    "option",
    [
        {"max_rounds": 0},
        {"max_leaves": 1},
        {"max_depth": 0},
        {"learning_rate": 0.0},
        {"learning_rate": 1.5},
        {"ridge": -1.0},
        {"min_child": 0},
        {"min_child": -0.1},
        {"max_bins": 1},
        {"max_bins": 255},
        {"patience": 0},
        {"random_state": -1},
        {"max_leaves": 2.5},
    ],
)
def test_wrong_options_are_named(option):
    (name,) = option
    with pytest.raises(ValueError, match=f"^{name}="):
        learn(make_rows(20), **option)


def test_wrong_rows_are_named():
    data = make_rows(20)
    with pytest.raises(ValueError, match="3 finite numbers"):
        BoostedTrees().learn(data, ORDERED, np.zeros(2))
    with pytest.raises(ValueError, match="3 finite numbers"):
        BoostedTrees().learn(data, ORDERED, np.array([0.0, 0.0, -np.inf]))
    with pytest.raises(ValueError, match="one per column"):
        BoostedTrees().learn(data, ORDERED[:2], np.zeros(3))
    with pytest.raises(ValueError, match="Column 1 has 12 codes"):
        BoostedTrees().learn(data, [0, 7, 12, 3], np.zeros(3))
    with pytest.raises(ValueError, match="classes of the rows"):
        BoostedTrees().learn(Encoded(data.columns, data.cards, 20, None, 3), ORDERED, np.zeros(3))
    unknown = [np.full(20, 5, dtype=np.uint8), *data.columns[1:]]
    with pytest.raises(ValueError, match="Column 0 has an unknown value"):
        BoostedTrees().learn(Encoded(unknown, data.cards, 20, data.target, 3), ORDERED, np.zeros(3))


def test_wrong_scores_are_named():
    data = make_rows(300)
    trees = learn(data).trees
    with pytest.raises(ValueError, match=r"\(300, 2\), not \(300, 3\)"):
        trees.add_to(np.zeros((300, 2)), data)
    with pytest.raises(ValueError, match="float64"):
        trees.add_to(np.zeros((300, 3), dtype=np.float32), data)
    with pytest.raises(ValueError, match="contiguous"):
        trees.add_to(np.zeros((3, 300)).T, data)
    with pytest.raises(ValueError, match="1 columns"):
        trees.add_to(np.zeros((300, 3)), data.select([0]))


# ---------------------------------------------------------------- beside scikit-learn


def coded(train, test):
    """Codes of both parts, numbered on the training rows: ordered numbers, then labels."""
    parts, cards, ordered = ([], []), [], []
    for name in train:
        if pd.api.types.is_numeric_dtype(train[name]):
            points = np.quantile(train[name].dropna(), np.arange(1, 255) / 255)
            points, missing = np.unique(points), bool(train[name].isna().any())
            ordered.append(len(points) + 1)
            cards.append(len(points) + 1 + missing)
            codes = [np.searchsorted(points, part[name]) for part in (train, test)]
            gone = len(points) + 1
            codes = [
                np.where(part[name].isna(), gone, code)
                for part, code in zip((train, test), codes, strict=True)
            ]
        else:
            train, test = (
                part.assign(**{name: part[name].astype(object).fillna("?")})
                for part in (train, test)
            )
            labels = sorted(set(train[name]))
            ordered.append(0)
            cards.append(len(labels))
            codes = [pd.Categorical(part[name], labels).codes for part in (train, test)]
            codes = [np.where(code < 0, len(labels), code) for code in codes]
        for part, code in zip(parts, codes, strict=True):
            part.append(code.astype(code_type(cards[-1])))
    return parts, cards, ordered


@pytest.mark.skipif(kernels is numpy_kernels, reason="takes minutes with the numpy kernels")
@pytest.mark.parametrize(("name", "factor"), [("kr-vs-kp", 1.25), ("sick", 1.25)])
def test_log_loss_is_in_the_range_of_scikit_learn(folder_dataset, name, factor):
    data = folder_dataset(name)
    classes, target = np.unique(np.asarray(data.y).astype(str), return_inverse=True)
    train, test = train_test_split(
        np.arange(len(target)), test_size=0.5, random_state=1, stratify=target
    )
    X = data.X.loc[:, [len(data.X[c].iloc[train].dropna().unique()) > 1 for c in data.X]]
    parts, cards, ordered = coded(X.iloc[train], X.iloc[test])
    rows = Encoded(parts[0], cards, len(train), target[train].astype(np.uint8), len(classes))
    new = Encoded(parts[1], cards, len(test))
    fit = BoostedTrees().learn(rows, ordered, prior_of(rows))
    scores = np.tile(prior_of(rows), (len(test), 1))
    fit.trees.add_to(scores, new)
    codes, new_codes = (np.stack(part, axis=1).astype(float) for part in parts)
    nominal = [axis == 0 for axis in ordered]
    model = HistGradientBoostingClassifier(categorical_features=nominal, early_stopping=True)
    model.set_params(random_state=0).fit(codes, target[train])
    peer = log_loss(target[test], model.predict_proba(new_codes))
    assert loss_of(scores, target[test]) < factor * peer
    assert fit.loss == pytest.approx(loss_of(scores, target[test]), rel=0.6)
