"""Checks that every classifier of the package, and every subclass by a user, should pass."""

from bayesgrove.checks.classifier import CHECKS, check_classifier
from bayesgrove.checks.tables import Example, examples

__all__ = ["CHECKS", "Example", "check_classifier", "examples"]
