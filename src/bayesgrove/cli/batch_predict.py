"""Predictions of a loaded model, batch by batch."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from bayesgrove.cli.columns import require_columns
from bayesgrove.cli.console import listed
from bayesgrove.cli.errors import UsageError
from bayesgrove.encoding import NotNumericError, Unseen, UnseenValueWarning, report_unseen
from bayesgrove.scores.prediction import most_probable
from bayesgrove.tables import Batch, Table, TableError

PREDICTION = "prediction"


class Predictor:
    """A model with what its predictions look like."""

    def __init__(self, model: Any, *, proba: bool) -> None:
        self._model = model.set_params(n_jobs=-1)  # the number of threads changes no result
        self._classes = _plain(model.classes_)
        self._columns = probability_names(model.classes_.tolist()) if proba else []
        self._unseen: list[Unseen] = []

    def match(self, table: Table, keep: Sequence[str]) -> tuple[list[int], list[str]]:
        """Return the numbers of the model's columns in a table, and the names of those to copy."""
        require_columns(table, keep)
        clash = next((name for name in keep if name in (PREDICTION, *self._columns)), None)
        if clash is not None:
            raise UsageError(f"--keep {clash}: the output has a column of that name already.")
        columns: list[int] = self._model.match_columns(table)
        self._refuse_others(table, {table.column_names[j] for j in columns} | set(keep))
        return columns, list(dict.fromkeys(keep))

    def predict(self, table: Table, columns: list[int], kept: list[str]) -> Iterator[pd.DataFrame]:
        """Yield predictions batch by batch, beside the columns to copy."""
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
        """One warning for all rows."""
        report_unseen(self._unseen, "missing")

    def _probabilities(self, batch: Batch, table: Table, first_row: int) -> Any:
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
        # A warning for every batch would say too much: what it told is counted instead.
        if any(issubclass(warning.category, UnseenValueWarning) for warning in caught):
            self._unseen += self._model.schema_.encode(rows).unseen
        return probabilities

    def _refuse_others(self, table: Table, known: set[str]) -> None:
        target = self._model.class_name_
        added = [name for name in table.column_names if name not in known and name != target]
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
