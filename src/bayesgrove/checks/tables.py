"""Small tables to check a classifier on, and the same rows as objects of other libraries."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

ROWS = 60
TWO = np.array(["no", "yes"], dtype=object)
FOUR = np.array([1, 2, 5, 7])


@dataclass(frozen=True)
class Example:
    """A table with its classes, and a name for messages.

    Parameters
    ----------
    name : str
        The name of the table, as error messages show it.
    X : pandas.DataFrame
        The attributes of the rows.
    y : ndarray of shape (n_rows,)
        The class labels.

    Examples
    --------
    >>> from bayesgrove.checks import examples
    >>> example = examples()[0]
    >>> example.name, example.X.shape, len(example.y)
    ('nominal', (60, 2), 60)
    """

    name: str
    X: pd.DataFrame
    y: NDArray[Any]

    def forms(self) -> Iterator[tuple[str, Any]]:
        """Yield the same table as objects of libraries other than pandas.

        Yields
        ------
        form : str
            What the object is, such as "a numpy array", as error messages show it.
        table : object
            The table as a numpy array and, if the libraries are installed, as a polars frame and as
            an Arrow table.
        """
        numeric = all(map(pd.api.types.is_float_dtype, self.X.dtypes))
        yield "a numpy array", self.X.to_numpy(dtype=float if numeric else object)
        known = self.X.astype(object).where(self.X.notna(), None)
        columns = {name: known[name].tolist() for name in self.X}
        for form, module, make in (
            ("a polars frame", "polars", "DataFrame"),
            ("an Arrow table", "pyarrow", "table"),
        ):
            try:
                library = importlib.import_module(module)
            except ImportError:
                continue
            yield form, getattr(library, make)(columns)


def examples() -> list[Example]:
    """Return the tables of the checks, which are the same in every call.

    Returns
    -------
    list of Example
        Nominal, numeric and mixed tables, with missing values, one column, constant columns, two
        and four classes.

    Examples
    --------
    >>> from bayesgrove.checks import examples
    >>> [example.name for example in examples()][:3]
    ['nominal', 'nominal, two classes', 'numeric']
    """
    random = np.random.default_rng(0)
    two, four = random.integers(0, 2, ROWS), random.integers(0, 4, ROWS)
    nominal = {"colour": _labels(random, four), "shape": _labels(random, four, missing=0.1)}
    numbers = {"size": _numbers(random, two), "weight": _numbers(random, two, missing=0.1)}
    mixed = {"size": _numbers(random, four), "shape": _labels(random, four, missing=0.1)}
    same = {"place": np.full(ROWS, "here", dtype=object), "zero": np.zeros(ROWS)}
    return [
        Example("nominal", pd.DataFrame(nominal), FOUR[four]),
        Example("nominal, two classes", pd.DataFrame(nominal), TWO[four % 2]),
        Example("numeric", pd.DataFrame(numbers), TWO[two]),
        Example("mixed", pd.DataFrame(mixed), FOUR[four]),
        Example("one column", pd.DataFrame({"size": _numbers(random, two)}), TWO[two]),
        Example("constant columns", pd.DataFrame(same | mixed), FOUR[four]),
    ]


def _labels(random: np.random.Generator, codes: NDArray[Any], missing: float = 0.0) -> Any:
    """Return labels that are correlated with the classes, some of them missing."""
    known = np.where(random.random(ROWS) < 0.6, codes % 3, random.integers(0, 3, ROWS))
    labels = np.array(["blue", "green", "red"], dtype=object)[known]
    labels[random.random(ROWS) < missing] = None
    return labels


def _numbers(random: np.random.Generator, codes: NDArray[Any], missing: float = 0.0) -> Any:
    """Return numbers that are larger in later classes on average, some of them missing."""
    numbers = random.normal(size=ROWS) + 1.5 * codes
    numbers[random.random(ROWS) < missing] = np.nan
    return numbers
