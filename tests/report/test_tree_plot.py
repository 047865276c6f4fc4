"""The picture of a tree has every test, branch and leaf, and no text lies on another."""

import itertools

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.container import BarContainer
from sklearn.exceptions import NotFittedError

from bayesgrove import BaggedTreesClassifier, C45Classifier, NaiveBayesClassifier, load_dataset
from bayesgrove.report import plot_tree
from bayesgrove.report.tree_plot import layout

mpl.use("Agg")

PLAY = pd.DataFrame(
    {
        "outlook": ["sun"] * 5 + ["rain"] * 5 + ["fog"] * 2,
        "wind": [1.5, 2.5, 8.5, 9.5, 9.5, 1.5, 2.5, 8.5, 9.5, 9.5, 1.5, 9.5],
    }
)
PLAYED = ["yes", "yes", "no", "no", "no", "yes", "yes", "yes", "yes", "no", "no", "no"]
WEATHER = C45Classifier(pruned=False).fit(PLAY, PLAYED)


def close(axes):
    mpl.pyplot.close(axes.figure)


def test_tests_branches_and_leaves_are_drawn():
    assert WEATHER.to_text().splitlines() == [
        "outlook = fog: no (2.0)",
        "outlook = rain: yes (5.0/1.0)",
        "outlook = sun",
        "|   wind <= 2.5: yes (2.0)",
        "|   wind > 2.5: no (3.0)",
    ]
    axes = plot_tree(WEATHER, title="play")
    written = sorted(text.get_text() for text in axes.texts)
    leaves = ["no (2.0)", "yes (5.0/1.0)", "yes (2.0)", "no (3.0)"]
    branches = ["= fog", "= rain", "= sun", "<= 2.5", "> 2.5"]
    assert written == sorted(["outlook", "wind", *branches, *leaves])
    assert axes.get_title() == "play"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["no", "yes"]
    close(axes)


def test_bars_have_the_shares_of_the_classes():
    axes = plot_tree(WEATHER)
    bars = [c for c in axes.containers if isinstance(c, BarContainer)]
    widths = np.array([[patch.get_width() for patch in bar] for bar in bars])
    shares = widths / widths.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(shares, [[1, 0], [0.2, 0.8], [0, 1], [1, 0]])
    close(axes)


def test_tests_stand_in_the_middle_of_their_children():
    places = layout(WEATHER.tree_)
    assert [places[node].row for node in range(6)] == [1.25, 0, 1, 2.5, 2, 3]
    assert [places[node].level for node in range(6)] == [0, 1, 1, 1, 2, 2]


@pytest.mark.parametrize("name", ["vote", "credit-g", "soybean", "iris"])
def test_no_text_lies_on_another(name, folder_dataset):
    axes = plot_tree(C45Classifier(pruned=False).fit(*folder_dataset(name)))
    axes.figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in axes.texts]
    frame = axes.figure.bbox
    for box in boxes:
        assert frame.x0 <= box.x0 < box.x1 <= frame.x1
        assert frame.y0 <= box.y0 < box.y1 <= frame.y1
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    close(axes)


def test_of_a_large_tree_the_upper_part_is_drawn():
    model = BaggedTreesClassifier(3).fit(*load_dataset("credit-g"))
    tree = model.trees_[2]
    places = layout(tree)
    assert 50 <= len(places) <= 60 < tree.size
    hidden = sum(place.hidden for place in places.values())
    assert len(places) + hidden == tree.size
    axes = plot_tree(model, 2, title="third")
    assert axes.get_title() == f"third: {len(places)} of {tree.size} nodes"
    notes = [text.get_text() for text in axes.texts if text.get_text().endswith(" nodes")]
    assert len(notes) == sum(place.hidden > 0 for place in places.values()) > 0
    close(axes)


def test_a_single_leaf_and_given_axes():
    figure, axes = mpl.pyplot.subplots()
    model = C45Classifier().fit([["$a$"], ["b"]], ["one", "one"])
    assert plot_tree(model, ax=axes) is axes
    assert [text.get_text() for text in axes.texts] == ["one (2.0)"]
    mpl.pyplot.close(figure)


def test_what_has_no_trees_is_refused():
    model = NaiveBayesClassifier().fit([["a"], ["b"]], [0, 1])
    with pytest.raises(TypeError, match="NaiveBayesClassifier has no trees to draw: give a C45"):
        plot_tree(model)
    with pytest.raises(NotFittedError):
        plot_tree(C45Classifier())
