"""Pictures of weights show what they are given."""

import numpy as np
import pytest

from bayesgrove.report import plot_weights


def test_the_largest_weight_is_on_top():
    ax = plot_weights(["a", "b", "c"], [0.2, 1.0, 0.0], title="weights")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["b", "a", "c"]
    assert [bar.get_width() for bar in ax.patches] == [1.0, 0.2, 0.0]
    assert ax.yaxis_inverted()
    assert ax.get_title() == "weights"


def test_the_smallest_of_many_are_left_out():
    ax = plot_weights([f"x{j}" for j in range(60)], np.arange(60))
    assert len(ax.patches) == 40
    assert ax.get_yticklabels()[0].get_text() == "x59"
    assert "20 smaller ones" in ax.get_xlabel()


def test_only_finite_weights_are_drawn():
    for wrong in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match=r"weights\[1\]=.*, of 'b': only finite"):
            plot_weights(["a", "b"], [1, wrong])


def test_names_and_weights_must_match():
    with pytest.raises(ValueError, match="2 names and weights of shape \\(3,\\)"):
        plot_weights(["a", "b"], [1, 2, 3])
