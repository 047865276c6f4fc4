"""Base class of naive Bayes classifiers: tables for nominal, intervals or densities for numeric."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from bayesgrove._utils.options import OptionError, require_choice, require_number
from bayesgrove.counts import Moments
from bayesgrove.encoding import Continuous
from bayesgrove.estimators.base.complexity import Complexity
from bayesgrove.estimators.base.network import NetworkClassifier
from bayesgrove.parameters import Dirichlet, Normals
from bayesgrove.parameters.normal import LARGEST, gaussian, rounded
from bayesgrove.structures import Naive

if TYPE_CHECKING:
    from bayesgrove.counts import CountSource, FamilyTable
    from bayesgrove.encoding import Encoded, Schema, Settings
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.network.prediction_program import Program
    from bayesgrove.parameters.counted_tables import CountedTables

DEFAULT_STEP = 0.01
"""The precision of a column with fewer than two distinct values."""


class NaiveParts(NamedTuple):
    """The counts that naive Bayes is estimated from.

    Parameters
    ----------
    counts : CountSource
        The counts of the discrete columns of the model.
    tables : list of FamilyTable
        The count tables of the attributes given the class, then the table of the class.
    moments : Moments
        The moments of the numeric columns that are not cut into intervals.
    normals : Normals
        Their densities.
    """

    counts: CountSource
    tables: list[FamilyTable]
    moments: Moments
    normals: Normals


class BaseNaiveBayes(NetworkClassifier):
    """Base class of naive Bayes classifiers; subclasses have the options that are annotated here.

    The network contains the discrete columns. ``_normals`` holds the densities of the continuous
    columns, which are not cut into intervals.
    """

    numeric: str
    alpha: float
    var_smoothing: float
    _normals: Normals

    state_kinds: ClassVar[tuple[str, ...]] = ("densities",)

    @property
    def theta_(self) -> Floats:
        """Means of the continuous columns, shape (classes, columns)."""
        return self._normals.means

    @property
    def var_(self) -> Floats:
        """Variances of the continuous columns, shape (classes, columns)."""
        return self._normals.variances

    def _columns(self, training: Training) -> list[int] | None:
        """Return the indices of the columns that the model uses, or None for all columns."""
        del training
        return None

    def _structure_learner(self) -> Naive:
        return Naive()

    def _parameter_learner(self) -> CountedTables:
        return self._smoothed(Dirichlet(self.alpha))

    def _settings(self) -> Settings:
        require_choice("numeric", self.numeric, ("discretize", "gaussian", "rounded"))
        require_number("var_smoothing", self.var_smoothing, lowest=0)
        settings = super()._settings()
        if self.numeric != "discretize" and self._sum_learner() is not None:
            raise OptionError(
                f"numeric={self.numeric!r} gives numeric columns densities, but weights and "
                "corrections need tables: set numeric='discretize'."
            )
        return settings if self.numeric == "discretize" else replace(settings, discretizer=None)

    def _learn(self, training: Training) -> None:
        schema, places = training.schema, self._columns(training)
        counts = training.counts(self._threads())
        chosen, moments = counts, self._count_moments(schema, counts)
        if places is not None:
            chosen = counts.restrict([v for v, j in enumerate(schema.discrete) if j in places])
            moments = moments.select([k for k, j in enumerate(schema.continuous) if j in places])
            schema = schema.select(sorted(places))
        structure = self._structure_learner().learn(chosen)
        tables = chosen.tables([structure.family(v) for v in range(len(chosen.cards))])
        self._estimate(
            training, NaiveParts(chosen, tables, moments, self._normals_of(schema, moments))
        )

    def _count_moments(self, schema: Schema, counts: CountSource) -> Moments:
        """Return the moments of all continuous columns."""
        if not schema.continuous:  # Without continuous columns, files need no further pass.
            return Moments.none(counts.n_classes)
        return counts.moments(self._steps(schema))

    def _normals_of(self, schema: Schema, moments: Moments) -> Normals:
        """Return the densities of the continuous columns of a schema."""
        steps = self._steps(schema)
        require_finite_squares(moments, steps, schema)
        if self.numeric == "rounded":
            return rounded(moments, steps)
        return gaussian(moments, self.var_smoothing)

    def _steps(self, schema: Schema) -> Floats:
        """Return the precisions of the continuous columns; 0 for columns with densities."""
        numeric = [c for c in schema.codings if isinstance(c, Continuous)]
        if self.numeric != "rounded":
            return np.zeros(len(numeric))
        return np.array([coding.step or DEFAULT_STEP for coding in numeric])

    def _estimate(self, training: Training, parts: NaiveParts) -> None:
        """Estimate the network from counts and set the fitted attributes."""
        states = dict(zip(training.names, training.states, strict=True))
        network = self._parameter_learner().network(
            self._structure_learner().learn(parts.counts),
            parts.tables,
            parts.counts.names,
            [states[name] for name in parts.counts.names],
        )
        learned = self._learned_sum(training, parts.counts, network)
        self._keep(training.schema, training.classes, network)
        self._keep_sum(learned)
        self._normals = parts.normals

    def _keep_normals(self, means: Floats, variances: Floats) -> None:
        """Set the densities of the continuous columns, shape (classes, columns)."""
        self._normals = Normals(means, variances, self._steps(self._used))

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        joint = super()._joint_encoded(encoded, threads, relative=relative)
        self._normals.add_to(joint, encoded.continuous)
        return joint

    def _program(self) -> Program | None:
        return None if self._used.continuous else super()._program()

    def beyond_network(self) -> str:
        """Describe the part of the model that the network does not contain.

        Returns
        -------
        str
            The description, or an empty string if the network is the whole model.
        """
        densities = "the densities of numeric columns" if self._used.continuous else ""
        return " and ".join(filter(None, [super().beyond_network(), densities]))

    def complexity(self) -> Complexity:
        """Return the size of the network and of the densities.

        Returns
        -------
        Complexity
            The number of attributes, arcs and free parameters. A column with densities counts as
            one attribute with one arc and two parameters per class.
        """
        network = super().complexity()
        classes, columns = self.theta_.shape
        return Complexity(
            attributes=network.attributes + columns,
            arcs=(network.arcs or 0) + columns,
            parameters=network.parameters + 2 * classes * columns,
        )


def require_finite_squares(moments: Moments, steps: Floats, schema: Schema) -> None:
    """Raise unless the numbers of all continuous columns have finite squares."""
    known = np.isfinite(moments.squares) & (np.abs(moments.mean) <= LARGEST)
    small = known.all(axis=0) & (steps <= LARGEST)
    if not small.all():
        column = schema.codings[schema.continuous[int(np.argmin(small))]]
        raise ValueError(
            f"Column {column.name!r} has numbers beyond {LARGEST:g}, which are too large "
            "for a normal density: rescale it, or use numeric='discretize'."
        )
