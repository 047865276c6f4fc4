"""Tables from a hierarchical Dirichlet process, by sampling: the slow reference of back-off.

F. Petitjean, W. Buntine, G. Webb and N. Zaidi (2018). Accurate parameter estimation for Bayesian
network classifiers using hierarchical Dirichlet processes. Machine Learning 107.

Y. W. Teh, M. Jordan, M. Beal and D. Blei (2006). Hierarchical Dirichlet processes. Journal of the
American Statistical Association 101.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesgrove._utils.options import OptionError, require_count, require_seed
from bayesgrove.network import BayesianNetwork, ConditionalTable
from bayesgrove.parameters.back_off import ranked, whole_if_small
from bayesgrove.parameters.counted_tables import CountedTables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bayesgrove.counts import FamilyTable
    from bayesgrove.kernels import Floats
    from bayesgrove.network import Structure

SHAPE = 2.0
"""Shape of the gamma prior of a concentration; also the concentration of level 0."""
RATE = 1.0
"""Rate of the gamma prior of a concentration."""
ONE_BY_ONE = 16
"""The first customers of a restaurant are drawn one by one, at least this number."""


@dataclass(frozen=True)
class HierarchicalDirichlet(CountedTables):
    """Conditional tables smoothed by a hierarchical Dirichlet process, estimated by sampling.

    The probabilities of a configuration have a Dirichlet prior around those of the configuration
    without its last variable: ``theta_l ~ Dirichlet(c_l theta_(l-1))``. Level 0 is the child alone,
    with the prior ``Dirichlet(2/r, ..., 2/r)`` for r states. Then come the class, and the other
    parents by decreasing information I(child; parent | class). (This is one of the two orders of
    `BackOff`.) All configurations of one level of a table share the concentration ``c_l``, whose
    prior is a gamma distribution of shape 2 and rate 1.

    The estimate is the mean of ``P_l = (n + c_l P_(l-1)) / (N + c_l)`` over the iterations after
    the burn-in. At the last level, n is the count of a cell, and N the count of its configuration.
    At the levels before, they are numbers of *restaurant tables* of the next level (Teh et al.
    2006): between 1 per configuration in which the value occurs, and 1 per row. A configuration
    that does not occur has the probabilities of the level before. (If a table would have more than
    1,048,576 cells, it has the probabilities of the class alone.)

    Petitjean et al. (2018) published a program with their paper. The model is that of the program
    with its defaults: the priors, one concentration per level, 5,000 iterations, a burn-in of 500,
    and the mean over all later iterations. The sampler differs. The program changes one number of
    restaurant tables at a time, by at most 10, and draws the concentrations in every fifth
    iteration. Here, each iteration draws all numbers of restaurant tables, given the probabilities
    of the level before (level by level, from the last one), the concentrations, and then all
    probabilities. The program gives level 0 one restaurant table per value that occurs; here, level
    0 is treated exactly, like the others.

    Counts must be whole numbers, so weights of rows must be whole numbers, too.

    Parameters
    ----------
    n_iter : int, default=5000
        Number of iterations, with the burn-in.
    burn_in : int, default=500
        Number of iterations at the start that are thrown away, below ``n_iter``.
    random_state : int, default=0
        Seed of the draws.

    References
    ----------
    F. Petitjean, W. Buntine, G. Webb and N. Zaidi (2018). Accurate parameter estimation for
    Bayesian network classifiers using hierarchical Dirichlet processes. Machine Learning 107.

    Y. W. Teh, M. Jordan, M. Beal and D. Blei (2006). Hierarchical Dirichlet processes. Journal of
    the American Statistical Association 101.

    Examples
    --------
    >>> from bayesgrove import BayesianNetworkClassifier, load_dataset
    >>> from bayesgrove.parameters import HierarchicalDirichlet
    >>> from bayesgrove.structures import KDB
    >>> X, y = load_dataset("vote")
    >>> tables = HierarchicalDirichlet(n_iter=200, burn_in=50)
    >>> model = BayesianNetworkClassifier(KDB(k=2), tables).fit(X, y)
    >>> model.score(X, y) > 0.95
    True
    """

    n_iter: int = 5000
    burn_in: int = 500
    random_state: int = 0

    def network(
        self,
        structure: Structure,
        tables: Sequence[FamilyTable],
        names: Sequence[str],
        states: Sequence[tuple[Any, ...]],
    ) -> BayesianNetwork:
        """Return the network of a structure whose families are already counted.

        Parameters
        ----------
        structure : Structure
            Parents of every node.
        tables : sequence of FamilyTable
            Counts of the family of every node, in the order of the nodes.
        names : sequence of str
            Names of the nodes; the class is last.
        states : sequence of tuple
            States of every node, in the order of their codes; the class is last.

        Returns
        -------
        BayesianNetwork
            The structure with its conditional tables.
        """
        require_count("burn_in", self.burn_in)
        require_count("n_iter", self.n_iter, lowest=1)
        if self.burn_in >= self.n_iter:
            raise OptionError(f"burn_in={self.burn_in} must be below n_iter={self.n_iter}.")
        require_seed("random_state", self.random_state)
        tables = [whole_if_small(table) for table in tables]
        if any(np.mod(table.counts, 1.0).any() for table in tables):
            raise ValueError(
                "The counts are not whole numbers, but HierarchicalDirichlet needs whole numbers: "
                "use whole numbers as sample_weight, or use BackOff() instead, which is "
                "smoothing='backoff'."
            )
        trees = [_Tree.of(table) for table in tables]
        levels = [_Level.of(trees, at) for at in range(max(len(tree.groups) for tree in trees))]
        random = np.random.default_rng(self.random_state)
        means = _means(levels, self.n_iter, self.burn_in, random)
        conditionals = []
        for t, (table, tree) in enumerate(zip(tables, trees, strict=True)):
            parts = [
                mean[level.cells[t] : level.cells[t + 1]]
                for level, mean in zip(levels, means, strict=True)
            ]
            conditionals.append(_conditional(table, tree, parts))
        return BayesianNetwork(names, states, structure, conditionals)


def table_numbers(n: Floats, a: Floats, random: np.random.Generator) -> NDArray[np.int64]:
    """Return draws of the number of tables of Chinese restaurants.

    Customer i + 1 opens a table with probability ``a / (a + i)`` (Antoniak 1974). The first
    customers, at least 16 and at least a of them, are drawn one by one. For the others, the points
    of a Poisson process of intensity ``a / x`` at x between ``i - 1/2`` and ``i + 1/2`` are drawn
    and thinned, so that i has at least one point with probability ``a / (a + i)``. The number of
    points is about ``a ln n``, so the work is bounded even if n is large. Both steps are exact.

    Parameters
    ----------
    n : ndarray of shape (n_restaurants,)
        Number of customers, whole and at least 1.
    a : ndarray of shape (n_restaurants,)
        Concentration, above 0.
    random : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    ndarray of shape (n_restaurants,)
        Number of tables, from 1 to the number of customers.
    """
    size = len(n)
    single = np.minimum(n, np.maximum(ONE_BY_ONE, np.ceil(a))).astype(np.int64)
    owner, place = _ranges(single - 1)
    opened = random.random(len(owner)) * (a[owner] + place + 1) < a[owner]
    tables = 1 + np.bincount(owner[opened], minlength=size)
    many = np.flatnonzero(n > single)
    if len(many):
        lowest = single[many] - 0.5
        span = np.log((n[many] - 0.5) / lowest)
        owner, _ = _ranges(random.poisson(a[many] * span))
        x = lowest[owner] * np.exp(span[owner] * random.random(len(owner)))
        i = np.minimum(np.floor(x + 0.5), n[many][owner] - 1)
        strength = a[many][owner]
        # A point of the process stays with the ratio of ln((a + i) / i) to the integral of a / x.
        integral = strength * np.log1p(1.0 / (i - 0.5))
        stays = random.random(len(owner)) * integral < np.log1p(strength / i)
        keys = np.unique(i[stays].astype(np.int64) * len(many) + owner[stays])
        tables[many] += np.bincount(keys % len(many), minlength=len(many))
    return tables


def concentrations(
    c: Floats,
    totals: Floats,
    owner: NDArray[np.intp],
    n_tables: NDArray[np.intp],
    random: np.random.Generator,
) -> Floats:
    """Return draws of concentrations given numbers of customers and of tables.

    The posterior is proportional to ``c exp(-c) prod_g Gamma(c) / Gamma(c + N_g) c^T_g``. Given
    ``w_g ~ Beta(c + 1, N_g)`` and ``s_g ~ Bernoulli(N_g / (N_g + c))`` for each restaurant g, it is
    a gamma distribution of shape ``2 + sum T_g - sum s_g`` and rate ``1 - sum ln w_g`` (Escobar and
    West 1995; Teh et al. 2006).

    Parameters
    ----------
    c : ndarray of shape (n_concentrations,)
        Concentrations before the draw.
    totals : ndarray of shape (n_restaurants,)
        Number of customers of each restaurant, at least 1.
    owner : ndarray of shape (n_restaurants,)
        Number of the concentration of each restaurant.
    n_tables : ndarray of shape (n_concentrations,)
        Number of tables of all restaurants of each concentration.
    random : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    ndarray of shape (n_concentrations,)
        New concentrations.
    """
    strength = c[owner]
    logs = np.log(random.beta(strength + 1.0, totals))
    fewer = random.random(len(owner)) * (totals + strength) < totals
    shape = SHAPE + n_tables - np.bincount(owner[fewer], minlength=len(c))
    rate = RATE - np.bincount(owner, logs, minlength=len(c))
    draws: Floats = random.standard_gamma(shape) / rate
    return draws


class _Tree(NamedTuple):
    """The configurations with rows of one table, level by level.

    ``groups[l]`` has the number, at level l, of each configuration (with its class) of the whole
    table, or -1 if it has no rows. Level 0 is the child alone. ``counts`` are those of the
    configurations of the last level that have rows.
    """

    groups: list[NDArray[np.intp]]
    counts: Floats

    @classmethod
    def of(cls, table: FamilyTable) -> _Tree:
        """Return the tree of a table."""
        configurations, classes, card = table.counts.shape
        codes = table.configurations.table
        order = ranked(table.counts, codes)
        cells = table.counts.reshape(-1, card)
        with_rows = cells.any(axis=1)
        groups = [np.zeros(configurations * classes, dtype=np.intp)]
        for level in range(int(classes == 1), len(order) + 1):
            _, prefix = np.unique(codes[:, order[:level]], axis=0, return_inverse=True)
            ids = (prefix.reshape(-1, 1) * classes + np.arange(classes)).ravel()
            kept = np.unique(ids[with_rows])
            numbers = np.full(int(ids.max(initial=-1)) + 1, -1, dtype=np.intp)
            numbers[kept] = np.arange(len(kept))
            groups.append(numbers[ids])
        rows = groups[-1][with_rows]
        counts = np.zeros((int(groups[-1].max(initial=-1)) + 1, card))
        counts[rows] = cells[with_rows]
        return cls(groups, counts)


class _Level(NamedTuple):
    """One level of all tables, cell by cell.

    A group is a configuration with its class. It has one cell per state of the child. ``starts``
    has the first cell of each group, and ``cells`` the first cell of each table, and the number of
    all cells. ``up`` is the cell of the same state in the level before. ``totals`` has the counts
    of rows, and ``data`` those that are seen directly, because the level is the last of the table.
    """

    cells: NDArray[np.intp]
    starts: NDArray[np.intp]
    group: NDArray[np.intp]
    up: NDArray[np.intp]
    table_of_group: NDArray[np.intp]
    table_of_cell: NDArray[np.intp]
    with_rows: NDArray[np.intp]
    totals: Floats
    data: Floats

    @classmethod
    def of(cls, trees: Sequence[_Tree], at: int) -> _Level:
        """Return a level of the trees. A tree with fewer levels has no cells."""
        cards = np.array([tree.counts.shape[1] for tree in trees])
        sizes = [[_size(tree, level) for tree in trees] for level in (max(at - 1, 0), at)]
        before, cells = (np.concatenate([[0], np.cumsum(cards * groups)]) for groups in sizes)
        groups = np.array(sizes[1])
        ups, totals, data = [np.empty(0)], [np.empty(0)], [np.empty(0)]
        for t, (tree, card) in enumerate(zip(trees, cards, strict=True)):
            if at >= len(tree.groups):
                continue
            seen = tree.groups[-1] >= 0
            path = np.empty(len(tree.counts), dtype=np.intp)
            path[tree.groups[-1][seen]] = tree.groups[at][seen]
            total = np.zeros((groups[t], card))
            np.add.at(total, path, tree.counts)
            above = np.zeros(groups[t], dtype=np.intp)
            above[tree.groups[at][seen]] = tree.groups[max(at - 1, 0)][seen]
            ups.append((before[t] + above[:, None] * card + np.arange(card)).ravel())
            totals.append(total.ravel())
            data.append(total.ravel() * (at == len(tree.groups) - 1))
        table_of_group, _ = _ranges(groups)
        group_cards = cards[table_of_group]
        group, _ = _ranges(group_cards)
        rows = np.concatenate(totals)
        return cls(
            cells,
            np.cumsum(group_cards) - group_cards,
            group,
            np.concatenate(ups).astype(np.intp),
            table_of_group,
            table_of_group[group],
            np.flatnonzero(rows > 0),
            rows,
            np.concatenate(data),
        )

    def sums(self, cells: Floats) -> Floats:
        """Return the sum over the cells of each group."""
        return np.add.reduceat(cells, self.starts) if len(cells) else cells


def _size(tree: _Tree, level: int) -> int:
    """Return the number of groups of a tree at a level."""
    return int(tree.groups[level].max(initial=-1)) + 1 if level < len(tree.groups) else 0


def _ranges(lengths: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the numbers 0, 1, ... of ranges, repeated by their lengths, and places within them."""
    owner = np.repeat(np.arange(len(lengths)), lengths)
    return owner, np.arange(len(owner)) - (np.cumsum(lengths) - lengths)[owner]


def _means(
    levels: Sequence[_Level], n_iter: int, burn_in: int, random: np.random.Generator
) -> list[Floats]:
    """Return the mean probabilities of the cells of each level."""
    last = len(levels) - 1
    n_trees = len(levels[0].cells) - 1
    uniform = 1.0 / np.diff(levels[0].cells)[levels[0].table_of_cell]
    c = [np.full(n_trees, SHAPE) for _ in levels]
    n = [level.totals for level in levels]
    means = [np.zeros(len(level.totals)) for level in levels]
    thetas: list[Floats] = []
    for iteration in range(-1, n_iter):
        # Upwards, except at the start: numbers of tables, which are the counts of the level before.
        for at in range(last if iteration >= 0 else 0, 0, -1):
            level, cells = levels[at], levels[at].with_rows
            a = c[at][level.table_of_cell[cells]] * thetas[at - 1][level.up[cells]]
            numbers = table_numbers(n[at][cells], a, random)
            n_tables = np.bincount(level.table_of_cell[cells], numbers, minlength=n_trees)
            totals = level.sums(n[at])
            c[at] = concentrations(c[at], totals, level.table_of_group, n_tables, random)
            data = levels[at - 1].data
            n[at - 1] = data + np.bincount(level.up[cells], numbers, minlength=len(data))
        # Downwards: expected probabilities given the numbers of tables, and draws of them.
        thetas, above, above_theta = [], uniform, uniform
        for at, level in enumerate(levels):
            strength = c[at][level.table_of_cell]
            expected = n[at] + strength * above
            expected /= level.sums(expected)[level.group]
            if iteration >= burn_in:
                means[at] += expected
            if at < last:
                theta = random.standard_gamma(n[at] + strength * above_theta)
                theta /= level.sums(theta)[level.group]
                thetas.append(theta)
                above, above_theta = (p[levels[at + 1].up] for p in (expected, theta))
    return [mean / (n_iter - burn_in) for mean in means]


def _conditional(table: FamilyTable, tree: _Tree, parts: Sequence[Floats]) -> ConditionalTable:
    """Return the table of the mean probabilities, each of the last level that has rows."""
    configurations, classes, card = table.counts.shape
    probabilities = np.empty((configurations * classes, card))
    first = probabilities[:classes]
    for level, (numbers, part) in enumerate(zip(tree.groups, parts, strict=False)):
        seen = numbers >= 0
        probabilities[seen] = part.reshape(-1, card)[numbers[seen]]
        if level == int(classes > 1):
            first = probabilities[:classes].copy()
    if table.configurations.keys is not None:
        probabilities = np.concatenate([probabilities, first])
    probabilities = probabilities.reshape(-1, classes, card)
    return ConditionalTable(table.family, table.configurations, probabilities)
