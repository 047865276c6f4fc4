"""The grove: what it is made of, hard tables, weights, files, and no leak between folds."""

import json
import pickle
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_predict

from bayesgrove import GroveClassifier, TANClassifier, UnseenValueWarning, load_model, save_model
from bayesgrove.averaging.grove import Grove, GroveSum, learner, members, rows, stacking
from bayesgrove.averaging.grove.stacking import stacking_groups
from bayesgrove.averaging.grove.sums import Plan
from bayesgrove.encoding import FineDiscretizer, load_rows
from bayesgrove.estimators.classifiers.grove import axis_of
from bayesgrove.model_files import ModelFileError


def table(seed, n=300, missing=0.0):
    """Numbers, labels and few whole numbers; the class depends on an interaction of two columns."""
    rng = np.random.default_rng(seed)
    size, kind = rng.normal(size=n), rng.choice(["a", "b", "c"], n)
    level = rng.integers(0, 5, n).astype(float)
    odds = 1.5 * size * np.where(kind == "a", 1, -1) + 0.5 * (level - 2)
    y = np.where(rng.random(n) < 1 / (1 + np.exp(-odds)), "yes", "no")
    X = pd.DataFrame({"size": size, "kind": kind, "level": level, "noise": rng.random(n)})
    holes = rng.random((n, 4)) < missing
    return X.mask(holes), y


@pytest.fixture(scope="module")
def fitted():
    X, y = table(0, missing=0.1)
    return GroveClassifier().fit(X, y), X, y


# What it is made of


def test_every_stacking_group_leaves_out_every_fold():
    plans = Grove().plans(4)
    assert [plan.k for plan in plans] == [0] * 4 + [1, 2, 3] * 4
    for k in range(4):
        members = [plan for plan in plans if plan.k == k]
        assert {plan.fold for plan in members} == {0, 1, 2, 3}
        assert sum(plan.residual for plan in members) == (2 if k else 0)


@pytest.mark.parametrize("n_members", [4, 5, 7, 8, 11, 16, 24, 33])
@pytest.mark.parametrize("max_parents", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("folds", [2, 3, 4])
def test_every_group_covers_every_fold_for_any_number_of_members(n_members, max_parents, folds):
    plans = Grove(n_members, max_parents).plans(folds)
    assert len(plans) == n_members
    assert max(plan.k for plan in plans) <= max_parents
    groups = stacking_groups(plans, folds)
    for group in set(groups.tolist()):
        left_out = {plan.fold for plan, g in zip(plans, groups, strict=True) if g == group}
        assert left_out == set(range(folds))


def test_the_score_of_a_row_is_the_sum_of_table_entries(fitted):
    model, X, _ = fitted
    learned = model._sum
    row = X.dropna().iloc[[3]]
    score = learned.offset.copy()
    for number, member in enumerate(model.members_):
        for child in member.tables.layout.children:
            entries = model.member_table(number, X.columns[child])
            keys = entries.index.to_frame(index=False)
            match = np.ones(len(keys), dtype=bool)
            for column in keys.columns:
                value = row[column].iloc[0]
                match &= [holds(label, value) for label in keys[column]]
            assert match.sum() == 1  # The row is in the training table: its joint value occurs.
            score += entries.to_numpy()[match][0]
    p = np.exp(score - score.max())
    p /= p.sum()
    p = (1 - learned.floor) * p + learned.floor / 2
    np.testing.assert_allclose(model.predict_proba(row)[0], p, atol=1e-6)


def holds(label, value):
    """Whether a label or an interval in words holds a value."""
    if not isinstance(label, str) or isinstance(value, str):
        return label == value
    if label == "all":
        return True
    low, high = -np.inf, np.inf
    if label.startswith("<="):
        high = float(label[2:])
    elif label.startswith(">"):
        low = float(label[1:])
    else:
        low, high = map(float, label[1:-1].split(", "))
    return low < value <= high


def test_arcs_importances_and_weights(fitted):
    model, X, _ = fitted
    importances = dict(zip(X.columns, model.feature_importances_, strict=True))
    assert sum(importances.values()) == pytest.approx(1)
    assert importances["noise"] == min(importances.values())
    assert model.member_weights_.shape == (16, 2)
    arcs = model.arc_probabilities_
    assert max(arcs.values()) <= 1
    both = arcs.get(("size", "kind"), 0) + arcs.get(("kind", "size"), 0)
    assert both > 0.5  # Their interaction is what the members without parents lack.
    size = model.complexity()
    assert size.attributes == 4
    assert size.arcs == sum(
        len(m.tables.layout.children) + len(m.tables.layout.parents) for m in model.members_
    )


def test_it_learns_an_interaction():
    X, y = table(1, n=800)
    X_new, y_new = table(2, n=2000)
    grove = GroveClassifier(rules=False).fit(X, y)
    naive = GroveClassifier(max_parents=0, rules=False).fit(X, y)
    losses = [log_loss(y_new, m.predict_proba(X_new)) for m in (grove, naive)]
    assert losses[0] < losses[1] - 0.05


def test_members_see_nothing_of_their_left_out_fold():
    """Labels that are pure noise: left-out rows are hardly predicted better than by chance.

    Chance is 0.693. The eight stacking weights are fitted on other rows, which costs about
    0.5 / 300 per weight.
    """
    losses = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = pd.DataFrame(rng.integers(0, 4, (400, 12)).astype(str))
        losses.append(GroveClassifier().fit(X, rng.integers(0, 2, 400)).out_of_fold_loss_)
    assert 0.69 < np.mean(losses) < 0.71


def test_members_of_many_rows_see_nothing_of_their_left_out_fold():
    """More rows than the statistics of pairs are made of, and many columns of pure noise."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 4, (6001, 200)).astype(str))
    y = rng.integers(0, 2, 6001)
    model = GroveClassifier().fit(X[:4001], y[:4001])
    assert 0.69 < model.out_of_fold_loss_ < 0.70
    assert log_loss(y[4001:], model.predict_proba(X[4001:])) < 0.70


def test_orders_cuts_and_parents_do_not_depend_on_labels_of_the_left_out_fold():
    """Other labels in fold 0 change nothing in the members without parents that leave it out."""
    rng = np.random.default_rng(1)
    X, y = table(20, n=5000)
    training = GroveClassifier()._read(X, y)
    encoded = load_rows(training.rows)
    axes = [axis_of(coding) for coding in training.schema.variables]
    plain = rows.GroveRows(encoded, axes, 0, 1)
    outside = plain.folds == 0
    found = []
    for permuted in (False, True):
        labels = encoded.target.copy()
        if permuted:
            labels[outside] = rng.permutation(labels[outside])
        data = rows.GroveRows(replace(encoded, target=labels), axes, 0, 1)
        data.folds, data.fit_folds, data.sample = plain.folds, plain.fit_folds, plain.sample
        data.bins = rows.MemberBins(data, axes)
        plans = [Plan(0, 0, residual=False), Plan(2, 0, residual=False)]
        drawn = data.bins.drawn(plans, np.random.default_rng(5))
        cards = [bins.cards for bins, _ in drawn]
        structures = members._structures(
            data, members.Start(gains=np.zeros((4, 4, 4))), plans, cards, np.random.default_rng(6)
        )
        tables = [{v: bins.tolist() for v, bins in binned.maps.items()} for binned, _ in drawn]
        found.append((tables, [[part.tolist() for part in pair] for pair in structures]))
    assert found[0] == found[1]


def test_columns_of_very_many_labels_take_little_memory():
    rng = np.random.default_rng(0)
    n = 40_000
    X = pd.DataFrame(
        {"a": [f"s{i}" for i in range(n)], "b": rng.integers(0, 20_000, n).astype(str)}
    )
    X["c"] = rng.random(n)
    y = np.where(X["c"] + 0.3 * rng.normal(size=n) > 0.5, "yes", "no")
    model = GroveClassifier(n_members=8).fit(X, y)
    assert model.score(X[:500], y[:500]) > 0.7


@pytest.mark.parametrize(("rows", "columns"), [(40, 200), (20, 300), (300, 60)])
def test_the_out_of_fold_loss_of_noise_is_not_too_low(rows, columns):
    """The best loss of noise is 0.693; stacking weights fitted on the same rows would give less."""
    losses = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = pd.DataFrame(rng.normal(size=(rows + 1000, columns))).rename(columns=str)
        y = rng.integers(0, 2, rows + 1000)
        model = GroveClassifier().fit(X[:rows], y[:rows])
        losses.append((model.out_of_fold_loss_, log_loss(y[rows:], model.predict_proba(X[rows:]))))
    out_of_fold, new = np.mean(losses, axis=0)
    assert new < 0.8
    assert out_of_fold > 0.69  # Of 20 rows it varies between 0.6 and 1.6.


@pytest.mark.filterwarnings("ignore:The number of unique classes")
@pytest.mark.parametrize("trees", [False, True])
def test_a_class_with_one_row_is_not_counted_in_the_out_of_fold_loss(trees, tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(120, 5))).rename(columns=str)
    single = GroveClassifier(trees=trees).fit(X, np.arange(120).astype(str))
    assert np.isnan(single.out_of_fold_loss_)
    np.testing.assert_allclose(single.member_weights_, 1 / 16)
    assert single.tree_weight_ == 0
    save_model(single, tmp_path / "grove.json")
    assert np.isnan(load_model(tmp_path / "grove.json").out_of_fold_loss_)
    twice = GroveClassifier(trees=trees).fit(X, np.arange(120).astype(str).repeat(2)[:120])
    assert twice.out_of_fold_loss_ == pytest.approx(np.log(60), abs=0.1)


def test_stacking_weights_of_the_loss_are_fitted_without_the_fold(monkeypatch):
    """The loss, again, from weights that minimise a penalised loss by another optimiser."""
    stacks = []
    loss = stacking.Stack.loss
    monkeypatch.setattr(stacking.Stack, "loss", lambda self: stacks.append(self) or loss(self))
    model = GroveClassifier().fit(*table(0, n=80))
    (stack,) = stacks
    target, folds = stack.data.fit_target, stack.data.fit_folds
    shares = np.array([0.25] * 8)
    losses = []
    for fold in range(4):

        def penalised(w, use=folds != fold):
            scores = np.einsum("rgc,g->rc", stack.terms[use].astype(float), w)
            own = log_softmax(scores, axis=1)[np.arange(use.sum()), target[use]]
            return -own.sum() + 10 * ((w - shares) ** 2).sum()

        w = minimize(penalised, shares).x
        out = folds == fold
        scores = log_softmax(np.einsum("rgc,g->rc", stack.terms[out].astype(float), w), axis=1)
        losses.extend(-scores[np.arange(out.sum()), target[out]])
    assert model.out_of_fold_loss_ == pytest.approx(np.mean(losses), abs=2e-3)


@pytest.mark.parametrize("name", ["credit-g", "vote"])
def test_the_out_of_fold_loss_is_near_the_loss_on_new_rows(any_dataset, name):
    X, y = any_dataset(name)
    p = cross_val_predict(GroveClassifier(), X, y, cv=4, method="predict_proba")
    loss = log_loss(y, p)
    assert GroveClassifier().fit(X, y).out_of_fold_loss_ == pytest.approx(loss, abs=0.03)


def test_it_beats_tan_on_credit_g(any_dataset):
    X, y = any_dataset("credit-g")
    losses = [
        log_loss(y, cross_val_predict(model, X, y, cv=4, method="predict_proba"))
        for model in (GroveClassifier(), TANClassifier())
    ]
    assert losses[0] < losses[1] - 0.02
    assert losses[0] < 0.53


# Trees


def parity(seed, n):
    """A class that depends on four columns together."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 2, (n, 6)).astype(str), columns=list("abcdef"))
    return X, (X[["a", "b", "c", "d"]].astype(int).sum(axis=1) % 2).to_numpy()


def test_trees_learn_what_needs_many_columns_together():
    X, y = parity(0, 1500)
    X_new, y_new = parity(1, 1000)
    plain, model = (
        GroveClassifier(max_parents=1, rules=False, trees=t).fit(X, y) for t in (False, True)
    )
    losses = [log_loss(y_new, m.predict_proba(X_new)) for m in (plain, model)]
    assert losses[0] > 0.6
    assert losses[1] < 0.2
    assert plain.n_trees_ == plain.tree_weight_ == 0
    assert plain.tree_columns_ == {}
    assert model.n_trees_ > 0
    assert model.tree_weight_ > 0.3
    assert sum(model.tree_columns_.values()) == pytest.approx(1)
    assert set(list(model.tree_columns_)[:4]) == set("abcd")


@pytest.mark.parametrize("rows", [300, 2500, 7000])
def test_trees_do_no_harm_and_do_not_depend_on_threads(rows):
    X, y = table(12, n=rows, missing=0.05)
    X_new, y_new = table(13, n=2000)
    losses = []
    for seed in range(4):
        plain, model, other = (
            GroveClassifier(n_members=8, random_state=seed, trees=t, n_jobs=j).fit(X, y)
            for t, j in ((False, 1), (True, 1), (True, 2))
        )
        p = model.predict_proba(X_new)
        np.testing.assert_array_equal(p, other.predict_proba(X_new))
        losses.append((log_loss(y_new, p), log_loss(y_new, plain.predict_proba(X_new))))
        assert model.out_of_fold_loss_ == pytest.approx(losses[-1][0], abs=0.08)
    with_trees, without = np.mean(losses, axis=0)
    assert with_trees < without + 0.01


def test_trees_with_weights_and_hard_tables(tmp_path):
    X, y = table(14, n=60, missing=0.2)
    weights = np.random.default_rng(0).random(60) + 0.1
    model = GroveClassifier(trees=True).fit(X, y, sample_weight=weights)
    check(model, X, 2)
    check(GroveClassifier(trees=True).fit(X, ["only"] * 60), X, 1)
    check(GroveClassifier(trees=True).fit(X[:3], ["no", "yes", "yes"]), X, 2)
    constant = pd.DataFrame({"a": ["x"] * 9})
    check(GroveClassifier(trees=True).fit(constant, list("nnnnyyyyy")), constant, 2)
    classes = np.random.default_rng(1).integers(0, 4, 60)
    model = GroveClassifier(trees=True).fit(X, classes)
    save_model(model, tmp_path / "grove.json")
    loaded = load_model(tmp_path / "grove.json")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert loaded.tree_columns_ == model.tree_columns_


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("asked", lambda v: [99, *v[1:]], "do not exist"),
        ("cards", lambda v: [v[0] + 1, *v[1:]], "other values"),
        ("n_bins", lambda v: [0, *v[1:]], "without bins"),
        ("bin_of", lambda v: [255, *v[1:]], "do not exist"),
        ("sizes", lambda v: [v[0] + 1, *v[1:]], "do not fit"),
        ("outputs", lambda v: [7, *v[1:]], "do not exist"),
        ("child", lambda v: [0, *v[1:]], "not after it"),
        ("column", lambda v: [99, *v[1:]], "do not exist"),
        ("column", lambda v: [-2, *v[1:]], "out of range"),
        ("sides", lambda v: v[1:], "do not fit"),
        ("value", lambda v: ["x", *v[1:]], "not a number"),
    ],
)
def test_edited_trees_are_refused(tmp_path, name, change, message):
    path = tmp_path / "grove.json"
    save_model(GroveClassifier(n_members=4, trees=True).fit(*table(15)), path)
    content = json.loads(path.read_text())
    trees = content["extra"]["trees"]
    trees[name] = change(trees[name])
    path.write_text(json.dumps(content))
    with pytest.raises(ModelFileError, match=message):
        load_model(path)


# Seeds, threads, weights


def test_threads_do_not_change_a_grove_and_seeds_do():
    X, y = table(3, missing=0.05)
    one = GroveClassifier(n_jobs=1).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(GroveClassifier(n_jobs=3).fit(X, y).predict_proba(X), one)
    assert (GroveClassifier(random_state=1).fit(X, y).predict_proba(X) != one).any()


def test_rows_of_weight_zero_are_left_out():
    X, y = table(4)
    weights = np.where(np.arange(300) % 3 == 0, 0.0, 1.0)
    kept = weights > 0
    model = GroveClassifier().fit(X, y, sample_weight=weights)
    other = GroveClassifier().fit(X[kept], y[kept])
    np.testing.assert_array_equal(model.predict_proba(X), other.predict_proba(X))


def test_weights_pull_towards_the_heavy_rows():
    X, y = table(5)
    heavy = np.where(y == "yes", 5.0, 1.0)
    plain, weighted = (
        GroveClassifier().fit(X, y, sample_weight=w).predict_proba(X)[:, 1].mean()
        for w in (None, heavy)
    )
    assert weighted > plain + 0.15


def test_a_heavy_row_is_left_out_of_its_own_counts():
    """Noise with one heavy row per value: no leak through its weight."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.integers(0, 30, (300, 6)).astype(str))
    y = rng.integers(0, 2, 300)
    weights = rng.choice([0.2, 4.0], 300)
    assert GroveClassifier().fit(X, y, sample_weight=weights).out_of_fold_loss_ > 0.66


# Hard tables


def check(model, X, classes):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenValueWarning)
        p = model.predict_proba(X)
    assert p.shape == (len(X), classes)
    assert np.isfinite(p).all()
    assert (p > 0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-9)


@pytest.mark.parametrize("rows", [2, 3, 5, 9])
def test_fewer_rows_than_folds(rows):
    X, _ = table(6, n=rows, missing=0.1)
    y = ["no", *["yes"] * (rows - 1)]
    check(GroveClassifier().fit(X, y), table(7, n=20, missing=0.3)[0], 2)


def test_one_class_and_a_class_with_one_row():
    X, y = table(8, n=50)
    check(GroveClassifier().fit(X, ["only"] * 50), X, 1)
    y = y.astype(object)
    y[0] = "rare"
    check(GroveClassifier().fit(X, y), X, 3)


def test_a_single_row():
    X, _ = table(8, n=1)
    check(GroveClassifier().fit(X, ["only"]), table(8, n=5)[0], 1)


def test_equal_names_are_refused():
    X = pd.DataFrame(np.zeros((4, 2)), columns=["a", "a"])
    with pytest.raises(ValueError, match="'a' occurs more than once"):
        GroveClassifier().fit(X, ["no", "yes"] * 2)


def test_weights_of_zero():
    X, y = table(8, n=60)
    with pytest.raises(ValueError, match="at least one non-zero"):
        GroveClassifier().fit(X, y, sample_weight=np.zeros(60))
    model = GroveClassifier().fit(X, y, sample_weight=(y == "yes").astype(float))
    check(model, X, 2)
    assert (model.predict(X) == "yes").all()
    check(GroveClassifier().fit(X, y, sample_weight=np.arange(60) == 7), X, 2)
    check(GroveClassifier().fit(X, y, sample_weight=np.full(60, 1e-300)), X, 2)


def test_fits_that_do_not_converge_are_counted_and_said():
    X, y = table(8, n=60)
    with pytest.warns(UserWarning, match=r"\d+ of 17 fits .* did not converge.*weights near 1"):
        model = GroveClassifier().fit(X, y, sample_weight=10.0 ** (np.arange(60) % 20))
    assert model.n_unconverged_ > 0
    check(model, X, 2)


@pytest.mark.parametrize("name", ["pendigits", "autos", "ionosphere", "soybean"])
def test_fits_of_usual_tables_converge(any_dataset, name):
    X, y = any_dataset(name)
    assert GroveClassifier().fit(X[:3000], y[:3000]).n_unconverged_ == 0


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e200, 1.79e308])
def test_very_large_and_very_small_numbers_have_slopes_too(scale):
    """Powers of two, so that scaling is exact; the smallest numbers keep nine bits."""
    rng = np.random.default_rng(0)
    plain = rng.integers(-256, 257, (300, 2)) / 256
    y = np.where(rng.random(300) < 1 / (1 + np.exp(-4 * plain[:, 0])), "yes", "no")
    factor = 2.0 ** np.floor(np.log2(scale))
    scaled = plain * 256 * factor if scale < 1e-310 else plain * factor
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = GroveClassifier().fit(scaled, y)
        p = model.predict_proba(scaled)
    np.testing.assert_allclose(p, GroveClassifier().fit(plain, y).predict_proba(plain), atol=0.02)


def test_whole_numbers_beyond_floats_are_labels():
    X = pd.DataFrame({"a": pd.Series([10**400, 5, 7] * 20, dtype=object)})
    check(GroveClassifier().fit(X, [0, 1, 0] * 20), X, 2)


def test_labels_with_half_of_a_character_have_tables():
    half = "\ud800"
    X = pd.DataFrame({"a": pd.Series([half, "x", "y"] * 20, dtype=object), "b": range(60)})
    X.columns = pd.Index(["a", "b" + half], dtype=object)
    y = np.array(["no" + half, "yes", "yes"] * 20, dtype=object)
    model = GroveClassifier().fit(X, y)
    entries = model.member_table(0, "a")
    assert entries.columns.tolist() == ["no" + half, "yes"]
    assert half in entries.index.get_level_values(0)
    assert entries.loc[half].to_numpy().ravel().argmax() == 0
    assert len(model.member_table(5, "b" + half))


def test_constant_columns_give_the_class_frequencies():
    X = pd.DataFrame({"a": ["x"] * 40, "b": [1.0] * 40, "c": [np.nan] * 40})
    y = ["no"] * 10 + ["yes"] * 30
    model = GroveClassifier().fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X[:1]), [[0.25, 0.75]], atol=0.03)
    assert (model.feature_importances_ == 0).all()


def test_many_classes():
    rng = np.random.default_rng(9)
    X = pd.DataFrame({"a": rng.normal(size=900), "b": rng.integers(0, 40, 900).astype(str)})
    y = rng.integers(0, 300, 900)
    check(GroveClassifier(n_members=8, max_parents=1).fit(X, y), X, len(np.unique(y)))


def test_a_thousand_classes(monkeypatch):
    """Scores of all rows and classes would need gigabytes; they are made for some rows only."""
    rng = np.random.default_rng(9)
    y = np.arange(3000) % 1000
    X = pd.DataFrame({"a": y // 10 + rng.normal(size=3000), "b": y % 10})
    sizes = []
    stacked = learner.stacked
    monkeypatch.setattr(
        learner,
        "stacked",
        lambda data, *rest: sizes.append(data.fit_rows.size) or stacked(data, *rest),
    )
    monkeypatch.setattr(rows, "FIT_SCORES", 2_000_000)
    model = GroveClassifier(n_members=4, max_parents=0).fit(X, y)
    assert sizes == [2000]
    check(model, X, 1000)
    assert log_loss(y, model.predict_proba(X)) < 3 < np.log(1000)


def test_ten_thousand_columns():
    rng = np.random.default_rng(10)
    X = pd.DataFrame(rng.normal(size=(40, 10_000))).rename(columns=str)
    y = (X["77"] > 0).to_numpy()
    check(GroveClassifier(n_members=4, max_parents=0).fit(X, y), X, 2)


def test_many_columns():
    rng = np.random.default_rng(10)
    X = pd.DataFrame(rng.integers(0, 3, (60, 700)), columns=[f"c{j}" for j in range(700)])
    y = (X["c3"] + X["c5"] > 2).to_numpy()
    model = GroveClassifier(n_members=8, max_parents=1).fit(X, y)
    check(model, X, 2)
    paired = {name for arc in model.arc_probabilities_ for name in arc}
    assert 0 < len(paired) <= 512


def test_missing_and_unseen_values(fitted):
    model, X, _ = fitted
    row = X.dropna().iloc[[0]]
    unseen = row.assign(kind="z")
    with pytest.warns(UnseenValueWarning, match="kind"):
        check_p = model.predict_proba(unseen)
    assert np.isfinite(check_p).all()
    check(model, pd.DataFrame({name: [None] for name in X}), 2)
    with pytest.raises(ValueError, match="did not occur in training"):
        GroveClassifier(unseen="error").fit(*table(0)).predict(unseen)


def test_an_unknown_value_adds_nothing():
    """With a single column, an unknown value leaves the score of the classes alone."""
    X = pd.DataFrame({"a": ["x", "y"] * 40})
    y = ["no", "yes", "yes", "yes"] * 20
    model = GroveClassifier().fit(X, y)
    with pytest.warns(UnseenValueWarning):
        p = model.predict_proba(pd.DataFrame({"a": ["never"]}))
    offset = np.exp(model._sum.offset)
    np.testing.assert_allclose(p[0], offset / offset.sum(), atol=0.01)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"n_members": 3}, "n_members=3 must be at least 4"),
        ({"n_members": "many"}, "n_members='many'"),
        ({"max_parents": -1}, "max_parents=-1"),
        ({"random_state": -1}, "random_state=-1"),
        ({"trees": "some"}, "trees='some'"),
        ({"unseen": "ignore"}, "unseen='ignore'"),
    ],
)
def test_wrong_options_are_named(option, message):
    with pytest.raises(ValueError, match=message):
        GroveClassifier(**option).fit(*table(0))


def test_wrong_members_and_columns_are_named(fitted):
    model, _, _ = fitted
    with pytest.raises(ValueError, match="member=16 must be from 0 to 15"):
        model.member_table(16, "size")
    with pytest.raises(ValueError, match="no table of 'weight'"):
        model.member_table(0, "weight")


def test_fine_intervals_keep_values_apart():
    fine = FineDiscretizer(n_bins=4)
    assert fine.cuts_for_table([1, 2, 4], [[9], [1], [1]]).tolist() == [1.5, 3.0]
    assert len(fine.cuts_for_table(np.arange(50.0), np.ones((50, 1)))) == 3


# Files


def test_files_give_the_same_grove(tmp_path):
    X, y = table(11, missing=0.1)
    frame = X.assign(target=y)
    frame.to_parquet(tmp_path / "rows.parquet")
    model = GroveClassifier().fit(X, y)
    from_file = GroveClassifier().fit(tmp_path / "rows.parquet", "target")
    np.testing.assert_array_equal(from_file.predict_proba(X), model.predict_proba(X))


def test_model_files_keep_everything(fitted, tmp_path):
    model, X, _ = fitted
    save_model(model, tmp_path / "grove.json")
    loaded = load_model(tmp_path / "grove.json")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(loaded.member_weights_, model.member_weights_)
    np.testing.assert_array_equal(loaded.feature_importances_, model.feature_importances_)
    assert loaded.arc_probabilities_ == model.arc_probabilities_
    assert loaded.out_of_fold_loss_ == model.out_of_fold_loss_
    pd.testing.assert_frame_equal(loaded.member_table(7, "size"), model.member_table(7, "size"))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def edits():
    """Changes of a model file, and what the error says."""

    def at(*path):
        def place(extra):
            for step in path[:-1]:
                extra = extra[step]
            return extra, path[-1]

        return place

    first = ("members", 5)
    return [
        (at("floor"), 2.0, "not a probability"),
        (at("offset"), [0.0], "needs 2"),
        (at(*first, "weight"), "x", "weight"),
        (at(*first, "tables", "children", 0), 99, "do not exist"),
        (at(*first, "tables", "parent_starts", 0), 1, "do not fit"),
        (at(*first, "tables", "sizes", 0), 2, "configurations without parents"),
        (at(*first, "tables", "cell_codes", 0), 77, "do not fit"),
        (at(*first, "tables", "cell_starts", 1), -1, "out of range"),
        (at(*first, "bins", 0, "bins", 0), 3, "one bin for each"),
        (at(*first, "bins", 0, "column"), 9, "not a column"),
        (at(*first, "entries"), [0.5], "needs"),
        (at(*first, "entries", 0), 1e300, "too large"),
    ]


@pytest.mark.parametrize(("place", "value", "message"), edits())
def test_edited_model_files_are_refused(fitted, tmp_path, place, value, message):
    model, _, _ = fitted
    path = tmp_path / "grove.json"
    save_model(model, path)
    content = json.loads(path.read_text())
    where, last = place(content["extra"])
    where[last] = value
    path.write_text(json.dumps(content))
    with pytest.raises(ModelFileError, match=message):
        load_model(path)


def test_very_large_weights_give_probabilities():
    X, y = table(14, n=100)
    model = GroveClassifier().fit(X, y, sample_weight=np.full(len(y), 1e60))
    assert np.isfinite(model.predict_proba(X)).all()


# Rule tables


def two_ones(seed, rows=500):
    """Six columns of three values, one of them with holes; the class: exactly two are 1."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(1, 4, (rows, 6)), columns=list("abcdef"))
    y = np.where((X == 1).sum(axis=1) == 2, "two", "other")
    X["f"] = X["f"].map({1: "one", 2: "two", 3: None})
    X["number"] = rng.normal(size=rows)
    return X, y


@pytest.fixture(scope="module")
def with_rules():
    X, y = two_ones(0)
    return GroveClassifier(n_members=4).fit(X, y), X, y


def test_rule_tables_learn_what_members_cannot_say(with_rules):
    model, X, y = with_rules
    X_new, y_new = two_ones(1)
    members_alone = GroveClassifier(n_members=4, rules=False).fit(X, y)
    assert members_alone.n_rule_tables_ == 0
    assert members_alone.rule_columns_ == {}
    assert log_loss(y_new, members_alone.predict_proba(X_new)) > 0.4
    loss = log_loss(y_new, model.predict_proba(X_new))
    assert loss < 0.2
    assert loss - 0.1 < model.out_of_fold_loss_ < loss + 0.2
    assert sum(model.rule_columns_.values()) == pytest.approx(1)
    assert set(list(model.rule_columns_)[:6]) == set("abcdef")
    # Members alone find nearly nothing in these columns, so importances come from rule tables.
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert model.feature_importances_[:6].min() > model.feature_importances_[6]


def answer(question, row):
    """The answer to a question in words."""
    for operator, holds_for in (
        (" <= ", lambda value, other: value <= float(other)),
        (" > ", lambda value, other: value > float(other)),
        (" = ", lambda value, other: value == other),
    ):
        if operator in question:
            column, other = question.split(operator)
            value = row[column]
            return not pd.isna(value) and holds_for(value, other)
    assert question.endswith(" is missing")
    return pd.isna(row[question.removesuffix(" is missing")])


def test_a_row_gets_the_entries_of_its_answers(with_rules):
    model, X, _ = with_rules
    assert model.n_rule_tables_ > 3
    questions = [q for t in range(model.n_rule_tables_) for q in model.rule_table(t).index.names]
    assert any(q.startswith("f = ") for q in questions)
    bare = GroveClassifier(n_members=4)
    bare.__dict__.update(model.__dict__)
    members = tuple(model._sum.members)
    bare._sum = GroveSum(members, *list(vars(model._sum).values())[1:6])
    for place in (0, 7, 33):
        row = X.iloc[place]
        expected = np.zeros(2)
        for number in range(model.n_rule_tables_):
            rules = model.rule_table(number)
            given = tuple("yes" if answer(q, row) else "no" for q in rules.index.names)
            expected += rules.loc[given].to_numpy().ravel()
        pair = X.iloc[[place]]
        scores = [np.log(one.predict_proba(pair)[0]) for one in (model, bare)]
        for score in scores:  # Undo the share of the uniform distribution.
            p = (np.exp(score) - model._sum.floor / 2) / (1 - model._sum.floor)
            score[:] = np.log(p)
        difference = np.diff(scores[0]) - np.diff(scores[1])
        np.testing.assert_allclose(difference, np.diff(expected), atol=1e-4)


def test_rule_tables_with_trees_threads_and_files(with_rules, tmp_path):
    X, y = two_ones(2)
    X_new, y_new = two_ones(3)
    model, other = (GroveClassifier(n_members=4, trees=True, n_jobs=j).fit(X, y) for j in (1, 2))
    p = model.predict_proba(X_new)
    np.testing.assert_array_equal(p, other.predict_proba(X_new))
    assert model.rule_weight_ > 0.3
    assert log_loss(y_new, p) < 0.3
    for number, one in enumerate((model, with_rules[0])):
        path = tmp_path / f"{number}.json"
        save_model(one, path)
        loaded = load_model(path)
        np.testing.assert_array_equal(loaded.predict_proba(X), one.predict_proba(X))
        assert loaded.rule_columns_ == one.rule_columns_
        pd.testing.assert_frame_equal(loaded.rule_table(0), one.rule_table(0))


@pytest.mark.parametrize("table", [-1, 10**6, 0.5, True])
def test_a_wrong_rule_table_is_named(with_rules, table):
    model, _, _ = with_rules
    with pytest.raises(ValueError, match=f"the model has {model.n_rule_tables_} rule tables"):
        model.rule_table(table)


@pytest.mark.parametrize(
    ("name", "place", "value", "message"),
    [
        ("sizes", 0, 0, "not from 1 to 8"),
        ("sizes", 0, 9, "not from 1 to 8"),
        ("column", 0, 99, "does not exist"),
        ("column", 0, -1, "does not exist"),
        ("first", 0, 77, "codes that do not exist"),
        ("last", 0, 10**9, "codes that do not exist"),
        ("gain", None, [1.0], "needs"),
        ("column", None, [0], "questions"),
        ("entries", 0, 1e300, "too large"),
        ("entries", None, [0.5], "needs"),
        ("last", "all", 1, "neither one value nor one side"),
    ],
)
def test_edited_rule_tables_are_refused(with_rules, tmp_path, name, place, value, message):
    path = tmp_path / "grove.json"
    save_model(with_rules[0], path)
    content = json.loads(path.read_text())
    rules = content["extra"]["rules"]
    if place is None:
        rules[name] = value
    elif place == "all":  # The first question about `a`, whose codes are 0 to 2, asks for all.
        at = rules["column"].index(0)
        rules["first"][at], rules["last"][at] = 0, 2
    else:
        rules[name][place] = value
    path.write_text(json.dumps(content))
    with pytest.raises(ModelFileError, match=message):
        load_model(path)


def test_unequal_weights_of_rows_give_no_tables_for_noise():
    """Few heavy rows are as uncertain as few rows."""
    given = 0
    for seed in range(8):
        rng = np.random.default_rng(seed + 7)
        X, y = pd.DataFrame(rng.normal(size=(400, 8))), rng.integers(0, 2, 400)
        weights = np.exp(3 * rng.normal(size=400))
        X.columns = [f"c{j}" for j in range(8)]
        model = GroveClassifier(n_members=4).fit(X, y, sample_weight=weights)
        given += model.n_rule_tables_ > 0
    assert given == 0


def test_questions_about_large_numbers_tell_their_cuts_apart():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"id": 10**9 + np.arange(400), "b": rng.integers(0, 2, 400).astype(str)})
    y = (X["id"] // 50 % 2).astype(int) ^ (X["b"] == "1")
    model = GroveClassifier(n_members=4, max_parents=0).fit(X, y)
    assert model.n_rule_tables_
    for table in range(model.n_rule_tables_):
        texts = model.rule_table(table).index.names
        assert len(set(texts)) == len(texts)
        model.rule_table(table).reset_index()


def test_what_one_column_says_needs_no_tables_and_complexity_counts_them(with_rules):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 2, (400, 4)), columns=list("abcd")).astype(str)
    assert GroveClassifier(n_members=4).fit(X, X["a"]).n_rule_tables_ == 0
    model, X, y = with_rules
    size = model.complexity().parameters
    alone = GroveClassifier(n_members=4, rules=False).fit(X, y).complexity().parameters
    assert size - alone == len(model._sum.rules.entries)


def test_rule_tables_ask_the_columns_with_the_most_information(monkeypatch):
    """Exactly two of the last three columns are 1; each of them says much, the others nothing."""
    rng = np.random.default_rng(0)
    noise, last = rng.random((800, 20)), (rng.random((800, 3)) < 0.75).astype(int)
    X = pd.DataFrame(np.column_stack([noise, last]), columns=[f"c{j}" for j in range(23)])
    y = np.where(last.sum(axis=1) == 2, "two", "other")
    monkeypatch.setattr(rows, "PAIRED_COLUMNS", 4)
    model = GroveClassifier(n_members=4, max_parents=0).fit(X, y)
    tables = [model.rule_table(t) for t in range(model.n_rule_tables_)]
    asked = {question.split(" ")[0] for table in tables for question in table.index.names}
    assert {"c20", "c21", "c22"} <= asked
    assert len(asked) <= 4
    assert set(list(model.rule_columns_)[:3]) == {"c20", "c21", "c22"}
    assert model.score(X, y) == 1


def test_a_rare_number_has_information_and_parents():
    """One of two numbers has 10% of the rows: equal-frequency bins would hold both.

    Half of the members choose parents by information; to the others, the parents say nothing.
    """
    rng = np.random.default_rng(0)
    rare, y = (rng.random(600) < 0.1).astype(float), rng.integers(0, 2, 600)
    twin = np.where(rng.random(600) < 0.05, 1 - rare, rare)
    model = GroveClassifier().fit(pd.DataFrame({"rare": rare, "twin": twin}), y)
    arcs = model.arc_probabilities_
    assert arcs.get(("rare", "twin"), 0) + arcs.get(("twin", "rare"), 0) >= 0.5
