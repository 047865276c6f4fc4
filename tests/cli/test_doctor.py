"""What `bayesgrove doctor` says, as a user runs it."""

import os
import subprocess
import sys

import numpy as np

from bayesgrove import __version__
from bayesgrove.kernels import kernels, reference


def doctor(**environment):
    return subprocess.run(
        [sys.executable, "-m", "bayesgrove", "doctor"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "200", **environment},
    ).stdout


def test_doctor_names_versions_and_kernels():
    lines = {line.split()[0]: line for line in doctor().splitlines()}
    assert __version__ in lines["bayesgrove"]
    assert np.__version__ in lines["numpy"]
    expected = "numpy (" if kernels is reference else f"native ({kernels.instruction_set()})"
    assert expected in lines["kernels"]


def test_doctor_says_when_numpy_does_the_work():
    assert "numpy (the native ones are not built" in doctor(BAYESGROVE_KERNELS="numpy")


def test_doctor_says_where_data_is_looked_for(tmp_path):
    assert "none (set BAYESGROVE_DATA)" in doctor(BAYESGROVE_DATA=str(tmp_path / "nowhere"))


def test_an_unknown_command_is_a_usage_error():
    command = [sys.executable, "-m", "bayesgrove", "nonsense"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
