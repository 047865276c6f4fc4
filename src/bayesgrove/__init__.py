"""Discrete Bayesian network classifiers you can read, trust and compare."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from bayesgrove.classifiers import (
        BayesianNetworkClassifier,
        KDBClassifier,
        NaiveBayesClassifier,
        TANClassifier,
    )
    from bayesgrove.datasets import load_dataset
    from bayesgrove.encoding import (
        EqualFrequencyDiscretizer,
        MDLPDiscretizer,
        UnseenValueWarning,
    )
    from bayesgrove.network import BayesianNetwork

__all__ = [
    "BayesianNetwork",
    "BayesianNetworkClassifier",
    "EqualFrequencyDiscretizer",
    "KDBClassifier",
    "MDLPDiscretizer",
    "NaiveBayesClassifier",
    "TANClassifier",
    "UnseenValueWarning",
    "load_dataset",
]

# Public names come from the layers below when they are first used: the command line stays quick.
_HOMES = {
    "BayesianNetwork": "bayesgrove.network",
    "BayesianNetworkClassifier": "bayesgrove.classifiers",
    "EqualFrequencyDiscretizer": "bayesgrove.encoding",
    "KDBClassifier": "bayesgrove.classifiers",
    "MDLPDiscretizer": "bayesgrove.encoding",
    "NaiveBayesClassifier": "bayesgrove.classifiers",
    "TANClassifier": "bayesgrove.classifiers",
    "UnseenValueWarning": "bayesgrove.encoding",
    "load_dataset": "bayesgrove.datasets",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'bayesgrove' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
