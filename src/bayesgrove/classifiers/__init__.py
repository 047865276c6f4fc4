"""scikit-learn estimators: the composition, and a named shortcut per published system."""

from bayesgrove.classifiers.base import NetworkClassifier
from bayesgrove.classifiers.composition import BayesianNetworkClassifier
from bayesgrove.classifiers.files import ModelFileError, load_model, save_model
from bayesgrove.classifiers.kdb import KDBClassifier
from bayesgrove.classifiers.naive_bayes import NaiveBayesClassifier
from bayesgrove.classifiers.tan import TANClassifier

__all__ = [
    "BayesianNetworkClassifier",
    "KDBClassifier",
    "ModelFileError",
    "NaiveBayesClassifier",
    "NetworkClassifier",
    "TANClassifier",
    "load_model",
    "save_model",
]
