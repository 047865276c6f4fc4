"""Models as files: JSON that says what a model is, and that runs nothing when it is read."""

from bayesgrove.model_files.fields import Field, ModelFileError
from bayesgrove.model_files.model import classifiers, load_model, save_model

__all__ = ["Field", "ModelFileError", "load_model", "save_model"]

classifiers()  # imports them all, so that reading a file imports nothing
