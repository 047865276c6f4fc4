"""Ask WEKA's J48 to classify the rows of ten folds: WEKA_JAR=weka.jar python make_j48_folds.py.

Each fold is classified by the pruned tree of the others. data/j48_folds.json has a digit for each
row, its fold, and one (to the base of 36) for the class that J48 gives it; the tests need neither
Java nor WEKA.
"""

import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from bayesgrove.datasets import load_dataset
from weka import arff_file, keep, run

NAMES = ["vote", "kr-vs-kp", "soybean", "credit-g", "iris"]
PREDICTED = re.compile(r"^ +\d+ +\d+:v\d+ +(\d+):v\d+", re.MULTILINE)


def ask(name):
    dataset = load_dataset(name)
    rows = len(dataset.y)
    folds = np.random.default_rng(0).permutation(rows) % 10
    predicted = np.empty(rows, dtype=int)
    for fold in range(10):
        predicted[folds == fold] = classify(
            part(dataset, folds != fold), part(dataset, folds == fold)
        )
    digits = [np.base_repr(code, 36).lower() for code in predicted]
    return {"folds": "".join(map(str, folds)), "predicted": "".join(digits)}


def part(dataset, rows):
    return replace(dataset, X=dataset.X[rows], y=dataset.y[rows])


def classify(training, test):
    with arff_file(training) as learned, arff_file(test) as asked:
        text = run("weka.classifiers.trees.J48", "-t", learned, "-T", asked, "-p", "0")
    return [int(number) - 1 for number in PREDICTED.findall(text)]


if __name__ == "__main__":
    keep(__file__, "j48_folds.json", {name: ask(name) for name in NAMES})
