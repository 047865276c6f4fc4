"""Ask WEKA's Stacking for calibrated probabilities: python make_stacking.py weka.jar.

It learns from the first rows of a data set, and tells the probabilities of the next ones; the folds
that it drew are kept too. The answers are in data/stacking.json; the tests need neither Java nor
WEKA.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bayesgrove.datasets import load_dataset
from tree_tables import arff_of

ROWS = {"vote": 300, "led7": 400}
ASKED = 80

JAVA = """
import java.io.*;
import java.util.Random;
import weka.classifiers.*;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.functions.Logistic;
import weka.classifiers.meta.Stacking;
import weka.core.*;

public class Ask {
    public static void main(String[] args) throws Exception {
        Instances data = new Instances(new BufferedReader(new FileReader(args[0])));
        data.setClassIndex(data.numAttributes() - 1);
        int rows = Integer.parseInt(args[1]);
        Instances train = new Instances(data, 0, rows);
        System.out.println(folds(train));
        Stacking model = new Stacking();
        Logistic logistic = new Logistic();
        logistic.setRidge(1e-8);
        model.setClassifiers(new Classifier[] {new NaiveBayes()});
        model.setMetaClassifier(logistic);
        model.buildClassifier(train);
        for (int i = rows; i < rows + Integer.parseInt(args[2]); i++) {
            double[] p = model.distributionForInstance(data.instance(i));
            StringBuilder line = new StringBuilder();
            for (double share : p) line.append(line.length() > 0 ? "," : "").append(share);
            System.out.println(line);
        }
    }

    /** The fold of every row: the same lots drawn with the number of the row beside the class. */
    static String folds(Instances train) throws Exception {
        FastVector attributes = new FastVector();
        attributes.addElement(new Attribute("row"));
        attributes.addElement(train.classAttribute().copy());
        Instances numbered = new Instances("rows", attributes, train.numInstances());
        numbered.setClassIndex(1);
        for (int i = 0; i < train.numInstances(); i++)
            numbered.add(new Instance(1, new double[] {i, train.instance(i).classValue()}));
        numbered.randomize(new Random(1));
        numbered.stratify(10);
        char[] found = new char[train.numInstances()];
        for (int fold = 0; fold < 10; fold++) {
            Instances test = numbered.testCV(10, fold);
            for (int i = 0; i < test.numInstances(); i++)
                found[(int) test.instance(i).value(0)] = (char) ('0' + fold);
        }
        return new String(found);
    }
}
"""


def ask(jar, folder, name, rows):
    table, program = Path(folder, f"{name}.arff"), Path(folder, "Ask.java")
    table.write_text(arff_of(load_dataset(name)))
    program.write_text(JAVA)
    command = ["java", "-cp", jar, program, table, str(rows), str(ASKED)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    folds, *lines = text.split()
    shares = [[float(f"{float(cell):.6g}") for cell in line.split(",")] for line in lines]
    return {"rows": rows, "folds": folds, "probabilities": shares}


def main():
    with tempfile.TemporaryDirectory() as folder:
        answers = {name: ask(sys.argv[1], folder, name, rows) for name, rows in ROWS.items()}
    lines = ",\n".join(f'"{name}": {json.dumps(answers[name])}' for name in answers)
    (Path(__file__).parent / "data" / "stacking.json").write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
