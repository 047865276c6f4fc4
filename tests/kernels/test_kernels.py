"""Both kernel modules against loops in plain Python, and against each other."""

import itertools
import math
from bisect import bisect_left
from collections import Counter
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bayesgrove.encoding import code_type
from bayesgrove.kernels import numpy_kernels

THREADS = (1, 2, 8)
NUMBER_TYPES = ["f8", "f4", "i8", "i4", "i2", "i1", "u4", "u2", "u1"]


@pytest.fixture(params=["numpy", "_native"])
def kernels(request):
    return pytest.importorskip(f"bayesgrove.kernels.{request.param}")


@pytest.fixture
def native():
    return pytest.importorskip("bayesgrove.kernels._native")


def draw_column(rng, rows, card, missing=0.0, dtype=None):
    codes = rng.integers(0, card, rows)
    codes[rng.random(rows) < missing] = card
    return codes.astype(dtype or code_type(card))


def draw_columns(rng, rows, cards, missing=0.0, dtypes=()):
    pairs = itertools.zip_longest(cards, dtypes)
    return [draw_column(rng, rows, card, missing, dtype) for card, dtype in pairs]


def quarters(rng, rows):
    """Weights whose sums are exact in any order."""
    return rng.integers(1, 9, rows) / 4


def count_rows(columns, cards, weights=None):
    """Weight of every joint value of some columns, rows with a missing code left out."""
    counts = Counter()
    ones = itertools.repeat(1.0)
    weight = ones if weights is None else weights.tolist()
    for codes, w in zip(zip(*(c.tolist() for c in columns), strict=True), weight, strict=False):
        if all(code < card for code, card in zip(codes, cards, strict=True)):
            counts[codes] += w
    return counts


def offsets_of(cards):
    return [0, *itertools.accumulate(cards)]


def brute_class_tables(columns, cards, target, n_classes, weights):
    offsets = offsets_of(cards)
    out = np.zeros((n_classes, offsets[-1]))
    for column, card, offset in zip(columns, cards, offsets, strict=False):
        for (c, x), n in count_rows([target, column], [n_classes, card], weights).items():
            out[c, offset + x] = n
    return out


def brute_pair_tables(columns, cards, target, n_classes, weights, first):
    offsets = offsets_of(cards)
    out = np.zeros((n_classes, offsets[-1] - offsets[first], offsets[-1]))
    for i in range(first, len(columns)):
        for j in range(i):
            members = [target, columns[i], columns[j]]
            counts = count_rows(members, [n_classes, cards[i], cards[j]], weights)
            for (c, a, b), n in counts.items():
                out[c, offsets[i] + a - offsets[first], offsets[j] + b] = n
    return out


def brute_information(table):
    """I(A;B|C) by its definition from a table N[c][a][b] in nested lists."""
    total = sum(n for rows in table for row in rows for n in row)
    information = 0.0
    for rows in table:
        whole = sum(map(sum, rows))
        columns = [sum(column) for column in zip(*rows, strict=True)]
        for row in rows:
            for b, n in enumerate(row):
                if n > 0:
                    information += n / total * math.log(n * whole / (sum(row) * columns[b]))
    return information


# rows, cards, types of the codes, classes, share of missing codes
TABLES = {
    "one row": (1, [2, 1, 3], (), 2, 0.0),
    "complete": (500, [1, 2, 3, 12], (), 2, 0.0),
    "missing": (500, [1, 2, 3, 12], (), 3, 0.2),
    "constant columns": (65, [1, 1, 1], (), 1, 0.0),
    "increments": (400, [13, 40, 2, 255], (), 2, 0.1),
    "high cardinality": (400, [300, 2, 13, 256], (), 3, 0.05),
    "wide codes": (300, [3, 4, 2, 5, 14], ["u1", "u2", "u4", "u4", "u2"], 2, 0.1),
    "many classes": (1000, [2, 3, 15], (), 300, 0.1),
    "several groups": (257, [2, 3, 1, 4] * 5, (), 2, 0.0),
    "several groups, missing": (129, [3, 2] * 9, (), 3, 0.3),
}


@cache
def table_case(name):
    rows, cards, dtypes, n_classes, missing = TABLES[name]
    rng = np.random.default_rng(sorted(TABLES).index(name))
    columns = draw_columns(rng, rows, cards, missing, dtypes)
    target = draw_column(rng, rows, n_classes, missing / 4)
    return columns, cards, target, n_classes, quarters(rng, rows)


@cache
def pair_tables_case(name, weighted, first):
    *data, weights = table_case(name)
    return brute_pair_tables(*data, weights if weighted else None, first)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("case", TABLES)
def test_class_tables_count_every_column_by_class(kernels, case, weighted):
    *data, weights = table_case(case)
    weights = weights if weighted else None
    expected = brute_class_tables(*data, weights)
    for threads in THREADS:
        assert_array_equal(kernels.class_tables(*data, weights, threads), expected)


def test_class_tables_without_columns(kernels):
    target = np.array([0, 1, 1], dtype=np.uint8)
    assert kernels.class_tables([], [], target, 2, None, 1).shape == (2, 0)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("case", TABLES)
def test_pair_tables_count_every_pair_by_class(kernels, case, weighted):
    *data, weights = table_case(case)
    weights = weights if weighted else None
    n = len(data[0])
    for first in sorted({0, n // 2, n - 1}):
        expected = pair_tables_case(case, weighted, first)
        for threads in THREADS:
            assert_array_equal(kernels.pair_tables(*data, weights, first, threads), expected)


def test_pair_tables_of_no_column(kernels):
    columns, cards, target, n_classes, _ = table_case("complete")
    empty = kernels.pair_tables(columns, cards, target, n_classes, None, len(cards), 1)
    assert empty.shape == (n_classes, 0, sum(cards))


@pytest.mark.parametrize("missing", [0.0, 0.02])
def test_pair_tables_of_classes_with_very_many_rows(kernels, missing):
    rng = np.random.default_rng(5)
    rows, cards = 45_000, [2, 1, 3]
    columns = draw_columns(rng, rows, cards, missing)
    columns[0][100:] = 1
    target = (rng.random(rows) < 0.2).astype(np.uint8)
    expected = brute_pair_tables(columns, cards, target, 2, None, 0)
    assert expected.max() > 30_000
    for threads in THREADS:
        assert_array_equal(
            kernels.pair_tables(columns, cards, target, 2, None, 0, threads), expected
        )


def test_tables_of_arbitrary_weights(kernels):
    columns, cards, target, n_classes, _ = table_case("missing")
    weights = np.random.default_rng(0).random(len(target)) * 10
    data = (columns, cards, target, n_classes, weights)
    one, two = kernels.class_tables(*data, 1), kernels.pair_tables(*data, 0, 1)
    assert_allclose(one, brute_class_tables(*data), rtol=1e-12)
    assert_allclose(two, brute_pair_tables(*data, 0), rtol=1e-12)
    for threads in THREADS:
        assert kernels.class_tables(*data, threads).tobytes() == one.tobytes()
        assert kernels.pair_tables(*data, 0, threads).tobytes() == two.tobytes()


def information_case(seed, high=9):
    rng = np.random.default_rng(seed)
    row_cards, column_cards = [2, 1, 5, 3], [4, 1, 2]
    shape = (1 + seed % 4, sum(row_cards), sum(column_cards))
    block = rng.integers(0, high, shape) * (rng.random(shape) < 0.7)
    return block.astype(np.float64), row_cards, column_cards


def blocks_of(block, row_cards, column_cards):
    rows, columns = offsets_of(row_cards), offsets_of(column_cards)
    for i, j in itertools.product(range(len(row_cards)), range(len(column_cards))):
        yield i, j, block[:, rows[i] : rows[i + 1], columns[j] : columns[j + 1]]


@pytest.mark.parametrize("scale", [1.0, 1000.0, 0.37, 1e-3])
@pytest.mark.parametrize("seed", range(6))
def test_pair_information_is_its_definition(kernels, seed, scale):
    block, row_cards, column_cards = information_case(seed)
    block *= scale
    arguments = (block, row_cards, column_cards, float(block.sum()))
    found = kernels.information_of_tables(*arguments, 1)
    for i, j, table in blocks_of(block, row_cards, column_cards):
        assert found[i, j] == pytest.approx(brute_information(table.tolist()), abs=1e-11)
    for threads in THREADS:
        assert kernels.information_of_tables(*arguments, threads).tobytes() == found.tobytes()


def test_pair_information_of_xor_is_one_bit(kernels):
    xor = np.array([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]])
    found = kernels.information_of_tables(xor, [2], [2], 4.0, 1)
    assert found[0, 0] == pytest.approx(math.log(2), abs=1e-15)


def test_pair_information_of_nothing_is_zero(kernels):
    assert_array_equal(
        kernels.information_of_tables(np.zeros((2, 3, 2)), [3], [2], 0.0, 1), [[0.0]]
    )
    empty_domain = np.ones((1, 2, 2))
    found = kernels.information_of_tables(empty_domain, [0, 2], [2, 0], 4.0, 1)
    assert_array_equal(found, [[0.0, 0.0], [0.0, 0.0]])


@pytest.mark.parametrize("weighted", [False, True])
def test_joint_tables_count_joint_values(kernels, weighted):
    rng = np.random.default_rng(3)
    cards = [2, 3, 300, 1, 20]
    columns = draw_columns(rng, 3000, cards, 0.1, ["u1", "u4", "u2", "u1", "u2"])
    weights = quarters(rng, 3000) if weighted else None
    sets = [[0], [2], [1, 0], [0, 1], [4, 2], [3], [0, 1, 3, 4]]
    expected = []
    for members in sets:
        table = np.zeros([cards[j] for j in members])
        counts = count_rows([columns[j] for j in members], table.shape, weights)
        for codes, n in counts.items():
            table[codes] = n
        expected.append(table.ravel())
    for threads in THREADS:
        found = kernels.joint_tables(sets, columns, cards, weights, threads)
        assert len(found) == len(sets)
        for table, wanted in zip(found, expected, strict=True):
            assert_array_equal(table, wanted)


def brute_keys(ids, column, card):
    pairs = zip(ids.tolist(), column.tolist(), strict=True)
    return [None if old < 0 or code >= card else old * card + code for old, code in pairs]


# rows, groups, card: the product decides between a table of all keys and sorting those that occur
PARTITIONS = [(1, 1, 2), (500, 1, 3), (500, 40, 12), (200, 1000, 300), (3000, 5000, 70_000)]


@pytest.mark.parametrize(("rows", "groups", "card"), PARTITIONS)
def test_refine_numbers_the_keys_that_occur(kernels, rows, groups, card):
    rng = np.random.default_rng(rows)
    ids = rng.integers(-1, groups, rows).astype(np.int32)
    column = draw_column(rng, rows, card, 0.1)
    wanted = brute_keys(ids, column, card)
    keys = sorted({key for key in wanted if key is not None})
    place = {key: number for number, key in enumerate(keys)}
    new, found = kernels.split_groups(ids, groups, column, card)
    assert found.tolist() == keys
    assert new.tolist() == [-1 if key is None else place[key] for key in wanted]
    assert (new.dtype, found.dtype) == (np.int32, np.int64)


@pytest.mark.parametrize(("rows", "groups", "card"), PARTITIONS)
def test_lookup_finds_keys_or_says_minus_one(kernels, rows, groups, card):
    rng = np.random.default_rng(rows + 1)
    ids = rng.integers(-1, groups, rows).astype(np.int32)
    column = draw_column(rng, rows, card, 0.1)
    wanted = brute_keys(ids, column, card)
    keys = sorted({key for key in wanted if key is not None and rng.random() < 0.6} | {10**12})
    place = {key: number for number, key in enumerate(keys)}
    found = kernels.lookup(ids, np.array(keys, dtype=np.int64), column, card)
    assert found.tolist() == [place.get(key, -1) for key in wanted]
    assert found.dtype == np.int32


def test_partitions_of_nothing(kernels):
    column = np.array([0, 1], dtype=np.uint8)
    none = np.full(2, -1, dtype=np.int32)
    new, keys = kernels.split_groups(none, 0, column, 2)
    assert (new.tolist(), keys.tolist()) == ([-1, -1], [])
    zeros = np.zeros(2, dtype=np.int32)
    assert kernels.lookup(zeros, keys, column, 2).tolist() == [-1, -1]


def program_case(seed, rows, n_classes, widths):
    """Columns and the arguments of log_joint: factor f looks at f % 3 columns."""
    rng = np.random.default_rng(seed)
    cards = [3, 2, 300, 5]
    columns = draw_columns(rng, rows, cards, 0.0, ["u1", "u2", "u2", "u4"])
    starts, variables, strides, tables, values = [0], [], [], [], []
    for f, width in enumerate(widths):
        members = rng.permutation(len(cards))[: f % 3].tolist()
        stride = 1
        for v in members:
            variables.append(v)
            strides.append(stride)
            stride *= cards[v]
        starts.append(len(variables))
        tables.append(len(values))
        values += np.log(rng.random(stride * width)).tolist()
    return columns, (
        np.array(starts, dtype=np.int32),
        np.array(variables, dtype=np.int32),
        np.array(strides, dtype=np.int64),
        np.array(tables, dtype=np.int64),
        np.array(widths, dtype=np.int32),
        np.array(values, dtype=np.float64),
        rows,
        n_classes,
    )


def brute_log_joint(columns, starts, variables, strides, tables, widths, values, rows, n_classes):
    out = []
    for row in range(rows):
        sums = [[] for _ in range(n_classes)]
        for f, (table, width) in enumerate(zip(tables, widths, strict=True)):
            used = range(starts[f], starts[f + 1])
            index = sum(int(columns[variables[v]][row]) * int(strides[v]) for v in used)
            for c in range(n_classes):
                sums[c].append(values[table + index * width + (c if width > 1 else 0)])
        out.append([math.fsum(terms) for terms in sums])
    return np.array(out).reshape(rows, n_classes)


@pytest.mark.parametrize("rows", [0, 1, 256, 600])
@pytest.mark.parametrize("factors", [0, 1, 4, 7, 9])
@pytest.mark.parametrize("n_classes", [1, 2, 3])
def test_log_joint_adds_up_table_rows(kernels, rows, factors, n_classes):
    widths = [n_classes if f % 3 else 1 for f in range(factors)]
    columns, arguments = program_case(factors, rows, n_classes, widths)
    expected = brute_log_joint(columns, *arguments)
    first = kernels.log_joint(columns, *arguments, 1)
    assert_allclose(first, expected, rtol=1e-13)
    for threads in THREADS:
        assert kernels.log_joint(columns, *arguments, threads).tobytes() == first.tobytes()


def test_log_joint_of_impossible_values(kernels):
    column = np.array([0, 1, 1], dtype=np.uint8)
    arguments = (
        np.array([0, 1], dtype=np.int32),
        np.array([0], dtype=np.int32),
        np.array([1], dtype=np.int64),
        np.array([0], dtype=np.int64),
        np.array([2], dtype=np.int32),
        np.array([-1.0, -2.0, -np.inf, -3.0]),
    )
    expected = [[-1.0, -2.0], [-np.inf, -3.0], [-np.inf, -3.0]]
    assert_array_equal(kernels.log_joint([column], *arguments, 3, 2, 1), expected)


def layouts(array):
    """The same numbers in row-major, column-major, strided and reversed memory."""
    rows, columns = array.shape
    wide = np.zeros((2 * rows, 3 * columns), dtype=array.dtype)
    wide[::2, ::3] = array
    backwards = np.ascontiguousarray(array[::-1, ::-1])
    return {
        "rows": np.ascontiguousarray(array),
        "columns": np.asfortranarray(array),
        "strided": wide[::2, ::3],
        "reversed": backwards[::-1, ::-1],
    }


def draw_numbers(rng, dtype, rows, columns):
    """Small whole numbers and, as the type allows, negative, large, broken and missing ones."""
    info = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else None
    special = [0, 1, 7, 100, 127]
    if info is not None:
        special += [info.min, info.max, *([255, 256, 300] if info.max > 300 else [])]
    else:
        special += [255, 256, 300, -1, -0.0, 0.5, 7.25, 255.5, 1e30, np.inf, -np.inf, np.nan]
    values = rng.integers(0, 12, (rows, columns)).astype(dtype)
    chosen = rng.random((rows, columns)) < 0.2
    values[chosen] = rng.choice(np.array(special, dtype=dtype), int(chosen.sum()))
    return values


@pytest.mark.parametrize("rows", [1, 65, 40_000])
@pytest.mark.parametrize("dtype", NUMBER_TYPES)
def test_scan_levels_marks_whole_numbers_below_256(kernels, dtype, rows):
    X = draw_numbers(np.random.default_rng(rows), dtype, rows, 3)
    X[:, 1] = np.arange(rows) % 100
    X[:, 2] = 3
    for threads in THREADS:
        seen, other, missing = kernels.scan_levels(X, threads)
        for j in range(3):
            distinct = {value for value in X[:, j].tolist() if value == value}
            levels = {value for value in distinct if value in range(256)}
            assert np.flatnonzero(seen[j]).tolist() == sorted(levels)
            assert other[j] == (levels != distinct)
            assert missing[j] == any(value != value for value in X[:, j].tolist())


@pytest.mark.parametrize("layout", ["rows", "columns", "strided", "reversed"])
def test_scan_levels_in_any_layout(kernels, layout):
    X = draw_numbers(np.random.default_rng(8), "f8", 200, 4)
    seen, other, _ = kernels.scan_levels(layouts(X)[layout], 2)
    for j in range(4):
        values = [v for v in X[:, j].tolist() if not math.isnan(v)]
        assert np.flatnonzero(seen[j]).tolist() == sorted({v for v in values if v in range(256)})
        assert other[j] == any(v not in range(256) for v in values)


CUTS = [0.5, 3.0, 7.25, 200.0]
LABELS = [-1.0, 0.0, 2.0, 7.25, 300.0]
SMALL = [0.0, 1.0, 2.0, 7.0, 200.0]
PERMUTED = [3, 0, 4, 1, 2]
# points, their codes (None for cut points), code of missing, code of unseen, type of the codes
CODINGS = {
    "cuts": (CUTS, None, 5, 6, "u1"),
    "no cuts": ([], None, 1, 1, "u1"),
    "labels": (LABELS, PERMUTED, 5, 6, "u1"),
    "small labels": (SMALL, PERMUTED, 5, 5, "u1"),
    "no labels": ([], [], 1, 1, "u1"),
    "labels in 16 bits": (LABELS, PERMUTED, 1000, 1001, "u2"),
    "cuts in 32 bits": (CUTS, None, 70_000, 70_001, "u4"),
}


def encode(kernels, X, names, threads):
    codings = [CODINGS[name] for name in names]
    points = [np.array(p, dtype=np.float64) for p, *_ in codings]
    codes = [
        np.arange(len(p), dtype=np.uint32) if c is None else np.array(c, dtype=np.uint32)
        for p, c, *_ in codings
    ]
    outs = [np.full(len(X), 77, dtype=dtype) for *_, dtype in codings]
    tally = kernels.encode_numbers(
        X,
        np.concatenate(points),
        np.array(offsets_of(map(len, points)), dtype=np.int64),
        np.concatenate(codes),
        np.array([c is not None for _, c, *_ in codings], dtype=np.uint8),
        np.array([missing for _, _, missing, *_ in codings], dtype=np.uint32),
        np.array([unseen for *_, unseen, _ in codings], dtype=np.uint32),
        outs,
        threads,
    )
    return [out.tolist() for out in outs], tally.tolist()


def brute_encode(values, name):
    points, codes, missing, unseen, _ = CODINGS[name]
    out, unknown, infinite = [], 0, 0
    for value in map(float, values):
        infinite += math.isinf(value)
        if math.isnan(value):
            out.append(missing)
        elif codes is None:
            out.append(bisect_left(points, value))
        elif value in points:
            out.append(codes[points.index(value)])
        else:
            out.append(unseen)
            unknown += 1
    return out, [unknown, infinite]


NARROW = ["cuts", "labels", "no cuts", "small labels", "no labels"]
SETS_OF_CODINGS = {
    "bytes": NARROW,
    "small labels only": ["small labels"] * 3,
    "several types": [*NARROW, "labels in 16 bits", "cuts in 32 bits"],
}


@pytest.mark.parametrize("layout", ["rows", "columns", "strided", "reversed"])
@pytest.mark.parametrize("codings", SETS_OF_CODINGS)
@pytest.mark.parametrize("dtype", NUMBER_TYPES)
def test_encode_numbers_by_search(kernels, dtype, codings, layout):
    names = SETS_OF_CODINGS[codings]
    for rows in (1, 64, 333):
        X = draw_numbers(np.random.default_rng(rows), dtype, rows, len(names))
        expected = [brute_encode(X[:, j].tolist(), name) for j, name in enumerate(names)]
        outs, tally = encode(kernels, layouts(X)[layout], names, 1)
        assert outs == [codes for codes, _ in expected]
        assert tally == [counts for _, counts in expected]


@cache
def many_rows_case(dtype, names):
    X = draw_numbers(np.random.default_rng(1), dtype, 100_000, len(names))
    return X, [brute_encode(X[:, j].tolist(), name) for j, name in enumerate(names)]


@pytest.mark.parametrize(
    "names", [("cuts", "labels"), ("small labels",) * 2, ("labels in 16 bits", "cuts in 32 bits")]
)
@pytest.mark.parametrize("dtype", ["f8", "i8", "u1"])
def test_encode_numbers_of_many_rows(kernels, dtype, names):
    X, expected = many_rows_case(dtype, names)
    for threads in THREADS:
        outs, tally = encode(kernels, X, names, threads)
        assert outs == [codes for codes, _ in expected]
        assert tally == [counts for _, counts in expected]


@pytest.mark.parametrize("case", TABLES)
def test_native_tables_have_the_bits_of_the_reference(native, case):
    *data, weights = table_case(case)
    for w in (None, weights / 10):
        one, two = (k.class_tables(*data, w, 2) for k in (native, numpy_kernels))
        assert one.tobytes() == two.tobytes()
    one, two = (k.pair_tables(*data, None, 0, 2) for k in (native, numpy_kernels))
    assert one.tobytes() == two.tobytes()


@pytest.mark.parametrize("high", [9, 100_000])
@pytest.mark.parametrize("seed", range(6))
def test_native_information_has_the_bits_of_the_reference(native, seed, high):
    block, row_cards, column_cards = information_case(seed, high)
    numbers = range(1, 5000)
    if np.log(numbers).tolist() != [math.log(n) for n in numbers]:
        pytest.skip("numpy's logarithm differs from the C library's here")
    total = float(block.sum())
    one, two = (
        k.information_of_tables(block, row_cards, column_cards, total, 2)
        for k in (native, numpy_kernels)
    )
    assert one.tobytes() == two.tobytes()


@pytest.mark.parametrize("n_classes", [1, 2, 3, 7])
def test_native_log_joint_has_the_bits_of_the_reference(native, n_classes):
    columns, arguments = program_case(n_classes, 700, n_classes, [n_classes] * 11)
    one, two = (k.log_joint(columns, *arguments, 2) for k in (native, numpy_kernels))
    assert one.tobytes() == two.tobytes()
