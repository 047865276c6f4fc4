"""Gain ratios against hand-worked tables and WEKA (make_weka_weights.py)."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import weka
from bayesgrove.contracts import TrainingData
from bayesgrove.counts import CountSource, MemoryEngine
from bayesgrove.encoding import MDLPDiscretizer
from bayesgrove.weighting import GainRatio
from support import as_weka_reads, make_source

WEKA = json.loads((Path(__file__).parent / "data" / "weka.json").read_text())


def ratios(counts):
    return GainRatio().scores(TrainingData.of_counts(counts))


def test_ratios_by_hand():
    columns = [[0, 0, 1, 2], [0, 1, 0, 1], [0, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1]]
    weights = ratios(make_source(columns, [3, 2, 1, 2, 2]))
    assert_allclose(weights, [1 / 1.5, 0, 0, 1], atol=1e-15)


def test_weights_are_the_ratios_times_their_number_over_their_sum():
    counts = make_source([[0, 0, 1, 2], [0, 1, 0, 1], [1, 1, 0, 0], [0, 0, 1, 1]], [3, 2, 2, 2])
    weights = GainRatio().weights(TrainingData.of_counts(counts))
    assert_allclose(weights, [3 * 0.4, 0, 3 * 0.6], atol=1e-15)
    nothing = make_source([[0, 0], [0, 1]], [1, 2])
    assert GainRatio().weights(TrainingData.of_counts(nothing)).tolist() == [0.0]


def test_missing_rows_are_shared_out_in_proportion():
    """Of 4 rows that are known 3 are 0: so are 3 of the 4 others, 2 of each class."""
    column = [0, 0, 0, 1, 2, 2, 2, 2]
    weights = ratios(make_source([column, [0, 0, 0, 1, 0, 0, 1, 1]], [2, 2]))
    table = np.array([[3 + 1.5, 1.5], [0.5, 1 + 0.5]])

    def entropy(p):
        return -(p[p > 0] * np.log2(p[p > 0])).sum()

    x, c, both = (entropy(p / 8) for p in (table.sum(axis=1), table.sum(axis=0), table.ravel()))
    assert_allclose(weights, [(x + c - both) / x], rtol=1e-12)
    assert ratios(make_source([[2, 2, 2], [0, 1, 1]], [2, 2])).tolist() == [0.0]


def test_a_stream_gives_the_same():
    rng = np.random.default_rng(0)
    columns, cards = [rng.integers(0, 4, 90) for _ in range(3)], [3, 3, 4]
    weights = rng.choice([0.1, 0.7], 90)
    streamed = ratios(make_source(columns, cards, [40, 90], weights))
    assert_allclose(streamed, ratios(make_source(columns, cards, None, weights)))


def as_weka_weighs(dataset, first=None):
    schema, rows = as_weka_reads(*dataset, first, MDLPDiscretizer())
    names = [*(coding.name for coding in schema.codings), "the class"]
    counts = CountSource(MemoryEngine(rows), names, [*rows.cards, rows.n_classes])
    return ratios(counts)


@pytest.mark.parametrize("name", [name for name in WEKA if name != "about"])
def test_weights_are_wekas(folder_dataset, name):
    weights = as_weka_weighs(folder_dataset(name), WEKA[name]["rows"])
    assert_allclose(weights, WEKA[name]["gain_ratio"], atol=1e-11)


@weka.installed
def test_weka_itself_says_so(any_dataset):
    dataset = any_dataset("credit-g")
    with weka.arff_file(dataset, cut=True) as path:
        answers = weka.attribute_weights(path, "GainRatioAttributeEval")
    assert_allclose(as_weka_weighs(dataset), answers, atol=1e-11)
