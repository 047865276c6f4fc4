"""Data sets as tables for trees, and as ARFF files for programs to compare with."""

import numpy as np
import pandas as pd

from bayesgrove.encoding import MixedTable, code_type


def codes_of(column):
    """Codes of a categorical column, the number of its levels where a value is missing."""
    levels = column.cat.categories
    codes = column.cat.codes.to_numpy().astype(np.int64)
    return np.where(codes < 0, len(levels), codes).astype(code_type(len(levels))), len(levels)


def is_nominal(column):
    return isinstance(column.dtype, pd.CategoricalDtype)


def table_of(dataset):
    """A data set with categorical and float columns as a table."""
    pairs = [
        codes_of(dataset.X[name])
        if is_nominal(dataset.X[name])
        else (dataset.X[name].to_numpy(), 0)
        for name in dataset.X
    ]
    target, n_classes = codes_of(dataset.y)
    return MixedTable(
        [column for column, _ in pairs], [card for _, card in pairs], target, n_classes
    )


def arff_of(dataset, rows=None):
    """The first rows of a data set as an ARFF file: attributes a0, a1, ..., values v0, v1, ..."""
    frame = dataset.frame.iloc[:rows]
    lines = ["@relation data"]
    for j, name in enumerate(frame):
        column = frame[name]
        values = (
            ",".join(f"v{k}" for k in range(len(column.cat.categories)))
            if is_nominal(column)
            else ""
        )
        lines.append(f"@attribute a{j} " + (f"{{{values}}}" if values else "numeric"))
    cells = [_cells(frame[name]) for name in frame]
    return "\n".join([*lines, "@data", *(",".join(row) for row in zip(*cells, strict=True)), ""])


def _cells(column):
    if is_nominal(column):
        return ["?" if code < 0 else f"v{code}" for code in column.cat.codes]
    return ["?" if np.isnan(value) else repr(float(value)) for value in column]
