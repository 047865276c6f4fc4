"""What people look at: pictures of networks, of selections and of arcs."""

from bayesgrove.report.arc_plot import plot_arcs
from bayesgrove.report.network_plot import plot_network
from bayesgrove.report.path_plot import plot_path

__all__ = ["plot_arcs", "plot_network", "plot_path"]
