"""Base class of classifiers that are one network: counts, then a structure, then parameters."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from sklearn.utils.validation import check_is_fitted

from bayesgrove._utils.options import OptionError, require_choice, require_flag
from bayesgrove._utils.wording import listed
from bayesgrove.encoding import Continuous, load_rows
from bayesgrove.estimators.base.complexity import complexity_of
from bayesgrove.estimators.base.joint import JointClassifier
from bayesgrove.estimators.base.score_table import labelled_table
from bayesgrove.parameters import EM, BackOff, HierarchicalDirichlet
from bayesgrove.parameters.dirichlet import PseudoCounts
from bayesgrove.parameters.network_sum import NetworkSum, NetworkSums, require_smoothing
from bayesgrove.structures.structural_em import StructuralEM

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from bayesgrove.contracts import StructureLearner
    from bayesgrove.counts import CountSource
    from bayesgrove.encoding import Encoded, Schema, Settings
    from bayesgrove.estimators.base.complexity import Complexity
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.network import BayesianNetwork, Structure
    from bayesgrove.network.prediction_program import Program
    from bayesgrove.parameters import EMRecord

T = TypeVar("T")
SMOOTHINGS: dict[str, type[BackOff | HierarchicalDirichlet]] = {
    "backoff": BackOff,
    "hdp": HierarchicalDirichlet,
}
"""Parameter learners that ``smoothing`` names, beside "dirichlet", the one of the paper."""


class ParameterLearner(Protocol):
    """A learner of conditional tables, which makes a network from a structure and counts."""

    def estimate(
        self, structure: Structure, counts: CountSource, states: Sequence[tuple[Any, ...]]
    ) -> BayesianNetwork:
        """Estimate the conditional tables of a structure.

        Parameters
        ----------
        structure : Structure
            The parents of every node.
        counts : CountSource
            The counts of the training rows.
        states : sequence of tuple
            The states of every node; the last node is the class.

        Returns
        -------
        BayesianNetwork
            The network.
        """


class NetworkClassifier(JointClassifier):
    """Base class of classifiers that are one network.

    A subclass must define the learners of the structure and of the parameters. All predictions
    are computed from `_joint_encoded`. A subclass may have the options ``smoothing``, ``weights``
    and ``corrections``. With one of the last two, predictions come from a `NetworkSum`.
    """

    smoothing: str = "dirichlet"
    weights: Any = None
    corrections: bool = False
    em_: EMRecord
    _sum: NetworkSum | None = None

    @abstractmethod
    def _structure_learner(self) -> StructureLearner:
        """Return the learner of the parents of every node."""

    @abstractmethod
    def _parameter_learner(self) -> ParameterLearner:
        """Return the learner of the conditional tables."""

    @property
    def networks_(self) -> list[BayesianNetwork]:
        """The network, as the only element of a list."""
        return [self.network_]

    @property
    def exponents_(self) -> dict[str, float]:
        """Exponent of the table of every attribute."""
        children = self._fitted_sum("exponents_").tables.layout.children
        names = [self.network_.nodes[child] for child in children]
        return dict(zip(names, self._fitted_sum("exponents_").exponents.tolist(), strict=True))

    @property
    def correction_weight_(self) -> float:
        """Factor of the corrections, from 0 to 1."""
        return self._fitted_sum("correction_weight_").correction_weight

    @property
    def weights_repeat_rows(self) -> bool:
        """Whether a row of weight 2 gives the same model as the row twice."""
        return self._sum_learner() is None

    def score_table(self, column: str) -> pd.DataFrame:
        """Return what the table of a column adds to the scores of the classes.

        Only a model with ``weights`` or ``corrections`` has such tables. The conditional tables of
        other models are in ``network_``.

        Parameters
        ----------
        column : str
            Name of the column.

        Returns
        -------
        DataFrame
            One row per joint value of the column and its parents, and one column per class. The
            numbers are ``exponent * ln P + correction``. A joint value of the parents that did not
            occur in training rows takes the table with one parent less.

        Raises
        ------
        OptionError
            If the model has no such table.
        """
        check_is_fitted(self)
        if self._sum is None:
            raise OptionError(
                f"This model has no score table of {column!r}: fit it with weights='conditional' "
                "or corrections=True, or ask network_.table for the conditional table."
            )
        tables = self._sum.tables
        names = self.network_.nodes
        children = [names[child] for child in tables.layout.children]
        if column not in children:
            known = listed(map(repr, children), 10) or "none"
            raise OptionError(f"There is no score table of {column!r}; the tables are {known}.")
        labels = [self.network_.states(name) for name in names[:-1]]
        place = children.index(column)
        return labelled_table(tables, place, names, labels.__getitem__, self.classes_)

    def beyond_network(self) -> str:
        """Describe the part of the model that the network does not contain.

        Returns
        -------
        str
            The description, or an empty string if the network is the whole model.
        """
        if self._sum is None:
            return super().beyond_network()
        parts = ["the exponents of the tables"] * bool(self.weights)
        parts += ["the corrections of cells"] * bool(self.corrections)
        return " and ".join(parts)

    def complexity(self) -> Complexity:
        """Return the size of the network.

        Returns
        -------
        Complexity
            The number of attributes, arcs and free parameters. An attribute counts if it is in
            the Markov blanket of the class and has more than one state. A table has
            ``(states - 1) x configurations of all parents`` free parameters. Each exponent is one
            more parameter, and each corrected cell one per class but one.
        """
        check_is_fitted(self)
        size = complexity_of([self.network_])
        if self._sum is None:
            return size
        layout = self._sum.tables.layout
        cells = int(layout.cells.sum()) if self.corrections else 0
        exponents = len(layout.children) if self.weights else 0
        more = exponents + cells * (len(self.classes_) - 1)
        return size._replace(parameters=size.parameters + more)

    def _select(self, counts: CountSource) -> CountSource:
        """Return the counts of the attributes that the network contains."""
        return counts

    @property
    def _offers_em(self) -> bool:
        # A subclass that learns in another way than by `_learn` would not complete its counts.
        return type(self)._learn is NetworkClassifier._learn

    def _chosen_learner(self, counts: CountSource) -> StructureLearner:
        """Return the structure learner, with all options that are chosen from the counts."""
        del counts
        return self._structure_learner()

    def _learn_structure(self, counts: CountSource) -> Structure:
        """Return the parents of every node, in the order of the counts."""
        return self._chosen_learner(counts).learn(counts)

    def _structure(self, counts: CountSource) -> tuple[CountSource, Structure]:
        """Return the counts of the attributes that the network contains, and its structure."""
        chosen = self._select(counts)
        return chosen, self._learn_structure(chosen)

    def _learn(self, training: Training) -> None:
        counts = training.counts(self._threads())
        states = dict(zip(training.names, training.states, strict=True))
        if self.missing == "em":
            chosen = self._select(counts)
            of_chosen = [states[name] for name in chosen.names]
            learner = StructuralEM(self._chosen_learner(chosen), self._em())
            network, self.em_ = learner.estimate(chosen, of_chosen)
        else:
            chosen, structure = self._structure(counts)
            of_chosen = [states[name] for name in chosen.names]
            network = self._parameter_learner().estimate(structure, chosen, of_chosen)
        learned = self._learned_sum(training, chosen, network)
        self._keep(training.schema, training.classes, network)
        self._keep_sum(learned)

    def _smoothed(self, parameters: T) -> T | BackOff | HierarchicalDirichlet:
        """Return the learner of the conditional tables that ``smoothing`` asks for.

        ``parameters`` is the learner of "dirichlet".
        """
        require_choice("smoothing", self.smoothing, ("dirichlet", *SMOOTHINGS))
        if isinstance(parameters, PseudoCounts):  # Also if they are not used: a typo is a typo.
            parameters.check()
        return parameters if self.smoothing == "dirichlet" else SMOOTHINGS[self.smoothing]()

    def _sum_learner(self) -> NetworkSums | None:
        """Return the learner of exponents and corrections, or None if the network is the model."""
        if self.weights is not None:
            require_choice("weights", self.weights, ("conditional",))
        require_flag("corrections", self.corrections)
        if self.weights is None and not self.corrections:
            return None
        return NetworkSums(weights=self.weights is not None, corrections=bool(self.corrections))

    def _learned_sum(
        self, training: Training, counts: CountSource, network: BayesianNetwork
    ) -> NetworkSum | None:
        """Return the exponents and corrections on top of a network, or None without them."""
        learner = self._sum_learner()
        if learner is None:
            return None
        places = [training.names.index(name) for name in counts.names[:-1]]
        rows = load_rows(training.rows).select(places)
        for name, card, codes in zip(counts.names, rows.cards, rows.columns, strict=False):
            if (codes >= card).any():
                raise OptionError(
                    f"missing={self.missing!r} leaves missing values of the column {name!r} "
                    "without a state, but weights and corrections need one: set missing='value'."
                )
        states = [network.states(name) for name in network.nodes]
        return learner.learn(network.structure, counts, rows, states, self._parameter_learner())

    def _keep_sum(self, learned: NetworkSum | None) -> None:
        """Set the exponents and corrections."""
        self._sum = learned

    def _fitted_sum(self, attribute: str) -> NetworkSum:
        """Return the exponents and corrections; raise if there are none."""
        if self._sum is None:
            raise AttributeError(
                f"{type(self).__name__} has {attribute} only after a fit with "
                "weights='conditional' or corrections=True."
            )
        return self._sum

    def _joint_encoded(self, encoded: Encoded, threads: int, *, relative: bool) -> Floats:
        if self._sum is None:
            return super()._joint_encoded(encoded, threads, relative=relative)
        return self._sum.scores(encoded, threads)

    def _program(self) -> Program | None:
        return super()._program() if self._sum is None else None

    def _settings(self) -> Settings:
        settings = super()._settings()
        if self.missing == "em" and self.smoothing != "dirichlet":
            raise OptionError(
                f"smoothing={self.smoothing!r} is not offered with missing='em', which needs "
                "pseudo-counts: set smoothing='dirichlet', or missing='value'."
            )
        if self._sum_learner() is None:
            return settings
        if self.missing == "em":
            raise OptionError(
                "weights and corrections are not offered with missing='em': set missing='value', "
                "or weights=None and corrections=False."
            )
        require_smoothing(self._parameter_learner())
        return settings

    def _em(self) -> EM:
        """Return the learner of tables for rows with missing values."""
        parameters = self._parameter_learner()
        em = parameters if isinstance(parameters, EM) else EM(parameters)  # type: ignore[arg-type]
        em.check()
        return em

    def _keep(self, schema: Schema, classes: NDArray[Any], network: BayesianNetwork) -> None:
        self.classes_ = classes
        self.network_ = network
        self._sum = None
        nodes = set(network.nodes[:-1])
        places = [
            j
            for j, coding in enumerate(schema.codings)
            if coding.name in nodes or (isinstance(coding, Continuous) and self._has(coding.name))
        ]
        self._keep_columns(schema, places)

    def _has(self, column: str) -> bool:
        """Return whether the model uses a continuous column."""
        del column
        return True

    def _check_parts(self) -> None:
        self._structure_learner()
        self._parameter_learner()
        if self.missing == "em":
            self._em()
