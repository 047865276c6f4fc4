"""Checks that any classifier of the package, or a user's own subclass, should pass."""

from bayesgrove.checks.classifier import CHECKS, check_classifier
from bayesgrove.checks.tables import Example, examples

__all__ = ["CHECKS", "Example", "check_classifier", "examples"]
