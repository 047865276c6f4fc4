"""Public names and their modules: the only list, which `__init__.py` reads.

The command line lists the classifiers in this order, simple ones first.
"""

from bayesgrove.estimators.classifiers.naive_bayes import (
    NaiveBayesClassifier as NaiveBayesClassifier,
)
from bayesgrove.estimators.classifiers.tan import TANClassifier as TANClassifier
from bayesgrove.estimators.classifiers.kdb import KDBClassifier as KDBClassifier
from bayesgrove.estimators.classifiers.skdb import SKDBClassifier as SKDBClassifier
from bayesgrove.estimators.classifiers.aode import AODEClassifier as AODEClassifier
from bayesgrove.estimators.classifiers.ande import AnDEClassifier as AnDEClassifier
from bayesgrove.estimators.classifiers.grove import GroveClassifier as GroveClassifier
from bayesgrove.estimators.classifiers.k2 import K2Classifier as K2Classifier
from bayesgrove.estimators.classifiers.cb import CBClassifier as CBClassifier
from bayesgrove.estimators.classifiers.thick_thin import ThickThinClassifier as ThickThinClassifier
from bayesgrove.estimators.classifiers.selective_naive_bayes import (
    SelectiveNaiveBayesClassifier as SelectiveNaiveBayesClassifier,
)
from bayesgrove.estimators.classifiers.joining_naive_bayes import (
    JoiningNaiveBayesClassifier as JoiningNaiveBayesClassifier,
)
from bayesgrove.estimators.classifiers.k2_as import K2ASClassifier as K2ASClassifier
from bayesgrove.estimators.classifiers.info_as import InfoASClassifier as InfoASClassifier
from bayesgrove.estimators.classifiers.selective_tan import (
    SelectiveTANClassifier as SelectiveTANClassifier,
)
from bayesgrove.estimators.classifiers.weighted_naive_bayes import (
    WeightedNaiveBayesClassifier as WeightedNaiveBayesClassifier,
)
from bayesgrove.estimators.classifiers.averaged_naive_bayes import (
    AveragedNaiveBayesClassifier as AveragedNaiveBayesClassifier,
)
from bayesgrove.estimators.classifiers.averaged_tan import (
    AveragedTANClassifier as AveragedTANClassifier,
)
from bayesgrove.estimators.classifiers.model_averaging import (
    ModelAveragingClassifier as ModelAveragingClassifier,
)
from bayesgrove.estimators.classifiers.occams_window import (
    OccamsWindowClassifier as OccamsWindowClassifier,
)
from bayesgrove.estimators.classifiers.c45 import C45Classifier as C45Classifier
from bayesgrove.estimators.classifiers.bagged_trees import (
    BaggedTreesClassifier as BaggedTreesClassifier,
)
from bayesgrove.estimators.classifiers.nbtree import NBTreeClassifier as NBTreeClassifier
from bayesgrove.estimators.classifiers.composition import (
    BayesianNetworkClassifier as BayesianNetworkClassifier,
)

from bayesgrove._utils.config import config_context as config_context
from bayesgrove._utils.config import get_config as get_config
from bayesgrove._utils.config import set_config as set_config
from bayesgrove._utils.spill import SpillError as SpillError
from bayesgrove._utils.spill import SpillWarning as SpillWarning
from bayesgrove._utils.options import OptionError as OptionError
from bayesgrove.datasets import load_dataset as load_dataset
from bayesgrove.encoding import EqualFrequencyDiscretizer as EqualFrequencyDiscretizer
from bayesgrove.encoding import MDLPDiscretizer as MDLPDiscretizer
from bayesgrove.encoding import UnseenValueWarning as UnseenValueWarning
from bayesgrove.estimators.calibration import LogisticCalibration as LogisticCalibration
from bayesgrove.estimators.selectors.cfs import CFSSelector as CFSSelector
from bayesgrove.estimators.selectors.info import InfoSelector as InfoSelector
from bayesgrove.estimators.selectors.mdl import MDLSelector as MDLSelector
from bayesgrove.estimators.selectors.tree import TreeSelector as TreeSelector
from bayesgrove.estimators.selectors.wrapper import WrapperSelector as WrapperSelector
from bayesgrove.evaluation import compare as compare
from bayesgrove.evaluation import distill as distill
from bayesgrove.model_files import ModelFileError as ModelFileError
from bayesgrove.model_files import load_model as load_model
from bayesgrove.model_files import save_model as save_model
from bayesgrove.network import BayesianNetwork as BayesianNetwork
from bayesgrove.network import ParseError as ParseError
from bayesgrove.network import random_network as random_network
from bayesgrove.network import random_rows as random_rows
from bayesgrove.network import read_network as read_network
from bayesgrove.network import write_network as write_network
from bayesgrove.tables import TableError as TableError
from bayesgrove.tables import open_table as open_table

__version__: str
