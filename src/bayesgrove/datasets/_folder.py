"""Data sets in a local folder with a ``catalog.json``, which describes their columns."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from bayesgrove.datasets._dataset import Dataset, Description, assemble
from bayesgrove.datasets._table import read_table

Entry = dict[str, Any]
_CATALOG = "catalog.json"


def data_folder() -> Path | None:
    """Return the local folder of data sets.

    It is the folder in the environment variable ``BAYESGROVE_DATA``.

    Returns
    -------
    Path or None
        The folder, or None if the variable is not set or the folder has no ``catalog.json``.

    Examples
    --------
    >>> from bayesgrove.datasets import data_folder
    >>> folder = data_folder()
    >>> folder is None or (folder / "catalog.json").is_file()
    True
    """
    name = os.environ.get("BAYESGROVE_DATA")
    folder = Path(name) if name else None
    return folder if folder is not None and (folder / _CATALOG).is_file() else None


def names() -> list[str]:
    """Return the names of the data sets in the catalogue whose files exist."""
    return list(_entries())


def descriptions() -> list[Description]:
    """Return the descriptions in the catalogue, without reading the data."""
    return [_describe(entry) for entry in _entries().values()]


def load(name: str) -> Dataset:
    """Return a data set with the column types of the catalogue."""
    entry = _entries()[name]
    kinds = {column["name"]: column["kind"] for column in entry["columns"]}
    nominal = {c["name"]: _levels(c) for c in entry["columns"] if c["kind"] == "nominal"}
    numeric = [column for column, kind in kinds.items() if kind == "numeric"]
    return assemble(read_table(entry["path"], nominal, numeric), **_about(entry))


def _entries() -> dict[str, Entry]:
    """Return the entries of the catalogue whose files exist, by name."""
    folder = data_folder()
    if folder is None:
        return {}
    catalog = json.loads((folder / _CATALOG).read_text(encoding="utf-8"))
    entries = [entry | {"path": folder / _inside(entry)} for entry in catalog["datasets"]]
    return {entry["name"]: entry for entry in entries if entry["path"].is_file()}


def _inside(entry: Entry) -> str:
    """Return the path of a file in the folder; raise if it leads out of the folder."""
    path: str = os.path.normpath(entry["file"])
    if os.path.isabs(path) or path.split(os.sep)[0] == os.pardir:
        raise ValueError(
            f"{_CATALOG} names the file {entry['file']!r} for {entry['name']!r}, which is outside "
            "of the data folder: move it into the folder."
        )
    return path


def folder_in_words() -> str:
    """Return what BAYESGROVE_DATA says about the data folder."""
    name = os.environ.get("BAYESGROVE_DATA")
    if not name:
        return "BAYESGROVE_DATA is not set"
    folder = Path(name)
    if (folder / _CATALOG).is_file():
        return f"the data folder is {name}"
    problem = f"has no {_CATALOG}" if folder.is_dir() else "is not a folder"
    return f"BAYESGROVE_DATA names {name!r}, which {problem}"


def _levels(column: Entry) -> list[str]:
    """Return the levels that occur, then those that are only declared.

    The catalogue does not record the declared order of the latter.
    """
    return [*column.get("values", []), *column.get("declared_not_seen", [])]


def _about(entry: Entry) -> dict[str, Any]:
    """Return the fields of the description that are not counts."""
    return {
        "name": entry["name"],
        "source": "folder",
        "licence": entry["licence"],
        "note": entry["note"],
        "identifiers": tuple(entry["identifier_columns"]),
    }


def _describe(entry: Entry) -> Description:
    """Return the description of an entry of the catalogue."""
    return Description(
        rows=entry["n_rows"],
        attributes=entry["n_attributes"],
        nominal=entry["n_nominal"],
        numeric=entry["n_numeric"],
        classes=entry["n_classes"] if entry["class_kind"] == "nominal" else 0,
        missing=sum(column["missing"] for column in entry["columns"][:-1]),
        **_about(entry),
    )
