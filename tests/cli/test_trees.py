"""Trees on the command line: from a table to a model, its text and its predictions."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from bayesgrove import load_dataset, load_model
from bayesgrove.cli import app

TREES = ["c45", "bagged-trees:n_trees=3"]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """The irises with a column of labels, some cells empty."""
    X, y = load_dataset("iris")
    frame = X.assign(colour=np.where(np.arange(len(X)) % 3 > 0, "blue", "red"), kind=y)
    frame.loc[::10, ["petal width (cm)", "colour"]] = None
    path = tmp_path_factory.mktemp("trees") / "iris.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.fixture(scope="module", params=TREES)
def fitted(request, table):
    """A model file of every kind of trees."""
    path = table.parent / f"{request.param.split(':')[0]}.json"
    words = ["fit", str(table), "--target", "kind", "--model", request.param, "-o", str(path)]
    assert CliRunner().invoke(app, words).exit_code == 0
    return path


def test_predictions_are_those_of_python(fitted, table, ok, run):
    frame = pd.read_csv(table)
    X = frame.drop(columns="kind").astype({"colour": object})
    expected = load_model(fitted).predict_proba(X.where(X.notna(), None))
    out = list(csv.reader(io.StringIO(ok("predict", fitted, table, "--proba"))))
    assert out[0] == ["prediction", "P(setosa)", "P(versicolor)", "P(virginica)"]
    np.testing.assert_array_equal([[float(p) for p in row[1:]] for row in out[1:]], expected)
    refused = run("predict", fitted, table, "--keep", "prediction")
    assert refused.code == 3
    unknown = table.parent / "more.csv"
    frame.assign(more=1).to_csv(unknown, index=False)
    assert "does not know the column 'more'" in run("predict", fitted, unknown).err


def test_the_text_of_a_model(fitted, ok, tmp_path):
    text = ok("export", fitted, "--to", "text")
    assert text == f"{load_model(fitted).to_text()}\n"
    assert "petal" in text
    ok("export", fitted, "--to", "text", "-o", tmp_path / "tree.txt")
    assert (tmp_path / "tree.txt").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "words", [("query",), ("query", "kind"), ("export", "--to", "bif"), ("export", "--to", "dot")]
)
def test_what_needs_a_network_says_so(fitted, run, words):
    command, *rest = words
    outcome = run(command, fitted, *rest)
    assert outcome.code == 2
    assert f"in {fitted} has no network: bayesgrove export {fitted} --to text" in outcome.err


def test_a_network_has_no_trees(table, ok, run, tmp_path):
    path = tmp_path / "tan.json"
    ok("fit", table, "--target", "kind", "--model", "tan", "-o", path)
    outcome = run("export", path, "--to", "text")
    assert outcome.code == 2
    assert "The TANClassifier in" in outcome.err
    assert "--to 'png' must be one of bif, xmlbif, net, xdsl, dot, text" in (
        run("export", path, "--to", "png").err
    )


@pytest.mark.parametrize("model", TREES)
def test_inspect_says_what_trees_do(table, model, ok):
    out = ok("inspect", table, "--target", "kind", "--model", model)
    assert "tests choose thresholds, missing values go down all branches in proportion" in out
    assert "2 labels, missing values go down all branches in proportion" in out
    assert f"--model {model}" in out


@pytest.mark.parametrize("command", ["fit", "inspect"])
@pytest.mark.parametrize(("option", "value"), [("--discretizer", "mdlp"), ("--missing", "value")])
def test_options_that_trees_do_not_have(table, run, tmp_path, command, option, value):
    output = ("-o", tmp_path / "m.json") if command == "fit" else ()
    outcome = run(command, table, "-t", "kind", "-m", "c45", option, value, *output)
    assert outcome.code == 2
    assert f"{option} is not an option of c45: leave it out, or choose another" in outcome.err


def test_compare_trees_with_a_network(table, ok):
    models = "c45,bagged-trees:n_trees=3,nb"
    for metric in ("accuracy", "attributes", "parameters"):
        options = ["--target", "kind", "--models", models, "--cv", "3", "-j", "1"]
        out = ok("compare", table, *options, "--metric", metric, "--style", "csv")
        assert out.startswith("data set,c45,bagged-trees:n_trees=3,nb")
