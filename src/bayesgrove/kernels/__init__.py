"""The functions that touch every row: native where they were built, numpy otherwise.

Both modules offer the same functions, documented in `bayesgrove.kernels.reference`.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bayesgrove.kernels import reference

Codes = NDArray[np.unsignedinteger[Any]]
Floats = NDArray[np.float64]

if TYPE_CHECKING:
    kernels = reference
else:
    try:
        if os.environ.get("BAYESGROVE_KERNELS") == "numpy":
            kernels = reference
        else:
            kernels = importlib.import_module("bayesgrove.kernels._native")
    except ImportError:
        kernels = reference

__all__ = ["Codes", "Floats", "kernels", "reference"]
