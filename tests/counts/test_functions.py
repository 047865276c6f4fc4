"""Count functions that can be sent elsewhere, and views that count nothing twice."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bayesgrove.counts import CountSource, Family, MemoryEngine
from bayesgrove.encoding import Encoded
from support import make_source

CARDS = [2, 3, 4, 2, 3]
FAMILIES = [
    Family(0, (2, 1), given_class=True),
    Family(1, (0,), given_class=True),
    Family(2, (), given_class=True),
    Family(4, (1, 0), given_class=False),
]


def columns(rows=200, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.integers(0, card + (v < 4), rows) for v, card in enumerate(CARDS)]


class SendingEngine(MemoryEngine):
    """Sends every count function through pickle, and gives it the columns it asked for only."""

    def map_reduce(self, count, merge, columns=None):
        part = self.in_memory
        if columns is not None:
            wanted = set(columns)
            kept = [c if v in wanted else None for v, c in enumerate(part.columns)]
            label = len(part.columns)
            target = part.target if label in wanted else None
            part = Encoded(kept, part.cards, part.rows, target, part.n_classes, part.weights)
        return pickle.loads(pickle.dumps(count))(part)


@pytest.fixture
def sources():
    codes = [np.asarray(c).astype(np.uint8) for c in columns()]
    encoded = Encoded(codes[:-1], CARDS[:-1], 200, codes[-1], CARDS[-1])
    names = [*"abcd", "class"]
    return [CountSource(engine(encoded), names, CARDS) for engine in (MemoryEngine, SendingEngine)]


def test_count_functions_pickle_and_need_what_they_say(sources):
    here, elsewhere = sources
    for one, two in zip(here.tables(FAMILIES), elsewhere.tables(FAMILIES), strict=True):
        assert_array_equal(one.counts, two.counts)
    assert_array_equal(here.class_tables(), elsewhere.class_tables())
    for one, two in zip(here.pair_tables([2, 0, 3]), elsewhere.pair_tables([2, 0, 3]), strict=True):
        assert_array_equal(one.counts, two.counts)


@pytest.mark.parametrize("ends", [None, (50, 120, 200)])
@pytest.mark.parametrize("order", [(2, 0, 1), (3, 1), (0, 1, 2, 3), (1,)])
def test_a_view_keeps_the_order_in_which_attributes_are_given(ends, order):
    data = columns()
    whole = make_source(data, CARDS, ends)
    view = whole.restrict(order)
    alone = make_source(
        [*(data[v] for v in order), data[-1]], [*(CARDS[v] for v in order), 3], ends
    )
    assert view.names == [*(f"x{v}" for v in order), "class"]
    last = len(order)
    families = [Family.of(0, range(1, last + 1), last), Family.of(last, range(last), last)]
    for mine, other in zip(view.tables(families), alone.tables(families), strict=True):
        assert_array_equal(mine.counts, other.counts)
        assert_array_equal(mine.configurations.table, other.configurations.table)
    assert_array_equal(view.class_tables(), alone.class_tables())
    information = view.pair_information(range(last))
    np.testing.assert_allclose(information, alone.pair_information(range(last)), atol=1e-12)


def test_observed_configurations_follow_the_order_of_a_view(monkeypatch):
    monkeypatch.setattr("bayesgrove.counts.counter.DENSE_CELLS", 0)
    data = [column[:8] for column in columns()]
    view = make_source(data, CARDS).restrict([2, 0, 1])
    alone = make_source([data[2], data[0], data[1], data[-1]], [4, 2, 3, 3])
    family = Family(1, (0, 2), given_class=True)
    (mine,), (other,) = view.tables([family]), alone.tables([family])
    assert mine.configurations.keys is not None
    assert_array_equal(mine.configurations.table, other.configurations.table)
    assert_array_equal(mine.counts, other.counts)


def test_a_view_counts_nothing_that_another_view_knows(monkeypatch):
    source = make_source(columns(), CARDS)
    counted = []
    engine = source._counter.engine
    count = engine.map_reduce
    engine.map_reduce = lambda *arguments: counted.append(arguments[0]) or count(*arguments)
    family = Family(0, (1,), given_class=True)
    source.restrict([0, 2]).tables([family])
    assert len(counted) == 1
    source.restrict([2, 3, 0, 1]).tables([Family(2, (0,), given_class=True)])
    source.tables([Family(0, (2,), given_class=True)])
    assert len(counted) == 1
    source.restrict([3, 1]).class_tables()
    source.restrict([0, 1]).attribute_tables()
    assert len(counted) == 2
