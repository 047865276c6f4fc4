"""What `bayesgrove doctor` says."""

import os
import subprocess
import sys

import numpy as np

from bayesgrove import __version__
from bayesgrove.kernels import kernels, numpy_kernels


def test_doctor_names_versions_and_kernels(ok):
    lines = {line.split()[0]: line for line in ok("doctor").splitlines()}
    assert __version__ in lines["bayesgrove"]
    assert np.__version__ in lines["numpy"]
    expected = "numpy (" if kernels is numpy_kernels else f"native ({kernels.instruction_set()})"
    assert expected in lines["kernels"]


def test_doctor_says_when_numpy_does_the_work():
    done = subprocess.run(
        [sys.executable, "-m", "bayesgrove", "doctor"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "BAYESGROVE_KERNELS": "numpy"},
    )
    assert "numpy (the native kernels are not built" in done.stdout


def test_doctor_says_where_data_is_looked_for(ok, tmp_path):
    nowhere = {"BAYESGROVE_DATA": str(tmp_path / "nowhere")}
    assert "none (set BAYESGROVE_DATA)" in ok("doctor", env=nowhere)
