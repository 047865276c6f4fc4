"""scikit-learn estimators: the composition, and a named shortcut per published system."""

from bayesgrove.classifiers.averaged_naive_bayes import AveragedNaiveBayesClassifier
from bayesgrove.classifiers.bagged_trees import BaggedTreesClassifier
from bayesgrove.classifiers.base import NetworkClassifier, TableClassifier
from bayesgrove.classifiers.c45 import C45Classifier
from bayesgrove.classifiers.calibration import LogisticCalibration
from bayesgrove.classifiers.cb import CBClassifier
from bayesgrove.classifiers.composition import BayesianNetworkClassifier
from bayesgrove.classifiers.files import ModelFileError, load_model, save_model
from bayesgrove.classifiers.info_as import InfoASClassifier
from bayesgrove.classifiers.k2 import K2Classifier
from bayesgrove.classifiers.k2_as import K2ASClassifier
from bayesgrove.classifiers.kdb import KDBClassifier
from bayesgrove.classifiers.model_averaging import ModelAveragingClassifier
from bayesgrove.classifiers.naive_bayes import NaiveBayesClassifier
from bayesgrove.classifiers.nb_tree import NBTreeClassifier
from bayesgrove.classifiers.selective_naive_bayes import SelectiveNaiveBayesClassifier
from bayesgrove.classifiers.selective_tan import SelectiveTANClassifier
from bayesgrove.classifiers.selectors import (
    CFSSelector,
    InfoSelector,
    MDLSelector,
    TreeSelector,
    WrapperSelector,
)
from bayesgrove.classifiers.tan import TANClassifier
from bayesgrove.classifiers.thick_thin import ThickThinClassifier
from bayesgrove.classifiers.trees import MixedClassifier, TreeClassifier
from bayesgrove.classifiers.weighted_naive_bayes import WeightedNaiveBayesClassifier

__all__ = [
    "AveragedNaiveBayesClassifier",
    "BaggedTreesClassifier",
    "BayesianNetworkClassifier",
    "C45Classifier",
    "CBClassifier",
    "CFSSelector",
    "InfoASClassifier",
    "InfoSelector",
    "K2ASClassifier",
    "K2Classifier",
    "KDBClassifier",
    "LogisticCalibration",
    "MDLSelector",
    "MixedClassifier",
    "ModelAveragingClassifier",
    "ModelFileError",
    "NBTreeClassifier",
    "NaiveBayesClassifier",
    "NetworkClassifier",
    "SelectiveNaiveBayesClassifier",
    "SelectiveTANClassifier",
    "TANClassifier",
    "TableClassifier",
    "ThickThinClassifier",
    "TreeClassifier",
    "TreeSelector",
    "WeightedNaiveBayesClassifier",
    "WrapperSelector",
    "load_model",
    "save_model",
]
