"""What people look at: pictures of networks."""

from bayesgrove.report.network_plot import plot_network

__all__ = ["plot_network"]
