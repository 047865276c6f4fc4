"""The real data sets in this package, as gzipped ARFF files."""

from __future__ import annotations

import gzip
from importlib.resources import files

from bayesgrove.datasets._arff import read_arff
from bayesgrove.datasets._dataset import Dataset, Description, assemble

_DATASETS = {
    "vote": (
        "Congressional Voting Records, donated to UCI by J. Schlimmer 1987, "
        "doi:10.24432/C5C01P; a missing vote is one that was neither yea nor nay"
    ),
    "credit-g": "Statlog (German Credit Data), H. Hofmann 1994, UCI, doi:10.24432/C5NC77",
}


def names() -> list[str]:
    """Return the names of the data sets in the package."""
    return list(_DATASETS)


def descriptions() -> list[Description]:
    """Return the descriptions of the data sets in the package."""
    return [load(name).info for name in names()]


def load(name: str) -> Dataset:
    """Return a data set of the package."""
    path = files("bayesgrove.datasets") / "data" / f"{name}.arff.gz"
    with path.open("rb") as packed, gzip.open(packed, "rt", encoding="ascii") as file:
        frame = read_arff(file).frame
    # The class is the last attribute. Its name differs only in case between the files.
    frame = frame.rename(columns={frame.columns[-1]: "class"})
    return assemble(
        frame, name=name, source="package", licence="CC BY 4.0 (UCI)", note=_DATASETS[name]
    )
