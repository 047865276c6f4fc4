"""Redundancy at any level, against the definition and the description length from rows."""

import itertools
import math

import numpy as np
import pytest

import mdl_oracle
from bayesgrove._utils.options import OptionError
from bayesgrove.selection import redundancy_levels
from support import make_source


def draw(seed, n=4, rows=24):
    """Columns, some of them copies or functions of others, so that many sets are witnesses."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 2, rows) for _ in range(n)]
    columns[-1] = columns[0] ^ columns[1] if seed % 2 else columns[0]
    target = columns[0] ^ (columns[1] & columns[2]) if seed % 3 else rng.integers(0, 2, rows)
    return [column.tolist() for column in columns], target.tolist()


@pytest.mark.parametrize("seed", range(8))
def test_levels_by_the_definition(seed):
    attributes, target = draw(seed)
    found = redundancy_levels(make_source([*attributes, target], [2] * 5), 3)
    for v, own in enumerate(found):
        others = [a for a in range(4) if a != v]
        for m, witness in enumerate(own.witnesses):
            sets = itertools.combinations(others, m)
            hits = [
                s
                for s in sets
                if mdl_oracle.is_redundant(attributes[v], target, *(attributes[a] for a in s))
            ]
            assert witness.is_redundant == bool(hits)
            if hits:
                assert witness.given == tuple(f"x{a}" for a in hits[0])
                assert witness.information == 0.0
        expected = [m for m, witness in enumerate(own.witnesses) if witness.is_redundant]
        assert own.levels == tuple(expected)
        assert own.lowest == (expected[0] if expected else None)


@pytest.mark.parametrize("seed", range(8))
def test_levels_by_description_length(seed):
    rng = np.random.default_rng(seed)
    cards = [2, 3, 2, 4, 2]
    columns = [rng.integers(0, card, 90) for card in cards]
    columns[4] = (columns[0] + (columns[1] > 0) + (rng.random(90) < 0.1)) % 2
    *attributes, target = (column.tolist() for column in columns)
    found = redundancy_levels(make_source(columns, cards), 3, "mdl")
    for v, own in enumerate(found):
        for m, witness in enumerate(own.witnesses):
            table = {}
            for s in itertools.combinations([a for a in range(4) if a != v], m):
                given = [attributes[a] for a in s]
                cost = math.log(90) / 2 * (cards[v] - 1) * 2 * math.prod(cards[a] for a in s)
                table[s] = 90 * mdl_oracle.information(attributes[v], target, *given), cost
            assert witness.is_redundant == any(tells <= cost for tells, cost in table.values())
            best = min(table, key=lambda s: (round(table[s][0] - table[s][1], 6), s))
            assert witness.given == tuple(f"x{a}" for a in best)
            assert (witness.information, witness.cost) == pytest.approx(table[best], abs=1e-8)


@pytest.mark.parametrize("by", ["definition", "mdl"])
def test_exclusive_or_is_redundant_at_level_0_but_not_at_level_1(by):
    """By hand: N I(A;C|B) = N ln 2 = 40 ln 2; the table costs ln(40)/2 * 1 * 2 * 2."""
    a, b = [0, 0, 1, 1] * 10, [0, 1] * 20
    source = make_source([a, b, [x ^ y for x, y in zip(a, b, strict=True)]], [2, 2, 2])
    for own in redundancy_levels(source, 1, by):
        assert own.levels == (0,)
        assert own.witnesses[1].information == pytest.approx(40 * math.log(2))
        assert own.witnesses[1].cost == pytest.approx(2 * math.log(40))


@pytest.mark.parametrize("by", ["definition", "mdl"])
def test_a_copy_is_redundant_at_level_1(by):
    a, other = [0, 1] * 20, [0, 0, 1, 1] * 10
    source = make_source([a, other, a, a], [2] * 4)
    first, _, copy = redundancy_levels(source, 1, by)
    assert (first.lowest, copy.lowest) == (1, 1)
    assert (first.witnesses[1].given, copy.witnesses[1].given) == (("x2",), ("x0",))
    (only, last) = redundancy_levels(source, 1, by, selected=["x0"])
    assert (only.attribute, last.attribute) == ("x1", "x2")
    assert last.witnesses[1].given == ("x0",)


def test_missing_values_streams_and_weights():
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 2, 120) for _ in range(4)]
    weights = rng.integers(1, 3, 120)
    whole = redundancy_levels(make_source(columns, [2] * 4), 2, "mdl")
    assert redundancy_levels(make_source(columns, [2] * 4, ends=[50, 120]), 2, "mdl") == whole
    weighted = make_source(columns, [2] * 4, weights=weights.astype(float))
    repeated = make_source([np.repeat(c, weights) for c in columns], [2] * 4)
    pairs = zip(*(redundancy_levels(s, 2) for s in (weighted, repeated)), strict=True)
    for one, two in pairs:
        for left, right in zip(one.witnesses, two.witnesses, strict=True):
            assert left.given == right.given
            assert left[1:] == pytest.approx(right[1:], rel=1e-9)
    columns[0][:30] = 2
    columns[1][20:50] = 2
    known = (columns[0] < 2) & (columns[1] < 2)
    lists = [columns[v][known].tolist() for v in (0, 3, 1)]
    (own,) = redundancy_levels(
        make_source([columns[0], columns[1], columns[3]], [2] * 3), 1, selected=["x1"]
    )
    expected = known.sum() * mdl_oracle.information(*lists)
    assert own.witnesses[1].information == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("level", [-1, 3, 7, 1.0, True, "1", None])
def test_wrong_levels_are_refused(level):
    source = make_source([[0, 1] * 4] * 4, [2] * 4)
    with pytest.raises(OptionError, match=r"max_level=.* must be"):
        redundancy_levels(source, level)


def test_other_wrong_options_are_refused():
    source = make_source([[0, 1] * 4] * 4, [2] * 4)
    with pytest.raises(OptionError, match="by='bits' must be 'definition' or 'mdl'"):
        redundancy_levels(source, 1, "bits")
    with pytest.raises(OptionError, match="max_level=2 must be at most 1"):
        redundancy_levels(source, 2, selected=["x0"])


def test_too_many_sets_are_refused_with_their_number():
    source = make_source([[0, 1] * 4] * 61, [2] * 61)
    tables = 60 * sum(math.comb(60, m) for m in range(5))
    with pytest.raises(OptionError, match=rf"max_level=4 needs {tables:,} tables.* smaller"):
        redundancy_levels(source, 4)


def test_a_set_that_is_almost_a_witness_does_not_hide_a_witness():
    """Light rows: given the constant x1, little is left; given x2, a copy of x0, nothing is."""
    x0, target = [0, 0, 1, 1] * 10 + [0], [0, 1] * 20 + [0]
    source = make_source([x0, [0] * 41, x0, target], [2, 1, 2, 2], weights=np.full(41, 1e-5))
    (left,) = redundancy_levels(source.restrict([0, 1]), 1, selected=["x1"])
    assert 0 < left.witnesses[1].information < 5e-7
    first = redundancy_levels(source, 1)[0]
    assert first.witnesses[1].given == ("x2",)
    assert first.lowest == 1
