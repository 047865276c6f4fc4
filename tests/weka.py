"""WEKA where it is installed: scripts keep what it says, and tests ask it again."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from tree_tables import arff_of, is_nominal

JAR = os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar")
UPPER_END = re.compile(r"-(-?[\d.]+)\]")

ATTRIBUTES = """
import weka.attributeSelection.*;
import weka.core.Instances;

public class Ask {
    public static void main(String[] args) throws Exception {
        Instances data = weka.core.converters.ConverterUtils.DataSource.read(args[0]);
        data.setClassIndex(data.numAttributes() - 1);
        ASEvaluation evaluator = ASEvaluation.forName("weka.attributeSelection." + args[1], null);
        evaluator.buildEvaluator(data);
        for (int j = 0; j < data.numAttributes() - 1; j++)
            System.out.println(((AttributeEvaluator) evaluator).evaluateAttribute(j));
    }
}
"""
SUBSET = """
import java.util.Arrays;
import java.util.BitSet;
import weka.attributeSelection.*;
import weka.core.Instances;

public class Ask {
    public static void main(String[] args) throws Exception {
        Instances data = weka.core.converters.ConverterUtils.DataSource.read(args[0]);
        data.setClassIndex(data.numAttributes() - 1);
        CfsSubsetEval evaluator = new CfsSubsetEval();
        evaluator.buildEvaluator(data);
        for (int j = 0; j < data.numAttributes() - 1; j++)
            System.out.print(merit(evaluator, j) + " ");
        int[] searched = new BestFirst().search(evaluator, data);
        System.out.println("\\n" + merit(evaluator, searched));
        print(searched);
        print(evaluator.postProcess(searched));
    }

    static double merit(CfsSubsetEval evaluator, int... attributes) throws Exception {
        BitSet subset = new BitSet();
        for (int j : attributes) subset.set(j);
        return evaluator.evaluateSubset(subset);
    }

    static void print(int[] attributes) {
        Arrays.sort(attributes);
        for (int j : attributes) System.out.print(j + " ");
        System.out.println();
    }
}
"""


def why_not():
    """Why WEKA cannot be run here; empty where it can be."""
    for command in ("java", "javac"):  # programs that ask it are compiled
        if shutil.which(command) is None:
            return f"no {command} on the PATH"
    return "" if Path(JAR).is_file() else f"no {JAR}: set WEKA_JAR to the jar of WEKA 3.6"


installed = pytest.mark.skipif(bool(why_not()), reason=f"WEKA cannot be run: {why_not()}")
"""Marks tests that ask WEKA itself."""


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
def arff_file(dataset, rows=None, *, cut=False):
    """The path of an ARFF file with the first rows of a data set, or all, while it is needed.

    Numbers may be cut, by the default supervised Discretize filter.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.arff")
        path.write_text(arff_of(dataset, rows))
        if cut:
            path.write_text(discretized(path))
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


def discretized(arff, options=()):
    """The text of an ARFF file whose numbers are cut."""
    command = "weka.filters.supervised.attribute.Discretize"
    return run(command, "-c", "last", *options, "-i", arff)


def cuts(dataset, options=()):
    """Of every numeric column, the upper ends of all intervals but the last."""
    with arff_file(dataset) as path:
        text = discretized(path, options)
    lines = [line for line in text.splitlines() if line.startswith("@attribute")]
    return [
        [float(end) for end in UPPER_END.findall(line)]
        for line, name in zip(lines, dataset.X, strict=False)
        if not is_nominal(dataset.X[name])
    ]


def attribute_weights(arff, evaluator):
    """What an evaluator says of every attribute, to 12 digits."""
    return _rounded(run_source(ATTRIBUTES, arff, evaluator), 12)


def cfs(arff):
    """Correlations with the class, and what CFS selects with its merit: BestFirst -D 1 -N 5."""
    alone, merit, *found = run_source(SUBSET, arff).splitlines()
    searched, selected = ([int(j) for j in line.split()] for line in found)
    return {
        "class": _rounded(alone, 7),
        "merit": _rounded(merit, 7)[0],
        "searched": searched,
        "selected": selected,
    }


def _rounded(text, digits):
    return [float(f"{float(word):.{digits}g}") for word in text.split()]
