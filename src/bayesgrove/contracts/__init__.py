"""Interfaces between the parts of a classifier: one module per kind of part."""

from bayesgrove.contracts.repeats import weights_repeat_rows
from bayesgrove.contracts.selection import Selection, Step, path_text, selection_from_moves
from bayesgrove.contracts.selector import (
    Guide,
    RowSelector,
    Selector,
    SubsetScorer,
    require_selector,
    select_from,
)
from bayesgrove.contracts.structure_learner import (
    StructureLearner,
    checked_learner,
    learn_in_order,
    require_learner,
)
from bayesgrove.contracts.training_data import TrainingData
from bayesgrove.contracts.weighting import Weighting, is_weighting, rescaled

__all__ = [
    "Guide",
    "RowSelector",
    "Selection",
    "Selector",
    "Step",
    "StructureLearner",
    "SubsetScorer",
    "TrainingData",
    "Weighting",
    "checked_learner",
    "is_weighting",
    "learn_in_order",
    "path_text",
    "require_learner",
    "require_selector",
    "rescaled",
    "select_from",
    "selection_from_moves",
    "weights_repeat_rows",
]
