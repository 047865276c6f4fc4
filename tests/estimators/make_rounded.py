"""Ask WEKA's NaiveBayes for probabilities, and keep some: WEKA_JAR=weka.jar python make_rounded.py.

The answers are in data/rounded.json; the tests need neither Java nor WEKA.
"""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bayesgrove.datasets import load_dataset
from weka import arff_file, keep, run

NAMES = ["iris", "credit-g", "breast-w", "glass", "hepatitis"]
EVERY = 10


def ask(name):
    """The class probabilities of every tenth training row, classes in their declared order."""
    with arff_file(load_dataset(name)) as path:
        options = ["-t", path, "-T", path, "-p", "0", "-distribution"]
        text = run("weka.classifiers.bayes.NaiveBayes", *options)
    found = re.findall(r"^ *\d+ +\d+:.* ([\d.,*]+) *$", text, re.MULTILINE)
    return [json.loads(f"[{row.replace('*', '')}]") for row in found][::EVERY]


if __name__ == "__main__":
    about = f"WEKA 3.6.14, NaiveBayes -p 0 -distribution; every {EVERY}th row."
    keep(__file__, "rounded.json", {"about": about, **{name: ask(name) for name in NAMES}})
