"""The functions that loop over rows: native kernels if they were built, numpy otherwise.

Both modules have the same functions. They are documented in `bayesgrove.kernels.numpy`.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bayesgrove.kernels import numpy as numpy_kernels

Codes = NDArray[np.unsignedinteger[Any]]
Floats = NDArray[np.float64]


def load_kernels(name: str = "bayesgrove.kernels._native") -> Any:
    """Return the module of native kernels, or the numpy kernels if there is no native module.

    A native module that exists but does not load gives a warning: everything works, but slowly.
    The environment variable ``BAYESGROVE_KERNELS=numpy`` selects the numpy kernels.

    Parameters
    ----------
    name : str, default="bayesgrove.kernels._native"
        Full name of the native module.

    Returns
    -------
    module
        The module whose functions are used.
    """
    wants_numpy = os.environ.get("BAYESGROVE_KERNELS") == "numpy"
    if wants_numpy or importlib.util.find_spec(name) is None:
        return numpy_kernels
    try:
        return importlib.import_module(name)
    except ImportError as error:
        warnings.warn(
            f"The native kernels were built but do not load, so the slower numpy kernels are "
            f"used: {error}. Install bayesgrove again, or set BAYESGROVE_KERNELS=numpy to use "
            "numpy without this warning.",
            RuntimeWarning,
            stacklevel=2,
        )
        return numpy_kernels


if TYPE_CHECKING:
    kernels = numpy_kernels
else:
    kernels = load_kernels()

__all__ = ["Codes", "Floats", "kernels", "load_kernels", "numpy_kernels"]
