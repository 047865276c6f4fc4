"""Discrete Bayesian network classifiers you can read, trust and compare."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from bayesgrove._version import __version__ as __version__

if TYPE_CHECKING:
    from bayesgrove.classifiers import (
        AveragedNaiveBayesClassifier,
        BaggedTreesClassifier,
        BayesianNetworkClassifier,
        C45Classifier,
        CBClassifier,
        CFSSelector,
        InfoASClassifier,
        InfoSelector,
        K2ASClassifier,
        K2Classifier,
        KDBClassifier,
        LogisticCalibration,
        MDLSelector,
        ModelAveragingClassifier,
        ModelFileError,
        NaiveBayesClassifier,
        NBTreeClassifier,
        SelectiveNaiveBayesClassifier,
        SelectiveTANClassifier,
        TANClassifier,
        ThickThinClassifier,
        TreeSelector,
        WeightedNaiveBayesClassifier,
        WrapperSelector,
        load_model,
        save_model,
    )
    from bayesgrove.datasets import load_dataset
    from bayesgrove.encoding import (
        EqualFrequencyDiscretizer,
        MDLPDiscretizer,
        UnseenValueWarning,
    )
    from bayesgrove.evaluation import compare
    from bayesgrove.network import (
        BayesianNetwork,
        ParseError,
        random_network,
        random_rows,
        read_network,
        write_network,
    )

__all__ = [
    "AveragedNaiveBayesClassifier",
    "BaggedTreesClassifier",
    "BayesianNetwork",
    "BayesianNetworkClassifier",
    "C45Classifier",
    "CBClassifier",
    "CFSSelector",
    "EqualFrequencyDiscretizer",
    "InfoASClassifier",
    "InfoSelector",
    "K2ASClassifier",
    "K2Classifier",
    "KDBClassifier",
    "LogisticCalibration",
    "MDLPDiscretizer",
    "MDLSelector",
    "ModelAveragingClassifier",
    "ModelFileError",
    "NBTreeClassifier",
    "NaiveBayesClassifier",
    "ParseError",
    "SelectiveNaiveBayesClassifier",
    "SelectiveTANClassifier",
    "TANClassifier",
    "ThickThinClassifier",
    "TreeSelector",
    "UnseenValueWarning",
    "WeightedNaiveBayesClassifier",
    "WrapperSelector",
    "compare",
    "load_dataset",
    "load_model",
    "random_network",
    "random_rows",
    "read_network",
    "save_model",
    "write_network",
]

# Public names come from the layers below when they are first used: the command line stays quick.
_HOMES = {
    "AveragedNaiveBayesClassifier": "bayesgrove.classifiers",
    "BaggedTreesClassifier": "bayesgrove.classifiers",
    "BayesianNetwork": "bayesgrove.network",
    "BayesianNetworkClassifier": "bayesgrove.classifiers",
    "C45Classifier": "bayesgrove.classifiers",
    "CBClassifier": "bayesgrove.classifiers",
    "CFSSelector": "bayesgrove.classifiers",
    "EqualFrequencyDiscretizer": "bayesgrove.encoding",
    "InfoASClassifier": "bayesgrove.classifiers",
    "InfoSelector": "bayesgrove.classifiers",
    "K2ASClassifier": "bayesgrove.classifiers",
    "K2Classifier": "bayesgrove.classifiers",
    "KDBClassifier": "bayesgrove.classifiers",
    "LogisticCalibration": "bayesgrove.classifiers",
    "MDLPDiscretizer": "bayesgrove.encoding",
    "MDLSelector": "bayesgrove.classifiers",
    "ModelAveragingClassifier": "bayesgrove.classifiers",
    "ModelFileError": "bayesgrove.classifiers",
    "NBTreeClassifier": "bayesgrove.classifiers",
    "NaiveBayesClassifier": "bayesgrove.classifiers",
    "ParseError": "bayesgrove.network",
    "SelectiveNaiveBayesClassifier": "bayesgrove.classifiers",
    "SelectiveTANClassifier": "bayesgrove.classifiers",
    "TANClassifier": "bayesgrove.classifiers",
    "ThickThinClassifier": "bayesgrove.classifiers",
    "TreeSelector": "bayesgrove.classifiers",
    "UnseenValueWarning": "bayesgrove.encoding",
    "WeightedNaiveBayesClassifier": "bayesgrove.classifiers",
    "WrapperSelector": "bayesgrove.classifiers",
    "compare": "bayesgrove.evaluation",
    "load_dataset": "bayesgrove.datasets",
    "load_model": "bayesgrove.classifiers",
    "random_network": "bayesgrove.network",
    "random_rows": "bayesgrove.network",
    "read_network": "bayesgrove.network",
    "save_model": "bayesgrove.classifiers",
    "write_network": "bayesgrove.network",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'bayesgrove' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
