"""Rule tables: the learner and the sum."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bayesgrove.encoding import Encoded
from bayesgrove.trees import RuleTables, rule_tables


def exactly_two(rows=1200, seed=0, noise=0.0):
    """Six columns of three values; the class says whether exactly two of them are 1."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 3, rows).astype(np.uint8) for _ in range(6)]
    target = (sum((column == 1).astype(int) for column in columns) == 2).astype(np.uint8)
    target ^= (rng.random(rows) < noise).astype(np.uint8)
    return Encoded(columns, [3] * 6, rows, target=target, n_classes=2)


def learn(rows, folds=4, ordered=None, options=None, scores=None, threads=1):
    parts = np.random.default_rng(9).integers(0, folds, rows.rows)
    scores = np.zeros((rows.rows, rows.n_classes)) if scores is None else scores
    learner = RuleTables(**(options or {}))
    return learner.learn(rows, ordered or [0] * len(rows.cards), parts, scores, threads), parts


def losses(scores, target):
    logs = scores - np.logaddexp.reduce(scores, axis=1)[:, None]
    return -logs[np.arange(len(target)), target]


def predicted(tables, rows):
    scores = np.zeros((rows.rows, rows.n_classes))
    tables.add_to(scores, rows)
    return scores


def added_by(tables, table, rows):
    """What a table adds, from its questions and entries."""
    cells = np.zeros(rows.rows, dtype=int)
    for question in tables.questions(table):
        codes = rows.column(question.column)
        cells = 2 * cells + ((codes >= question.first) & (codes <= question.last))
    return tables.cells_of(table)[cells].astype(float)


def test_tables_learn_what_six_columns_say_together():
    rows, new = exactly_two(), exactly_two(seed=1)
    fit, _ = learn(rows)
    assert fit.tables.n_tables > 5
    assert losses(predicted(fit.tables, new), new.target).mean() < 0.1  # log 2 = 0.69 without


def test_the_fall_is_that_of_rows_that_the_tables_have_not_seen():
    rows = exactly_two(noise=0.1)
    fit, _ = learn(rows)
    before, after = (losses(s, rows.target) for s in (np.zeros((1200, 2)), fit.added))
    assert fit.fall == pytest.approx((before - after).mean())


def test_held_out_rows_are_predicted_by_tables_that_never_saw_them():
    """Other labels of some held-out rows change the tables of all rows, not what is added here."""
    rows = exactly_two()
    held = np.arange(1200) % 3 == 0
    changed = rows.target.copy()
    changed[np.flatnonzero(held)[:20]] ^= 1
    other = Encoded(rows.columns, rows.cards, rows.rows, changed, 2)
    learner = RuleTables(max_rounds=1)
    one, two = (
        learner.learn(data, [0] * 6, np.where(held, 0, -1), np.zeros((1200, 2)))
        for data in (rows, other)
    )
    assert one.tables.n_tables == two.tables.n_tables == 1
    assert_array_equal(one.added, two.added)
    assert one.added[held].any(axis=1).mean() > 0.9
    assert not one.added[~held].any()
    assert not np.array_equal(one.tables.entries, two.tables.entries)


def test_noise_gives_no_tables():
    given = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        columns = [rng.integers(0, 4, 300).astype(np.uint8) for _ in range(8)]
        rows = Encoded(columns, [4] * 8, 300, rng.integers(0, 2, 300).astype(np.uint8), 2)
        given += learn(rows)[0].tables.n_tables > 0
    assert given <= 1


def test_boosting_stops_after_three_rounds_if_the_held_out_loss_is_much_higher(monkeypatch):
    """The columns are noise. The loss after each round is that of the held-out rows."""
    rows = exactly_two(rows=200, noise=0.5)
    asked, rises = [], []
    boost = rule_tables._Boosting._boost

    def observed(self, folds, scores, first_round, rounds):
        boosted = boost(self, folds, scores, first_round, rounds)
        asked.append(rounds)
        rises.extend(boosted[0].sum(axis=1) / (200 * np.log(2)) - 1)
        return boosted

    monkeypatch.setattr(rule_tables._Boosting, "_boost", observed)
    fit, _ = learn(rows)
    assert fit.tables.n_tables == 0
    assert asked == [3]
    assert rises[2] > 0.05
    monkeypatch.setattr(rule_tables, "TRIAL_RISE", np.inf)
    asked.clear()
    fit, _ = learn(rows)
    assert fit.tables.n_tables == 0
    assert sum(asked) >= 12  # The patience.


def test_few_rows_and_constant_columns_give_no_tables():
    few = exactly_two(rows=99)
    assert learn(few)[0].tables.n_tables == 0
    constant = Encoded([np.zeros(400, np.uint8)], [1], 400, np.arange(400).astype(np.uint8) % 2, 2)
    fit, _ = learn(constant)
    assert (fit.tables.n_tables, fit.fall, fit.added.any()) == (0, 0.0, False)
    one_class = Encoded([few.columns[0][:1].repeat(400)], [3], 400, np.zeros(400, np.uint8), 2)
    assert learn(one_class)[0].tables.n_tables == 0


def test_questions_about_an_axis_are_about_ranges_of_codes():
    """A column of 200 ordered codes and missing values, in at most 8 bins."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 201, 3000).astype(np.uint8)  # 200 is missing
    target = ((codes > 120) & (codes < 200)).astype(np.uint8)
    rows = Encoded([codes], [201], 3000, target, 2)
    fit, _ = learn(rows, ordered=[200], options={"max_bins": 8})
    assert fit.tables.n_tables
    for table in range(fit.tables.n_tables):
        for question in fit.tables.questions(table):
            assert 0 <= question.first <= question.last <= 200
            is_missing = question.first == question.last == 200
            # Thresholds are at eighths of the rows, about 25 codes.
            assert is_missing or question.first == 0 or question.last == 199
    missing = np.zeros((1, 2))
    fit.tables.add_to(missing, Encoded([codes[codes == 200][:1]], [201], 1, None, 2))
    assert missing[0, 0] > 0.5  # missing values are of class 0


def test_an_unknown_value_adds_nothing():
    rows = exactly_two()
    fit, _ = learn(rows)
    unknown = Encoded([np.full(3, 3, np.uint8)] * 6, [3] * 6, 3, None, 2)
    assert not predicted(fit.tables, unknown).any()
    # The sum of the tables that do not ask column 0 is left.
    codes = [column[:50] for column in rows.columns]
    part = Encoded([np.full(50, 3, np.uint8), *codes[1:]], [3] * 6, 50, None, 2)
    expected = np.zeros((50, 2))
    plain = Encoded(codes, [3] * 6, 50, None, 2)
    for table in range(fit.tables.n_tables):
        if all(question.column != 0 for question in fit.tables.questions(table)):
            expected += added_by(fit.tables, table, plain)
    assert_allclose(predicted(fit.tables, part), expected, atol=1e-6)


def test_a_sum_is_the_sum_of_its_tables():
    rows = exactly_two(noise=0.2)
    fit, _ = learn(rows)
    parts = [added_by(fit.tables, table, rows) for table in range(fit.tables.n_tables)]
    assert_allclose(predicted(fit.tables, rows), sum(parts), atol=1e-6)
    some = np.arange(fit.tables.n_tables) % 2 == 0
    assert_allclose(predicted(fit.tables.chosen(some), rows), sum(parts[::2]), atol=1e-6)


def test_what_tables_add_is_divided_by_the_gains_of_their_questions():
    rows = exactly_two(noise=0.2)
    fit, _ = learn(rows)
    expected = np.zeros((6, rows.rows, 2))
    for table in range(fit.tables.n_tables):
        questions = fit.tables.questions(table)
        total = sum(question.gain for question in questions)
        for question in questions:
            part = question.gain / total * added_by(fit.tables, table, rows)
            expected[question.column] += part
    assert (expected != 0).any(axis=(1, 2)).sum() > 1
    assert_allclose(fit.tables.added_by_columns(rows), expected, atol=1e-6)
    assert not fit.tables.chosen(np.zeros(fit.tables.n_tables, bool)).added_by_columns(rows).any()


def test_tables_begin_at_the_given_scores():
    """Scores that say all leave nothing to learn."""
    rows = exactly_two()
    known = np.where(rows.target[:, None] == np.arange(2), 8.0, 0.0)
    assert learn(rows, scores=known)[0].tables.n_tables == 0


@pytest.mark.parametrize("sample_rows", [300, 4000])
def test_threads_do_not_change_the_tables(sample_rows):
    rows = exactly_two(noise=0.1)
    one, two = (
        learn(rows, threads=threads, options={"sample_rows": sample_rows})[0] for threads in (1, 3)
    )
    assert one.fall == two.fall
    assert_array_equal(one.tables.entries, two.tables.entries)


def test_a_row_of_weight_two_is_two_rows_of_the_tables():
    """One table from weighted rows is that of repeated rows."""
    rows = exactly_two(rows=400, noise=0.1)
    weights = np.random.default_rng(3).integers(1, 3, 400)
    where = np.repeat(np.arange(400), weights)
    heavy = Encoded(rows.columns, rows.cards, 400, rows.target, 2, weights.astype(float))
    twice = rows.take(where)
    parts = np.arange(400) % 4
    options = {"max_rounds": 1, "learning_rate": 0.5}
    one, two = (
        RuleTables(**options).learn(data, [0] * 6, folds, np.zeros((data.rows, 2)))
        for data, folds in ((heavy, parts), (twice, parts[where]))
    )
    assert one.tables.n_tables == two.tables.n_tables
    assert_allclose(one.tables.entries, two.tables.entries, atol=1e-6)
