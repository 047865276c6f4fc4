"""Names and labels are drawn as they are, also where matplotlib would take them for formulas."""

import io

import matplotlib as mpl
import pandas as pd
import pytest

from bayesgrove import C45Classifier, NaiveBayesClassifier
from bayesgrove.report import plot_arcs, plot_network, plot_path, plot_tree, plot_weights
from bayesgrove.selection import Step

mpl.use("Agg")

ODD = r"$\no^{formula$"
ROWS = pd.DataFrame({ODD: [ODD, ODD, "_b", "_b"]})
CLASSES = pd.Series([ODD, ODD, "_b", "_b"], name="$class$ $")
PICTURES = {
    "arcs": lambda: plot_arcs({(ODD, "b"): 0.5, ("b", ODD): 0.5}, title=ODD),
    "network": lambda: plot_network(NaiveBayesClassifier().fit(ROWS, CLASSES).network_, title=ODD),
    "path": lambda: plot_path([Step(ODD, 0.5, 2)], title=ODD),
    "tree": lambda: plot_tree(C45Classifier(min_rows=1).fit(ROWS, CLASSES), title=ODD),
    "weights": lambda: plot_weights([ODD, "b"], [0.5, 1.0], title=ODD),
}


@pytest.mark.parametrize("kind", PICTURES)
def test_formulas_are_no_formulas(kind):
    axes = PICTURES[kind]()
    axes.figure.savefig(io.BytesIO(), format="svg")
    mpl.pyplot.close(axes.figure)


def test_a_legend_has_all_classes_as_they_are():
    axes = PICTURES["tree"]()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [ODD, "_b"]
    mpl.pyplot.close(axes.figure)
