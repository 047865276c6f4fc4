"""Counts of families, pairs and moments against a Counter over the rows."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import bayesgrove._utils.memory
import bayesgrove.counts.counter
import bayesgrove.counts.sums
from bayesgrove.counts import (
    Configurations,
    CountSource,
    Family,
    FamilyTable,
    MemoryEngine,
    Moments,
    Partition,
    StreamEngine,
)
from bayesgrove.encoding import Encoded, MemoryLimitError, code_type
from support import make_source as source_of

CARDS = [2, 3, 300, 4, 7]
CLASSES = 3
CLASS = len(CARDS)
FAMILIES = [
    Family(CLASS, (), given_class=False),
    Family(0, (), given_class=True),
    Family(1, (), given_class=False),
    Family(4, (2,), given_class=True),
    Family(0, (1, 3), given_class=True),
    Family(0, (1, 3), given_class=False),
    Family(1, (0, 2, 4), given_class=True),
    Family(CLASS, (2, 3), given_class=False),
]


def make_rows(rows=120, *, missing=0.1, weighted=False, seed=0, cards=CARDS, classes=CLASSES):
    rng = np.random.default_rng(seed)
    columns = []
    for card in cards:
        codes = rng.integers(0, card, rows)
        codes[rng.random(rows) < missing] = card
        columns.append(codes.astype(code_type(card)))
    numbers = rng.normal(size=(2, rows)) * 3 + 5
    numbers[0, rng.random(rows) < missing] = np.nan
    target = rng.integers(0, classes, rows).astype(np.uint8)
    weights = rng.integers(1, 9, rows) / 4 if weighted else None
    return Encoded(columns, list(cards), rows, target, classes, weights, list(numbers))


def take(encoded, start, stop):
    here = slice(start, stop)
    return Encoded(
        [column[here] for column in encoded.columns],
        encoded.cards,
        len(encoded.target[here]),
        encoded.target[here],
        encoded.n_classes,
        None if encoded.weights is None else encoded.weights[here],
        [values[here] for values in encoded.continuous],
    )


def make_source(engine, encoded, threads=1):
    names = [*(f"a{j}" for j in range(len(encoded.cards))), "class"]
    return CountSource(engine, names, [*encoded.cards, encoded.n_classes], threads)


def in_memory(encoded, threads=1):
    return make_source(MemoryEngine(encoded), encoded, threads)


def streamed(encoded, ends):
    def batches(columns=None):
        return (take(encoded, start, stop) for start, stop in itertools.pairwise([0, *ends]))

    return make_source(StreamEngine(batches, encoded.rows), encoded)


def row_tuples(encoded, variables):
    """Codes of some variables and the weight, row by row, where none is missing."""
    cards = [*encoded.cards, encoded.n_classes]
    columns = [encoded.column(v).tolist() for v in variables]
    weights = [1.0] * encoded.rows if encoded.weights is None else encoded.weights.tolist()
    rows = zip(*columns, strict=True) if columns else [()] * encoded.rows
    for codes, weight in zip(rows, weights, strict=True):
        if all(code < cards[v] for code, v in zip(codes, variables, strict=True)):
            yield codes, weight


def count_family(encoded, family):
    """Weight of every (parents..., class, value); the class is 0 where it is no parent."""
    inner = [CLASS, family.child] if family.given_class else [family.child]
    counts = Counter()
    for codes, weight in row_tuples(encoded, [*family.parents, *inner]):
        n = len(family.parents)
        key = codes if family.given_class else (*codes[:n], 0, codes[n])
        counts[key] += weight
    return counts


def cells(table):
    """The cells of a table that are not zero, as `count_family` has them."""
    configurations = table.configurations.table.tolist() if table.family.parents else [[]]
    places = zip(*np.nonzero(table.counts), strict=True)
    return {(*configurations[u], int(c), int(x)): table.counts[u, c, x] for u, c, x in places}


@pytest.fixture
def sparse(monkeypatch):
    monkeypatch.setattr(bayesgrove.counts.counter, "DENSE_CELLS", 0)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_dense_tables_are_counts_of_rows(missing, weighted):
    encoded = make_rows(missing=missing, weighted=weighted)
    for table, family in zip(in_memory(encoded).tables(FAMILIES), FAMILIES, strict=True):
        parent_cards = [CARDS[v] for v in family.parents]
        child_card = [*CARDS, CLASSES][family.child]
        shape = (math.prod(parent_cards), CLASSES if family.given_class else 1, child_card)
        assert table.configurations.keys is None
        assert table.counts.shape == shape
        assert cells(table) == count_family(encoded, family)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_sparse_tables_hold_the_parents_that_occur(sparse, missing, weighted):
    encoded = make_rows(rows=11, missing=missing, weighted=weighted)
    wide = [f for f in FAMILIES if len(f.parents) > 1 or 2 in f.parents]
    for table, family in zip(in_memory(encoded).tables(wide), wide, strict=True):
        observed = {codes for codes, _ in row_tuples(encoded, family.parents)}
        assert table.configurations.keys is not None
        assert table.configurations.table.tolist() == [list(u) for u in sorted(observed)]
        assert len(table.counts) == len(observed)
        assert cells(table) == count_family(encoded, family)


def test_many_parents_are_sparse_by_themselves():
    encoded = make_rows(rows=50)
    family = Family(0, (1, 2, 3, 4), given_class=True)
    (table,) = in_memory(encoded).tables([family])
    assert 0 < len(table.counts) <= 50
    assert cells(table) == count_family(encoded, family)


def test_a_sparse_table_without_a_complete_row_is_empty(sparse):
    encoded = make_rows(rows=10, missing=1.0)
    (table,) = in_memory(encoded).tables([Family(0, (1, 2), given_class=True)])
    assert table.counts.shape == (0, CLASSES, 2)


@pytest.mark.parametrize("cells_kept", [0, 1 << 16])
def test_merged_halves_are_the_whole(monkeypatch, cells_kept):
    monkeypatch.setattr(bayesgrove.counts.counter, "DENSE_CELLS", cells_kept)
    encoded = make_rows(rows=30)
    halves = [in_memory(take(encoded, 0, 11)), in_memory(take(encoded, 11, 30))]
    family = Family(1, (0, 2, 4), given_class=True)
    one, two = (half.tables([family])[0] for half in halves)
    for merged in (one.merge(two), two.merge(one)):
        observed = {codes for codes, _ in row_tuples(encoded, family.parents)}
        assert cells(merged) == count_family(encoded, family)
        if cells_kept == 0:
            assert merged.configurations.table.tolist() == [list(u) for u in sorted(observed)]


@pytest.mark.parametrize("cells_kept", [0, 1 << 16])
@pytest.mark.parametrize("ends", [(10, 11, 30), (30,), (1, 2, 3, 30)])
def test_streamed_tables_are_counts_of_all_rows(monkeypatch, cells_kept, ends):
    monkeypatch.setattr(bayesgrove.counts.counter, "DENSE_CELLS", cells_kept)
    encoded = make_rows(rows=30, weighted=True)
    memory = in_memory(encoded).tables(FAMILIES)
    for table, same, family in zip(
        streamed(encoded, ends).tables(FAMILIES), memory, FAMILIES, strict=True
    ):
        assert cells(table) == count_family(encoded, family)
        assert_array_equal(table.counts, same.counts)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("ends", [None, (40, 41, 120)])
def test_class_tables_and_totals(ends, threads):
    encoded = make_rows(weighted=True)
    source = in_memory(encoded, threads) if ends is None else streamed(encoded, ends)
    found = source.class_tables()
    offsets = [0, *itertools.accumulate(CARDS)]
    for j, card in enumerate(CARDS):
        counts = Counter()
        for codes, weight in row_tuples(encoded, [CLASS, j]):
            counts[codes] += weight
        expected = [[counts[c, x] for x in range(card)] for c in range(CLASSES)]
        assert found[:, offsets[j] : offsets[j + 1]].tolist() == expected
    assert found.shape == (CLASSES, offsets[-1])
    by_class = Counter()
    for (c,), weight in row_tuples(encoded, [CLASS]):
        by_class[c] += weight
    assert source.class_counts.tolist() == [by_class[c] for c in range(CLASSES)]
    assert source.total == sum(encoded.weights.tolist())


@pytest.mark.parametrize("block_bytes", [1, 50_000, 1 << 27])
@pytest.mark.parametrize("ends", [None, (40, 41, 120)])
def test_pair_tables_in_blocks(monkeypatch, ends, block_bytes):
    monkeypatch.setattr(bayesgrove.counts.counter, "BLOCK_BYTES", block_bytes)
    encoded = make_rows(weighted=True)
    source = in_memory(encoded) if ends is None else streamed(encoded, ends)
    chosen = [4, 0, 2, 3]
    offsets = [0, *itertools.accumulate(CARDS[v] for v in chosen)]
    blocks = list(source.pair_tables(chosen))
    assert [i for b in blocks for i in range(b.first, b.last)] == [0, 1, 2, 3]
    assert len(blocks) == 4 if block_bytes == 1 else len(blocks) < 4
    for block in blocks:
        expected = np.zeros_like(block.counts)
        for i in range(block.first, block.last):
            for j in range(i):
                for (c, a, b), n in row_tuples(encoded, [CLASS, chosen[i], chosen[j]]):
                    expected[c, offsets[i] - offsets[block.first] + a, offsets[j] + b] += n
        assert_array_equal(block.counts, expected)


def class_values(encoded, column, c):
    weights = [1.0] * encoded.rows if encoded.weights is None else encoded.weights.tolist()
    values = encoded.continuous[column].tolist()
    rows = zip(values, encoded.target.tolist(), weights, strict=True)
    return [(x, w) for x, y, w in rows if y == c and not math.isnan(x)]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("ends", [None, (1, 2, 120), (40, 80, 120)])
def test_moments_of_numbers_by_class(ends, weighted):
    encoded = make_rows(weighted=weighted)
    found = (in_memory(encoded) if ends is None else streamed(encoded, ends)).moments()
    for j, c in itertools.product(range(2), range(CLASSES)):
        pairs = class_values(encoded, j, c)
        weight = math.fsum(w for _, w in pairs)
        mean = math.fsum(w * x for x, w in pairs) / weight
        squares = math.fsum(w * (x - mean) ** 2 for x, w in pairs)
        assert found.weight[c, j] == pytest.approx(weight, rel=1e-12)
        assert found.mean[c, j] == pytest.approx(mean, rel=1e-12)
        assert found.squares[c, j] == pytest.approx(squares, rel=1e-11)


def test_pooled_moments_are_those_of_all_rows():
    encoded = make_rows(missing=0.0)
    pooled = in_memory(encoded).moments().pooled()
    for j, values in enumerate(encoded.continuous):
        assert pooled.weight[0, j] == encoded.rows
        assert pooled.mean[0, j] == pytest.approx(math.fsum(values) / encoded.rows, rel=1e-12)
        spread = encoded.rows * np.var(values)
        assert pooled.squares[0, j] == pytest.approx(spread, rel=1e-11)


def test_moments_without_values_merge_with_others():
    nothing = Moments(*(np.zeros((1, 1)) for _ in range(3)))
    some = Moments(np.array([[2.0]]), np.array([[3.0]]), np.array([[8.0]]))
    for merged in (nothing.merge(some), some.merge(nothing)):
        assert (merged.weight, merged.mean, merged.squares) == ([[2.0]], [[3.0]], [[8.0]])
    assert nothing.merge(nothing).weight == [[0.0]]


def small_columns(rows, seed=0):
    rng = np.random.default_rng(seed)
    cards = (3, 1, 300, 2)
    columns = []
    for card in cards:
        codes = rng.integers(0, card, rows)
        codes[rng.random(rows) < 0.15] = card
        columns.append(codes.astype(code_type(card)))
    return columns, cards


def complete(columns, cards):
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        codes if all(x < card for x, card in zip(codes, cards, strict=True)) else None
        for codes in rows
    ]


def test_a_partition_groups_equal_rows():
    columns, cards = small_columns(200)
    partition = Partition.whole(200)
    for column, card in zip(columns, cards, strict=True):
        partition = partition.refine(column, card)
    rows = complete(columns, cards)
    place = {codes: k for k, codes in enumerate(sorted({codes for codes in rows if codes}))}
    assert partition.size == len(place)
    assert partition.ids.tolist() == [-1 if r is None else place[r] for r in rows]
    assert partition.codes().tolist() == [len(place) if r is None else place[r] for r in rows]
    assert partition.codes().dtype == code_type(len(place))


def test_observed_configurations_number_distinct_rows():
    columns, cards = small_columns(200)
    rows = [codes for codes in complete(columns, cards) if codes]
    found = Configurations.observed(np.array(rows), cards)
    distinct = sorted(set(rows))
    assert found.size == len(distinct)
    assert found.table.tolist() == [list(codes) for codes in distinct]


def test_configurations_are_located():
    columns, cards = small_columns(300)
    rows = complete(columns, cards)
    known = sorted({codes for codes in rows[:100] if codes})
    place = {codes: k for k, codes in enumerate(known)}
    found = Configurations.observed(np.array(known), cards).locate(columns, 300).tolist()
    assert found == [place.get(codes, -1) for codes in rows]
    assert 0 < found.count(-1) < 300


def test_dense_configurations_are_mixed_radix():
    cards = (2, 3, 4)
    dense = Configurations(cards)
    everything = list(itertools.product(*map(range, cards)))
    assert dense.size == 24
    assert dense.table.tolist() == [list(codes) for codes in everything]
    columns = [np.array(column, dtype=np.uint8) for column in zip(*everything, strict=True)]
    assert dense.locate(columns, 24).tolist() == list(range(24))
    columns[1][5] = 3
    assert dense.locate(columns, 24)[5] == -1


def test_no_parents_have_one_configuration():
    none = Configurations(())
    assert none.size == 1
    assert none.table.shape == (1, 0)
    assert none.locate([], 3).tolist() == [0, 0, 0]


def test_union_of_configurations():
    cards = (3, 1, 300, 2)
    rows = [
        sorted({r for r in complete(small_columns(60, seed)[0], cards) if r}) for seed in (1, 2)
    ]
    one, two = (Configurations.observed(np.array(part), cards) for part in rows)
    expected = [list(codes) for codes in sorted({*rows[0], *rows[1]})]
    assert one.union(two).table.tolist() == expected
    assert two.union(one).table.tolist() == expected


class CountingEngine(MemoryEngine):
    def __init__(self, encoded):
        super().__init__(encoded)
        self.passes = 0

    def map_reduce(self, count, merge, columns=None):
        self.passes += 1
        return super().map_reduce(count, merge, columns)


def asked(families_in_turn):
    encoded = make_rows()
    engine = CountingEngine(encoded)
    source = make_source(engine, encoded)
    passes = []
    for families in families_in_turn:
        tables = source.tables(families)
        assert [cells(t) for t in tables] == [count_family(encoded, f) for f in families]
        passes.append(engine.passes)
    return passes


def test_tables_of_one_request_take_one_pass_and_are_remembered():
    A, B, C = FAMILIES[3:6]
    assert asked([[A, B, A], [B], [B, C], [C, A]]) == [1, 1, 2, 2]


def test_the_memo_is_bounded(monkeypatch):
    monkeypatch.setattr(bayesgrove.counts.counter, "CACHE_BYTES", 1)
    A, B = FAMILIES[3:5]
    assert asked([[A], [A], [B], [B], [A], [A, B], [B]]) == [1, 1, 2, 2, 3, 4, 4]


def test_the_memo_forgets_what_was_not_used_for_longest(monkeypatch):
    A, B = (Family(0, (1, 3), given_class) for given_class in (True, False))
    C = Family(1, (0, 3), given_class=False)
    sizes = {A: 12 * 3 * 2 * 8, B: 12 * 2 * 8, C: 8 * 3 * 8}
    monkeypatch.setattr(bayesgrove.counts.counter, "CACHE_BYTES", sizes[A] + sizes[B])
    assert asked([[A], [B], [A], [C], [A], [B]]) == [1, 2, 2, 3, 3, 4]


@pytest.fixture
def little_memory(monkeypatch):
    monkeypatch.setattr(bayesgrove._utils.memory, "SMALL", 0)
    monkeypatch.setattr(bayesgrove._utils.memory, "available_memory", lambda: 1000)


def test_pair_tables_that_do_not_fit_are_refused(little_memory):
    with pytest.raises(MemoryLimitError, match=r"'a4' would need .* GB"):
        list(in_memory(make_rows()).pair_tables(range(5)))


def test_the_refusal_says_how_much_it_would_take(monkeypatch):
    monkeypatch.setattr(bayesgrove._utils.memory, "available_memory", lambda: 2 * 10**9)
    encoded = make_rows(rows=5, cards=[1, 20_000])
    size = 3 * 20_000 * 20_001 * 8 / 1e9
    with pytest.raises(MemoryLimitError, match=rf"need {size:.1f} GB,? and 2\.0 GB"):
        list(in_memory(encoded).pair_tables([0, 1]))


def test_a_sparse_table_that_does_not_fit_is_refused(sparse, little_memory):
    source = in_memory(make_rows(rows=25))
    with pytest.raises(MemoryLimitError, match=r"table of 'a4' would need .* GB"):
        source.tables([Family(4, (0, 2, 3), given_class=True)])


def test_merge_adds_dense_counts():
    family = Family(0, (), given_class=False)
    one, two = (
        FamilyTable(family, Configurations(()), np.array([[counts]]))
        for counts in ([1.0, 2.0], [0.5, 4.0])
    )
    assert_allclose(one.merge(two).counts, [[[1.5, 6.0]]], rtol=0)


@pytest.mark.parametrize("ends", [None, (50, 51, 120)])
def test_pair_information_is_remembered_for_restrictions(ends):
    rng = np.random.default_rng(3)
    columns = [rng.integers(0, 3, 120) for _ in range(6)]
    whole, fresh = (source_of([*columns, columns[0] % 2], [3] * 6 + [2], ends) for _ in range(2))
    for given in (False, True):
        whole.pair_information(range(6), given_class=given)
    for attributes in ([4, 1, 3], [0, 5], [5, 4, 3, 2, 1, 0]):
        for given in (True, False):
            expected = fresh.restrict(sorted(attributes)).pair_information(
                np.argsort(np.argsort(attributes)).tolist(), given_class=given
            )
            assert_array_equal(whole.pair_information(attributes, given_class=given), expected)
            part = whole.restrict(attributes).pair_information(
                range(len(attributes)), given_class=given
            )
            assert_array_equal(part, expected)  # in the order in which they were given
    for remembered in (whole.pair_information(range(6)), whole.class_tables()):
        with pytest.raises(ValueError, match="read-only"):
            remembered[:] = 0


@pytest.mark.parametrize("given", [True, False])
def test_what_is_too_large_to_remember_is_counted_again(given, monkeypatch):
    columns = [np.arange(60) % k for k in (2, 3, 5, 2)]
    expected = source_of(columns, [2, 3, 5, 2]).pair_information(range(3), given_class=given)
    monkeypatch.setattr(bayesgrove.counts.counter, "NUMBERS_BYTES", 1)
    source = source_of(columns, [2, 3, 5, 2], (20, 60))
    for _ in range(2):
        assert_allclose(source.pair_information(range(3), given_class=given), expected, atol=1e-12)


def test_a_stream_counts_no_more_than_is_asked_for():
    source = source_of([np.arange(60) % k for k in (2, 3, 5, 2)], [2, 3, 5, 2], (20, 60))
    assert set(source._counter.count_information([0, 1, 2], True)) == {True}
    assert set(source._counter.count_information([0, 1, 2], False)) == {True, False}
