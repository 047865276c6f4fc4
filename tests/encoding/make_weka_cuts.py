"""Ask WEKA where it cuts numeric columns: WEKA_JAR=weka.jar python make_weka_cuts.py.

The answers are in data/weka_cuts.json, a list for every numeric column; the tests need neither Java
nor WEKA.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bayesgrove.datasets import load_dataset
from weka import cuts, keep

NAMES = ["credit-g", "glass", "diabetes", "vehicle", "heart-statlog", "sonar", "ionosphere"]
WITH_HOLES = ["breast-w", "hepatitis", "autos"]
OPTIONS = {"rows": [], "values": ["-E"]}


def ask(name):
    dataset = load_dataset(name)
    return {choices: cuts(dataset, options) for choices, options in OPTIONS.items()}


if __name__ == "__main__":
    keep(__file__, "weka_cuts.json", {name: ask(name) for name in NAMES + WITH_HOLES})
