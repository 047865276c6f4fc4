"""The real data sets inside this package, as gzipped ARFF files."""

from __future__ import annotations

import csv
import gzip
import re
from importlib.resources import files
from itertools import takewhile
from typing import IO, TYPE_CHECKING

from bayesgrove.datasets._dataset import Dataset, Description, assemble
from bayesgrove.datasets._table import read_table

if TYPE_CHECKING:
    import pandas as pd

_DATASETS = {
    "vote": (
        "Congressional Voting Records, donated to UCI by J. Schlimmer 1987, "
        "doi:10.24432/C5C01P; a missing vote is one that was neither yea nor nay"
    ),
    "credit-g": "Statlog (German Credit Data), H. Hofmann 1994, UCI, doi:10.24432/C5NC77",
}
_ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\S+)\s+(.*)", re.IGNORECASE)


def names() -> list[str]:
    """Return the sets inside the package."""
    return list(_DATASETS)


def descriptions() -> list[Description]:
    """Describe the sets inside the package."""
    return [load(name).info for name in names()]


def load(name: str) -> Dataset:
    """Load a set from the package."""
    path = files("bayesgrove.datasets") / "data" / f"{name}.arff.gz"
    with path.open("rb") as packed, gzip.open(packed, "rt", encoding="ascii") as file:
        frame = _read_arff(file)
    return assemble(
        frame, name=name, source="package", licence="CC BY 4.0 (UCI)", note=_DATASETS[name]
    )


def _read_arff(file: IO[str]) -> pd.DataFrame:
    header = takewhile(lambda line: not line.lower().startswith("@data"), file)
    found = [match.groups() for match in map(_ATTRIBUTE.match, header) if match]
    # The class is the last attribute; its name differs only in case from file to file.
    names = [name.strip("'") for name, _ in found[:-1]] + ["class"]
    levels = dict(zip(names, (_levels(kind) for _, kind in found), strict=True))
    nominal = {name: values for name, values in levels.items() if values}
    numeric = levels.keys() - nominal.keys()
    layout = {"header": None, "names": names, "quotechar": "'", "comment": "%"}
    return read_table(file, nominal, numeric, missing="?", **layout)


def _levels(kind: str) -> list[str]:
    """Return the levels in braces, none for a numeric attribute."""
    if not kind.startswith("{"):
        return []
    [levels] = csv.reader([kind.strip("{} \n")], quotechar="'", skipinitialspace=True)
    return levels
