"""Ask WEKA which attributes CFS selects: WEKA_JAR=weka.jar python make_weka_cfs.py.

The answers are in data/weka_cfs.json; the tests need neither Java nor WEKA. Data sets are those of
the folder: two rows of its iris differ from scikit-learn's.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bayesgrove.datasets import load_dataset
from weka import arff_file, cfs, keep

ABOUT = (
    "WEKA 3.6.14 on the first rows of data sets (null: all): the default supervised Discretize "
    "filter, then CfsSubsetEval with BestFirst -D 1 -N 5. class: correlations with the class "
    "(single precision); searched: before, selected: after locally predictive attributes are added."
)
NAMES = ["vote", "credit-g", "iris", "glass", "hepatitis", "labor", "lymph", "kr-vs-kp", "heart-c"]
NAMES += ["colic", "soybean", "hypothyroid", "balance-scale", "ionosphere"]
FIRST = {"kr-vs-kp": 1000, "hypothyroid": 1000}


def ask(name):
    rows = FIRST.get(name)
    with arff_file(load_dataset(name, source="folder"), rows, cut=True) as path:
        return {"rows": rows} | cfs(path)


if __name__ == "__main__":
    keep(__file__, "weka_cfs.json", {"about": ABOUT} | {name: ask(name) for name in NAMES})
