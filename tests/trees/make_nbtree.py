"""Ask WEKA's NBTree for its trees, and keep what it says: WEKA_JAR=weka.jar python make_nbtree.py.

The answers are in data/nbtree.json; the tests need neither Java nor WEKA.
"""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bayesgrove.datasets import load_dataset
from weka import arff_file, keep, run_source

NAMES = ["vote", "iris", "hepatitis", "heart-c", "glass", "credit-a"]
ROWS = 25
ASK = """
import java.io.FileReader;
import weka.classifiers.trees.NBTree;
import weka.core.Instances;

public class Ask {
    public static void main(String[] args) throws Exception {
        Instances data = new Instances(new FileReader(args[0]));
        data.setClassIndex(data.numAttributes() - 1);
        NBTree tree = new NBTree();
        tree.buildClassifier(new Instances(data));
        System.out.println(tree);
        for (int i = 0; i < data.numInstances(); i += data.numInstances() / ROWS)
            System.out.println(
                "row " + i + " " + java.util.Arrays.toString(
                    tree.distributionForInstance(data.instance(i))));
    }
}
""".replace("ROWS", str(ROWS))


def ask(name):
    """The lines of a tree, and what it says of some training rows."""
    with arff_file(load_dataset(name)) as path:
        text = run_source(ASK, path)
    lines = [line for line in text.splitlines() if re.match(r"(\|   )*a\d+ (=|<=|>) ", line)]
    found = re.findall(r"^row (\d+) (\[.*\])$", text, re.MULTILINE)
    return {
        "lines": [line.split(":")[0] for line in lines],
        "rows": {int(row): [round(p, 9) for p in json.loads(shares)] for row, shares in found},
    }


if __name__ == "__main__":
    keep(__file__, "nbtree.json", {name: ask(name) for name in NAMES})
