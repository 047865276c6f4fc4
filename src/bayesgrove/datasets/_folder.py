"""Data sets in a local folder, with a ``catalog.json`` that describes their columns."""

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
    """Return the folder of data sets, or None where there is none.

    It is the folder named by the environment variable ``BAYESGROVE_DATA``; without that,
    ``shared/data`` beside the working directory or beside the checkout of this library.
    """
    if named := os.environ.get("BAYESGROVE_DATA"):
        candidates = [Path(named)]
    else:
        checkout = Path(__file__).resolve().parents[3]
        candidates = [place.parent / "shared" / "data" for place in (Path.cwd(), checkout)]
    return next((folder for folder in candidates if (folder / _CATALOG).is_file()), None)


def names() -> list[str]:
    """Return the catalogued sets whose file is there."""
    return list(_entries())


def descriptions() -> list[Description]:
    """Describe the sets from the catalogue alone, without reading them."""
    return [_describe(entry) for entry in _entries().values()]


def load(name: str) -> Dataset:
    """Load a set as the catalogue describes it."""
    entry = _entries()[name]
    kinds = {column["name"]: column["kind"] for column in entry["columns"]}
    nominal = {c["name"]: _levels(c) for c in entry["columns"] if c["kind"] == "nominal"}
    numeric = [column for column, kind in kinds.items() if kind == "numeric"]
    return assemble(read_table(entry["path"], nominal, numeric), **_about(entry))


def _entries() -> dict[str, Entry]:
    folder = data_folder()
    if folder is None:
        return {}
    catalog = json.loads((folder / _CATALOG).read_text(encoding="utf-8"))
    entries = [entry | {"path": folder / entry["file"]} for entry in catalog["datasets"]]
    return {entry["name"]: entry for entry in entries if entry["path"].is_file()}


def _levels(column: Entry) -> list[str]:
    """Return the levels seen, then those only declared: the catalogue does not say where."""
    return [*column.get("values", []), *column.get("declared_not_seen", [])]


def _about(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry["name"],
        "source": "folder",
        "licence": entry["licence"],
        "note": entry["note"],
        "identifiers": tuple(entry["identifier_columns"]),
    }


def _describe(entry: Entry) -> Description:
    return Description(
        rows=entry["n_rows"],
        attributes=entry["n_attributes"],
        nominal=entry["n_nominal"],
        numeric=entry["n_numeric"],
        classes=entry["n_classes"] if entry["class_kind"] == "nominal" else 0,
        missing=sum(column["missing"] for column in entry["columns"][:-1]),
        **_about(entry),
    )
