"""What people look at: pictures of networks and of selections."""

from bayesgrove.report.network_plot import plot_network
from bayesgrove.report.path_plot import plot_path

__all__ = ["plot_network", "plot_path"]
