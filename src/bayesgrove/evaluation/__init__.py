"""Fair comparisons of classifiers: metrics, protocols, significance tests and resumable runs."""

from bayesgrove.evaluation.comparing import compare
from bayesgrove.evaluation.comparison import Comparison
from bayesgrove.evaluation.distillation import Distillation, distill
from bayesgrove.evaluation.metrics import METRICS, Metric, Outcome, delta, model_sizes
from bayesgrove.evaluation.protocols import (
    CrossValidation,
    FixedSplit,
    LearningCurve,
    PredefinedFolds,
    RandomSplits,
    Split,
    parse_protocol,
)
from bayesgrove.evaluation.scorecard import Scorecard
from bayesgrove.evaluation.store import RunFolderError
from bayesgrove.evaluation.text_table import TextTable

__all__ = [
    "METRICS",
    "Comparison",
    "CrossValidation",
    "Distillation",
    "FixedSplit",
    "LearningCurve",
    "Metric",
    "Outcome",
    "PredefinedFolds",
    "RandomSplits",
    "RunFolderError",
    "Scorecard",
    "Split",
    "TextTable",
    "compare",
    "delta",
    "distill",
    "model_sizes",
    "parse_protocol",
]
