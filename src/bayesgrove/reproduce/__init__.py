"""Each paper's own experiments: ours beside theirs."""

from bayesgrove.reproduce.reproduction import (
    PAPERS,
    Reproduction,
    draw,
    experiments_of,
    reproduce,
    tables_of,
)

__all__ = ["PAPERS", "Reproduction", "draw", "experiments_of", "reproduce", "tables_of"]
