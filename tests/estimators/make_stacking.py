"""Ask WEKA's Stacking for calibrated probabilities: WEKA_JAR=weka.jar python make_stacking.py.

It learns from the first rows of a data set, and tells the probabilities of the next ones; the folds
that it drew are kept too. The answers are in data/stacking.json; the tests need neither Java nor
WEKA.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bayesgrove.datasets import load_dataset
from weka import arff_file, keep, run_source

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


def ask(name, rows):
    with arff_file(load_dataset(name)) as path:
        folds, *lines = run_source(JAVA, path, rows, ASKED).split()
    shares = [[float(f"{float(cell):.6g}") for cell in line.split(",")] for line in lines]
    return {"rows": rows, "folds": folds, "probabilities": shares}


if __name__ == "__main__":
    keep(__file__, "stacking.json", {name: ask(name, rows) for name, rows in ROWS.items()})
