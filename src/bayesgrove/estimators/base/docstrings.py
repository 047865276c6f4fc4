"""The descriptions of options and attributes that several estimators share, each written once.

A docstring lists the names of shared options on a separate line, such as
``alpha, missing, n_jobs``. When the class is created, `complete_docstring` replaces this line by
the full descriptions. ``help()`` and the reference then show every option in full.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from typing import Any

OPTIONS = {
    "alpha": (
        "float",
        "Pseudo-count of every cell of the conditional tables. 0 gives maximum likelihood "
        "estimates.",
    ),
    "smoothing": (
        '{"dirichlet", "backoff", "hdp"}',
        'How the conditional tables are smoothed. "dirichlet" adds a pseudo-count to every cell, '
        'as the paper does. "backoff" smooths every table towards the table with one parent less, '
        "as `bayesgrove.parameters.BackOff` does, which is better if joint values of the parents "
        'have few rows. "hdp" draws the tables from a hierarchical Dirichlet process, as '
        "`bayesgrove.parameters.HierarchicalDirichlet` does with its defaults. It is a slow "
        "reference, needs whole ``sample_weight``, and does not go with ``weights`` or "
        '``corrections``. With "backoff" and "hdp", pseudo-counts are used only where structures '
        'or attributes are scored. ``missing="em"`` needs "dirichlet".',
    ),
    "weights": (
        '{"conditional"} or None',
        'Exponents of the tables. "conditional" fits one exponent per table, and one bias per '
        "class, to the conditional likelihood of the class, with every row left out of its own "
        "counts. Naive Bayes with such exponents is WANBIA. They keep evidence from being counted "
        "twice, so that probabilities are better. All rows must be in memory, and missing values "
        'must be a state (``missing="value"``). None means that all exponents are 1.',
    ),
    "corrections": (
        "bool",
        "Whether a correction per cell and class is added to the logarithms of the tables. "
        "Corrections are fitted to the conditional likelihood with a ridge penalty, after the "
        "exponents. They add what a logistic regression on the cells would still gain. They need "
        "what ``weights`` need.",
    ),
    "equivalent_sample_size": (
        "float",
        'Equivalent sample size of the prior with ``criterion="bdeu"``. "k2" ignores it.',
    ),
    "max_parents": (
        "int or None",
        "Largest number of parents of a node, including the class. None means no limit.",
    ),
    "numeric": (
        '{"discretize", "gaussian", "rounded"}',
        'How numeric columns are modelled. "discretize" cuts them into intervals with the '
        '``discretizer``. "gaussian" gives them a normal density within each class, '
        '``P(x | c) = N(x; mean, variance)``. "rounded" uses the probability of a normal variable '
        "that is rounded to the precision of the column, as WEKA does. This precision is the mean "
        "gap between adjacent distinct training values. The standard deviation is at least one "
        "sixth of this precision.",
    ),
    "var_smoothing": (
        "float",
        "Every variance is increased by this share of the largest variance of any numeric column. "
        'Only ``numeric="gaussian"`` uses it.',
    ),
    "metric": (
        '{"cig", "cgr", "cdc"}',
        "Information metric of an attribute A about the class C, given the set D of the attributes "
        'selected so far. "cig" is the conditional information gain I(A;C|D). "cgr" is the '
        'conditional gain ratio I(A;C|D) / H(A|D). "cdc" is the complement of the conditional '
        "distance, I(A;C|D) / H(A,C|D).",
    ),
    "direction": (
        '{"backward", "forward", "both"}',
        'Direction of the greedy search. "backward" starts with all attributes and removes them. '
        '"forward" starts without attributes and adds them. "both" starts with all attributes, '
        "and may add removed attributes again.",
    ),
    "cv": (
        'int, "halves" or "training"',
        'How a set of attributes is scored. "halves" learns from a random half of the rows and '
        'predicts the other half. "training" learns from all rows and predicts the same rows. A '
        "number is the number of folds of a cross-validation.",
    ),
    "n_trees": ("int", "Number of trees."),
    "sample_fraction": (
        "float",
        "Size of each sample as a fraction of the number of rows, above 0 and at most 1.",
    ),
    "bootstrap": (
        "bool",
        "Whether the rows of each sample are drawn with replacement. False draws without "
        "replacement. With ``n_trees=1`` and ``sample_fraction=1``, False grows one tree from all "
        "rows.",
    ),
    "random_state": ("int", "Seed of all random choices. The same seed gives the same result."),
    "categorical_features": (
        '"all", sequence of str, int or bool, or None',
        "The nominal columns: their names, their indices or a mask. All other columns of numbers "
        'are then numeric. "all" makes every column nominal. None infers the nominal columns: a '
        "column of numbers is numeric, unless it has only whole numbers and at most 10 distinct "
        "ones. Columns of labels are always nominal.",
    ),
    "discretizer": (
        "Discretizer or None",
        "How numeric columns are cut into intervals, such as "
        "``EqualFrequencyDiscretizer(n_bins=5)``. None uses `MDLPDiscretizer`, which cuts by class "
        "entropy.",
    ),
    "missing": (
        '{"value", "ignore", "em"}',
        'How missing values in training rows are counted. "value" adds a state for missing values '
        'to every column that has missing values. "ignore" leaves missing values out of the '
        'counts. "em" counts a missing value with its probabilities under the network, by the EM '
        "algorithm. Only classifiers that learn one network from the counts of all columns offer "
        'it, and `ModelAveragingClassifier` unless its order is "mcmc". In prediction, a '
        "classifier sums out a missing value that has no state.",
    ),
    "unseen": (
        '{"missing", "error"}',
        "How prediction handles a value that did not occur in training rows. "
        '"missing" treats it as unknown and warns: networks sum it out, and trees send the row '
        'down all branches. "error" raises an error.',
    ),
    "n_jobs": (
        "int or None",
        "Number of threads. None means 1, and -1 means one per processor. Results do not depend "
        "on it.",
    ),
}
"""Type and meaning of options. The default is read from the constructor."""

ATTRIBUTES = {
    "classes_": (
        "ndarray of shape (n_classes,)",
        "Class labels, sorted. The columns of `predict_proba` have this order.",
    ),
    "class_name_": (
        "str",
        "Name of the class: the name of the class column or of y, or ``'class'`` if y has no name. "
        "``_`` is appended until no nominal or discretized column has the same name.",
    ),
    "network_": ("BayesianNetwork", "The fitted network. Its last node is the class."),
    "networks_": (
        "list of BayesianNetwork",
        "The fitted network, as the only element of a list.",
    ),
    "em_": (
        "EMRecord",
        "The iterations of EM: ``converged``, ``rounds``, ``iterations`` and ``log_likelihoods``. "
        'It exists only with ``missing="em"``.',
    ),
    "exponents_": (
        "dict of str to float",
        "Exponent of the table of every attribute, by name. It exists only with ``weights`` or "
        "``corrections``. `score_table` shows what a table adds to the scores.",
    ),
    "cut_points_": (
        "dict of str to ndarray",
        "Cut points of every numeric column that is cut into intervals, by column name.",
    ),
    "theta_": (
        "ndarray of shape (n_classes, n_numeric)",
        "Means of the numeric columns that are not cut into intervals, by class. ``n_numeric`` is "
        "the number of these columns.",
    ),
    "var_": (
        "ndarray of shape (n_classes, n_numeric)",
        "Variances of the numeric columns that are not cut into intervals, by class. "
        "``n_numeric`` is the number of these columns.",
    ),
    "schema_": ("Schema", "How every column is encoded."),
    "used_codings_": (
        "tuple of Coding",
        "Codings of the columns that predictions depend on.",
    ),
    "n_features_in_": ("int", "Number of columns of the training table."),
    "feature_names_in_": (
        "ndarray of shape (n_features_in_,)",
        "Names of the columns of the training table. It exists only if all names are strings.",
    ),
    "selected_": (
        "list of str",
        "Names of the selected attributes, in the order in which they were selected.",
    ),
    "path_": (
        "list of Step",
        "Steps of the selection. Each has the attribute, the value of the criterion and, if they "
        "were counted, the number of joint values of the selected attributes (``cells``). "
        "`path_text` returns the steps as text.",
    ),
    "redundancy_": (
        "list of Redundancy",
        "For every attribute that was not selected: its information about the class, alone and "
        "given the selected attribute that leaves the least of this information. "
        "`redundancy_text` returns a table of it as text.",
    ),
}
"""Type and meaning of fitted attributes."""

WIDTH = 96


def complete_docstring(owner: type) -> str | None:
    """Return the docstring of a class with the full descriptions of shared names.

    Parameters
    ----------
    owner : type
        The class.

    Returns
    -------
    str or None
        The completed docstring, or None if the class has no docstring.
    """
    text = owner.__dict__.get("__doc__")
    if not isinstance(text, str):
        return text
    signature = inspect.signature(owner).parameters
    # Python 3.13 and later store docstrings without their indentation.
    sections = re.split(r"^( *(?:Parameters|Attributes)\n *-+\n)", text, flags=re.MULTILINE)
    for heading in range(1, len(sections), 2):
        shared = OPTIONS if "Parameters" in sections[heading] else ATTRIBUTES
        indent = sections[heading][: -len(sections[heading].lstrip(" "))]
        sections[heading + 1] = re.sub(
            rf"^{indent}(\w+(?:, \w+)*)$",
            lambda line, shared=shared, indent=indent: _entries(line, shared, signature, indent),
            sections[heading + 1],
            flags=re.MULTILINE,
        )
    return "".join(sections)


def _entries(
    line: re.Match[str], shared: dict[str, tuple[str, str]], signature: Any, indent: str
) -> str:
    """Return the entries of a line of names; leave a line with an unshared name unchanged."""
    names = line[1].split(", ")
    if not all(name in shared for name in names):
        return line[0]
    entries = []
    for name in names:
        kind, meaning = shared[name]
        default = f", default={_shown(signature[name].default)}" if name in signature else ""
        margin = f"{indent}    "
        text = textwrap.fill(meaning, WIDTH, initial_indent=margin, subsequent_indent=margin)
        entries.append(f"{indent}{name} : {kind}{default}\n{text}")
    return "\n".join(entries)


def _shown(default: Any) -> str:
    """Return a default value as a docstring shows it."""
    return f'"{default}"' if isinstance(default, str) else repr(default)
