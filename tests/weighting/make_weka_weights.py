"""Ask WEKA for ReliefF and gain ratios: WEKA_JAR=weka.jar python make_weka_weights.py.

The answers are in data/weka.json, a number for every attribute; the tests need neither Java nor
WEKA. Data sets are those of the folder: two rows of its iris differ from scikit-learn's.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bayesgrove.datasets import load_dataset
from weka import arff_file, attribute_weights, keep

ABOUT = (
    "WEKA 3.6.14 on the first rows of data sets (null: all). relieff: ReliefFAttributeEval -M -1 "
    "-K 10. gain_ratio: the default supervised Discretize filter, then GainRatioAttributeEval."
)
NAMES = ["vote", "credit-g", "iris", "glass", "hepatitis", "labor", "lymph", "kr-vs-kp", "heart-c"]
NAMES += ["colic", "autos", "soybean"]
FIRST = {"kr-vs-kp": 1000}


def ask(name):
    dataset, rows = load_dataset(name, source="folder"), FIRST.get(name)
    with arff_file(dataset, rows) as whole, arff_file(dataset, rows, cut=True) as cut:
        return {
            "rows": rows,
            "relieff": attribute_weights(whole, "ReliefFAttributeEval"),
            "gain_ratio": attribute_weights(cut, "GainRatioAttributeEval"),
        }


if __name__ == "__main__":
    keep(__file__, "weka.json", {"about": ABOUT} | {name: ask(name) for name in NAMES})
