"""Classifiers saved to files and loaded from files."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayesgrove._utils.files import atomic_write, read_limited
from bayesgrove._utils.options import LARGEST_N_JOBS
from bayesgrove._utils.public_names import public_classes
from bayesgrove._version import __version__
from bayesgrove.encoding import Schema
from bayesgrove.estimators.base.joint import JointClassifier
from bayesgrove.estimators.base.naive import BaseNaiveBayes
from bayesgrove.model_files.columns import describe_column, read_columns
from bayesgrove.model_files.fields import Field, ModelFileError, short
from bayesgrove.model_files.labels import describe_classes, read_classes
from bayesgrove.model_files.networks import describe_nodes, read_nodes
from bayesgrove.model_files.options import describe_options, read_options
from bayesgrove.model_files.selections import (
    describe_selection,
    read_selection,
    used_variables,
)
from bayesgrove.model_files.states import describe_state, options_by_place, restore_state
from bayesgrove.model_files.text import LARGEST_FILE, packed, parse, to_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bayesgrove.estimators.base.classifier import TableClassifier

FORMAT = "bayesgrove-model"
VERSION = 1
COMMON = (
    *("format", "version", "written_by", "classifier", "options"),
    *("column_names", "columns", "class"),
)
"""Members of every file."""
NETWORK_MEMBERS = ("selection", "network")
"""Members of files of classifiers that have a network; ``selection`` is optional."""


def save_model(model: TableClassifier, path: str | os.PathLike[str]) -> None:
    """Write a fitted classifier to a JSON file.

    The file holds data only, no code. The same model always gives the same bytes. The file is
    written atomically: it is the old file or the new one, never a partial one. `load_model` reads
    it.

    Parameters
    ----------
    model : classifier
        A fitted classifier of this package.
    path : str or path-like
        File to write. If its name ends in ``.gz``, the file is compressed with gzip.

    Raises
    ------
    ModelFileError
        If a file cannot hold the model: a label is not a string, number or truth value, or an
        option is a function or an object that is not of this package. Nothing is written.
    OSError
        If the file cannot be written.

    See Also
    --------
    load_model : Read a classifier from such a file.

    Examples
    --------
    >>> import tempfile
    >>> from bayesgrove import TANClassifier, load_dataset, load_model, save_model
    >>> X, y = load_dataset("corral")
    >>> model = TANClassifier().fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(model, f"{folder}/model.json")
    ...     copy = load_model(f"{folder}/model.json")
    >>> (copy.predict_proba(X) == model.predict_proba(X)).all()
    np.True_
    """
    problem = f"This {type(model).__name__} cannot be saved"
    try:
        document = describe_model(model)
        # The document passes all checks of `load_model` first, so that every file can be read.
        read_model(Field(document, problem))
    except RecursionError:
        raise ModelFileError(f"{problem}: its options are nested too deeply.") from None
    data = to_bytes(document)
    if len(data) > LARGEST_FILE:
        raise ModelFileError(
            f"This model would take {len(data) / 1e6:,.0f} MB of text, more than the "
            f"{LARGEST_FILE / 1e6:,.0f} MB of a model file: save it with pickle or joblib."
        )
    if os.fspath(path).endswith(".gz"):
        data = packed(data)
    with atomic_write(path) as file:
        file.write(data)


def load_model(path: str | os.PathLike[str]) -> TableClassifier:
    """Read a classifier from a file that `save_model` wrote.

    The classifier gives the same predictions as the saved one, to the last bit. Reading runs no
    code from the file, and checks every value in it.

    Parameters
    ----------
    path : str or path-like
        File to read. It is decompressed if its content is gzip; its name does not matter.

    Returns
    -------
    classifier
        The fitted classifier.

    Raises
    ------
    ModelFileError
        If the file is damaged or is not a model file. The message says what is wrong, and where.
    OSError
        If the file cannot be opened.

    See Also
    --------
    save_model : Write a classifier to a file.

    Examples
    --------
    >>> import tempfile
    >>> from bayesgrove import TANClassifier, load_dataset, load_model, save_model
    >>> X, y = load_dataset("corral")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(TANClassifier().fit(X, y), f"{folder}/model.json")
    ...     load_model(f"{folder}/model.json")
    TANClassifier()
    """
    file = os.fspath(path)
    try:
        return read_model(Field(parse(_read_bytes(path), file), file))
    except RecursionError:
        raise ModelFileError(f"{file} is nested too deeply.") from None
    except MemoryError as error:
        raise ModelFileError(str(error) or f"{file} takes more memory than is available.") from None


def describe_model(model: TableClassifier) -> dict[str, Any]:
    """Return a fitted classifier as a document of objects, lists, strings and numbers."""
    _require_known(model)
    check_is_fitted(model, "classes_")
    _require_consistent(model)
    extra = describe_state(model)
    return {
        "format": FORMAT,
        "version": VERSION,
        "written_by": f"bayesgrove {__version__}",
        "classifier": type(model).__name__,
        "options": describe_options(model, options_by_place(model)),
        "column_names": _describe_names(model),
        "columns": [describe_column(coding) for coding in model.schema_.codings],
        "class": describe_classes(model.classes_, model.class_name_),
        **_describe_network(model),
        **({"extra": extra} if extra else {}),
    }


def read_model(document: Field) -> TableClassifier:
    """Return the classifier that a document describes."""
    _require_version(document)
    members = document.members(*COMMON, optional=(*NETWORK_MEMBERS, "extra"))
    members["written_by"].text()
    model = _read_classifier(members)
    codings = read_columns(members["columns"])
    names = members["column_names"].choice("strings", "converted", "generated")
    model.n_features_in_ = len(codings)
    if names == "strings":
        model.feature_names_in_ = np.array([coding.name for coding in codings], dtype=object)
    schema = Schema(codings, named=names != "generated")
    label = members["class"].members("name", "labels", "dtype")
    classes = read_classes(label)
    if label["name"].text() in [variable.name for variable in schema.variables]:
        raise label["name"].error(
            f"is {short(label['name'].value)}, which is also the name of a column"
        )
    model.class_name_ = label["name"].text()
    if isinstance(model, JointClassifier):
        _read_network(document, model, schema, classes)
    else:
        document.members(*COMMON, optional=("extra",))
        model.classes_ = classes
        model._keep_columns(schema, list(range(len(codings))))
    extra = members.get("extra", Field({}, document.file, "extra"))
    restore_state(model, extra)
    _require_densities(model, extra)
    return model


@cache
def classifiers() -> dict[str, type[TableClassifier]]:
    """Return all public classifiers by name; files may hold any of them."""
    return dict(sorted(public_classes("bayesgrove.estimators", has="state_kinds").items()))


def _describe_network(model: TableClassifier) -> dict[str, Any]:
    """Return the selection and the first network, or nothing if the model has no network."""
    if not isinstance(model, JointClassifier):
        return {}
    return {**describe_selection(model), "network": describe_nodes(model.networks_[0])}


def _read_network(
    document: Field, model: JointClassifier, schema: Schema, classes: NDArray[Any]
) -> None:
    """Read the selection and the network, and put them into the model."""
    members = document.members(*COMMON, "network", optional=(*NETWORK_MEMBERS, "extra"))
    used = read_selection(model, members.get("selection"), schema, document)
    nodes = [variable.name for variable in used]
    states = [*(variable.states for variable in used), tuple(classes.tolist())]
    network = read_nodes(members["network"], [*nodes, model.class_name_], states)
    model._keep(schema, classes, network)


def _read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the decompressed bytes of a file of limited size."""
    try:
        return read_limited(path, LARGEST_FILE)
    except ValueError as error:
        raise ModelFileError(str(error)) from None


def _require_version(document: Field) -> None:
    """Raise unless the document is a model file of a version that this package can read."""
    members = document.any_members()
    if "format" not in members or members["format"].value != FORMAT:
        raise document.error(f"is JSON, but not a model file: 'format' is not {FORMAT!r}")
    if "version" not in members:
        raise document.error("has no 'version'")
    version = members["version"].whole()
    if version > VERSION:
        raise document.error(
            f"was written by a newer version of bayesgrove (file version {short(version)}; this "
            f"one reads up to {VERSION}): update bayesgrove"
        )
    if version < 1:
        raise members["version"].error(f"is {short(version)}, not a version of model files")


def _read_classifier(members: dict[str, Field]) -> TableClassifier:
    """Return the unfitted classifier with its options."""
    known = classifiers()
    owner = known[members["classifier"].choice(*known)]
    field = members["options"]
    model: TableClassifier = owner(**read_options(field, owner))
    try:
        model.check_options()
    except (ValueError, OverflowError) as error:
        raise field.error(f"cannot be used: {str(error).rstrip('.')}") from None
    if model.n_jobs is not None and not 0 < abs(model.n_jobs) <= LARGEST_N_JOBS:
        raise field.error(
            f"cannot be used: n_jobs={short(model.n_jobs)} is not a number of threads"
        )
    return model


def _require_known(model: Any) -> None:
    """Raise unless the model is a public classifier of this package."""
    known = classifiers()
    if type(model) in known.values():
        return
    if isinstance(model, tuple(known.values())):
        raise ModelFileError(
            f"{type(model).__name__} is not a class of bayesgrove, so a model file cannot hold "
            "it: save the model with pickle or joblib."
        )
    raise ModelFileError(
        f"{short(model)} is not a classifier that a model file can hold; the classifiers are "
        f"{', '.join(known)}. Save other models with pickle or joblib."
    )


def _require_consistent(model: TableClassifier) -> None:
    """Raise if the model was changed after `fit`, by a fit that failed or a replaced network."""
    columns = [coding.name for coding in model.schema_.codings]
    names = getattr(model, "feature_names_in_", columns)
    if (
        model.n_features_in_ != len(columns)
        or list(names) != columns
        or (isinstance(model, JointClassifier) and not _networks_agree(model))
    ):
        raise ModelFileError(
            f"The fitted parts of this {type(model).__name__} do not agree: fit it again."
        )


def _networks_agree(model: JointClassifier) -> bool:
    """Return whether all networks have the columns and the class of the model."""
    used = used_variables(model, model.schema_)
    names = [*(variable.name for variable in used), model.class_name_]
    states = [*(variable.states for variable in used), tuple(model.classes_.tolist())]
    return all(
        list(network.nodes) == names and [network.states(node) for node in names] == states
        for network in model.networks_
    )


def _require_densities(model: TableClassifier, extra: Field) -> None:
    """Raise if a column stays numeric in a model that has networks but no densities."""
    if isinstance(model, JointClassifier) and not isinstance(model, BaseNaiveBayes):
        for index in model.schema_.continuous:
            column = model.schema_.codings[index].name
            raise extra.error(f"has no densities for the numeric column {column!r}")


def _describe_names(model: TableClassifier) -> str:
    """Return whether the columns had names, and whether the names were strings."""
    if not model.schema_.named:
        return "generated"
    return "strings" if hasattr(model, "feature_names_in_") else "converted"
