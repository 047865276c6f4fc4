"""Training rows of an estimator in the forms that weightings and selectors need."""

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
    """Return all columns of training rows; the discretizer cuts numbers before they are counted.

    Counts need the rows in memory only if a column is continuous.

    Parameters
    ----------
    training : Training
        The encoded training rows.
    discretizer : Discretizer or None
        How continuous columns are cut where counts are needed.
    threads : int
        The number of threads.

    Returns
    -------
    TrainingData
        The counts and the rows; each form is made when it is first used.
    """
    names = [coding.name for coding in training.schema.codings]

    def count() -> CountSource:
        if not training.schema.continuous:
            return training.counts(threads)
        all_names = [*names, training.names[-1]]
        return TrainingData.of_table(training.mixed(), discretizer, threads, names=all_names).counts

    return TrainingData(names, count, training.mixed, training.classes.tolist(), threads)
