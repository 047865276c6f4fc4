"""A network laid out flat for the kernels that add up log-probabilities."""

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
    """Arguments of `kernels.log_joint`: factors, the columns they look at, their tables."""

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
        """Those of some variables that can be missing: an attribute with one state never is."""
        kept = [v for v in variables if cards[v] > 1]
        missing = np.array([cards[v] for v in kept], dtype=np.uint32)
        return cls(np.array(kept, dtype=np.int32), missing)


NO_PARENTS = Parents.of([], [])


@dataclass(frozen=True)
class Program:
    """Sum of log-probabilities of some tables; a table that a missing value touches adds nothing.

    That is right where the missing attribute has no children: its table sums to one. A program of
    `compile_mean` sums weighted probabilities instead, for rows without a missing parent.
    """

    layout: Layout
    lookups: tuple[ConditionalTable, ...]
    n_classes: int
    parents: Parents

    def run(self, encoded: Encoded, threads: int) -> Floats:
        """``log P`` of every row, shape (rows, classes)."""
        columns = self._columns(encoded)
        return kernels.log_joint(columns, *self.layout, encoded.rows, self.n_classes, threads)

    def answer(
        self, encoded: Encoded, answer: Answer, threads: int
    ) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Return what is asked of every row, and the rows for which the program cannot tell it.

        These have a missing parent, or are impossible under every class.
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
        """The codes of the attributes, then the configurations of the tables kept by number."""
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
    """Lay out some conditional tables; a row gets the logarithm of their product.

    With ``exponents`` each table counts as its power; one with the exponent 0 is left out.
    Where one of the ``parents`` is missing, the product is not all there is to it.
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
    """Lay out the tables of one node given several sets of parents; a row gets the weighted mean.

    Parents may not be missing; a missing child has the probability 1.
    """
    pairs = zip(tables, weights, strict=True)
    terms = [Term(table, class_variable, weight, logs=False) for table, weight in pairs]
    return _compile(terms, class_variable, n_classes, NO_PARENTS)


def _compile(
    terms: Sequence[Term], class_variable: int, n_classes: int, parents: Parents
) -> Program:
    """Give every factor its place in one array, and fill it there."""
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
            np.array([variable for own in steps for variable, _ in own], dtype=np.int32),
            np.array([stride for own in steps for _, stride in own], dtype=np.int64),
            ends[:-1].astype(np.int64),
            np.array([factor.shape[-1] for factor in factors], dtype=np.int32),
            values,
        ),
        tuple(lookups),
        n_classes,
        parents,
    )


def _in_pairs(terms: Sequence[Term]) -> list[Factor]:
    """Small tables of one attribute each, two by two as one: half the look-ups for naive Bayes."""
    out: list[Factor] = []
    for term in terms:
        before = out[-1] if out else None
        if isinstance(before, Term) and before.joins(term):
            out[-1] = Pair(before, term)
        else:
            out.append(term)
    return out


def _row_numbers(table: ConditionalTable, encoded: Encoded) -> Codes:
    columns = [encoded.columns[v] for v in table.family.parents]
    return table.rows(columns, encoded.rows).astype(np.uint32)
