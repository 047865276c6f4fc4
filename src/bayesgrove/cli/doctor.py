"""``bayesgrove doctor``: show what is installed and in use."""

from __future__ import annotations

from bayesgrove.cli.console import show_aligned

OPTIONAL = {
    "pyarrow": "Parquet and Feather files, Arrow tables",
    "polars": "polars data frames",
    "matplotlib": "plots",
}
"""Optional packages and their purposes."""


def doctor() -> None:
    """Show the kernels in use (native or numpy), the installed packages, and the data folder."""
    import platform
    from importlib.metadata import version

    from bayesgrove import __version__
    from bayesgrove.datasets import data_folder
    from bayesgrove.kernels import kernels, numpy_kernels

    folder = data_folder()
    required = ("numpy", "scipy", "scikit-learn", "pandas", "narwhals")
    rows: list[tuple[str, str]] = [
        ("bayesgrove", __version__),
        ("Python", platform.python_version()),
        ("kernels", _kernels(kernels is numpy_kernels, kernels.instruction_set())),
        *((package, version(package)) for package in required),
        *((package, _version(package, purpose)) for package, purpose in OPTIONAL.items()),
        ("data folder", str(folder) if folder else "none (set BAYESGROVE_DATA)"),
    ]
    show_aligned(None, rows)


def _kernels(fallback: bool, instruction_set: str) -> str:
    """Return the name of the kernels in use."""
    if fallback:
        return "numpy (the native kernels are not built: install a C++ compiler and reinstall)"
    return f"native ({instruction_set})"


def _version(package: str, purpose: str) -> str:
    """Return the version of an optional package, or its purpose if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return f"not installed (optional: {purpose})"
