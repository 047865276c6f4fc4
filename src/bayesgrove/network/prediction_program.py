"""Networks compiled to flat arrays for the kernels that add log-probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesgrove._utils.ties import MEAN_NOISE
from bayesgrove.kernels import kernels
from bayesgrove.network.factors import Factor, Pair, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.encoding import Encoded
    from bayesgrove.kernels import Codes, Floats
    from bayesgrove.network.answers import Answer
    from bayesgrove.network.tables import ConditionalTable


class Layout(NamedTuple):
    """Arguments of `kernels.log_joint`: factors, the columns that they read, and their tables."""

    starts: NDArray[np.int32]
    variables: NDArray[np.int32]
    strides: NDArray[np.int64]
    tables: NDArray[np.int64]
    widths: NDArray[np.int32]
    values: Floats


class Parents(NamedTuple):
    """Attributes that have children, and their codes for missing values."""

    variables: NDArray[np.int32]
    missing: NDArray[np.uint32]

    @classmethod
    def of(cls, variables: Sequence[int], cards: Sequence[int]) -> Parents:
        """Return the variables that can be missing: those with more than one state."""
        kept = [v for v in variables if cards[v] > 1]
        missing = np.array([cards[v] for v in kept], dtype=np.uint32)
        return cls(np.array(kept, dtype=np.int32), missing)


NO_PARENTS = Parents.of([], [])


@dataclass(frozen=True)
class Program:
    """A sum of the log-probabilities of some tables.

    A table with a missing value adds nothing. This is correct if the missing attribute has no
    children, because its table sums to one. A program from `compile_mean` sums weighted
    probabilities instead, and must not be used for rows with a missing parent.
    """

    layout: Layout
    lookups: tuple[ConditionalTable, ...]
    n_classes: int
    parents: Parents

    def run(self, encoded: Encoded, threads: int) -> Floats:
        """Return the sum for every row, shape (rows, classes)."""
        columns = self._columns(encoded)
        return kernels.log_joint(columns, *self.layout, encoded.rows, self.n_classes, threads)

    def answer(
        self, encoded: Encoded, answer: Answer, threads: int
    ) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Return predictions of every row, and the rows whose predictions are not valid.

        These rows have a missing parent, or they are impossible under every class.
        """
        arguments = (
            self._columns(encoded),
            *self.layout,
            *self.parents,
            encoded.rows,
            self.n_classes,
        )
        if answer == "choices":
            return kernels.class_choices(*arguments, MEAN_NOISE, threads)
        return kernels.class_probabilities(*arguments, answer == "logarithms", threads)

    def _columns(self, encoded: Encoded) -> list[Codes]:
        """Return the codes of the attributes, then the row numbers in ``lookups``."""
        if not self.lookups:
            return encoded.columns
        return [*encoded.columns, *(_row_numbers(table, encoded) for table in self.lookups)]


def compile_tables(
    tables: Sequence[ConditionalTable],
    class_variable: int,
    n_classes: int,
    exponents: Sequence[float] | None = None,
    parents: Parents = NO_PARENTS,
) -> Program:
    """Compile conditional tables to a program that gives the logarithm of their product.

    With ``exponents``, each table is raised to a power; a table with exponent 0 is left out. If one
    of the ``parents`` is missing in a row, the product alone is not the result.
    """
    powers = [1.0] * len(tables) if exponents is None else exponents
    pairs = zip(tables, powers, strict=True)
    terms = [Term(table, class_variable, power, logs=True) for table, power in pairs if power != 0]
    return _compile(terms, class_variable, n_classes, parents)


def compile_mean(
    tables: Sequence[ConditionalTable],
    weights: Sequence[float],
    class_variable: int,
    n_classes: int,
) -> Program:
    """Compile the tables of one node given several parent sets to their weighted mean.

    Parents must not be missing. A missing child has the probability 1.
    """
    pairs = zip(tables, weights, strict=True)
    terms = [Term(table, class_variable, weight, logs=False) for table, weight in pairs]
    return _compile(terms, class_variable, n_classes, NO_PARENTS)


def _compile(
    terms: Sequence[Term], class_variable: int, n_classes: int, parents: Parents
) -> Program:
    """Write all factors into one array, and return the program that reads them."""
    lookups = [term.table for term in terms if term.table.by_number]
    numbers = {id(table): class_variable + at for at, table in enumerate(lookups)}
    plain = _in_pairs([term for term in terms if not term.table.by_number])
    numbered = [term for term in terms if term.table.by_number]
    factors: list[Factor] = [*plain, *numbered]
    steps = [factor.steps(numbers) for factor in factors]
    ends = np.cumsum([0, *(math.prod(factor.shape) for factor in factors)])
    values = np.empty(ends[-1])
    for factor, start, end in zip(factors, ends[:-1], ends[1:], strict=True):
        factor.write(values[start:end].reshape(factor.shape))
    return Program(
        Layout(
            np.cumsum([0, *map(len, steps)], dtype=np.int32),
            np.array([variable for pairs in steps for variable, _ in pairs], dtype=np.int32),
            np.array([stride for pairs in steps for _, stride in pairs], dtype=np.int64),
            ends[:-1].astype(np.int64),
            np.array([factor.shape[-1] for factor in factors], dtype=np.int32),
            values,
        ),
        tuple(lookups),
        n_classes,
        parents,
    )


def _in_pairs(terms: Sequence[Term]) -> list[Factor]:
    """Join small tables of one attribute in pairs: naive Bayes then needs half the look-ups."""
    out: list[Factor] = []
    for term in terms:
        previous = out[-1] if out else None
        if isinstance(previous, Term) and previous.joins(term):
            out[-1] = Pair(previous, term)
        else:
            out.append(term)
    return out


def _row_numbers(table: ConditionalTable, encoded: Encoded) -> Codes:
    """Return the row of the table for every row of the data."""
    columns = [encoded.columns[v] for v in table.family.parents]
    return table.rows(columns, encoded.rows).astype(np.uint32)
