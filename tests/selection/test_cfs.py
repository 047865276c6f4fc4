"""CFS against hand-worked merits, all subsets, and WEKA (make_weka_cfs.py)."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import weka
from bayesgrove import BayesianNetworkClassifier, CFSSelector, load_dataset
from bayesgrove.counts import CountSource, MemoryEngine
from bayesgrove.encoding import MDLPDiscretizer
from bayesgrove.scores.information import share_missing, symmetrical_uncertainty
from bayesgrove.selection import CFS
from bayesgrove.selection.cfs import Correlations
from bayesgrove.structures import TAN
from support import as_weka_reads, make_source, mixed_columns

WEKA = json.loads((Path(__file__).parent / "data" / "weka_cfs.json").read_text())


def correlation(columns, cards, i, j):
    table = np.zeros((cards[i] + 1, cards[j] + 1))
    np.add.at(table, (columns[i], columns[j]), 1)
    return symmetrical_uncertainty(share_missing(table))


def merit(columns, cards, subset):
    """``k r_cf / sqrt(k + k (k - 1) r_ff)`` with the means written out."""
    k = len(subset)
    r_cf = np.mean([correlation(columns, cards, v, len(cards) - 1) for v in subset])
    pairs = [correlation(columns, cards, *pair) for pair in itertools.combinations(subset, 2)]
    return k * r_cf / np.sqrt(k + k * (k - 1) * (np.mean(pairs) if pairs else 0.0))


def with_holes(seed, share=0.1):
    columns, cards = mixed_columns(seed, 2)
    rng = np.random.default_rng(seed)
    holes = [
        np.where(rng.random(len(column)) < share, card, column)
        for column, card in zip(columns, cards, strict=True)
    ]
    return [*holes[:-1], np.array(columns[-1])], cards


def test_merits_by_hand():
    """The class is x and y at once; x and y are independent, z is x again."""
    x, y = [0, 0, 1, 1], [0, 1, 0, 1]
    counts = make_source([x, y, x, [0, 1, 2, 3]], [2, 2, 2, 4])
    correlations = Correlations(counts)
    alone = 2 * 1 / (1 + 2)
    assert_allclose(correlations.with_class, [alone] * 3)
    assert_allclose(correlations.with_others(0), [1, 0, 1], atol=1e-12)
    found = correlations.merits([[], [0], [0, 1], [0, 2], [0, 1, 2]])
    both, three = 2 * alone / np.sqrt(2), 3 * alone / np.sqrt(3 + 2)
    assert_allclose(found, [0, alone, both, alone, three])
    selection = CFS(locally_predictive=False).select(counts)
    assert selection.attributes == (0, 1)
    assert_allclose([step.value for step in selection.path], [alone, both])
    assert CFS(locally_predictive=False, unrelated_correlation=1.0).select(counts).attributes == (
        0,
    )


@pytest.mark.parametrize("seed", range(4))
def test_merits_are_those_of_the_formula(seed):
    columns, cards = with_holes(seed)
    subsets = [s for k in range(1, 6) for s in itertools.combinations(range(5), k)]
    found = Correlations(make_source(columns, cards)).merits([list(s) for s in subsets])
    assert_allclose(found, [merit(columns, cards, s) for s in subsets], rtol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_with_patience_it_finds_the_best_of_all_subsets(seed):
    columns, cards = with_holes(seed)
    merits = {
        s: merit(columns, cards, s)
        for k in range(1, 6)
        for s in itertools.combinations(range(5), k)
    }
    best = max(merits, key=merits.get)
    selection = CFS(max_stale=40, locally_predictive=False).select(make_source(columns, cards))
    assert tuple(sorted(selection.attributes)) == best
    assert selection.path[-1].value == pytest.approx(merits[best], rel=1e-9)


def test_an_attribute_closer_to_the_class_than_to_the_others_is_added():
    """The second tells of few rows, and lowers the merit; the third is close to the first."""
    rng = np.random.default_rng(0)
    target = np.arange(400) % 2
    strong = np.where(rng.random(400) < 0.05, 1 - target, target)
    corner = ((np.arange(400) < 30) & (target == 1)).astype(int)
    close = np.where(rng.random(400) < 0.2, rng.integers(0, 2, 400), strong)
    columns, cards = [strong, corner, close, np.zeros(400, dtype=int), target], [2, 2, 2, 1, 2]
    counts = make_source(columns, cards)
    assert CFS(locally_predictive=False).select(counts).attributes == (0,)
    selection = CFS().select(counts)
    own, other = correlation(columns, cards, 1, 4), correlation(columns, cards, 1, 0)
    assert own > other
    assert selection.attributes == (0, 1)
    assert [step.value for step in selection.path] == sorted(
        (step.value for step in selection.path), reverse=True
    )


def test_only_pairs_of_expanded_attributes_are_counted(monkeypatch):
    columns, cards = with_holes(1)
    counts = make_source(columns, cards)
    asked = []
    tables = CountSource.tables
    monkeypatch.setattr(
        CountSource,
        "tables",
        lambda self, families: asked.extend(families) or tables(self, families),
    )
    correlations = Correlations(counts)
    correlations.merits([[0, 1], [0, 2]])
    correlations.merits([[0, 3]])
    assert {family.parents for family in asked if family.parents} == {(0,)}
    assert len([family for family in asked if family.parents]) == 4


def test_a_stream_gives_the_same():
    columns, cards = with_holes(2)
    weights = np.random.default_rng(2).choice([0.1, 0.7], 200)
    whole, parts = (make_source(columns, cards, ends, weights) for ends in (None, [70, 200]))
    one, two = CFS().select(whole), CFS().select(parts)
    assert one.attributes == two.attributes
    assert_allclose([s.value for s in one.path], [s.value for s in two.path], rtol=1e-9)


def test_where_nothing_tells_of_the_class_nothing_is_selected():
    assert CFS().select(make_source([[0, 1, 0, 1], [0, 0, 1, 1]], [2, 2])).attributes == ()
    assert CFS().select(make_source([[2, 2], [0, 0], [0, 1]], [2, 1, 2])).attributes == ()


def test_options_are_checked():
    counts = make_source([[0, 1], [0, 1]], [2, 2])
    for wrong in [{"stale": 0}, {"unrelated": -1.0}, {"locally_predictive": "no"}]:
        with pytest.raises(ValueError, match=next(iter(wrong))):
            CFS(**wrong).select(counts)


def check(dataset, answers, discretizer, first=None):
    """WEKA takes attributes that are independent for constants: ``unrelated=1``."""
    schema, rows = as_weka_reads(*dataset, first, discretizer)
    names = [*(coding.name for coding in schema.codings), "the class"]
    counts = CountSource(MemoryEngine(rows), names, [*rows.cards, rows.n_classes])
    assert_allclose(Correlations(counts).with_class, answers["class"], atol=1e-6)
    searched = CFS(locally_predictive=False, unrelated_correlation=1.0).select(counts)
    assert sorted(searched.attributes) == answers["searched"]
    assert searched.path[-1].value == pytest.approx(answers["merit"], abs=1e-6)
    assert sorted(CFS(unrelated_correlation=1.0).select(counts).attributes) == answers["selected"]


@pytest.mark.parametrize("name", [name for name in WEKA if name != "about"])
def test_attributes_are_wekas(folder_dataset, name):
    check(folder_dataset(name), WEKA[name], MDLPDiscretizer(), WEKA[name]["rows"])


@weka.installed
@pytest.mark.parametrize(("cut", "choices"), [(True, "rows"), (False, "values")])
def test_weka_itself_selects_so(any_dataset, cut, choices):
    """Numbers that are not cut before, CFS cuts itself."""
    dataset = any_dataset("credit-g")
    with weka.arff_file(dataset, cut=cut) as path:
        check(dataset, weka.cfs(path), MDLPDiscretizer(choices))


def test_it_selects_for_any_network():
    X, y = load_dataset("vote")
    model = BayesianNetworkClassifier(TAN(), selection=CFS()).fit(X, y)
    assert model.selected_ == CFSSelector(missing="value").fit(X, y).selected_
    assert model.network_.nodes[-1] == "class"
    assert set(model.network_.nodes[:-1]) == set(model.selected_)
