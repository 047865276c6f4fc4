"""Pictures of networks, trees, selections, arcs and weights, with matplotlib."""

from bayesgrove.report.arc_plot import plot_arcs
from bayesgrove.report.network_plot import plot_network
from bayesgrove.report.path_plot import plot_path
from bayesgrove.report.tree_plot import plot_tree
from bayesgrove.report.weights_plot import plot_weights

__all__ = ["plot_arcs", "plot_network", "plot_path", "plot_tree", "plot_weights"]
