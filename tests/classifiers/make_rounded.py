"""Ask WEKA's NaiveBayes for its probabilities, and keep some: python make_rounded.py weka.jar.

The answers are in data/rounded.json; the tests need neither Java nor WEKA.
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

NAMES = ["iris", "credit-g", "breast-w", "glass", "hepatitis"]
EVERY = 10


def ask(jar, arff):
    """The class probabilities of every tenth training row, classes in their declared order."""
    command = ["java", "-cp", jar, "weka.classifiers.bayes.NaiveBayes", "-t", arff, "-T", arff]
    command += ["-p", "0", "-distribution"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^ *\d+ +\d+:.* ([\d.,*]+) *$", text, re.MULTILINE)
    return [json.loads(f"[{row.replace('*', '')}]") for row in found][::EVERY]


def main():
    answers = {"about": f"WEKA 3.6.14, NaiveBayes -p 0 -distribution; every {EVERY}th row."}
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            path = Path(folder) / f"{name}.arff"
            path.write_text(arff_of(load_dataset(name)))
            answers[name] = ask(sys.argv[1], str(path))
    lines = ",\n".join(f'"{name}": {json.dumps(answers[name])}' for name in answers)
    (Path(__file__).parent / "data" / "rounded.json").write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
