"""Predictions of a loaded model, batch by batch."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from bayesgrove._utils.wording import listed
from bayesgrove.cli.columns import require_columns
from bayesgrove.cli.errors import UsageError
from bayesgrove.encoding import NotNumericError, Unseen, UnseenValueWarning, report_unseen
from bayesgrove.scores.prediction import most_probable
from bayesgrove.tables import Batch, Table, TableError

PREDICTION = "prediction"
"""Name of the output column with the predicted class."""


class Predictor:
    """A loaded model, and the output columns of its predictions.

    Parameters
    ----------
    model : classifier
        A fitted classifier.
    proba : bool
        Whether the output has one column of probabilities per class.
    """

    def __init__(self, model: Any, *, proba: bool) -> None:
        self._model = model.set_params(n_jobs=-1)  # Results do not depend on it.
        self._classes = _plain(model.classes_)
        self._columns = probability_names(model.classes_.tolist()) if proba else []
        self._unseen: list[Unseen] = []

    def match(self, table: Table, keep: Sequence[str]) -> tuple[list[int], list[str]]:
        """Return the indices of the model's columns in a table, and the columns to copy."""
        require_columns(table, keep)
        clash = next((name for name in keep if name in (PREDICTION, *self._columns)), None)
        if clash is not None:
            raise UsageError(f"--keep {clash}: the output already has a column of that name.")
        columns: list[int] = self._model.match_columns(table)
        self._require_no_others(table, {table.column_names[j] for j in columns} | set(keep))
        return columns, list(dict.fromkeys(keep))

    def predict(self, table: Table, columns: list[int], kept: list[str]) -> Iterator[pd.DataFrame]:
        """Yield the copied columns and the predictions, batch by batch."""
        first_row = 0
        for batch in table.batches(columns, kept or table.column_names[:1]):
            probabilities = self._probabilities(batch, table, first_row)
            out = pd.DataFrame(index=range(batch.rows))
            if kept and batch.kept is not None:
                out = batch.kept.reset_index(drop=True)
            with np.errstate(divide="ignore"):
                out[PREDICTION] = self._classes[most_probable(np.log(probabilities))]
            if self._columns:
                out = pd.concat([out, pd.DataFrame(probabilities, columns=self._columns)], axis=1)
            yield out
            first_row += batch.rows

    def report_unseen(self) -> None:
        """Warn once about the unseen values of all rows."""
        report_unseen(self._unseen, "missing")

    def _probabilities(self, batch: Batch, table: Table, first_row: int) -> Any:
        """Return the class probabilities of a batch, and remember its unseen values."""
        rows = replace(
            batch, names=self._model.schema_.names if self._model.schema_.named else None
        )
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UnseenValueWarning)
            try:
                probabilities = self._model.predict_proba(rows)
            except NotNumericError as error:
                place = table.place(first_row + error.row)
                raise TableError(table.source, error.problem, place) from None
        # One warning per batch would be too many. Unseen values are collected for a single one.
        if any(issubclass(warning.category, UnseenValueWarning) for warning in caught):
            self._unseen += self._model.schema_.encode(rows).unseen
        return probabilities

    def _require_no_others(self, table: Table, known: set[str]) -> None:
        """Raise if the table has columns that are not in the model, kept or the target."""
        target = self._model.class_name_
        unknown = [name for name in table.column_names if name not in known and name != target]
        if unknown:
            raise TableError(
                table.source,
                f"the model does not know {_columns(unknown)}: --drop leaves a column out, "
                "--keep copies it into the output.",
            )


def probability_names(classes: list[Any]) -> list[str]:
    """Return one column name per class, with quotes around text if two names would be equal.

    >>> probability_names(["no", "yes"]), probability_names([1, "1"])
    (['P(no)', 'P(yes)'], ['P(1)', "P('1')"])
    """
    names = [f"P({label})" for label in classes]
    if len(set(names)) < len(names):
        return [f"P({label!r})" for label in classes]
    return names


def _plain(classes: Any) -> Any:
    """Return the classes as an array for pandas and Arrow: as text if they have several types."""
    kinds = {type(label) for label in classes.tolist()}
    return classes if len(kinds) == 1 else np.array([str(label) for label in classes], dtype=object)


def _columns(names: Sequence[str]) -> str:
    """Return the names of columns as words of a sentence."""
    return f"the column{'s' if len(names) > 1 else ''} {listed(map(repr, names), 5)}"
