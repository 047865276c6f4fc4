"""Each paper's own experiments: ours beside theirs."""

from bayesgrove.reproduce.reproduction import PAPERS, Reproduction, reproduce

__all__ = ["PAPERS", "Reproduction", "reproduce"]
