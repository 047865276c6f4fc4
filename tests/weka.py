"""WEKA where it is installed: scripts keep what it says, and a test asks it again."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from tree_tables import arff_of

JAR = os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar")


def why_not():
    """Why WEKA cannot be run here; empty where it can be."""
    if shutil.which("java") is None:
        return "no java on the PATH"
    return "" if Path(JAR).is_file() else f"no {JAR}: set WEKA_JAR to the jar of WEKA 3.6"


def run(*arguments):
    """What a class of WEKA, or a Java program that uses it, prints."""
    command = ["java", "-cp", JAR, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def run_source(source, *arguments):
    """What a Java program prints, given as the text of its class ``Ask``."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "Ask.java")
        program.write_text(source)
        return run(program, *arguments)


@contextmanager
def arff_file(dataset):
    """The path of an ARFF file with a data set, while it is needed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.arff")
        path.write_text(arff_of(dataset))
        yield path


def keep(script, name, answers):
    """Write answers to a file in data/ beside a script, a line for each."""
    lines = ",\n".join(f'"{key}": {json.dumps(answers[key])}' for key in answers)
    (Path(script).parent / "data" / name).write_text(f"{{\n{lines}\n}}\n")


def j48(arff, options=()):
    """The tree of J48, and its confusion matrix on the training rows (rows: true classes)."""
    text = run("weka.classifiers.trees.J48", *options, "-t", arff, "-no-cv")
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
