"""The demo runs and leaves pictures and a model."""

import subprocess
import sys
from pathlib import Path

from bayesgrove import load_model

DEMO = Path(__file__).parents[1] / "examples" / "demo.py"


def test_demo(tmp_path):
    result = subprocess.run(
        [sys.executable, DEMO], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    for word in ("vote", "credit-g", "naive Bayes", "TAN", "KDB(2)", "accuracy"):
        assert word in result.stdout
    for picture in ("credit-g-tan.png", "accuracy.png"):
        assert (tmp_path / "demo" / picture).read_bytes().startswith(b"\x89PNG")
    assert load_model(tmp_path / "demo" / "credit-g.json").classes_.tolist() == ["bad", "good"]
