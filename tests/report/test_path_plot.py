"""Pictures of selections show every step."""

import matplotlib as mpl
import pytest

from bayesgrove.report import plot_path
from bayesgrove.selection import Step

mpl.use("Agg")

PATH = [Step("odor", 0.5, 9), Step("ring", 0.25, 14), Step("odor", 0.75, 4, "removed")]


def test_every_step_has_its_value_its_name_and_its_bar():
    ax = plot_path(PATH, title="mushrooms")
    (line,) = ax.lines
    assert list(line.get_ydata()) == [0.5, 0.25, 0.75]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["+ odor", "+ ring", "- odor"]
    (other,) = [axis for axis in ax.figure.axes if axis is not ax]
    assert [bar.get_height() for bar in other.patches] == [9, 14, 4]
    assert ax.get_title() == "mushrooms"


@pytest.mark.parametrize("path", [[], [Step("odor", 0.5, None)]])
def test_steps_without_numbers_of_joint_values_have_no_bars(path):
    ax = plot_path(path)
    assert ax.figure.axes == [ax]
    assert len(ax.lines[0].get_ydata()) == len(path)
