"""The picture has every node and every arc, parents above children."""

import matplotlib as mpl
import pytest
from matplotlib.patches import FancyArrowPatch

from bayesgrove import KDBClassifier, load_dataset
from bayesgrove.report import plot_network
from bayesgrove.report.network_plot import layout

mpl.use("Agg")


@pytest.fixture(scope="module")
def network():
    return KDBClassifier(k=2).fit(*load_dataset("vote")).network_


def test_all_nodes_and_arcs_are_drawn(network):
    axes = plot_network(network, title="vote")
    written = {text.get_text().replace("\n", "") for text in axes.texts}
    assert written == set(network.nodes)
    arrows = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
    assert len(arrows) == len(network.arcs)
    assert axes.get_title() == "vote"
    mpl.pyplot.close(axes.figure)


def test_parents_lie_above_their_children(network):
    places = layout(network)
    assert all(places[parent][1] > places[child][1] for parent, child in network.arcs)
    assert len(set(places.values())) == len(places)


def test_it_draws_into_given_axes(network):
    figure, axes = mpl.pyplot.subplots()
    assert plot_network(network, axes) is axes
    mpl.pyplot.close(figure)
