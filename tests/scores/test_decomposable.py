"""Scores of families against hand-worked numbers, pgmpy and pyAgrum."""

import itertools
import math
import warnings
from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import bayesgrove.counts.counter
from bayesgrove.counts import Family
from bayesgrove.datasets import load_dataset
from bayesgrove.scores.decomposable import AIC, BIC, BDeuScore, K2Score, gains, local_score
from support import make_source

SCORES = [K2Score(), BDeuScore(1.0), BDeuScore(10.0), BIC(), AIC()]


def draw(seed, cards=(2, 3, 4, 2, 3), rows=150, missing=0.0):
    rng = np.random.default_rng(seed)
    common = rng.integers(0, 12, rows)
    columns = [
        (common + rng.integers(0, 12, rows) * (rng.random(rows) < 0.5)) % card for card in cards
    ]
    for column, card in zip(columns[:-1], cards[:-1], strict=True):
        column[rng.random(rows) < missing] = card
    return columns, list(cards)


def family_of(child, parents, last):
    return Family(child, tuple(sorted(set(parents) - {last})), last in parents)


def score_of(score, source, child, parents):
    (table,) = source.tables([family_of(child, parents, source.n_attributes)])
    return local_score(score, table, source.total)


# By hand


def cooper_herskovits(columns, parents, r=2):
    """The product of Cooper and Herskovits (1992), equation 5, as a fraction."""
    product = Fraction(1)
    for child, own in parents.items():
        rows = [tuple(columns[v][k] for v in own) for k in range(len(columns[child]))]
        for u in set(rows):
            counts = Counter(
                x for x, row in zip(columns[child], rows, strict=True) if row == u
            ).values()
            product *= Fraction(math.factorial(r - 1), math.factorial(sum(counts) + r - 1))
            for n in counts:
                product *= math.factorial(n)
    return product


TEN_CASES = [[1, 1, 0, 1, 0, 0, 1, 0, 1, 0], [0, 1, 0, 1, 0, 1, 1, 0, 1, 0]]
TEN_CASES.append([0, 1, 1, 1, 0, 1, 1, 0, 1, 0])


def test_the_ten_cases_of_cooper_and_herskovits():
    chain = {0: (), 1: (0,), 2: (1,)}
    fork = {0: (), 1: (0,), 2: (0,)}
    # x1 is present in 5 cases of 10; x2 in 4 of 5 with x1, 1 of 5 without; x3 in 5 of 5 with x2,
    # 1 of 5 without, and in 4 of 5 with x1, 2 of 5 without.
    first = Fraction(1, 2772) * Fraction(1, 30) * Fraction(1, 30)
    assert cooper_herskovits(TEN_CASES, chain) == first * Fraction(1, 6) * Fraction(1, 30)
    assert cooper_herskovits(TEN_CASES, fork) == first * Fraction(1, 30) * Fraction(1, 60)
    source = make_source(TEN_CASES, [2, 2, 2])
    for parents, printed in ((chain, 2.23e-9), (fork, 2.23e-10)):
        exact = cooper_herskovits(TEN_CASES, parents)
        found = math.fsum(score_of(K2Score(), source, v, own) for v, own in parents.items())
        assert math.exp(found) == pytest.approx(float(exact), rel=1e-13)
        assert math.exp(found) == pytest.approx(printed, rel=2e-3)


def test_scores_of_one_small_table_by_hand():
    # Three values of the child, two of the parent: counts (2, 0, 1) and (0, 3, 0).
    source = make_source([[0, 0, 2, 1, 1, 1], [0, 0, 0, 1, 1, 1]], [3, 2])
    likelihood = 2 * math.log(2 / 3) + math.log(1 / 3)
    expected = {
        K2Score(): math.log(Fraction(2 * 2, math.factorial(5)) * Fraction(2 * 6, 120)),
        # pseudo-counts 1/2 a cell, 3/2 a row
        BDeuScore(3.0): math.log(
            Fraction(1, 2) * Fraction(3, 2) * Fraction(1, 2) / (Fraction(3 * 5 * 7, 8))
        )
        + math.log(Fraction(1 * 3 * 5, 8) / Fraction(3 * 5 * 7, 8)),
        AIC(): likelihood - 4,
        BIC(): likelihood - 2 * math.log(6),
    }
    for score, value in expected.items():
        assert score_of(score, source, 0, (1,)) == pytest.approx(value, rel=1e-13), score


def test_a_child_with_one_value_has_nothing_to_tell():
    source = make_source([[0, 0, 0, 0], [0, 1, 1, 0]], [1, 2])
    for score in SCORES:
        assert score_of(score, source, 0, (1,)) == pytest.approx(0.0, abs=1e-14)
        assert gains(score, source, 0, [], [1]) == pytest.approx([0.0], abs=1e-13)


def test_without_rows_only_the_penalty_is_left():
    source = make_source([[3, 3], [0, 1]], [3, 2])
    assert score_of(K2Score(), source, 0, (1,)) == 0.0
    assert score_of(BDeuScore(), source, 0, (1,)) == 0.0
    assert score_of(AIC(), source, 0, (1,)) == -4.0
    assert score_of(BIC(), source, 0, (1,)) == pytest.approx(-2 * math.log(2))


def lgamma_score(rows, child, parents, card, alpha):
    """The marginal likelihood with ``alpha`` pseudo-counts a cell, by its definition."""
    joint = Counter((tuple(row[v] for v in parents), row[child]) for row in rows)
    margin = Counter(tuple(row[v] for v in parents) for row in rows)
    found = [math.lgamma(alpha * card) - math.lgamma(alpha * card + n) for n in margin.values()]
    found += [math.lgamma(alpha + n) - math.lgamma(alpha) for n in joint.values()]
    return math.fsum(found)


def loglik_score(rows, child, parents):
    joint = Counter((tuple(row[v] for v in parents), row[child]) for row in rows)
    margin = Counter(tuple(row[v] for v in parents) for row in rows)
    return math.fsum(n * math.log(n / margin[u]) for (u, _), n in joint.items())


def defined(score, rows, child, parents, cards, total):
    """A local score of tuples of codes by its definition."""
    q, r = math.prod(cards[v] for v in parents), cards[child]
    if isinstance(score, K2Score):
        return lgamma_score(rows, child, parents, r, 1.0)
    if isinstance(score, BDeuScore):
        return lgamma_score(rows, child, parents, r, score.equivalent_sample_size / (q * r))
    price = math.log(total) / 2 if isinstance(score, BIC) else 1.0
    return loglik_score(rows, child, parents) - price * q * (r - 1)


FAMILIES = [(0, ()), (1, (0,)), (2, (4,)), (4, (0, 1)), (3, (0, 1, 4)), (4, (0, 1, 2, 3))]


@pytest.mark.parametrize("seed", range(5))
def test_local_scores_are_their_definitions(seed):
    columns, cards = draw(seed)
    rows = list(zip(*columns, strict=True))
    source = make_source(columns, cards)
    for score, (child, parents) in itertools.product(SCORES, FAMILIES):
        expected = defined(score, rows, child, parents, cards, len(rows))
        assert score_of(score, source, child, parents) == pytest.approx(expected, rel=1e-12)


# Peers


def peer(name):
    """Another program; its import must not be watched for warnings, at which pyAgrum crashes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(name)


@cache
def vote():
    """The first seven columns of vote and the class, '?' as a value of its own."""
    X, y = load_dataset("vote")
    frame = X.iloc[:, :7].astype(object)
    frame = frame.where(frame.notna(), "?").assign(party=y.astype(object))
    columns = [pd.factorize(frame[name], sort=True)[0] for name in frame]
    return columns, [int(column.max()) + 1 for column in columns]


def tables():
    return [vote(), *(draw(seed) for seed in range(3))]


def labelled(columns):
    return pd.DataFrame({f"a{v}": column.astype(str) for v, column in enumerate(columns)})


def all_configurations_occur(columns, cards, parents):
    rows = set(zip(*(columns[v].tolist() for v in parents), strict=True))
    return not parents or len(rows) == math.prod(cards[v] for v in parents)


@pytest.mark.filterwarnings("ignore")
def test_local_scores_are_those_of_pgmpy():
    theirs = peer("pgmpy.structure_score")
    compared = Counter()
    for columns, cards in tables():
        data, source = labelled(columns), make_source(columns, cards)
        last = len(cards) - 1
        for child, parents in [*FAMILIES, (last, (0, 3)), (0, (1, 2, last))]:
            for ours, score in [
                (K2Score(), theirs.K2(data)),
                (BDeuScore(1.0), theirs.BDeu(data, equivalent_sample_size=1)),
                (BDeuScore(10.0), theirs.BDeu(data, equivalent_sample_size=10)),
                (BIC(), theirs.BIC(data)),
                (AIC(), theirs.AIC(data)),
            ]:
                complete = all_configurations_occur(columns, cards, parents)
                if isinstance(ours, K2Score) and not complete and cards[child] > 2:
                    continue  # pgmpy adds ln (r-1)! for every one that does not
                expected = score.local_score(f"a{child}", tuple(f"a{v}" for v in parents))
                found = score_of(ours, source, child, parents)
                assert found == pytest.approx(expected, rel=1e-10), (ours, child, parents)
                compared[type(ours)] += 1
    assert min(compared.values()) > 15


def pyagrum_learner(columns, cards, score):
    gum = peer("pyagrum")
    template = gum.BayesNet()
    for v, card in enumerate(cards):
        template.add(gum.LabelizedVariable(f"a{v}", "", [str(x) for x in range(card)]))
    learner = gum.BNLearner(labelled(columns), template)
    getattr(learner, f"useScore{score}")()
    learner.useNoPrior()
    return learner


@pytest.mark.filterwarnings("ignore")
def test_local_scores_are_those_of_pyagrum():
    for columns, cards in tables():
        source = make_source(columns, cards)
        last = len(cards) - 1
        families = [*FAMILIES, (last, (0, 3)), (0, (1, 2, last))]
        for (score, ours), (child, parents) in itertools.product(
            [("K2", K2Score()), ("BIC", BIC()), ("AIC", AIC())], families
        ):
            learner = pyagrum_learner(columns, cards, score)
            theirs = learner.score(f"a{child}", [f"a{v}" for v in parents])
            if score == "AIC":  # its likelihood is in bits, and its penalty is not
                size = (cards[child] - 1) * math.prod(cards[v] for v in parents)
                expected = (theirs + size) * math.log(2) - size
            else:
                expected = theirs * math.log(2)
            found = score_of(ours, source, child, parents)
            assert found == pytest.approx(expected, rel=1e-6), (score, child, parents)


# Gains


def places(rows):
    return [None, [rows], [rows // 3, rows // 3 + 1, rows]]


@pytest.mark.parametrize("score", SCORES, ids=str)
def test_a_gain_is_the_difference_of_two_local_scores(score):
    columns, cards = draw(7)
    for ends in places(150):
        source = make_source(columns, cards, ends=ends)
        for child, parents in FAMILIES[:-1]:
            candidates = [v for v in range(5) if v != child and v not in parents]
            found = gains(score, source, child, parents, candidates)
            before = score_of(score, source, child, parents)
            after = [score_of(score, source, child, (*parents, z)) for z in candidates]
            assert_allclose(found, np.array(after) - before, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("score", SCORES, ids=str)
def test_a_gain_is_over_the_rows_where_the_candidate_is_known(score):
    columns, cards = draw(8, missing=0.2)
    everything = list(zip(*(column.tolist() for column in columns), strict=True))
    for ends in places(150):
        source = make_source(columns, cards, ends=ends)
        for child, parents in FAMILIES[:-1]:
            candidates = [v for v in range(5) if v != child and v not in parents]
            found = gains(score, source, child, parents, candidates)
            for z, gain in zip(candidates, found, strict=True):
                known = [
                    row
                    for row in everything
                    if all(row[v] < cards[v] for v in (child, *parents, z))
                ]
                before = defined(score, known, child, parents, cards, 150)
                after = defined(score, known, child, (*parents, z), cards, 150)
                assert gain == pytest.approx(after - before, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("score", SCORES, ids=str)
def test_weights_are_counts(score):
    columns, cards = draw(9)
    times = np.random.default_rng(0).integers(1, 4, 150)
    heavy = make_source(columns, cards, weights=times.astype(float))
    repeated = make_source([np.repeat(column, times) for column in columns], cards)
    for child, parents in FAMILIES[:-1]:
        candidates = [v for v in range(5) if v != child and v not in parents]
        one, two = (gains(score, s, child, parents, candidates) for s in (heavy, repeated))
        assert_allclose(one, two, rtol=1e-9, atol=1e-9)
        one, two = (score_of(score, s, child, parents) for s in (heavy, repeated))
        assert one == pytest.approx(two, rel=1e-12)


def test_twins_gain_the_same_to_the_last_bit():
    columns, _ = draw(10, cards=(3, 4, 2))
    renamed = (columns[1] + 1) % 4
    source = make_source([columns[0], columns[1], renamed, columns[2]], [3, 4, 4, 2])
    for score in SCORES:
        one, two = gains(score, source, 0, [3], [1, 2])
        assert one == two
        assert gains(score, source, 0, [1], [2])[0] <= 0.0


def test_a_constant_candidate_gains_nothing():
    columns, _ = draw(11, cards=(3, 4, 2))
    source = make_source([*columns[:2], np.zeros(150), columns[2]], [3, 4, 1, 2])
    for score in SCORES:
        assert gains(score, source, 0, [1], [2])[0] == pytest.approx(0.0, abs=1e-11)


def test_a_value_that_never_occurs_costs_k2_nothing():
    columns, _ = draw(12, cards=(3, 4, 2))
    constant = np.zeros(150)
    source = make_source([*columns[:2], constant, columns[2]], [3, 4, 5, 2])
    assert gains(K2Score(), source, 0, [1], [2])[0] == 0.0
    # but it has parameters that a penalty counts
    assert gains(AIC(), source, 0, [1], [2])[0] == pytest.approx(-4 * 4 * 2)


@pytest.mark.parametrize("score", SCORES, ids=str)
def test_tables_of_observed_configurations_score_the_same(monkeypatch, score):
    columns, cards = draw(13, missing=0.1)
    dense, families = make_source(columns, cards), FAMILIES[1:]
    expected = [score_of(score, dense, *family) for family in families]
    monkeypatch.setattr(bayesgrove.counts.counter, "DENSE_CELLS", -1)
    monkeypatch.setattr(
        bayesgrove.counts.Counter, "_is_dense", lambda self, family: not family.parents
    )
    for ends in places(150):
        sparse = make_source(columns, cards, ends=ends)
        for (child, parents), value in zip(families, expected, strict=True):
            (table,) = sparse.tables([family_of(child, parents, 4)])
            assert (table.configurations.keys is not None) == bool(set(parents) - {4})
            assert local_score(score, table, sparse.total) == pytest.approx(value, rel=1e-12)


def test_many_parents_of_many_values():
    """The joint values of the parents are far more than any table could have."""
    cards = [50] * 12 + [2]
    columns, _ = draw(14, cards=cards, rows=60)
    rows, source = list(zip(*columns, strict=True)), make_source(columns, cards)
    parents = tuple(range(1, 12))
    for score in SCORES:
        expected = defined(score, rows, 12, parents, cards, 60)
        assert score_of(score, source, 12, parents) == pytest.approx(expected, rel=1e-9)
        before = defined(score, rows, 12, parents, cards, 60)
        after = defined(score, rows, 12, (*parents, 0), cards, 60)
        found = gains(score, source, 12, parents, [0])[0]
        assert found == pytest.approx(after - before, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("alpha", [0, -1.0, math.nan, math.inf, "1", None, True])
def test_an_equivalent_sample_without_a_meaning_is_refused(alpha):
    source = make_source(TEN_CASES, [2, 2, 2])
    with pytest.raises(ValueError, match="equivalent_sample_size="):
        score_of(BDeuScore(alpha), source, 0, (1,))
    with pytest.raises(ValueError, match="equivalent_sample_size="):
        gains(BDeuScore(alpha), source, 0, [], [1])
