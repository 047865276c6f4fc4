"""Ask WEKA's J48 for its trees, and keep what it says: python make_j48.py weka.jar.

The answers are in data/j48.json; the tests need neither Java nor WEKA.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bayesgrove.datasets import load_dataset
from tree_tables import arff_of

NAMES = ["vote", "kr-vs-kp", "soybean", "credit-g", "iris", "labor", "hypothyroid"]
MODES = {"unpruned": ["-U"], "pruned": [], "not raised": ["-S"]}


def ask(jar, arff, options):
    """The tree of J48, and its confusion matrix on the training rows (rows: true classes)."""
    command = ["java", "-cp", jar, "weka.classifiers.trees.J48", *options, "-t", arff, "-no-cv"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    root = re.search(r"^a(\d+) (?:=|<=)", text, re.MULTILINE)
    matrix = text.split("=== Confusion Matrix ===")[1].split("as\n")[-1]
    rows = [line.split("|")[0].split() for line in matrix.splitlines() if "|" in line]
    counts = [[int(n) for n in row] for row in rows if row and row[0].isdigit()]
    lines = [line for line in text.split("-" * 18)[1].splitlines() if re.match(r"a\d|[|]", line)]
    return {
        "lines": lines if len(lines) <= 30 else None,
        "leaves": int(re.search(r"Number of Leaves\s*:\s*(\d+)", text)[1]),
        "size": int(re.search(r"Size of the tree\s*:\s*(\d+)", text)[1]),
        "root": int(root[1]) if root else -1,
        "confusion": counts,
    }


def main():
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            path = Path(folder) / f"{name}.arff"
            path.write_text(arff_of(load_dataset(name)))
            answers[name] = {
                mode: ask(sys.argv[1], str(path), options) for mode, options in MODES.items()
            }
    lines = ",\n".join(f'"{name}": {json.dumps(answers[name])}' for name in answers)
    (Path(__file__).parent / "data" / "j48.json").write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
