"""Ask WEKA's NBTree for its trees, and keep what it says: python make_nbtree.py weka.jar.

The answers are in data/nbtree.json; the tests need neither Java nor WEKA.
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


def ask(jar, folder, arff):
    """The lines of a tree, and what it says of some training rows."""
    command = ["java", "-cp", f"{jar}:{folder}", "Ask", str(arff)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = [line for line in text.splitlines() if re.match(r"(\|   )*a\d+ (=|<=|>) ", line)]
    found = re.findall(r"^row (\d+) (\[.*\])$", text, re.MULTILINE)
    return {
        "lines": [line.split(":")[0] for line in lines],
        "rows": {int(row): [round(p, 9) for p in json.loads(shares)] for row, shares in found},
    }


def main():
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "Ask.java"
        source.write_text(ASK)
        subprocess.run(["javac", "-cp", sys.argv[1], str(source)], check=True)
        for name in NAMES:
            path = Path(folder) / f"{name}.arff"
            path.write_text(arff_of(load_dataset(name)))
            answers[name] = ask(sys.argv[1], folder, path)
    lines = ",\n".join(f'"{name}": {json.dumps(answers[name])}' for name in answers)
    (Path(__file__).parent / "data" / "nbtree.json").write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
