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
    classes = training.classes.tolist()

    def count() -> CountSource:
        if not training.schema.continuous:
            return training.counts(threads)
        names = [*(coding.name for coding in training.schema.codings), training.names[-1]]
        cut = TrainingData.of_table(training.mixed(), discretizer, threads, names=names)
        return cut.counts

    return TrainingData(count, training.mixed, classes, threads)
