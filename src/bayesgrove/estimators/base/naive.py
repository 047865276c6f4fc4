"""What naive Bayes classifiers share: counts for nominal columns, intervals or densities."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from bayesgrove._utils.options import require_choice, require_number
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

LONE_STEP = 0.01
"""The precision of a column that has no two values."""


class NaiveParts(NamedTuple):
    """What was counted: tables of the attributes and of the class, moments of the numbers."""

    counts: CountSource
    tables: list[FamilyTable]
    moments: Moments
    normals: Normals


class BaseNaiveBayes(NetworkClassifier):
    """Base of naive Bayes classifiers; subclasses have these options.

    The network holds the columns that have codes; ``_normals`` the densities of those that stay
    numbers.
    """

    numeric: str
    alpha: float
    var_smoothing: float
    _normals: Normals

    state_kinds: ClassVar[tuple[str, ...]] = ("densities",)

    @property
    def theta_(self) -> Floats:
        """Means of the columns that stay numbers, shape (classes, columns)."""
        return self._normals.means

    @property
    def var_(self) -> Floats:
        """Variances of the columns that stay numbers, shape (classes, columns)."""
        return self._normals.variances

    def _columns(self, training: Training) -> list[int] | None:
        """Places of the columns that the model is to have; None for all."""
        del training
        return None

    def _structure_learner(self) -> Naive:
        return Naive()

    def _parameter_learner(self) -> Dirichlet:
        return Dirichlet(self.alpha)

    def _settings(self) -> Settings:
        require_choice("numeric", self.numeric, ("discretize", "gaussian", "rounded"))
        require_number("var_smoothing", self.var_smoothing, lowest=0)
        settings = super()._settings()
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
        """Moments of all columns that stay numbers."""
        if not schema.continuous:  # files need no further pass
            return Moments.none(counts.n_classes)
        return counts.moments(self._steps(schema))

    def _normals_of(self, schema: Schema, moments: Moments) -> Normals:
        """Densities of the columns of a schema that stay numbers."""
        steps = self._steps(schema)
        refuse_huge(moments, steps, schema)
        if self.numeric == "rounded":
            return rounded(moments, steps)
        return gaussian(moments, self.var_smoothing)

    def _steps(self, schema: Schema) -> Floats:
        """The precisions of the columns that stay numbers; 0 where they have densities."""
        numeric = [c for c in schema.codings if isinstance(c, Continuous)]
        if self.numeric != "rounded":
            return np.zeros(len(numeric))
        return np.array([coding.step or LONE_STEP for coding in numeric])

    def _estimate(self, training: Training, parts: NaiveParts) -> None:
        states = dict(zip(training.names, training.states, strict=True))
        network = self._parameter_learner().network(
            self._structure_learner().learn(parts.counts),
            parts.tables,
            parts.counts.names,
            [states[name] for name in parts.counts.names],
        )
        self._keep(training.schema, training.classes, network)
        self._normals = parts.normals

    def _keep_normals(self, means: Floats, variances: Floats) -> None:
        """Become a model with these densities, shape (classes, columns that stay numbers)."""
        self._normals = Normals(means, variances, self._steps(self._used))

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        joint = super()._joint_encoded(encoded, threads, relative=relative)
        self._normals.add_to(joint, encoded.continuous)
        return joint

    def _program(self) -> Program | None:
        return None if self._used.continuous else super()._program()

    def beyond_network(self) -> str:
        """Say what predictions have and the network is without; empty where it has all."""
        return "the densities of numeric columns" if self._used.continuous else ""

    def complexity(self) -> Complexity:
        """Return the size of the network and of the densities.

        A column with densities is an attribute with an arc and two parameters per class.
        """
        network = super().complexity()
        classes, columns = self.theta_.shape
        return Complexity(
            attributes=network.attributes + columns,
            arcs=(network.arcs or 0) + columns,
            parameters=network.parameters + 2 * classes * columns,
        )


def refuse_huge(moments: Moments, steps: Floats, schema: Schema) -> None:
    """Refuse numbers whose squares are no longer finite."""
    known = np.isfinite(moments.squares) & (np.abs(moments.mean) <= LARGEST)
    small = known.all(axis=0) & (steps <= LARGEST)
    if not small.all():
        column = schema.codings[schema.continuous[int(np.argmin(small))]]
        raise ValueError(
            f"Column {column.name!r} has numbers beyond {LARGEST:g}, too large "
            "for a normal density: rescale it, or use numeric='discretize'."
        )
