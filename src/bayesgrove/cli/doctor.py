"""``bayesgrove doctor``: what is installed and what is in use."""

from __future__ import annotations

import importlib.metadata
import platform

OPTIONAL = {
    "pyarrow": "Parquet files and Arrow tables",
    "polars": "polars data frames",
    "matplotlib": "pictures",
}


def doctor() -> None:
    """Say which kernels are in use, which parts are installed, and where data is looked for."""
    from rich.console import Console
    from rich.table import Table

    from bayesgrove import __version__
    from bayesgrove.datasets import data_folder
    from bayesgrove.kernels import kernels, reference

    table = Table(show_header=False, box=None)
    table.add_row("bayesgrove", __version__)
    table.add_row("Python", platform.python_version())
    table.add_row("kernels", _kernels(kernels is reference, kernels.instruction_set()))
    for package in ("numpy", "scipy", "scikit-learn", "pandas", "narwhals"):
        table.add_row(package, importlib.metadata.version(package))
    for package, purpose in OPTIONAL.items():
        table.add_row(package, _version(package, purpose))
    folder = data_folder()
    table.add_row("data folder", str(folder) if folder else "none (set BAYESGROVE_DATA)")
    Console().print(table)


def _kernels(fallback: bool, instruction_set: str) -> str:
    if fallback:
        return "numpy (the native ones are not built: install a C++ compiler and reinstall)"
    return f"native ({instruction_set})"


def _version(package: str, purpose: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return f"not installed (optional: {purpose})"
