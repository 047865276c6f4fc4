"""Training rows of an estimator in the forms that weightings and selectors ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesgrove.contracts import TrainingData

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Discretizer
    from bayesgrove.estimators.base.table import Training


def training_data(
    training: Training, discretizer: Discretizer | None, threads: int
) -> TrainingData:
    """Return all columns of training rows; where numbers are counted, the discretizer cuts them.

    Counts need the rows in memory only where a column has stayed a number.
    """
    names = [coding.name for coding in training.schema.codings]

    def count() -> CountSource:
        if not training.schema.continuous:
            return training.counts(threads)
        every = [*names, training.names[-1]]
        return TrainingData.of_table(training.mixed(), discretizer, threads, names=every).counts

    return TrainingData(names, count, training.mixed, training.classes.tolist(), threads)
