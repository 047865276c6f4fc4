"""Sums over cells, tests of pairs, restrictions and folds against dictionaries over the rows."""

import itertools
import math
import operator
from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chi2_contingency

import bayesgrove.counts.counter
import bayesgrove.counts.sums
from bayesgrove.counts import CountSource, Family, MemoryEngine, StreamEngine
from bayesgrove.counts.cache import LRUCache
from bayesgrove.encoding import Encoded, code_type

CARDS = [2, 3, 1, 4, 300]
CLASSES = 3
CLASS = len(CARDS)
ROWS = 90
CUTS = {
    "one batch": (ROWS,),
    "batches": (40, 41, ROWS),
    "single rows": (*range(1, 31), ROWS),
}
PLACES = ["memory", "threads", *CUTS]


@dataclass(frozen=True)
class Powers:
    """Terms whose sums are whole numbers."""

    def outer(self, counts):
        return -(counts**2)

    def inner(self, counts):
        return counts**3


@dataclass(frozen=True)
class Logs:
    """Terms of every size and both signs."""

    shift: float = 0.5

    def outer(self, counts):
        return counts * np.log(counts + self.shift)

    def inner(self, counts):
        return np.log1p(counts) - self.shift * counts


def make_rows(rows=ROWS, *, missing=0.12, weighted=False, seed=0, cards=CARDS, classes=CLASSES):
    """Codes that depend on each other and on the class."""
    rng = np.random.default_rng(seed)
    target = rng.integers(0, classes, rows)
    common = rng.integers(0, 12, rows)
    columns = []
    for card in cards:
        codes = (common + target + rng.integers(0, 300, rows) * (rng.random(rows) < 0.4)) % card
        codes[rng.random(rows) < missing] = card
        columns.append(codes.astype(code_type(card)))
    weights = rng.integers(1, 9, rows) / 4 if weighted else None
    return Encoded(columns, list(cards), rows, target.astype(np.uint8), classes, weights)


def make_source(engine, encoded, threads=1):
    names = [*(f"a{j}" for j in range(len(encoded.cards))), "class"]
    return CountSource(engine, names, [*encoded.cards, encoded.n_classes], threads)


def in_memory(encoded, threads=1):
    return make_source(MemoryEngine(encoded), encoded, threads)


class CountingStream(StreamEngine):
    def __init__(self, batches, rows):
        super().__init__(batches, rows)
        self.passes = 0

    def map_reduce(self, count, merge, columns=None):
        self.passes += 1
        return super().map_reduce(count, merge, columns)


def streamed(encoded, ends):
    def batches(columns=None):
        pairs = itertools.pairwise([0, *ends])
        return (encoded.take(np.arange(start, stop)) for start, stop in pairs)

    return make_source(CountingStream(batches, encoded.rows), encoded)


def source_at(place, encoded):
    if place in CUTS:
        return streamed(encoded, [min(end, encoded.rows) for end in CUTS[place]])
    return in_memory(encoded, threads=3 if place == "threads" else 1)


def known_rows(encoded, variables):
    """Codes of some variables and the weight of every row where none of them is missing."""
    cards = [*encoded.cards, encoded.n_classes]
    columns = [encoded.column(v).tolist() for v in variables]
    weights = [1.0] * encoded.rows if encoded.weights is None else encoded.weights.tolist()
    for r, weight in enumerate(weights):
        codes = tuple(column[r] for column in columns)
        if all(code < cards[v] for code, v in zip(codes, variables, strict=True)):
            yield codes, weight


def brute_sums(encoded, child, given, candidate, terms, refined):
    outer, inner = Counter(), Counter()
    for codes, weight in known_rows(encoded, [*given, child, candidate]):
        parents = codes[: len(given)] + (codes[-1:] if refined else ())
        outer[parents] += weight
        inner[parents, codes[len(given)]] += weight
    cells = [np.array(list(counts.values()), dtype=float) for counts in (outer, inner)]
    return [math.fsum(terms.outer(cells[0])), math.fsum(terms.inner(cells[1]))]


def brute_pair(encoded, given, a, b):
    """Chi-squared, G-squared and degrees of freedom, group after group by scipy."""
    groups = defaultdict(Counter)
    for codes, weight in known_rows(encoded, [*given, a, b]):
        groups[codes[:-2]][codes[-2:]] += weight
    found = np.zeros(3)
    for cells in groups.values():
        rows, columns = (sorted({pair[k] for pair in cells}) for k in (0, 1))
        table = [[cells[x, y] for y in columns] for x in rows]
        if min(len(rows), len(columns)) == 1:
            continue
        chi = chi2_contingency(table, correction=False)
        g = chi2_contingency(table, correction=False, lambda_="log-likelihood")
        found += [chi.statistic, g.statistic, chi.dof]
    return found


QUESTIONS = [
    (1, (0, 3)),
    (CLASS, ()),
    (CLASS, (4, 0)),
    (0, (CLASS,)),
    (3, (CLASS, 1, 4)),
    (2, (3,)),
    (4, (1,)),
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.12])
@pytest.mark.parametrize("place", PLACES)
def test_cell_sums_are_sums_over_dictionaries(place, missing, weighted):
    encoded = make_rows(missing=missing, weighted=weighted)
    source = source_at(place, encoded)
    for (child, given), terms, refined in itertools.product(
        QUESTIONS, (Powers(), Logs()), (True, False)
    ):
        candidates = [v for v in range(CLASS + 1) if v != child and v not in given]
        found = source.cell_sums(child, given, candidates, terms, refined=refined)
        expected = [brute_sums(encoded, child, given, z, terms, refined) for z in candidates]
        assert_allclose(found, expected, rtol=1e-11, atol=1e-11, err_msg=f"{child} | {given}")


PAIRS = [(0, 1), (1, 0), (3, CLASS), (CLASS, 4), (4, 1), (2, 0), (3, 1)]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.12])
@pytest.mark.parametrize("place", PLACES)
def test_pair_statistics_are_those_of_scipy(place, missing, weighted):
    encoded = make_rows(missing=missing, weighted=weighted)
    source = source_at(place, encoded)
    for given in [(), (1,), (CLASS,), (3, 0), (4, CLASS)]:
        pairs = [pair for pair in PAIRS if not set(pair) & set(given)]
        found = source.pair_statistics(given, *zip(*pairs, strict=True))
        expected = [brute_pair(encoded, given, *pair) for pair in pairs]
        assert_allclose(found, expected, rtol=1e-10, atol=1e-9, err_msg=f"given {given}")
        assert_array_equal(found[:, 2], np.array(expected)[:, 2])
    assert max(row[2] for row in expected) > 0


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("place", PLACES)
def test_joint_values_are_distinct_rows(place, weighted):
    encoded = make_rows(weighted=weighted)
    source = source_at(place, encoded)
    for variables in [(), (0,), (2,), (3, 1), (4, 0, 1), (0, 1, 2, 3, 4)]:
        distinct = {codes for codes, _ in known_rows(encoded, variables)}
        assert source.joint_values(variables) == len(distinct)


@pytest.mark.parametrize("place", ["memory", "batches"])
def test_answers_from_observed_configurations_are_the_same(monkeypatch, place):
    encoded = make_rows(weighted=True)
    dense = source_at(place, encoded)
    sums = [dense.cell_sums(c, g, [2], Logs()) for c, g in QUESTIONS[:5]]
    pairs = dense.pair_statistics((0, 3), [1], [CLASS])
    monkeypatch.setattr(bayesgrove.counts.counter, "DENSE_CELLS", -1)
    monkeypatch.setattr(
        bayesgrove.counts.Counter, "_is_dense", lambda self, family: not family.parents
    )
    sparse = source_at(place, encoded)
    assert sparse.tables([Family(0, (1,), True)])[0].configurations.keys is not None
    for (child, given), expected in zip(QUESTIONS[:5], sums, strict=True):
        assert_allclose(sparse.cell_sums(child, given, [2], Logs()), expected, rtol=1e-12)
    assert_allclose(sparse.pair_statistics((0, 3), [1], [CLASS]), pairs, rtol=1e-12)


def test_rows_of_weight_two_are_rows_twice():
    encoded = make_rows()
    twice = in_memory(encoded.take(np.repeat(np.arange(ROWS), 2)))
    heavy = in_memory(
        Encoded(encoded.columns, encoded.cards, ROWS, encoded.target, CLASSES, np.full(ROWS, 2.0))
    )
    for child, given in QUESTIONS:
        candidates = [v for v in range(CLASS + 1) if v != child and v not in given]
        one, two = (s.cell_sums(child, given, candidates, Logs()) for s in (twice, heavy))
        assert_allclose(one, two, rtol=1e-12)
    one, two = (s.pair_statistics((1,), [0, 3], [CLASS, 4]) for s in (twice, heavy))
    assert_allclose(one, two, rtol=1e-11)


def test_rows_of_weight_zero_count_for_nothing():
    encoded = make_rows(weighted=True)
    encoded.weights[::3] = 0.0
    kept = encoded.take(np.flatnonzero(encoded.weights))
    for place in ("memory", "batches"):
        all_rows, some_rows = source_at(place, encoded), in_memory(kept)
        one, two = (s.cell_sums(1, (0, 4), [3, CLASS], Logs()) for s in (all_rows, some_rows))
        assert_allclose(one, two, rtol=1e-12)
        one, two = (s.pair_statistics((4,), [0, 1], [CLASS, 3]) for s in (all_rows, some_rows))
        assert_allclose(one, two, rtol=1e-12)


def test_a_wide_table_of_many_rows():
    encoded = make_rows(rows=3000, cards=[40, 300, 7, 2])
    source = in_memory(encoded)
    for child, given in [(0, (1,)), (4, (0, 1, 2)), (1, (0, 4))]:
        for refined in (True, False):
            found = source.cell_sums(child, given, [3], Logs(), refined=refined)
            expected = brute_sums(encoded, child, given, 3, Logs(), refined)
            assert_allclose(found[0], expected, rtol=1e-11)
    found = source.pair_statistics((2, 3), [0, 0], [1, 4])
    expected = [brute_pair(encoded, (2, 3), 0, b) for b in (1, 4)]
    assert_allclose(found, expected, rtol=1e-10)


def test_a_group_without_known_rows_adds_nothing():
    gap = np.array([2, 2, 0, 1], dtype=np.uint8)  # missing wherever the first column is 0
    first = np.array([0, 0, 1, 1], dtype=np.uint8)
    other = np.array([0, 1, 0, 1], dtype=np.uint8)
    encoded = Encoded([first, gap, other], [2, 2, 2], 4, other, 2)
    for place in ("memory", "batches"):
        source = source_at(place, encoded)
        assert source.pair_statistics((0,), [1], [2]).tolist() == [
            pytest.approx([2.0, 4 * math.log(2), 1.0])
        ]
        assert source.cell_sums(2, (0,), [1], Powers()).tolist() == [[-2.0, 2.0]]
        assert source.cell_sums(2, (0,), [1], Powers(), refined=False).tolist() == [[-4.0, 2.0]]
        assert source.joint_values((0, 1)) == 2


def test_a_candidate_that_is_never_known_leaves_no_row():
    nothing = np.full(5, 2, dtype=np.uint8)
    some = np.array([0, 1, 0, 1, 1], dtype=np.uint8)
    encoded = Encoded([nothing, some], [2, 2], 5, some, 2)
    for place in ("memory", "batches"):
        source = source_at(place, encoded)
        for refined in (True, False):
            assert source.cell_sums(2, (), [0], Logs(), refined=refined).tolist() == [[0.0, 0.0]]
        assert source.pair_statistics((), [0], [1]).tolist() == [[0.0, 0.0, 0.0]]
        assert source.pair_statistics((0,), [1], [2]).tolist() == [[0.0, 0.0, 0.0]]
        assert source.joint_values((0, 1)) == 0


def test_no_candidates_and_no_pairs_give_empty_answers():
    for place in ("memory", "batches"):
        source = source_at(place, make_rows())
        assert source.cell_sums(0, (1,), [], Logs()).shape == (0, 2)
        assert source.pair_statistics((1,), [], []).shape == (0, 3)


# What is remembered


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("place", ["memory", "batches"])
def test_remembered_values_do_not_mix(place, weighted):
    encoded = make_rows(weighted=weighted)
    source = source_at(place, encoded)
    random = np.random.default_rng(1)
    for _ in range(60):
        order = random.permutation(CLASS + 1).tolist()
        size = int(random.integers(0, 3))
        child, given, others = order[0], order[1 : 1 + size], order[1 + size :]
        candidates = random.choice(others, int(random.integers(1, 5))).tolist()
        terms = [Powers(), Logs(0.5), Logs(0.25)][random.integers(3)]
        refined = bool(random.integers(2))
        found = source.cell_sums(child, given, candidates, terms, refined=refined)
        expected = [brute_sums(encoded, child, given, z, terms, refined) for z in candidates]
        assert_allclose(found, expected, rtol=1e-11, atol=1e-11)
        a, b = others[:2]
        assert_allclose(
            source.pair_statistics(given, [a, b], [b, a]),
            [brute_pair(encoded, given, a, b)] * 2,
            rtol=1e-10,
            atol=1e-9,
        )


def test_answers_are_the_callers_own():
    source = in_memory(make_rows())
    for ask in (
        lambda: source.cell_sums(0, (1,), [3, 4], Logs()),
        lambda: source.pair_statistics((1,), [3], [4]),
    ):
        first = ask().copy()
        ask()[:] = -1.0
        assert_array_equal(ask(), first)


def test_a_stream_is_read_once_for_all_candidates_and_never_again():
    encoded = make_rows()
    source = streamed(encoded, CUTS["batches"])
    engine = source._counter.engine
    source.cell_sums(0, (1,), [3, 4], Logs())
    assert engine.passes == 1
    source.cell_sums(0, (1,), [4, 3, 4], Logs())
    assert engine.passes == 1
    source.cell_sums(0, (1,), [4, 2], Logs())
    assert engine.passes == 2
    source.pair_statistics((CLASS,), [0, 1, 3], [1, 3, 0])
    assert engine.passes == 3
    source.pair_statistics((CLASS,), [1, 3, 0], [0, 1, 3])
    assert engine.passes == 3


def test_answers_are_right_when_next_to_nothing_is_remembered(monkeypatch):
    monkeypatch.setattr(bayesgrove.counts.counter, "NUMBERS_BYTES", 1)
    monkeypatch.setattr(bayesgrove.counts.counter, "CACHE_BYTES", 1)
    for place, weighted in itertools.product(("memory", "batches"), (False, True)):
        encoded = make_rows(weighted=weighted)
        source = source_at(place, encoded)
        for child, given in QUESTIONS * 2:
            z = next(v for v in range(CLASS) if v != child and v not in given)
            found = source.cell_sums(child, given, [z], Logs())[0]
            assert_allclose(found, brute_sums(encoded, child, given, z, Logs(), True), rtol=1e-11)
            found = source.pair_statistics(given, [z], [child])[0]
            assert_allclose(found, brute_pair(encoded, given, z, child), rtol=1e-10, atol=1e-9)


@pytest.mark.parametrize("place", ["memory", "batches"])
def test_pairs_of_very_many_variables_are_not_remembered_and_right(monkeypatch, place):
    monkeypatch.setattr(bayesgrove.counts.counter, "MOST_CACHED", 0)
    encoded = make_rows()
    source = source_at(place, encoded)
    for _ in range(2):
        found = source.pair_statistics((3,), [0, 1, 0, CLASS], [1, 0, 1, 1])
        expected = [brute_pair(encoded, (3,), *pair) for pair in [(0, 1)] * 3 + [(CLASS, 1)]]
        assert_allclose(found, expected, rtol=1e-10, atol=1e-9)


def test_the_memo_holds_no_more_than_its_limit():
    memo = LRUCache(10)
    for key in range(8):
        assert memo.keep(key, str(key), 3) == str(key)
    assert [memo.get(key) for key in range(8)] == [None] * 5 + ["5", "6", "7"]


def test_the_memo_forgets_what_was_not_used_for_longest():
    memo = LRUCache(2)
    memo.keep("a", 1, 1)
    memo.keep("b", 2, 1)
    assert memo.get("a") == 1
    memo.keep("c", 3, 1)
    assert (memo.get("a"), memo.get("b"), memo.get("c")) == (1, None, 3)


def test_the_memo_always_holds_the_last_value():
    memo = LRUCache(2)
    memo.keep("a", 1, 1)
    memo.keep("large", 2, 100)
    assert (memo.get("a"), memo.get("large")) == (None, 2)
    memo.keep("b", 3, 1)
    assert (memo.get("large"), memo.get("b")) == (None, 3)


def test_a_value_that_is_replaced_frees_its_room():
    memo = LRUCache(3)
    memo.keep("a", 1, 1)
    for value in range(5):
        memo.keep("b", value, 2)
    assert (memo.get("a"), memo.get("b")) == (1, 4)


# Restrictions


def columns_only(encoded, attributes):
    """Rows that never had any other attribute."""
    return Encoded(
        [encoded.columns[v] for v in attributes],
        [encoded.cards[v] for v in attributes],
        encoded.rows,
        encoded.target,
        encoded.n_classes,
        encoded.weights,
    )


def answers(source):
    """A little of everything that can be asked of three attributes."""
    last = source.n_attributes
    families = [Family(0, (1, 2), True), Family(last, (2,), False)]
    yield from (table.counts for table in source.tables(families))
    yield source.class_tables()
    yield source.class_counts
    yield from (block.counts for block in source.pair_tables([0, 2]))
    yield source.pair_information([0, 1, 2])
    for refined in (True, False):
        yield source.cell_sums(0, (1,), [2, last], Logs(), refined=refined)
        yield source.cell_sums(last, (2, 0), [1], Logs(), refined=refined)
    yield source.pair_statistics((last,), [0, 1], [1, 2])
    yield source.pair_statistics((), [0, 2], [last, 1])
    yield np.array([source.joint_values(v) for v in [(0,), (2, 1), (0, 1, 2)]])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("place", ["memory", "batches"])
def test_a_restriction_counts_like_a_table_of_its_columns(place, weighted):
    encoded = make_rows(weighted=weighted)
    source = source_at(place, encoded)
    list(answers(source))
    chosen = [(0, 1, 3), (4, 3, 1), (0, 2, 3)]
    restricted = [source.restrict(attributes) for attributes in chosen]
    for attributes, part in [*zip(chosen, restricted, strict=True)] * 2:
        own = list(attributes)
        assert part.names == [*(f"a{v}" for v in own), "class"]
        assert part.cards == [*(CARDS[v] for v in own), CLASSES]
        assert (part.rows, part.total, part.n_attributes) == (source.rows, source.total, 3)
        expected = answers(source_at(place, columns_only(encoded, own)))
        for one, two in zip(answers(part), expected, strict=True):
            assert_allclose(one, two, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("place", ["memory", "batches"])
def test_a_restriction_of_a_restriction(place):
    encoded = make_rows()
    twice = source_at(place, encoded).restrict([1, 2, 3, 4]).restrict([0, 2, 3])
    assert twice.names == ["a1", "a3", "a4", "class"]
    expected = answers(source_at(place, columns_only(encoded, [1, 3, 4])))
    for one, two in zip(answers(twice), expected, strict=True):
        assert_allclose(one, two, rtol=1e-11, atol=1e-11)


def test_restrictions_share_what_is_remembered():
    source = streamed(make_rows(), CUTS["batches"])
    source.restrict([0, 1, 3]).cell_sums(2, (0,), [1, 3], Logs())
    assert source._counter.engine.passes == 1
    source.restrict([0, 3, 4]).cell_sums(1, (0,), [3], Logs())
    source.cell_sums(3, (0,), [1, CLASS], Logs())
    assert source._counter.engine.passes == 1


def test_no_attribute_at_all_is_left():
    for place in ("memory", "batches"):
        none = source_at(place, make_rows()).restrict([])
        assert (none.names, none.cards, none.n_attributes) == (["class"], [CLASSES], 0)
        assert none.total == none.class_counts.sum() == ROWS
        assert none.joint_values(()) == 1


# Folds


def numbered_rows(rows, weighted=False):
    """Rows whose first column is their number."""
    encoded = make_rows(rows, cards=[3, 2], weighted=weighted)
    numbers = np.arange(rows).astype(code_type(rows))
    return Encoded(
        [numbers, *encoded.columns], [rows, 3, 2], rows, encoded.target, CLASSES, encoded.weights
    )


def numbers_in(source):
    return source.reduce(lambda part: part.columns[0].tolist(), operator.add)


FOLD_PLACES = [None, (31,), (10, 11, 31), tuple(range(1, 32))]


@pytest.mark.parametrize("count", [2, 3, 10, 31])
@pytest.mark.parametrize("ends", FOLD_PLACES)
def test_folds_are_equal_parts_of_the_rows(ends, count):
    encoded = numbered_rows(31)
    source = in_memory(encoded) if ends is None else streamed(encoded, ends)
    folds = list(source.folds(count, random_state=4))
    assert len(folds) == count
    judged = [numbers_in(judging) for _, judging in folds]
    assert sorted(itertools.chain(*judged)) == list(range(31))
    assert {len(part) for part in judged} <= {31 // count, -(-31 // count)}
    for (learning, judging), own in zip(folds, judged, strict=True):
        assert own == sorted(own)
        assert numbers_in(learning) == [r for r in range(31) if r not in own]
        assert (learning.rows, judging.rows) == (31 - len(own), len(own))
        assert (learning.names, learning.cards) == (source.names, source.cards)


def test_folds_are_the_same_wherever_the_rows_live():
    encoded = numbered_rows(31)
    sources = [in_memory(encoded) if e is None else streamed(encoded, e) for e in FOLD_PLACES]
    parts = [[numbers_in(judging) for _, judging in s.folds(3, random_state=2)] for s in sources]
    assert all(part == parts[0] for part in parts)


def test_the_seed_fixes_the_folds():
    source = in_memory(numbered_rows(31))
    parts = {
        seed: [[numbers_in(judging) for _, judging in source.folds(3, seed)] for _ in range(2)]
        for seed in range(10)
    }
    assert all(one == two for one, two in parts.values())
    assert len({str(one) for one, _ in parts.values()}) == 10


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("ends", [None, (40, 41, 90), (*range(1, 21), 90)])
def test_folds_count_their_own_rows(ends, weighted):
    encoded = make_rows(weighted=weighted)
    source = in_memory(encoded) if ends is None else streamed(encoded, ends)
    source.cell_sums(0, (1,), [3], Logs())
    labelled = numbered_rows(ROWS)
    numbers = [numbers_in(part) for part in itertools.chain(*in_memory(labelled).folds(3, 5))]
    for part, own in zip(itertools.chain(*source.folds(3, 5)), numbers, strict=True):
        rows = encoded.take(np.array(own))
        found = part.cell_sums(0, (1,), [3, CLASS], Logs())
        expected = [brute_sums(rows, 0, (1,), z, Logs(), True) for z in (3, CLASS)]
        assert_allclose(found, expected, rtol=1e-11)
        found = part.pair_statistics((1,), [0], [CLASS])[0]
        assert_allclose(found, brute_pair(rows, (1,), 0, CLASS), rtol=1e-10, atol=1e-9)
        assert part.joint_values((3, 1)) == len({c for c, _ in known_rows(rows, (3, 1))})
        assert part.total == sum(w for _, w in known_rows(rows, ()))
        expected = answers(in_memory(columns_only(rows, [0, 1, 3])))
        for one, two in zip(answers(part.restrict([0, 1, 3])), expected, strict=True):
            assert_allclose(one, two, rtol=1e-11, atol=1e-11)


def test_folds_of_a_restriction_are_restrictions_of_the_folds():
    for place in ("memory", "batches"):
        source = source_at(place, make_rows())
        before = itertools.chain(*source.restrict([0, 1, 3]).folds(3, 1))
        after = (part.restrict([0, 1, 3]) for part in itertools.chain(*source.folds(3, 1)))
        for one, two in zip(before, after, strict=True):
            for a, b in zip(answers(one), answers(two), strict=True):
                assert_allclose(a, b, rtol=1e-12)


def test_no_pairs_of_many_variables(monkeypatch):
    monkeypatch.setattr("bayesgrove.counts.counter.MOST_CACHED", 0)
    for place in PLACES:
        source = source_at(place, make_rows())
        assert source.pair_statistics((1,), [], []).shape == (0, 3)


def test_tables_of_a_stream_are_counted_in_batches_of_a_bounded_size(monkeypatch):
    source = source_at("batches", make_rows())
    whole = list(answers(source))
    monkeypatch.setattr("bayesgrove.counts.counter.BATCH_BYTES", 1)
    passes = []
    tables = source._counter.tables
    source._counter.tables = lambda families: passes.append(families) or tables(families)
    for a, b in zip(answers(source_at("batches", make_rows())), whole, strict=True):
        assert_allclose(a, b, rtol=1e-12)
    source.cell_sums(0, (1,), [2, 3, 4], Logs())
    assert [len(families) for families in passes] == [1, 1, 1]


def test_a_fold_without_rows_counts_nothing():
    for place in ("memory", "batches"):
        source = source_at(place, make_rows(rows=2))
        sizes = [judging.rows for _, judging in source.folds(3, 0)]
        empty = list(source.folds(3, 0))[sizes.index(0)][1]
        assert sorted(sizes) == [0, 1, 1]
        assert empty.total == 0
        assert empty.cell_sums(0, (1,), [3], Logs()).tolist() == [[0.0, 0.0]]
        assert empty.pair_statistics((1,), [0], [3]).tolist() == [[0.0, 0.0, 0.0]]


@pytest.mark.parametrize("place", PLACES)
def test_reduce_merges_a_measure_of_all_rows(place):
    encoded = make_rows(weighted=True)
    source = source_at(place, encoded)
    assert source.reduce(lambda part: part.rows, operator.add) == ROWS
    weight = source.reduce(lambda part: float(part.weights.sum()), operator.add)
    assert weight == encoded.weights.sum()
