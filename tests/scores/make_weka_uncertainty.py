"""Ask WEKA for symmetrical uncertainties: WEKA_JAR=weka.jar python make_weka_uncertainty.py.

They are those of the attributes with the class. The answers are in data/weka_uncertainty.json; the
tests need neither Java nor WEKA.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bayesgrove.datasets import load_dataset
from weka import arff_file, keep, run_source

NAMES = ["vote", "iris", "credit-g", "breast-w", "hepatitis", "kr-vs-kp", "colic", "heart-c"]
NAMES += ["autos", "soybean"]

JAVA = """
import java.io.FileReader;
import weka.attributeSelection.SymmetricalUncertAttributeEval;
import weka.core.Instances;

public class Ask {
    public static void main(String[] args) throws Exception {
        Instances data = new Instances(new FileReader(args[0]));
        data.setClassIndex(data.numAttributes() - 1);
        SymmetricalUncertAttributeEval evaluator = new SymmetricalUncertAttributeEval();
        evaluator.buildEvaluator(data);
        for (int j = 0; j < data.numAttributes() - 1; j++)
            System.out.println(evaluator.evaluateAttribute(j));
    }
}
"""


def ask(name):
    with arff_file(load_dataset(name)) as path:
        return [float(f"{float(line):.12g}") for line in run_source(JAVA, path).split()]


if __name__ == "__main__":
    keep(__file__, "weka_uncertainty.json", {name: ask(name) for name in NAMES})
