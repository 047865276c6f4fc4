"""query and export, against the network itself."""

import csv
import io
import re
import shlex

import numpy as np
import pandas as pd
import pytest

from bayesgrove import (
    BayesianNetwork,
    GroveClassifier,
    ModelAveragingClassifier,
    NaiveBayesClassifier,
    SelectiveNaiveBayesClassifier,
    TANClassifier,
    WeightedNaiveBayesClassifier,
    load_dataset,
    read_network,
    save_model,
    write_network,
)

SPRINKLER = BayesianNetwork.from_tables(
    states={"rain": ("yes", "no"), "a=b": (1, "1", 2.5), "wet": ("yes", "=", None)},
    parents={"wet": ("rain",)},
    tables={"rain": [0.2, 0.8], "a=b": [0.1, 0.2, 0.7], "wet": [[0.9, 0.0, 0.1], [0.1, 0.5, 0.4]]},
)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    X, y = load_dataset("credit-g")
    fitted = TANClassifier().fit(X.mask(np.random.default_rng(0).random(X.shape) < 0.05), y)
    path = tmp_path_factory.mktemp("model") / "m.json"
    save_model(fitted, path)
    return path, fitted


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    path = tmp_path_factory.mktemp("network") / "n.bif"
    write_network(SPRINKLER, path)
    return path


def rows(text):
    return list(csv.reader(io.StringIO(text)))


def test_a_posterior(model, ok):
    path, fitted = model
    out = rows(
        ok("query", path, "class", "--evidence", "purpose=new car", "-e", "checking_status=<0")
    )
    expected = fitted.network_.posterior("class", {"purpose": "new car", "checking_status": "<0"})
    assert out == [["state", "probability"], *([s, str(p)] for s, p in expected.items())]


@pytest.mark.parametrize("duration", [5, 11.5, 15.5, 40, 1e9])
def test_a_number_falls_into_its_interval(model, ok, duration):
    path, fitted = model
    out = rows(ok("query", path, "class", "--evidence", f"duration={duration}"))
    cuts = fitted.cut_points_["duration"]
    state = fitted.network_.states("duration")[int(np.searchsorted(cuts, duration))]
    expected = fitted.network_.posterior("class", {"duration": state})
    assert [float(p) for _, p in out[1:]] == list(expected.values())
    assert out == rows(ok("query", path, "class", "--evidence", f"duration={state}"))


def test_a_missing_value_is_spelled_as_nothing(model, ok):
    path, fitted = model
    out = rows(ok("query", path, "class", "--evidence", "purpose="))
    expected = fitted.network_.posterior("class", {"purpose": None})
    assert [float(p) for _, p in out[1:]] == list(expected.values())
    assert rows(ok("query", path, "purpose"))[-1][0] == ""


def test_all_marginals(network, ok):
    out = rows(ok("query", network, "--evidence", "rain=yes"))
    assert out[0] == ["node", "state", "probability"]
    found = {(node, state): float(p) for node, state, p in out[1:]}
    assert len(out) == 9
    assert found["rain", "yes"] == 1
    assert found["wet", "yes"] == pytest.approx(0.9)
    assert found["wet", ""] == pytest.approx(0.1)


def test_the_most_probable_states(network, run):
    said = run("query", network, "--most-probable", "--evidence", "rain=no")
    assert rows(said.out) == [["node", "state"], ["rain", "no"], ["a=b", "2.5"], ["wet", "="]]
    assert f"ln P = {np.log(0.8 * 0.7 * 0.5):.6g}" in said.err


@pytest.mark.parametrize(
    ("given", "node", "state"),
    [
        ("a=b=1", "a=b", "1"),
        ("a=b=2.5", "a=b", 2.5),
        ("a=b=2.50", "a=b", 2.5),
        ("wet==", "wet", "="),
        ("wet=", "wet", None),
    ],
)
def test_evidence_is_matched_by_its_text(network, ok, given, node, state):
    out = rows(ok("query", network, node, "--evidence", given))
    expected = SPRINKLER.posterior(node, {node: state})
    assert [float(p) for _, p in out[1:]] == list(expected.values())


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["snow"], 3, "There is no node 'snow'; the nodes are rain, a=b, wet."),
        (["rain", "--evidence", "snow=yes"], 3, "There is no node 'snow'"),
        (
            ["rain", "--evidence", "wet=maybe"],
            3,
            "'wet' has no state 'maybe'; the states are yes, =, (empty).",
        ),
        (["rain", "--evidence", "wet"], 3, "write NODE=STATE"),
        (["rain", "--evidence", "wet=yes", "--evidence", "wet==="], 3, "no state '=='"),
        (["rain", "--evidence", "wet=yes", "--evidence", "wet=="], 3, "'wet' is given twice"),
        (["wet", "--evidence", "rain=yes", "--evidence", "wet=="], 3, "probability 0"),
        (["rain", "--most-probable"], 2, "leave out the node"),
    ],
)
def test_mistakes_at_query(network, run, arguments, code, message):
    said = run("query", network, *arguments)
    assert (said.code, said.out) == (code, "")
    assert message in said.err


def test_bad_files(tmp_path, model, run):
    (tmp_path / "cut.bif").write_text("network x {")
    said = run("query", tmp_path / "cut.bif")
    assert said.code == 4
    assert "cut.bif, line 1" in said.err
    (tmp_path / "cut.json").write_text(model[0].read_text()[:500])
    assert run("query", tmp_path / "cut.json").code == 4
    assert run("export", tmp_path / "cut.json", "--to", "bif").code == 4
    for command in (["query"], ["export", "--to", "bif"]):
        said = run(command[0], tmp_path / "none.bif", *command[1:])
        assert (said.code, "There is no file" in said.err) == (2, True)


@pytest.mark.parametrize("form", ["bif", "xmlbif", "net", "xdsl"])
def test_export_keeps_the_network(tmp_path, model, ok, form):
    path, fitted = model
    target = tmp_path / f"n.{form}"
    assert ok("export", path, "--to", form, "-o", target) == ""
    assert read_network(target) == fitted.network_
    assert ok("export", path, "--to", form) == target.read_text()
    # A network file is converted, too.
    assert ok("export", target, "--to", "bif") == ok("export", path, "--to", "bif")


def test_a_picture(model, ok):
    out = ok("export", model[0], "--to", "dot")
    assert out.startswith("digraph")


@pytest.mark.parametrize(
    "words", [("query",), ("query", "class"), ("export", "--to", "dot"), ("export", "--to", "text")]
)
def test_a_grove_has_no_network_and_the_message_says_what_to_do(tmp_path, run, ok, words):
    X, y = load_dataset("iris")
    table, path = tmp_path / "iris.csv", tmp_path / "my grove.json"
    X.assign(kind=y).to_csv(table, index=False)
    save_model(GroveClassifier(4).fit(X, y.rename("kind")), path)
    command, *rest = words
    said = run(command, path, *rest)
    assert (said.code, said.out) == (2, "")
    assert "has no network: fit one with bayesgrove fit --model tan, or" in said.err
    remedy = said.err[said.err.index("bayesgrove distill") : said.err.rindex(".")]
    assert shlex.split(remedy)[1:4] == ["distill", str(path), "TABLE"]
    network = tmp_path / "network.json"
    line = [{"TABLE": table, "network.json": network}.get(w, w) for w in shlex.split(remedy)[1:]]
    ok(*line, "--cv", "2")
    assert ok("query", network, "kind").startswith("state,probability\nsetosa,0.3")


def test_mistakes_at_export(tmp_path, model, run):
    said = run("export", model[0], "--to", "png")
    assert (said.code, "must be one of bif, xmlbif, net, xdsl, dot" in said.err) == (2, True)
    assert run("export", model[0], "--to", "bif", "-o", tmp_path / "no" / "n.bif").code == 2
    assert run("export", model[0], "--to", "bif", "-o", model[0]).code == 2


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (NaiveBayesClassifier(numeric="gaussian"), "nb"),
        (WeightedNaiveBayesClassifier([1] * 5), "awnb"),
        (SelectiveNaiveBayesClassifier(numeric="gaussian"), "naive-as"),
    ],
)
def test_densities_have_no_place_in_network_files(tmp_path, run, kind, name):
    X, y = load_dataset("iris")
    X.insert(0, "size", pd.Categorical(["small", "large"] * 75))
    path = tmp_path / "m.json"
    save_model(kind.fit(X, y), path)
    said = run("export", path, "--to", "bif")
    assert said.code == 2
    column = re.search("gives '(.* .*)' a normal density", said.err)[1]
    assert f"fit the model with {name}:numeric=discretize." in said.err
    said = run("query", path, "class")
    assert rows(said.out)[1][0] == "setosa"
    assert "without the densities of numeric columns." in said.err
    said = run("query", path, "class", "--evidence", f"{column}=5")
    assert (said.code, "has a normal density" in said.err) == (3, True)


LABELS = [[a, b, c] for a in "xyz" for b in "xyz" for c in "xyz"]
CLASSES = [int(a == b) for a, b, _ in LABELS]


@pytest.mark.parametrize(
    ("kind", "beyond"),
    [
        (WeightedNaiveBayesClassifier([0.5, 1, 0]), "the weights of the attributes"),
        (WeightedNaiveBayesClassifier([1, 1, 0]), ""),
        (ModelAveragingClassifier(order="opposite"), "the average over 2 orders"),
        (ModelAveragingClassifier(order="information"), ""),
    ],
)
def test_what_predictions_have_and_the_network_is_without(tmp_path, run, kind, beyond):
    path = tmp_path / "m.json"
    save_model(kind.fit(LABELS, CLASSES), path)
    for command in (["query", path, "class"], ["export", path, "--to", "bif"]):
        said = run(*command)
        assert said.code == 0
        expected = (
            "Note: Predictions of the model use more than this network, which is without "
            f"{beyond}.\n"
        )
        assert said.err == (expected if beyond else "")


def test_nodes_that_are_looked_up_row_by_row(tmp_path, run):
    X, y = load_dataset("vote")
    path = tmp_path / "m.json"
    save_model(ModelAveragingClassifier(1, None, order=["class", *X]).fit(X, y), path)
    said = run("query", path, "class")
    assert "without the whole tables of nodes such as 'immigration'" in said.err


def test_columns_that_are_not_selected_have_no_density(tmp_path, ok, run):
    X, y = load_dataset("iris")
    path = tmp_path / "m.json"
    with pytest.warns(UserWarning, match="No attribute"):
        save_model(WeightedNaiveBayesClassifier([0] * 4).fit(X, y), path)
    assert "normal" not in ok("export", path, "--to", "bif")
    assert "There is no node" in run("query", path, "petal width (cm)").err
