"""Ask WEKA's Logistic for probabilities: WEKA_JAR=weka.jar python make_weka.py.

The answers are in data/weka_logistic.json; the tests need neither Java nor WEKA.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from weka import keep, run_source

JAVA = """
import java.nio.file.*;
import weka.classifiers.functions.Logistic;
import weka.core.*;

public class Ask {
    public static void main(String[] args) throws Exception {
        int classes = Integer.parseInt(args[1]);
        var lines = Files.readAllLines(Path.of(args[0]));
        int inputs = lines.get(0).split(",").length - 2;
        FastVector attributes = new FastVector();
        for (int j = 0; j < inputs; j++) attributes.addElement(new Attribute("x" + j));
        FastVector labels = new FastVector();
        for (int k = 0; k < classes; k++) labels.addElement("c" + k);
        attributes.addElement(new Attribute("class", labels));
        Instances data = new Instances("data", attributes, lines.size());
        data.setClassIndex(inputs);
        for (String line : lines) {  // a weight, the inputs, the class
            String[] cells = line.split(",");
            double[] values = new double[inputs + 1];
            for (int j = 0; j <= inputs; j++) values[j] = Double.parseDouble(cells[j + 1]);
            data.add(new Instance(Double.parseDouble(cells[0]), values));
        }
        Logistic model = new Logistic();
        model.setRidge(Double.parseDouble(args[2]));
        model.buildClassifier(data);
        for (int i = 0; i < data.numInstances(); i++) {
            double[] p = model.distributionForInstance(data.instance(i));
            for (int k = 0; k < classes; k++) System.out.print(p[k] + (k < classes - 1 ? "," : ""));
            System.out.println();
        }
    }
}
"""


def probabilities(rng, rows, classes, strength):
    """Classes, and what a model might say of them, to three digits."""
    target = rng.integers(0, classes, rows)
    scores = rng.normal(size=(rows, classes))
    scores[np.arange(rows), target] += strength
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    shares = shares.round(3)
    shares[:, -1] = (1 - shares[:, :-1].sum(axis=1)).round(3)
    return shares, target


def cases():
    rng = np.random.default_rng(2006)
    inputs, target = probabilities(rng, 60, 2, 1.0)
    yield "two classes", inputs, target, 1e-8, None
    inputs, target = probabilities(rng, 80, 3, 1.5)
    yield "three classes", inputs, target, 1e-8, None
    yield "a ridge", inputs, target, 2.0, None
    yield "weights", inputs, target, 1e-8, rng.integers(1, 4, 80)
    inputs = np.column_stack([rng.normal(size=(50, 2)).round(2), np.full(50, 0.3)])
    target = (inputs[:, 0] + rng.normal(size=50) > 0).astype(int) + (inputs[:, 1] > 1)
    yield "a constant", inputs, target, 1e-8, None
    inputs, target = probabilities(rng, 40, 3, 9.0)
    yield "separable", inputs, target, 1e-8, None


def ask(inputs, target, ridge, weights):
    rows = np.column_stack([np.ones(len(target)) if weights is None else weights, inputs, target])
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder, "rows.csv")
        table.write_text("\n".join(",".join(map(repr, row)) for row in rows.tolist()) + "\n")
        text = run_source(JAVA, table, target.max() + 1, repr(ridge))
    return [[float(f"{float(cell):.9g}") for cell in line.split(",")] for line in text.split()]


def main():
    answers = {}
    for name, inputs, target, ridge, weights in cases():
        answers[name] = {
            "inputs": inputs.tolist(),
            "target": target.tolist(),
            "ridge": ridge,
            "weights": None if weights is None else weights.tolist(),
            "probabilities": ask(inputs, target, ridge, weights),
        }
    keep(__file__, "weka_logistic.json", answers)


if __name__ == "__main__":
    main()
