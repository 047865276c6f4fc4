"""The demo runs and leaves a picture."""

import subprocess
import sys
from pathlib import Path

DEMO = Path(__file__).parents[1] / "examples" / "demo.py"


def test_demo(tmp_path):
    result = subprocess.run(
        [sys.executable, DEMO], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    for word in ("vote", "credit-g", "naive Bayes", "TAN", "KDB(2)", "accuracy"):
        assert word in result.stdout
    picture = tmp_path / "demo" / "credit-g-tan.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
