"""Model files: fitted classifiers as JSON. Reading a file runs no code from it."""

from bayesgrove.model_files.fields import Field, ModelFileError
from bayesgrove.model_files.model import classifiers, load_model, save_model

__all__ = ["Field", "ModelFileError", "load_model", "save_model"]

classifiers()  # Import all classifiers now, so that reading a file imports nothing.
