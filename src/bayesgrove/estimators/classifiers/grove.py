"""The grove classifier: a weighted sum of small networks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayesgrove._utils.options import OptionError, is_whole, require_choice
from bayesgrove._utils.warnings import warn_caller
from bayesgrove._utils.wording import listed
from bayesgrove.averaging.grove import Grove
from bayesgrove.encoding import FineDiscretizer, Nominal, Settings, interval_names, load_rows
from bayesgrove.estimators.base.classifier import UNSEEN, TableClassifier, Treatment
from bayesgrove.estimators.base.complexity import Complexity
from bayesgrove.estimators.base.score_table import labelled_rule_table, labelled_table
from bayesgrove.network.answers import answer_of

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from bayesgrove.averaging.grove import GroveMember, GroveSum
    from bayesgrove.encoding import Discrete, Encoded, Schema
    from bayesgrove.estimators.base.table import Training
    from bayesgrove.kernels import Floats
    from bayesgrove.trees import RuleQuestion


class GroveClassifier(TableClassifier):
    """The grove: an ensemble of small networks that is one sum of tables.

    Every member is a KDB network with at most ``max_parents`` attribute parents, on its own random
    intervals of the numeric columns, and with a random order of the columns. Its tables back off:
    a table given few rows is smoothed towards the table with one parent less. Each table has an
    exponent, and each cell a small correction; they are fitted to the conditional likelihood, with
    the row itself left out of its counts. Every member leaves out one of four folds of the rows,
    and weights that are fitted on these rows sum the members. The result is a sum of tables: each
    table adds one number per class to the score of a row, and a softmax of the scores gives the
    probabilities. The probabilities are usually better than those of random forests and of
    gradient boosting; a single network such as `TANClassifier` is easier to read.

    A missing value is a value of its own, if training rows have missing values. An unknown value
    adds nothing to the score, and a table whose parent is unknown stops at the parents before it.

    Parameters
    ----------
    n_members : int, default=16
        Number of networks, at least 4. A quarter of them, and at least 4, are naive Bayes networks;
        the others have at most 1, 2, ..., ``max_parents`` attribute parents, by turns.
    max_parents : int, default=3
        Largest number of attribute parents. 0 makes all members naive Bayes networks.
    rules : bool, default=True
        Whether rule tables are added for what the networks miss: tables of at most seven yes-or-no
        questions about several columns. Most data sets need none or few.
    trees : bool, default=False
        Whether boosted trees are stacked beside the networks and rule tables. Nobody can read
        hundreds of trees.
    random_state : int, default=0
        Seed of folds, samples, intervals and orders.
    categorical_features, unseen, n_jobs

    Attributes
    ----------
    classes_, class_name_
    members_ : tuple of GroveMember
        The networks, with their exponents, weights and tables. `member_table` shows one table with
        its labels.
    member_weights_ : ndarray of shape (n_members, 2)
        Weight of the logarithms of the probabilities of each member, and weight of its corrections.
    arc_probabilities_ : dict of tuple to float
        For every pair (parent, child) of attributes with an arc in a member: the share of the
        members that have the arc, among the members that may have arcs between attributes.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Mean absolute change of the scores by the tables of each column; the sum is 1, or 0 if no
        column says anything.
    out_of_fold_loss_ : float
        Mean log-loss of rows, each predicted by the members that left it out, with stacking weights
        that are fitted without its fold. These are a quarter of the members, so the loss of the
        whole grove on new rows is usually lower. A class with a single row is not counted, because
        nothing is known about it where its row is left out; if every class has a single row, the
        loss is nan.
    n_unconverged_ : int
        Number of fits of exponents and stacking weights that used all their iterations; a warning
        gives it if it is not 0.
    n_rule_tables_ : int
        Number of rule tables; 0 with ``rules=False``, and where tables do not help. `rule_table`
        shows one table with its labels.
    rule_weight_ : float
        Weight of the rule tables; 1 without trees.
    rule_columns_ : dict of str to float
        Columns that the rule tables ask, with their share of the gain of all questions, largest
        first.
    n_trees_ : int
        Number of trees; 0 with ``trees=False``.
    tree_weight_ : float
        Stacking weight of the trees; 0 without trees.
    tree_columns_ : dict of str to float
        Columns that the trees test, with their share of the gain of all tests, largest first.
    cut_points_, schema_, used_codings_, n_features_in_, feature_names_in_

    References
    ----------
    M. Sahami (1996). Learning limited dependence Bayesian classifiers. KDD-96, 335-338.

    N. A. Zaidi, J. Cerquides, M. J. Carman and G. I. Webb (2013). Alleviating naive Bayes attribute
    independence assumption by attribute weighting. JMLR 14, 1947-1988.

    Examples
    --------
    >>> from bayesgrove import GroveClassifier, load_dataset
    >>> X, y = load_dataset("iris")
    >>> model = GroveClassifier().fit(X, y)
    >>> model.predict_proba(X[:1]).round(2)
    array([[1., 0., 0.]])
    >>> len(model.members_)
    16
    """

    short_name: ClassVar[str] = "grove"
    treatment: ClassVar[Treatment] = Treatment(
        "every member cuts them into its own intervals",
        "missing values are a value of their own",
        cuts_again=True,
    )
    state_kinds: ClassVar[tuple[str, ...]] = ("grove",)
    weights_repeat_rows: ClassVar[bool] = False
    _sum: GroveSum

    def __init__(
        self,
        n_members: int = 16,
        max_parents: int = 3,
        *,
        rules: bool = True,
        trees: bool = False,
        random_state: int = 0,
        categorical_features: Any = None,
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.n_members = n_members
        self.max_parents = max_parents
        self.rules = rules
        self.trees = trees
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.unseen = unseen
        self.n_jobs = n_jobs

    @property
    def members_(self) -> tuple[GroveMember, ...]:
        """The networks."""
        return self._sum.members

    @property
    def member_weights_(self) -> Floats:
        """Weights of the logarithms and of the corrections of each member."""
        pairs = [(member.weight, member.correction_weight) for member in self.members_]
        return np.array(pairs, dtype=np.float64).reshape(-1, 2)

    @property
    def feature_importances_(self) -> Floats:
        """Mean absolute change of the scores by the tables of each column."""
        return self._sum.importances

    @property
    def out_of_fold_loss_(self) -> float:
        """Mean log-loss of rows, each predicted by the members that left it out."""
        return self._sum.out_of_fold_loss

    @property
    def n_unconverged_(self) -> int:
        """Number of fits that used all their iterations."""
        return self._sum.n_unconverged

    @property
    def n_rule_tables_(self) -> int:
        """Number of rule tables."""
        return 0 if self._sum.rules is None else self._sum.rules.n_tables

    @property
    def rule_weight_(self) -> float:
        """Weight of the rule tables."""
        return self._sum.rule_weight

    @property
    def rule_columns_(self) -> dict[str, float]:
        """Columns that the rule tables ask, with their share of the gain."""
        if self._sum.rules is None:
            return {}
        rules = self._sum.rules
        gains = np.bincount(rules.column, np.maximum(rules.gain, 0), len(self.schema_.codings))
        ranked = np.argsort(-gains, kind="stable")
        total = float(gains.sum())
        names = [coding.name for coding in self.schema_.codings]
        return {names[v]: float(gains[v]) / total for v in ranked if gains[v] > 0}

    @property
    def n_trees_(self) -> int:
        """Number of trees beside the networks."""
        return 0 if self._sum.trees is None else self._sum.trees.n_trees

    @property
    def tree_weight_(self) -> float:
        """Stacking weight of the trees."""
        return self._sum.tree_weight

    @property
    def tree_columns_(self) -> dict[str, float]:
        """Columns that the trees test, with their share of the gain."""
        asked = [] if self._sum.trees is None else self._sum.trees.columns
        total = sum(column.gain for column in asked) or 1.0
        names = [coding.name for coding in self.schema_.codings]
        ranked = sorted(asked, key=lambda column: (-column.gain, column.column))
        return {names[column.column]: column.gain / total for column in ranked}

    @property
    def arc_probabilities_(self) -> dict[tuple[str, str], float]:
        """Share of the members with each arc between attributes."""
        names = [coding.name for coding in self.schema_.codings]
        able = [member for member in self.members_ if member.plan.k > 0]
        times: dict[tuple[str, str], int] = {}
        for member in able:
            layout = member.tables.layout
            for table, child in enumerate(layout.children.tolist()):
                for parent in layout.parents_of(table):
                    arc = names[parent], names[child]
                    times[arc] = times.get(arc, 0) + 1
        ranked = sorted(times.items(), key=lambda item: (-item[1], item[0]))
        return {arc: count / len(able) for arc, count in ranked}

    def member_table(self, member: int, column: str) -> pd.DataFrame:
        """Return what the table of a column adds to the scores, in one member.

        Parameters
        ----------
        member : int
            Number of the member, from 0.
        column : str
            Name of the column.

        Returns
        -------
        DataFrame
            One row per observed joint value of the column and its parents, and one column per
            class. The numbers are the sum of logarithm and correction, times their weights. A joint
            value that was not observed takes the table with one parent less.

        Raises
        ------
        OptionError
            If there is no such member, or if it has no table of the column.
        """
        check_is_fitted(self)
        if not is_whole(member) or not 0 <= member < len(self.members_):
            raise OptionError(f"member={member!r} must be from 0 to {len(self.members_) - 1}.")
        tables = self.members_[member].tables
        layout = tables.layout
        names = [coding.name for coding in self.schema_.codings]
        children = [names[child] for child in layout.children]
        if column not in children:
            known = listed(map(repr, children), 10)
            raise OptionError(f"Member {member} has no table of {column!r}; it has {known}.")
        labels = {v: self._bin_labels(tables.maps.get(v), v) for v in range(len(names))}
        place = children.index(column)
        return labelled_table(tables, place, names, labels.__getitem__, self.classes_)

    def rule_table(self, table: int) -> pd.DataFrame:
        """Return what a rule table adds to the scores.

        Parameters
        ----------
        table : int
            Number of the table, from 0.

        Returns
        -------
        DataFrame
            One row per combination of answers to the questions of the table that training rows
            have, and one column per class. The numbers are multiplied by `rule_weight_`. A row with
            an unknown value in a column that the table asks gets nothing.

        Raises
        ------
        OptionError
            If there is no such table.
        """
        check_is_fitted(self)
        rules = self._sum.rules
        if rules is None or not is_whole(table) or not 0 <= table < rules.n_tables:
            raise OptionError(f"table={table!r}: the model has {self.n_rule_tables_} rule tables.")
        texts = [self._question_text(asked) for asked in rules.questions(table)]
        return self.rule_weight_ * labelled_rule_table(rules, table, texts, self.classes_)

    def _question_text(self, question: RuleQuestion) -> str:
        """Return a question as text, such as ``duration <= 15.5``."""
        coding = self.schema_.variables[question.column]
        axis = axis_of(coding)
        if coding.missing_state and question.first == coding.missing_code:
            return f"{coding.name} is missing"
        if axis is None:
            return f"{coding.name} = {coding.states[question.first]}"
        operator, at = ("<=", question.last) if question.first == 0 else (">", question.first - 1)
        points = _boundaries(coding)
        near = [f"{point:.6g}" for point in points[max(at - 1, 0) : at + 2]]
        text = f"{points[at]:.6g}" if len(set(near)) == len(near) else repr(float(points[at]))
        return f"{coding.name} {operator} {text}"

    def _bin_labels(self, bins: NDArray[Any] | None, column: int) -> list[Any]:
        """Return the names of the bins of a column, or its labels if it is not binned."""
        coding = self.schema_.variables[column]
        if bins is None:
            return list(coding.states)
        ordered = len(coding.labels) if isinstance(coding, Nominal) else len(coding.cuts) + 1
        ends = np.flatnonzero(np.diff(bins[:ordered].astype(np.int64)))
        points = _boundaries(coding)
        missing = [None] if len(bins) > ordered else []
        return [*interval_names(points[ends]), *missing]

    def complexity(self) -> Complexity:
        """Return the total size of all members.

        Returns
        -------
        Complexity
            The number of attributes with a table, the arcs of all members (also from the class),
            and the number of entries of all tables and rule tables, times the number of classes
            minus 1. Every leaf of a tree is one more parameter.
        """
        check_is_fitted(self)
        layouts = [member.tables.layout for member in self.members_]
        used = {int(child) for layout in layouts for child in layout.children}
        arcs = sum(len(layout.children) + len(layout.parents) for layout in layouts)
        cells = sum(int(layout.cells.sum()) for layout in layouts)
        if self._sum.rules is not None:
            used |= set(self._sum.rules.column.tolist())
            cells += len(self._sum.rules.entries)
        trees = self._sum.trees
        leaves = 0 if trees is None else int((trees.column < 0).sum())
        asked = set() if trees is None else set(trees.asked.tolist())
        return Complexity(len(used | asked), arcs, cells * (len(self.classes_) - 1) + leaves)

    def _settings(self) -> Settings:
        require_choice("unseen", self.unseen, UNSEEN)
        return Settings(self.categorical_features, FineDiscretizer(), missing_state=True)

    def _learner(self) -> Grove:
        return Grove(
            self.n_members,
            self.max_parents,
            self.random_state,
            rules=self.rules,
            trees=self.trees,
        )

    def _check_parts(self) -> None:
        self._learner().check()

    def _learn(self, training: Training) -> None:
        self._check_parts()
        axes = [axis_of(coding) for coding in training.schema.variables]
        learned = self._learner().learn(load_rows(training.rows), axes, self._threads())
        if learned.n_unconverged:
            warn_caller(
                f"{learned.n_unconverged} of {len(learned.members) + 1} fits of exponents and "
                "stacking weights used all their iterations and did not converge. The model can be "
                "used, but its probabilities may be less accurate. The usual cause are weights of "
                "rows that are very large, or differ by many powers of ten: use weights near 1."
            )
        self._keep_sum(training.schema, training.classes, learned)

    def _keep_sum(self, schema: Schema, classes: NDArray[Any], learned: GroveSum) -> None:
        """Set the learned grove; predictions read all columns."""
        self.classes_ = classes
        self._keep_columns(schema, list(range(len(schema.codings))))
        self._sum = learned

    def _joint(self, encoded: Encoded, *, relative: bool) -> Floats:  # noqa: ARG002
        threads = self._threads()
        p = answer_of(self._sum.scores(encoded, threads), "probabilities", threads)
        mixed: Floats = np.log((1 - self._sum.floor) * p + self._sum.floor / p.shape[1])
        return mixed


def _boundaries(coding: Discrete) -> Floats:
    """Return the boundaries between the ordered codes of a column."""
    if isinstance(coding, Nominal):
        labels = np.array(coding.labels, dtype=np.float64)
        return labels[:-1] / 2 + labels[1:] / 2
    return coding.cuts


def axis_of(coding: Discrete) -> Floats | None:
    """Return the positions of the ordered codes of a column; None for a nominal column.

    Labels that are numbers are ordered. An interval is at its middle; the first and the last one
    are as wide as their neighbours.

    Parameters
    ----------
    coding : Nominal or Intervals
        The coding of the column.

    Returns
    -------
    ndarray or None
        Positions, ascending.
    """
    if isinstance(coding, Nominal):
        most = float(np.finfo(np.float64).max)
        numbers = [type(label) in (int, float) and abs(label) <= most for label in coding.labels]
        axis = np.array(coding.labels, dtype=np.float64) if numbers and all(numbers) else None
        return axis if axis is not None and (np.diff(axis) > 0).all() else None
    cuts = coding.cuts / 4  # Positions have no unit; the ends of quarters cannot overflow.
    if len(cuts) < 2:
        return np.arange(len(cuts) + 1, dtype=np.float64)
    middles = cuts[:-1] / 2 + cuts[1:] / 2
    first, last = cuts[0] - (middles[0] - cuts[0]), cuts[-1] + (cuts[-1] - middles[-1])
    return np.concatenate([[first], middles, [last]])
