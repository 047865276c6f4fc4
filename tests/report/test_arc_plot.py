"""The picture of arcs has every probability in its place."""

import matplotlib as mpl
import numpy as np

from bayesgrove.report import plot_arcs

mpl.use("Agg")


def test_every_arc_has_its_cell_and_its_number():
    ax = plot_arcs({("a", "b"): 0.25, ("a", "c"): 1.0, ("b", "c"): 0.5}, title="arcs")
    (image,) = ax.images
    shown = np.ma.filled(np.ma.asarray(image.get_array()), np.nan)
    np.testing.assert_array_equal(shown, [[0.25, 1.0], [np.nan, 0.5]])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["b", "c"]
    assert [text.get_text() for text in ax.texts] == ["0.25", "1.00", "0.50"]
    assert ax.get_title() == "arcs"
    mpl.pyplot.close(ax.figure)
