"""The text of options and attributes that many estimators share, written once.

A docstring lists the names of shared options on a line of their own, such as
``alpha, missing, n_jobs``. When the class is made, `complete_docstring` puts the whole text in
their place, so that ``help()`` and the reference show every option in full.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from typing import Any

OPTIONS = {
    "alpha": (
        "float",
        "Pseudo-count of every cell of the conditional tables. 0 gives maximum likelihood.",
    ),
    "var_smoothing": (
        "float",
        "Share of the largest variance of all numeric columns that is added to every variance. "
        "Used with densities only.",
    ),
    "random_state": ("int", "Seed of all random choices. The same seed gives the same model."),
    "categorical_features": (
        '"all", sequence of str, int or bool, or None',
        'Nominal columns: "all" of them, their names, their indices, or a mask. None infers them: '
        "a numeric column is numeric unless it has whole numbers only, at most 10 different ones; "
        "every other column is nominal.",
    ),
    "discretizer": (
        "Discretizer or None",
        "How numeric columns are cut into intervals, such as "
        "``EqualFrequencyDiscretizer(n_bins=5)``. None is `MDLPDiscretizer`.",
    ),
    "missing": (
        '{"value", "ignore"}',
        'What a missing value is in training: "value" makes it a value of its own in every column '
        'that has one; "ignore" leaves it out of the counts.',
    ),
    "unseen": (
        '{"missing", "error"}',
        'What a value is in prediction that training did not have: "missing" treats it as a '
        'missing value, with a warning; "error" raises an error.',
    ),
    "n_jobs": (
        "int or None",
        "Number of threads. None is 1, -1 is one per processor. It does not change results.",
    ),
}
"""Type and meaning of options; the default is that of the constructor."""

ATTRIBUTES = {
    "classes_": ("ndarray of shape (n_classes,)", "Class labels, sorted."),
    "class_name_": ("str", "Name of the class column: that of y, or ``'class'``."),
    "network_": ("BayesianNetwork", "The fitted network; its last node is the class."),
    "cut_points_": (
        "dict of str to ndarray",
        "Cut points of every numeric column that is cut, by name.",
    ),
    "schema_": ("Schema", "How every column is encoded."),
    "n_features_in_": ("int", "Number of columns in training."),
    "feature_names_in_": (
        "ndarray of str",
        "Names of the columns in training, if all of them are strings.",
    ),
    "selected_": (
        "list of str",
        "Names of the selected attributes, in the order in which they were selected.",
    ),
    "path_": (
        "list of Step",
        "Steps of the selection: attribute, value of the criterion, number of joint values. "
        "``print(model.path_text())`` shows them.",
    ),
}
"""Type and meaning of fitted attributes."""

WIDTH = 96


def complete_docstring(owner: type) -> str | None:
    """Return the docstring of a class with the whole text of shared options and attributes."""
    text = owner.__dict__.get("__doc__")
    if text is None:
        return None
    signature = inspect.signature(owner).parameters
    sections = re.split(r"^(    (?:Parameters|Attributes)\n    -+\n)", text, flags=re.MULTILINE)
    for place in range(1, len(sections), 2):
        shared = OPTIONS if "Parameters" in sections[place] else ATTRIBUTES
        sections[place + 1] = re.sub(
            r"^    (\w+(?:, \w+)*)$",
            lambda line, shared=shared: _entries(line[1], shared, signature),
            sections[place + 1],
            flags=re.MULTILINE,
        )
    return "".join(sections)


def _entries(names: str, shared: dict[str, tuple[str, str]], signature: Any) -> str:
    """Return the entries of some names; a line with a name that is not shared stays as it is."""
    if not all(name in shared for name in names.split(", ")):
        return f"    {names}"
    entries = []
    for name in names.split(", "):
        kind, meaning = shared[name]
        default = f", default={_shown(signature[name].default)}" if name in signature else ""
        indent = " " * 8
        text = textwrap.fill(meaning, WIDTH, initial_indent=indent, subsequent_indent=indent)
        entries.append(f"    {name} : {kind}{default}\n{text}")
    return "\n".join(entries)


def _shown(default: Any) -> str:
    return f'"{default}"' if isinstance(default, str) else repr(default)
