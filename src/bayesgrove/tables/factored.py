"""A column as its distinct values and where they stand: work on values, not on rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray


class Factored(NamedTuple):
    """``values[codes[row]]`` is the value of a row; code -1 is a missing one."""

    values: list[Any]
    codes: NDArray[np.intp]

    def without(self, unwanted: Collection[Any]) -> Factored:
        """The same with some values missing."""
        keep = [at for at, value in enumerate(self.values) if value not in unwanted]
        if len(keep) == len(self.values):
            return self
        place = np.full(len(self.values) + 1, -1, dtype=np.intp)
        place[keep] = np.arange(len(keep))
        return Factored([self.values[at] for at in keep], place[self.codes])

    def times(self, at: int) -> int:
        """How many rows have a value."""
        return int((self.codes == at).sum())

    def first_row(self, at: int) -> int:
        """The first row that has a value."""
        return int(np.argmax(self.codes == at))

    def spread(self, values: Sequence[Any]) -> pd.Series:
        """Other values in the place of the distinct ones, missing ones None."""
        array = np.empty(len(values) + 1, dtype=object)
        array[:-1] = list(values)
        return pd.Series(array[self.codes], dtype=object)

    def spread_numbers(self, values: Sequence[float]) -> pd.Series:
        """Numbers in the place of the distinct values, missing ones NaN."""
        return pd.Series(np.array([*values, np.nan], dtype=np.float64)[self.codes])

    def categories(self) -> pd.Series:
        """The values as sorted labels."""
        order = sorted(range(len(self.values)), key=self.values.__getitem__)
        place = np.empty(len(order) + 1, dtype=np.intp)
        place[order] = np.arange(len(order))
        place[-1] = -1
        labels = pd.Index([self.values[at] for at in order], dtype=object)
        return pd.Series(pd.Categorical.from_codes(place[self.codes], labels))


def factor(column: pd.Series) -> Factored:
    """Distinct values in the order of the rows, as plain Python values."""
    codes, values = pd.factorize(column)
    return Factored(list(pd.Index(values).astype(object)), codes)
