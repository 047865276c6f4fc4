"""SKDB against brute force: every row is left out, and all tables are counted again without it."""

import itertools
import json
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from bayesgrove import (
    BayesianNetworkClassifier,
    KDBClassifier,
    OptionError,
    SKDBClassifier,
    config_context,
    load_dataset,
    load_model,
    save_model,
)
from bayesgrove._utils import memory
from bayesgrove.checks import check_classifier
from bayesgrove.cli.models import model_name, parse_model
from bayesgrove.counts import counter
from bayesgrove.model_files import ModelFileError
from bayesgrove.parameters import Dirichlet, nested_losses
from bayesgrove.parameters.nested_losses import NestedLosses, leave_one_out_losses
from bayesgrove.scores.dependence_ranking import DependenceRanking, rank_dependence
from bayesgrove.structures import SKDB
from support import make_source

SCORINGS = ("rmse", "accuracy", "log_loss")


@pytest.fixture(params=["numpy", "_native"])
def kernels(request, monkeypatch):
    module = pytest.importorskip(f"bayesgrove.kernels.{request.param}")
    monkeypatch.setattr(nested_losses, "kernels", module)
    return module


def draw(seed, rows=18, cards=(2, 3, 2, 3), classes=2, missing=0.0):
    """Columns of codes, the class last; the code ``card`` is a missing value."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    y[:classes] = range(classes)
    columns = []
    for card in cards:
        before = columns[-1] if columns else 0
        codes = (y * rng.integers(0, 2, rows) + before + (rng.random(rows) < 0.4)) % card
        columns.append(np.where(rng.random(rows) < missing, card, codes))
    return [*columns, y], [*cards, classes]


def share(part, whole, states, alpha):
    below = whole + alpha * states
    return (part + alpha) / below if below > 0 else 1 / states


def table_share(rows, weights, child, states, parents, row, c, alpha):
    """P(value | parents, class) of a row, counted in the rows where all of them are known."""
    part = whole = 0.0
    for other, weight in zip(rows, weights, strict=True):
        known = other[-1] == c and other[child] is not None
        if known and all(other[p] == row[p] for p in parents):
            whole += weight
            part += weight * (other[child] == row[child])
    return share(part, whole, states, alpha)


def posterior(rows, weights, cards, order, parents, k, row, alpha):
    """P(class | row) of the first attributes of an order with k parents each, in plain Python."""
    classes = range(cards[-1])
    priors = [
        share(
            sum(w for other, w in zip(rows, weights, strict=True) if other[-1] == c),
            sum(weights),
            cards[-1],
            alpha,
        )
        for c in classes
    ]
    joint = list(priors)
    for v in order:
        if row[v] is None:
            continue
        used = list(itertools.takewhile(lambda p: row[p] is not None, parents[v][:k]))
        for c in classes:
            joint[c] *= table_share(rows, weights, v, cards[v], used, row, c, alpha)
    joint = joint if sum(joint) > 0 else priors
    return [value / sum(joint) for value in joint]


def loss_of(probabilities, c, scoring):
    if scoring == "rmse":
        return (1 - probabilities[c]) ** 2
    if scoring == "log_loss":
        return -math.log(probabilities[c])
    tied = [p >= max(probabilities) * (1 - 1e-11) for p in probabilities]
    return float(tied.index(True) != c)


def brute_force(columns, cards, ranking, scoring, alpha, weights=None):
    rows = [
        tuple(None if code == card and v < len(cards) - 1 else int(code) for v, (code, card) in
              enumerate(zip(row, cards, strict=True)))
        for row in zip(*columns, strict=True)
    ]  # fmt: skip
    weights = [1.0] * len(rows) if weights is None else list(weights)
    parents = [others.tolist() for others in ranking.parents]
    n = len(cards) - 1
    losses = np.zeros((ranking.largest_k + 1, n + 1))
    for r, row in enumerate(rows):
        others, their = rows[:r] + rows[r + 1 :], weights[:r] + weights[r + 1 :]
        for k, s in itertools.product(range(len(losses)), range(n + 1)):
            order = ranking.order[:s]
            found = posterior(others, their, cards, order, parents, k, row, alpha)
            losses[k, s] += weights[r] * loss_of(found, row[-1], scoring)
    means = losses / sum(weights)
    return np.sqrt(means) if scoring == "rmse" else means


@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("seed", range(4))
def test_losses_are_those_of_counting_again_without_each_row(kernels, seed, scoring):
    columns, cards = draw(seed, classes=2 + seed % 2)
    source = make_source(columns, cards)
    ranking = rank_dependence(source, 3)
    alpha = (1.0, 0.25, 3.0, 0.5)[seed]
    losses = leave_one_out_losses(source, ranking, scoring, alpha)
    assert losses.shape == (4, 5)
    expected = brute_force(columns, cards, ranking, scoring, alpha)
    assert_allclose(losses, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("scoring", ["rmse", "accuracy"])
def test_losses_without_smoothing(kernels, scoring):
    """Rows that are impossible under every class get the probabilities of the classes."""
    columns, cards = draw(5, rows=12)
    source = make_source(columns, cards)
    ranking = rank_dependence(source, 3)
    losses = leave_one_out_losses(source, ranking, scoring, 0)
    assert_allclose(losses, brute_force(columns, cards, ranking, scoring, 0), rtol=0, atol=1e-10)


@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("seed", range(3))
def test_a_missing_value_has_no_table_and_a_missing_parent_ends_the_parents(kernels, seed, scoring):
    columns, cards = draw(seed + 20, rows=20, missing=0.25)
    source = make_source(columns, cards)
    ranking = rank_dependence(source, 3)
    losses = leave_one_out_losses(source, ranking, scoring, 0.5)
    expected = brute_force(columns, cards, ranking, scoring, 0.5)
    assert_allclose(losses, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("scoring", SCORINGS)
def test_a_row_is_left_out_with_its_weight(kernels, scoring):
    columns, cards = draw(8, missing=0.1)
    weights = np.random.default_rng(8).random(len(columns[0])) * 3
    source = make_source(columns, cards, weights=weights)
    ranking = rank_dependence(source, 2)
    losses = leave_one_out_losses(source, ranking, scoring, 1.0)
    expected = brute_force(columns, cards, ranking, scoring, 1.0, weights)
    assert_allclose(losses, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_tables_of_observed_configurations_give_the_same_losses(kernels, missing, monkeypatch):
    columns, cards = draw(9, rows=40, cards=(3, 4, 3, 4, 2), missing=missing)
    ranking = rank_dependence(make_source(columns, cards), 4)
    dense = leave_one_out_losses(make_source(columns, cards), ranking)
    monkeypatch.setattr(counter, "DENSE_CELLS", 0)
    source = make_source(columns, cards)
    measure = NestedLosses.of(source, ranking, 1.0, 0, 2.0**50, 1.0)
    assert any(configurations.keys is not None for configurations in measure.configurations)
    assert leave_one_out_losses(source, ranking).tobytes() == dense.tobytes()


def test_losses_are_those_of_networks_that_are_estimated_without_each_row():
    """The same by the parts that fit the model: tables by Dirichlet, predictions by the network."""
    columns, cards = draw(10, rows=16, classes=3)
    ranking = rank_dependence(make_source(columns, cards), 3)
    losses = leave_one_out_losses(make_source(columns, cards), ranking, "rmse", 0.7)
    states = [tuple(range(card)) for card in cards]
    expected = np.zeros_like(losses)
    for r in range(16):
        kept = np.arange(16) != r
        others = make_source([column[kept] for column in columns], cards)
        left_out = make_source([column[~kept] for column in columns], cards)
        for k, s in itertools.product(range(4), range(5)):
            network = Dirichlet(0.7).estimate(ranking.structure(k, s), others, states)
            (joint,) = left_out.reduce(network.log_joint, np.add)
            p = np.exp(joint - np.logaddexp.reduce(joint))
            expected[k, s] += (1 - p[columns[-1][r]]) ** 2 / 16
    assert_allclose(losses, np.sqrt(expected), rtol=0, atol=1e-10)


def test_probabilities_below_the_range_of_floats(kernels):
    """500 equal columns: products of the probabilities of a row are as small as 1e-500."""
    y = np.array([0, 0, 0, 1, 1, 1, 0, 1] * 3)
    x = np.where(np.arange(24) == 5, 0, y)
    flipped = 1 - x
    columns, cards = [*[x] * 500, *[flipped] * 200, y], [2] * 701
    source = make_source(columns, cards)
    ranking = rank_dependence(source, 0)
    losses = leave_one_out_losses(source, ranking, "log_loss", 1e-3)

    def log_probability(r, s):
        logs = []
        for c in (0, 1):
            rows = [m for m in range(24) if m != r]
            total = sum(y[m] == c for m in rows)
            equal = sum(y[m] == c and x[m] == x[r] for m in rows)
            logs.append(math.log((total + 1e-3) / (23 + 2e-3)))
            logs[-1] += s * math.log((equal + 1e-3) / (total + 2e-3))
        return logs[y[r]] - np.logaddexp(*logs)

    for s in (1, 100, 700):
        expected = -np.mean([log_probability(r, s) for r in range(24)])
        assert losses[0, s] == pytest.approx(expected, rel=1e-10)


def test_kernels_agree_on_many_rows(monkeypatch):
    native = pytest.importorskip("bayesgrove.kernels._native")
    columns, cards = draw(11, rows=5000, cards=(3, 4, 2, 5, 3), classes=3, missing=0.05)
    ranking = rank_dependence(make_source(columns, cards), 4)
    for scoring in SCORINGS:
        here = leave_one_out_losses(make_source(columns, cards), ranking, scoring)
        with monkeypatch.context() as patch:
            patch.setattr(nested_losses, "kernels", nested_losses.kernels)
            numpy = pytest.importorskip("bayesgrove.kernels.numpy")
            other = native if nested_losses.kernels is not native else numpy
            patch.setattr(nested_losses, "kernels", other)
            there = leave_one_out_losses(make_source(columns, cards), ranking, scoring)
        assert_allclose(here, there, rtol=0, atol=1e-12)


@pytest.mark.parametrize("scoring", SCORINGS)
def test_parts_and_threads_do_not_change_a_bit(scoring):
    columns, cards = draw(12, rows=3000, cards=(3, 4, 2, 5), missing=0.05)
    whole = make_source(columns, cards)
    ranking = rank_dependence(whole, 3)
    losses = leave_one_out_losses(whole, ranking, scoring)
    parts = make_source(columns, cards, ends=[7, 1000, 1001, 3000])
    assert leave_one_out_losses(parts, ranking, scoring).tobytes() == losses.tobytes()
    whole.threads = 3
    assert leave_one_out_losses(whole, ranking, scoring).tobytes() == losses.tobytes()


def test_the_count_function_can_be_sent_elsewhere():
    columns, cards = draw(13)
    source = make_source(columns, cards)
    measure = NestedLosses.of(source, rank_dependence(source, 2), 1.0, 0, 2.0**50, 1.0)
    copy = pickle.loads(pickle.dumps(measure))
    assert source.reduce(copy, np.add).tolist() == source.reduce(measure, np.add).tolist()


def test_memory_is_asked_for_before_tables_are_counted(monkeypatch):
    columns, cards = draw(14, rows=4000, cards=(60, 60, 60, 60))
    source = make_source(columns, cards)
    ranking = rank_dependence(source, 3)
    monkeypatch.setattr(memory, "available_memory", lambda: 10**6)
    with pytest.raises(MemoryError, match=r"4 attributes with up to 3 parents.*a smaller k"):
        leave_one_out_losses(source, ranking)


def test_ties_go_to_fewer_parents_then_to_fewer_attributes():
    losses = np.array([[0.5, 0.3, 0.4], [0.5, 0.3, 0.2], [0.5, 0.3, 0.2 - 1e-14]])
    assert SKDB().best(losses) == (1, 2)
    assert SKDB(select_attributes=False).best(losses) == (1, 2)
    assert SKDB().best(np.array([[0.5, 0.2, 0.2], [0.5, 0.2, 0.2]])) == (0, 1)
    assert SKDB().best(np.array([[0.5, 0.5], [0.5, 0.5]])) == (0, 0)
    assert SKDB(select_attributes=False).best(np.array([[0.5, 0.2, 0.3], [0.5, 0.2, 0.3]])) == (
        0,
        2,
    )


def labelled(seed, **options):
    columns, cards = draw(seed, **options)
    frame = pd.DataFrame(
        {
            f"x{v}": [None if code == card else f"v{code}" for code in column]
            for v, (column, card) in enumerate(zip(columns[:-1], cards[:-1], strict=True))
        },
        dtype=object,
    )
    return frame, [f"c{c}" for c in columns[-1]]


@pytest.mark.parametrize("missing", ["value", "ignore"])
@pytest.mark.parametrize("scoring", SCORINGS)
def test_the_model_is_the_best_part_of_kdb(scoring, missing):
    X, y = labelled(15, rows=60, cards=(2, 3, 2, 3, 2), missing=0.1)
    model = SKDBClassifier(k=3, scoring=scoring, missing=missing).fit(X, y)
    k, size = np.unravel_index(model.losses_.argmin(), model.losses_.shape)
    assert (model.k_, len(model.selected_)) == (k, size)
    assert model.selected_ == model.order_[:size]
    assert [step.attribute for step in model.path_] == model.selected_
    assert [step.value for step in model.path_] == model.losses_[k, 1 : size + 1].tolist()
    kdb = KDBClassifier(k=int(k), missing=missing).fit(X[sorted(model.selected_)], y)
    assert model.network_ == kdb.network_
    assert_allclose(model.predict_proba(X), kdb.predict_proba(X[sorted(model.selected_)]))
    assert model.get_support().tolist() == [name in model.selected_ for name in X]


def test_without_selection_only_k_is_chosen():
    X, y = labelled(16, rows=80)
    model = SKDBClassifier(k=2, select_attributes=False).fit(X, y)
    assert model.k_ == model.losses_[:, -1].argmin()
    assert sorted(model.selected_) == list(X)
    assert model.network_ == KDBClassifier(k=model.k_).fit(X, y).network_


def test_as_a_structure_learner_the_other_attributes_have_no_arcs():
    X, y = load_dataset("corral")
    model = SKDBClassifier(k=3).fit(X, y)
    network = BayesianNetworkClassifier(SKDB(k=3)).fit(X, y).network_
    for name in X:
        expected = model.network_.parents(name) if name in model.selected_ else ()
        assert network.parents(name) == expected
    posterior = BayesianNetworkClassifier(SKDB(k=3)).fit(X, y).predict_proba(X)
    assert_allclose(model.predict_proba(X), posterior, rtol=1e-12)


def test_attributes_without_information_leave_the_class_alone():
    X = pd.DataFrame({"a": ["u", "v"] * 20, "b": ["p", "p", "q", "q"] * 10})
    y = ["n"] * 30 + ["y"] * 10
    with pytest.warns(UserWarning, match="No attribute was selected"):
        model = SKDBClassifier().fit(X, y)
    assert model.selected_ == []
    assert_allclose(model.predict_proba(X), [[31 / 42, 11 / 42]] * 40)


@pytest.mark.parametrize("missing", ["value", "ignore"])
def test_from_a_file_the_same_bits(missing, tmp_path):
    X, y = labelled(17, rows=300, missing=0.1)
    X.assign(y=y).to_parquet(tmp_path / "rows.parquet", row_group_size=70)
    here = SKDBClassifier(k=3, missing=missing).fit(X, pd.Series(y, name="y"))
    there = SKDBClassifier(k=3, missing=missing).fit(tmp_path / "rows.parquet", "y")
    with config_context(memory_limit=100), pytest.warns(UserWarning, match="temporary file"):
        spilled = SKDBClassifier(k=3, missing=missing, n_jobs=2).fit(tmp_path / "rows.parquet", "y")
    for other in (there, spilled):
        assert other.losses_.tobytes() == here.losses_.tobytes()
        assert other.network_ == here.network_


def test_weights_of_the_estimator():
    columns, cards = draw(18, rows=30)
    X, y = labelled(18, rows=30)
    weights = np.random.default_rng(1).random(30) + 0.5
    model = SKDBClassifier(k=2).fit(X, y, sample_weight=weights)
    source = make_source(columns, cards, weights=weights)
    ranking = rank_dependence(source, 2)
    expected = brute_force(columns, cards, ranking, "rmse", 1.0, weights)
    assert_allclose(model.losses_, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("select_attributes", [True, False])
def test_from_a_model_file(select_attributes, tmp_path):
    X, y = load_dataset("vote")
    model = SKDBClassifier(k=2, select_attributes=select_attributes).fit(X, y)
    save_model(model, tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    assert vars(loaded).keys() == vars(model).keys()
    assert loaded.losses_.tobytes() == model.losses_.tobytes()
    assert (loaded.k_, loaded.order_, loaded.path_) == (model.k_, model.order_, model.path_)
    assert loaded.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda extra: extra["order"].__setitem__(1, extra["order"][0]), "every column once"),
        (lambda extra: extra["losses"][0].__setitem__(0, -0.5), "less than 0"),
        (lambda extra: extra["losses"][0].__setitem__(0, 0.01), "not the selected attributes"),
        (lambda extra: extra["losses"].pop(), "has 2 items, needs 3"),
    ],
)
def test_damaged_files(damage, message, tmp_path):
    model = SKDBClassifier(k=2).fit(*load_dataset("corral"))
    save_model(model, tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    damage(document["extra"])
    (tmp_path / "m.json").write_text(json.dumps(document))
    with pytest.raises(ModelFileError, match=message):
        load_model(tmp_path / "m.json")


@pytest.mark.parametrize(
    "option",
    [
        *({"k": -1}, {"k": 1.5}, {"k": "auto"}, {"scoring": "auc"}, {"alpha": -1}),
        *({"select_attributes": "yes"}, {"missing": "em"}),
    ],
)
def test_options_that_cannot_be(option):
    with pytest.raises(OptionError, match=next(iter(option))):
        SKDBClassifier(**option).fit(*labelled(19))


def test_log_loss_needs_pseudo_counts():
    with pytest.raises(OptionError, match="needs alpha above 0"):
        SKDBClassifier(scoring="log_loss", alpha=0).fit(*labelled(20))


@pytest.mark.parametrize(
    "model",
    [SKDBClassifier(), SKDBClassifier(1, scoring="accuracy", missing="ignore", alpha=0)],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore:No attribute was selected")
def test_the_checks_of_every_classifier(model):
    check_classifier(model)


def test_the_command_line_knows_it():
    model = parse_model("skdb:k=2,scoring=log_loss,select_attributes=false").build()
    assert isinstance(model, SKDBClassifier)
    assert (model.k, model.scoring, model.select_attributes) == (2, "log_loss", False)
    assert model_name(model) == "skdb"


@pytest.mark.parametrize("scoring", ["accuracy", "log_loss"])
@pytest.mark.parametrize("theta", [None, 0.05, "auto"])
def test_kdb_chooses_by_the_same_losses(theta, scoring):
    columns, cards = draw(21, rows=30, missing=0.1)
    source = make_source(columns, cards)
    learner = KDBClassifier("auto", theta, cv="leave-one-out", scoring=scoring)._structure_learner()
    choices = learner.choices(source, 0.5)
    ranking = rank_dependence(source, 3)
    for choice in choices:
        cut = ranking
        if choice.theta is not None:
            kept = [values > choice.theta for values in ranking.dependence]
            parents = [p[m] for p, m in zip(ranking.parents, kept, strict=True)]
            cut = DependenceRanking(ranking.order, parents, ranking.dependence)
        losses = brute_force(columns, cards, cut, scoring, 0.5)[:, -1]
        loss = losses[min(choice.k, len(losses) - 1)]
        expected = 1 - loss if scoring == "accuracy" else -loss
        assert choice.score == pytest.approx(expected, abs=1e-10)
    assert len(choices) == 4 * (7 if theta == "auto" else 1)
    assert not learner.weights_repeat_rows


def test_cv_of_kdb_that_cannot_be():
    with pytest.raises(OptionError, match="cv='all' must be 'leave-one-out' or"):
        KDBClassifier("auto", cv="all").fit(*labelled(22))


def test_wrong_arguments_of_the_kernel_raise(kernels):
    columns = [np.zeros(2, dtype=np.uint8)] * 2
    table = np.zeros((1, 2, 3))
    good = {
        "columns": columns,
        "cards": [2, 2],
        "parents": np.array([[-1], [0]], dtype=np.int32),
        "tables": [table, table, np.zeros((2, 2, 3))],
        "numbers": [np.zeros(0, dtype=np.int32)] * 3,
        "target": columns[0],
        "class_counts": np.array([2.0, 0.0]),
        "weights": None,
        "alpha": 1.0,
        "loss": 0,
        "unit": 1.0,
        "largest": 1.0,
        "threads": 1,
    }
    kernels.leave_one_out_losses(**good)
    for bad, message in [
        ({"cards": [2]}, "one cardinality"),
        ({"target": np.array([0, 2], dtype=np.uint8)}, "class is out of range"),
        ({"target": np.zeros(3, dtype=np.uint8)}, "differ in length"),
        ({"tables": [table, table]}, "one table per"),
        ({"tables": [table, table, table]}, "shape of its attribute"),
        ({"parents": np.array([[1], [-1]], dtype=np.int32)}, "come before"),
        ({"numbers": [*good["numbers"][:2], np.array([0, 2], dtype=np.int32)]}, "out of range"),
    ]:
        with pytest.raises(ValueError, match=message):
            kernels.leave_one_out_losses(**{**good, **bad})
