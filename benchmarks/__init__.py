"""Benchmarks, one per file; `python -m benchmarks` runs them."""

import os

# Every library gets one core. Libraries read these variables when they are first imported.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
