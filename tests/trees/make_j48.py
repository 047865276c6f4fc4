"""Ask WEKA's J48 for its trees, and keep what it says: WEKA_JAR=weka.jar python make_j48.py.

The answers are in data/j48.json; the tests need neither Java nor WEKA.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bayesgrove.datasets import load_dataset
from weka import arff_file, j48, keep

NAMES = ["vote", "kr-vs-kp", "soybean", "credit-g", "iris", "labor", "hypothyroid", "glass"]
MODES = {"unpruned": ["-U"], "pruned": [], "not raised": ["-S"]}


def ask(name):
    with arff_file(load_dataset(name)) as path:
        return {mode: j48(path, options) for mode, options in MODES.items()}


if __name__ == "__main__":
    keep(__file__, "j48.json", {name: ask(name) for name in NAMES})
