"""The data sets that scikit-learn contains."""

from __future__ import annotations

from bayesgrove.datasets._dataset import Dataset, Description, assemble

_DATASETS = {
    "iris": (
        "load_iris",
        "R. A. Fisher 1936; two rows differ from the UCI copy, which has errors in them",
    ),
    "wine": ("load_wine", "M. Forina et al.; donated to UCI by S. Aeberhard 1991"),
    "breast-cancer-wisconsin": (
        "load_breast_cancer",
        "W. Wolberg, N. Street & O. Mangasarian 1995; the diagnostic set (WDBC)",
    ),
    "digits": (
        "load_digits",
        "E. Alpaydin & C. Kaynak 1998; the test part of the optical digits, 8 x 8 pixels",
    ),
}


def names() -> list[str]:
    """Return the names of the classification data sets in scikit-learn."""
    return list(_DATASETS)


def descriptions() -> list[Description]:
    """Return the descriptions of these data sets."""
    return [load(name).info for name in names()]


def load(name: str) -> Dataset:
    """Return a data set of scikit-learn, with the names of its classes as labels."""
    import pandas as pd
    import sklearn.datasets

    loader, note = _DATASETS[name]
    bunch = getattr(sklearn.datasets, loader)()
    frame = pd.DataFrame(bunch.data, columns=list(bunch.feature_names), dtype="float64")
    classes = pd.Index([str(label) for label in bunch.target_names])
    frame["class"] = pd.Categorical.from_codes(bunch.target, classes)
    return assemble(frame, name=name, source="sklearn", licence="CC BY 4.0 (UCI)", note=note)
