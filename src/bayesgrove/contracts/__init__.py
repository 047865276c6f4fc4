"""What the parts of a classifier promise each other: one file per kind of part."""

from bayesgrove.contracts.training_data import TrainingData
from bayesgrove.contracts.weighting import Weighting, is_weighting

__all__ = ["TrainingData", "Weighting", "is_weighting"]
