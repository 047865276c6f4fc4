"""The demo runs and leaves pictures and models."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np

from bayesgrove import GroveClassifier, load_dataset, load_model

DEMO = Path(__file__).parents[1] / "examples" / "demo.py"


def test_demo(tmp_path):
    result = subprocess.run(
        [sys.executable, DEMO], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    said, folder = result.stdout, tmp_path / "demo"
    for word in ("vote", "credit-g", "iris", "naive Bayes", "TAN", "KDB(2)", "accuracy"):
        assert word in said
    X, y = load_dataset("credit-g")
    grove = GroveClassifier().fit(X, y)
    assert f"out-of-fold log-loss {grove.out_of_fold_loss_:.3f}." in said
    columns = X.columns[np.argsort(-grove.feature_importances_)[:3]]
    assert f"Most important columns: {', '.join(columns)}." in said
    ((bad, good),) = grove.member_table(0, "checking_status").loc["no checking"].to_numpy()
    assert re.search(rf"no checking +{bad:.3f} +{good:.3f}\n", said)
    assert re.search(r"teacher GroveClassifier 0\.\d+, student TANClassifier 0\.\d+", said)
    classes = {}
    for name in re.findall(r"[-\w]+\.(?:png|json)", said.partition("Written to")[2]):
        if name.endswith(".png"):
            assert (folder / name).read_bytes().startswith(b"\x89PNG")
        else:
            classes[name] = type(load_model(folder / name)).__name__
    assert classes == {
        "credit-g-grove.json": "GroveClassifier",
        "credit-g-distilled.json": "TANClassifier",
        "credit-g-tan.json": "TANClassifier",
    }
    assert len(list(folder.iterdir())) == 5
    np.testing.assert_array_equal(
        load_model(folder / "credit-g-grove.json").predict_proba(X), grove.predict_proba(X)
    )
