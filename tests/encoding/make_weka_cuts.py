"""Ask WEKA where it cuts numeric columns: WEKA_JAR=weka.jar python make_weka_cuts.py.

The answers are in data/weka_cuts.json, a list for every numeric column; the tests need neither Java
nor WEKA.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bayesgrove.datasets import load_dataset
from tree_tables import is_nominal
from weka import arff_file, keep, run

NAMES = ["credit-g", "glass", "diabetes", "vehicle", "heart-statlog", "sonar", "ionosphere"]
WITH_HOLES = ["breast-w", "hepatitis", "autos"]
OPTIONS = {"rows": [], "values": ["-E"]}
FILTER = "weka.filters.supervised.attribute.Discretize"
UPPER_END = re.compile(r"-(-?[\d.]+)\]")


def ask(name):
    dataset = load_dataset(name)
    with arff_file(dataset) as path:
        return {
            choices: numeric_cuts(dataset.X, run(FILTER, "-c", "last", *options, "-i", path))
            for choices, options in OPTIONS.items()
        }


def numeric_cuts(X, text):
    """Of every numeric column, the upper ends of all intervals but the last."""
    lines = [line for line in text.splitlines() if line.startswith("@attribute")]
    return [
        [float(end) for end in UPPER_END.findall(line)]
        for line, name in zip(lines, X, strict=False)
        if not is_nominal(X[name])
    ]


if __name__ == "__main__":
    keep(__file__, "weka_cuts.json", {name: ask(name) for name in NAMES + WITH_HOLES})
