"""Predictions of a loaded model, batch by batch."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from bayesgrove.cli.columns import require_columns
from bayesgrove.cli.console import listed
from bayesgrove.cli.errors import UsageError
from bayesgrove.encoding import Coding, Unseen, UnseenValueWarning, read_table, report_unseen
from bayesgrove.scores.prediction import most_probable
from bayesgrove.tables import Batch, Table, TableError

PREDICTION = "prediction"


class Predictor:
    """A model with what its predictions look like."""

    def __init__(self, model: Any, *, proba: bool) -> None:
        self._model = model.set_params(n_jobs=-1)  # the number of threads changes no result
        self.schema_ = model.schema_
        self._classes = _plain(model.classes_)
        self._columns = probability_names(model.classes_.tolist()) if proba else []
        self._unseen: list[Unseen] = []

    def match(self, table: Table, keep: Sequence[str]) -> tuple[list[Coding], list[str]]:
        """Columns of the model as they are called in a table, and those to copy."""
        require_columns(table, keep)
        clash = next((name for name in keep if name in (PREDICTION, *self._columns)), None)
        if clash is not None:
            raise UsageError(f"--keep {clash}: the output has a column of that name already.")
        codings = self._codings(table)
        self._require_all(table, codings)
        self._refuse_others(table, {coding.name for coding in codings} | set(keep))
        return codings, list(dict.fromkeys(keep))

    def predict(self, batch: Batch) -> pd.DataFrame:
        """Predictions for some rows, beside the columns to copy."""
        X = batch.X
        if not self.schema_.named:
            X = X.set_axis(range(X.shape[1]), axis=1)
        probabilities = self._probabilities(X)
        out = batch.kept.reset_index(drop=True)
        with np.errstate(divide="ignore"):
            out[PREDICTION] = self._classes[most_probable(np.log(probabilities))]
        if self._columns:
            out = pd.concat([out, pd.DataFrame(probabilities, columns=self._columns)], axis=1)
        return out

    def report_unseen(self) -> None:
        """One warning for all rows."""
        report_unseen(self._unseen, "missing")

    def _probabilities(self, X: pd.DataFrame) -> Any:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UnseenValueWarning)
            found = self._model.predict_proba(X)
        # A warning for every batch would say too much: what it told is counted instead.
        if any(issubclass(warning.category, UnseenValueWarning) for warning in caught):
            self._unseen += self.schema_.encode(read_table(X)).unseen
        return found

    def _codings(self, table: Table) -> list[Coding]:
        """The codings; columns of a model without names are taken in their order."""
        codings = list(self.schema_.codings)
        names = [coding.name for coding in codings]
        if self.schema_.named or set(names) <= set(table.names):
            return codings
        places = zip(codings, table.names, strict=False)
        return [replace(coding, name=name) for coding, name in places]

    def _require_all(self, table: Table, codings: Sequence[Coding]) -> None:
        absent = [c.name for c in self.schema_.codings[len(codings) :]]
        absent += [coding.name for coding in codings if coding.name not in table.names]
        if absent:
            raise TableError(
                table.source,
                f"the model needs {_columns(absent)}, which {'is' if len(absent) == 1 else 'are'} "
                f"not there{_case(absent, table)}.",
            )

    def _refuse_others(self, table: Table, known: set[str]) -> None:
        target = self._model.class_name_
        added = [name for name in table.names if name not in known and name != target]
        if added:
            raise TableError(
                table.source,
                f"the model does not know {_columns(added)}: --drop leaves a column out, "
                "--keep copies it into the output.",
            )


def probability_names(classes: list[Any]) -> list[str]:
    """One column a class; where two are written alike, the text is in quotes.

    >>> probability_names(["no", "yes"]), probability_names([1, "1"])
    (['P(no)', 'P(yes)'], ['P(1)', "P('1')"])
    """
    names = [f"P({label})" for label in classes]
    if len(set(names)) < len(names):
        return [f"P({label!r})" for label in classes]
    return names


def _plain(classes: Any) -> Any:
    """Classes as an array that pandas and Arrow can hold: those of several types as text."""
    kinds = {type(label) for label in classes.tolist()}
    return classes if len(kinds) == 1 else np.array([str(label) for label in classes], dtype=object)


def _columns(names: Sequence[str]) -> str:
    return f"the column{'s' if len(names) > 1 else ''} {listed(map(repr, names), 5)}"


def _case(absent: Sequence[str], table: Table) -> str:
    """A hint where only case or blanks differ."""
    known = {name.strip().lower(): name for name in table.names}
    like = known.get(absent[0].strip().lower())
    return f" (there is {like!r})" if like is not None else ""
