"""Experiments of papers, run again: our results next to the published ones."""

from bayesgrove.reproduce.papers import NUMBERS, PAPERS, find_paper, has_paper, known_papers
from bayesgrove.reproduce.reproduction import (
    Reproduction,
    draw,
    experiments_of,
    figure_of,
    reproduce,
    reproduce_tables,
    tables_of,
)

__all__ = [
    "NUMBERS",
    "PAPERS",
    "Reproduction",
    "draw",
    "experiments_of",
    "figure_of",
    "find_paper",
    "has_paper",
    "known_papers",
    "reproduce",
    "reproduce_tables",
    "tables_of",
]
