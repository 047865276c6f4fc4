"""Ask WEKA for symmetrical uncertainties: WEKA_JAR=weka.jar python make_weka_uncertainty.py.

They are those of the attributes with the class. The answers are in data/weka_uncertainty.json; the
tests need neither Java nor WEKA.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bayesgrove.datasets import load_dataset
from weka import arff_file, attribute_weights, keep

NAMES = ["vote", "iris", "credit-g", "breast-w", "hepatitis", "kr-vs-kp", "colic", "heart-c"]
NAMES += ["autos", "soybean"]


def ask(name):
    with arff_file(load_dataset(name)) as path:
        return attribute_weights(path, "SymmetricalUncertAttributeEval")


if __name__ == "__main__":
    keep(__file__, "weka_uncertainty.json", {name: ask(name) for name in NAMES})
