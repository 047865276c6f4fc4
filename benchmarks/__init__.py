"""Benchmarks: one file each, found by `python -m benchmarks`."""

import os

# Everyone gets one core. Libraries read this when they are first imported.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
