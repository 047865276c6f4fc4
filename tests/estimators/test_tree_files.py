"""Trees in model files: what is learned can be read again, also by hand, and nothing else."""

import itertools
import json
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from bayesgrove import BaggedTreesClassifier, C45Classifier, ModelFileError, load_model, save_model
from bayesgrove.encoding import MixedTable
from bayesgrove.model_files import Field
from bayesgrove.model_files.trees import describe_trees, read_trees
from bayesgrove.trees import C45

GOLDEN = Path(__file__).parent / "data" / "trees-version-1.json"


def shares(document, tree, row, node=0):
    """Class probabilities of a row in a node, from the file alone, as the documentation says."""
    labels = len(document["class"]["labels"])
    weights = [tree["weights"][k * labels :][:labels] for k in range(len(tree["column"]))]
    totals = [sum(own) for own in weights]
    if tree["column"][node] == -1:
        return np.array(weights[node]) / totals[node]
    column = document["columns"][tree["column"][node]]
    value, first = row[tree["column"][node]], tree["first"][node]
    numeric = column["kind"] == "numeric"
    children = range(first, first + (2 if numeric else len(column["labels"])))
    if value is not None:
        branch = value > tree["threshold"][node] if numeric else column["labels"].index(value)
        return below(document, tree, row, node, first + int(branch))
    parts = [totals[child] / totals[node] for child in children]
    return sum(
        part * below(document, tree, row, node, child)
        for part, child in zip(parts, children, strict=True)
    )


def below(document, tree, row, node, child):
    """A child that no row of training came to predicts as its parent would."""
    labels = len(document["class"]["labels"])
    own = tree["weights"][child * labels :][:labels]
    if any(own):
        return shares(document, tree, row, child)
    parent = np.array(tree["weights"][node * labels :][:labels])
    return parent / parent.sum()


def test_files_of_version_1_are_read_as_documented():
    loaded, document = load_model(GOLDEN), json.loads(GOLDEN.read_text(encoding="utf-8"))
    rows = list(itertools.product(["p", "q", "r", None], [-2.0, 0.0, 0.4, 0.9, 1.5, 3.0, None]))
    X = pd.DataFrame(rows, columns=["w", "n"])
    trees = document["extra"]["trees"]
    expected = [np.mean([shares(document, tree, row) for tree in trees], axis=0) for row in rows]
    assert_allclose(loaded.predict_proba(X), expected, rtol=1e-12)
    assert loaded.classes_.tolist() == document["class"]["labels"] == [0, 1]
    assert isinstance(loaded, BaggedTreesClassifier)
    assert len(loaded.trees_) == 2


def random_table(seed):
    """Columns with many gaps and labels that few rows have; weights of all sizes."""
    rng = np.random.default_rng(seed)
    rows, cards = 150, [0, 3, 40, 0, 2]
    target = rng.integers(0, 4, rows)
    columns = []
    for card in cards:
        codes = np.where(rng.random(rows) < 0.5, target, rng.geometric(0.4, rows))
        gone = rng.random(rows) < rng.choice([0.0, 0.1, 0.5])
        if card:
            columns.append(np.where(gone, card, codes % card).astype(np.uint8))
        else:
            columns.append(np.where(gone, np.nan, codes + rng.normal(size=rows)))
    weights = [None, rng.gamma(0.1, 10, rows), rng.integers(0, 3, rows) * 1.0][seed % 3]
    return MixedTable(columns, cards, target.astype(np.uint8), 4, weights)


@pytest.mark.parametrize("learner", [C45(False, 1, collapse=False), C45(), C45(confidence=0.5)])
def test_whatever_is_grown_can_be_read(learner):
    sizes = set()
    for seed in range(40):
        table = random_table(seed)
        tree = learner.grow(table)
        sizes.add(tree.size)
        (again,) = read_trees(Field(describe_trees([tree]), "file"), table.cards, 4)
        for name, array in vars(tree).items():
            other = getattr(again, name)
            assert array.dtype == other.dtype
            assert array.tolist() == other.tolist()
    assert len(sizes) > 5


def chain(depth):
    """A path of tests of one number, a leaf at each."""
    column, first = [0], [1]
    for step in range(1, depth):
        column += [-1, 0]
        first += [0, 2 * step + 1]
    column += [-1, -1]
    first += [0, 0]
    size = len(column)
    weights = [[float(2 * depth), 0.0]]
    for step in range(1, depth + 1):
        weights += [[1.0, 0.0], [2.0 * depth - step, 0.0]]
    return {
        "column": column,
        "threshold": [float(k) for k in range(size)],
        "first": first,
        "weights": np.ravel(weights).tolist(),
    }


def test_a_very_deep_tree_is_a_tree_too():
    """Nothing is recursive: neither reading nor prediction, nor the text."""
    depth = 20_000
    start = time.perf_counter()
    (tree,) = read_trees(Field([chain(depth)], "file"), [0], 2)
    table = MixedTable([np.array([1e9, -1.0, np.nan])], [0])
    assert_allclose(tree.distribution(table), [[1, 0]] * 3)
    assert tree.node_depths.max() == depth + 1
    assert time.perf_counter() - start < 5


TREE = {
    "column": [0, -1, 1, -1, -1, -1],
    "threshold": [0.5, 0.0, 0.0, 0.0, 0.0, 0.0],
    "first": [1, 0, 3, 0, 0, 0],
    "weights": [4.0, 4.0, 3.0, 0.0, 1.0, 4.0, 1.0, 0.0, 0.0, 4.0, 0.0, 0.0],
}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("first", [3, 0, 1, 0, 0, 0], "first does not make a tree"),  # a child before its parent
        ("first", [1, 0, 1, 0, 0, 0], "first does not make a tree"),  # two parents
        ("first", [1, 0, 0, 0, 0, 0], "first does not make a tree"),  # a loop
        ("first", [1, 0, 3, 0, 0, 5], "first does not make a tree"),  # a leaf with children
        ("first", [1, 0, 4, 0, 0, 0], "first does not make a tree"),  # beyond the end
        ("column", [0, -1, 0, -1, -1, -1], "first does not make a tree"),  # a node left over
        ("column", [0, 1, 1, -1, -1, -1], "first does not make a tree"),  # a test without nodes
        ("column", [0, -1, 2, -1, -1, -1], "column holds 2, which is not a column"),
        ("first", [1, 0, 3, 0, 0], "first has 5 numbers, needs 6"),
        ("threshold", [0.5], "threshold has 1 numbers, needs 6"),
        ("weights", [1e308] * 12, "weights holds numbers that are too large"),
        ("weights", [4.0, 5.0, *TREE["weights"][2:]], "weights has 9 in node 0, and 8 in its"),
        ("weights", [*TREE["weights"][:6], 2.0, *TREE["weights"][7:]], "5 in node 2, and 6 in"),
    ],
)
def test_what_makes_no_tree_is_refused(name, value, message):
    read_trees(Field([TREE], "file"), [0, 3], 2)
    with pytest.raises(ModelFileError, match=message):
        read_trees(Field([TREE | {name: value}], "file"), [0, 3], 2)


def test_a_tree_put_in_by_hand_must_fit_the_columns(tmp_path):
    X = pd.DataFrame({"a": [1.5, 2.5, 3.5, 4.5] * 3, "b": ["u", "v", "w", "w"] * 3})
    model = C45Classifier().fit(X, [0, 0, 1, 1] * 3)
    model.trees_ = C45Classifier().fit(X[["b"]], [0, 0, 1, 1] * 3).trees_
    with pytest.raises(ModelFileError, match=r"cannot be saved: extra.trees\[0\].first"):
        save_model(model, tmp_path / "m.json")
    with pytest.raises(ValueError, match="min_rows"):
        model.set_params(min_rows=0).fit(X[["a"]], [0, 0, 1, 1] * 3)
    with pytest.raises(ModelFileError, match="do not agree"):
        save_model(model.set_params(min_rows=2), tmp_path / "m.json")
    assert not list(tmp_path.iterdir())
