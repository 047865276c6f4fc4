"""Corners in which selections went wrong while they were built."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss

from bayesgrove import (
    BayesianNetworkClassifier,
    InfoASClassifier,
    InfoSelector,
    ModelFileError,
    NaiveBayesClassifier,
    SelectiveNaiveBayesClassifier,
    TANClassifier,
    WrapperSelector,
    load_model,
    save_model,
)
from bayesgrove.counts import CountSource, MemoryEngine
from bayesgrove.encoding import Encoded
from bayesgrove.model_files import model as files
from bayesgrove.model_files import text
from bayesgrove.selection import Chain, Guided, InfoAS, SelectiveNaive, Step, Wrapper, path_text
from bayesgrove.structures import K2, KDB, TAN, Naive

USELESS = pd.DataFrame({"a": ["u", "u", "v", "v"] * 5, "b": ["k"] * 20}), np.array(["n", "y"] * 10)
nothing_selected = pytest.mark.filterwarnings("ignore:No attribute was selected")


def rows():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    columns = {
        name: (y * (rng.random(90) < share) + rng.integers(0, 3, 90)) % 3
        for name, share in zip("abcd", (0.3, 0.4, 0.5, 0.9), strict=True)
    }
    return pd.DataFrame(columns).astype(str), y


# Model files


def chain_document():
    X = pd.DataFrame({"a": list("uvuvuvuv"), "c": list("ppqqppqq")})
    selection = Chain(InfoAS(), Wrapper(Naive(), "backward"))
    model = BayesianNetworkClassifier(selection=selection).fit(X, list("npnpnpnp"))
    return files.describe_model(model)


def test_a_part_without_its_required_options_is_refused(tmp_path):
    document = chain_document()
    document["options"]["selection"]["options"] = {}
    (tmp_path / "m.json").write_bytes(text.to_bytes(document))
    with pytest.raises(ModelFileError, match="has no 'first'"):
        load_model(tmp_path / "m.json")


def test_selectors_nested_too_deeply_are_refused(tmp_path):
    document = chain_document()
    document["options"]["selection"] = "@"
    nested = '{"type":"Chain","options":{"first":' * 300 + '{"type":"InfoAS","options":{}}'
    nested += ',"second":{"type":"InfoAS","options":{}}}}' * 300
    (tmp_path / "m.json").write_bytes(text.to_bytes(document).replace(b'"@"', nested.encode()))
    with pytest.raises(ModelFileError, match="nested too deeply"):
        load_model(tmp_path / "m.json")


def test_selectors_nested_too_deeply_cannot_be_saved(tmp_path):
    selection = InfoAS()
    for _ in range(300):
        selection = Chain(InfoAS(), selection)
    X = pd.DataFrame({"a": list("uvuvuvuv")})
    model = BayesianNetworkClassifier(selection=InfoAS()).fit(X, list("npnpnpnp"))
    model.set_params(selection=selection)
    with pytest.raises(ModelFileError, match="nested too deeply"):
        save_model(model, tmp_path / "m.json")
    assert not (tmp_path / "m.json").exists()


# No attributes


@nothing_selected
def test_a_selector_after_one_that_leaves_nothing():
    model = BayesianNetworkClassifier(selection=Chain(InfoAS(), SelectiveNaive())).fit(*USELESS)
    assert model.selected_ == []


@nothing_selected
@pytest.mark.parametrize("network", [KDB(2), K2(), TAN()], ids=repr)
def test_structures_without_attributes(network):
    model = InfoASClassifier(structure=network).fit(*USELESS)
    assert model.predict_proba(USELESS[0]).tolist() == [[0.5, 0.5]] * 20


@pytest.mark.parametrize(
    ("selector", "follows"),
    [
        (InfoSelector(), "a table without columns"),
        (WrapperSelector(NaiveBayesClassifier()), "a table without columns"),
        (InfoASClassifier(), "by its frequencies alone"),
    ],
    ids=["information", "wrapper", "classifier"],
)
def test_the_warning_points_at_the_call_and_says_what_follows(selector, follows):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        selector.fit(*USELESS)
    (warning,) = [w for w in caught if "No attribute" in str(w.message)]
    assert warning.filename == __file__
    assert follows in str(warning.message)


# Probabilities of zero, and equal ones


def test_log_loss_without_smoothing():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({k: rng.choice(list("abcdef"), 30) for k in "wxyz"})
    X, y = X.astype(pd.CategoricalDtype(list("abcdef"))), rng.choice(["n", "p"], 30)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "No attribute was selected")
        model = SelectiveNaiveBayesClassifier("log_loss", alpha=0).fit(X, y)
    assert not any(np.isnan(step.value) for step in model.path_)


@nothing_selected
def test_accuracy_without_smoothing_is_that_of_predict():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = pd.DataFrame({k: rng.choice(list("abcd"), 24) for k in "xy"})
        X, y = X.astype(pd.CategoricalDtype(list("abcd"))), rng.choice(["n", "p", "p"], 24)
        labels = np.random.default_rng(0).permutation(24) % 2
        model = SelectiveNaiveBayesClassifier(alpha=0, ties="continue").fit(X, y)
        for at, step in enumerate(model.path_, 1):
            names = [c for c in X if c in model.selected_[:at]]
            half = NaiveBayesClassifier(alpha=0).fit(X.loc[labels == 1, names], y[labels == 1])
            found = half.score(X.loc[labels == 0, names], y[labels == 0])
            assert step.value == pytest.approx(found), seed


def test_of_classes_that_are_equal_but_for_rounding_the_first_is_predicted():
    X = pd.DataFrame({"a": list("112211"), "b": list("221111"), "c": list("111122")})
    model = NaiveBayesClassifier().fit(X, list("nnppqq"))
    row = pd.DataFrame({"a": ["2"], "b": ["2"], "c": ["2"]})
    assert model.predict_proba(row)[0] == pytest.approx([1 / 3] * 3)
    assert model.predict(row).tolist() == ["n"]


# Many rows, many columns


def test_a_million_rows_of_an_independent_attribute():
    groups = 2**18
    D = np.repeat(np.arange(groups), 4)
    A, C = np.tile([0, 0, 1, 1], groups), np.tile([0, 1, 0, 1], groups)
    D, A, C = (np.r_[part, [last] * 1000] for part, last in ((D, groups), (A, 0), (C, 0)))
    encoded = Encoded([D.astype(np.uint32), A.astype(np.uint8)], [groups + 1, 2], len(D))
    encoded = Encoded(encoded.columns, encoded.cards, len(D), C.astype(np.uint8), 2)
    source = CountSource(MemoryEngine(encoded), ["D", "A", "class"], [groups + 1, 2, 2])
    # given D the class is exactly independent of A
    assert InfoAS("cig").select(source).attributes == (0,)


def test_joint_values_of_very_many_columns():
    encoded = Encoded([np.array([0, 1, 1], dtype=np.uint8)] * 3000, [2] * 3000, 3)
    source = CountSource(MemoryEngine(encoded), [str(v) for v in range(3001)], [2] * 3001)
    assert source.joint_values(range(3000)) == 2


# Selectors as transformers


def test_the_wrapper_judges_the_columns_in_the_order_that_it_gives_them():
    X, y = rows()
    selector = WrapperSelector(TANClassifier(), scoring="neg_log_loss", cv="training").fit(X, y)
    assert selector.selected_ != selector.get_feature_names_out().tolist()
    chosen = selector.transform(X)
    found = -log_loss(y, TANClassifier().fit(chosen, y).predict_proba(chosen))
    assert selector.path_[-1].value == pytest.approx(found, rel=1e-9)


@pytest.mark.parametrize(
    "y", [None, np.arange(5) % 2, np.arange(500) % 2], ids=["none", "short", "long"]
)
def test_the_wrapper_checks_y(y):
    with pytest.raises(ValueError, match=r"y is None|inconsistent numbers"):
        WrapperSelector(NaiveBayesClassifier()).fit(rows()[0], y)


def test_mixed_lists_keep_their_types():
    mixed = [[1, "a"], [2, "b"]] * 4
    assert InfoSelector().fit_transform(mixed, list("npnpnpnp"))[0, 0] == 1


def test_names_that_are_given_in_are_checked():
    selector = InfoSelector().fit(*rows())
    assert selector.get_feature_names_out(list("abcd")).size == len(selector.selected_)
    with pytest.raises(ValueError, match="input_features"):
        selector.get_feature_names_out(["a"])


def test_names_that_are_no_strings_are_checked():
    X, y = rows()
    X = X.set_axis(range(4), axis=1)
    selector = InfoSelector().fit(X, y)
    with pytest.raises(ValueError, match="'0' was in the place of '3'"):
        selector.transform(X[[3, 2, 1, 0]])


# Parts


@pytest.mark.parametrize(
    ("selection", "option"),
    [
        (Wrapper(TAN), "structure"),
        (Wrapper("TAN"), "structure"),
        (Chain(InfoAS(), None), "second"),
        (Chain(InfoAS, InfoAS()), "first"),
        (Guided(Wrapper(), InfoAS()), "guide"),
        (Guided(InfoAS(), InfoAS()), "check"),
        (Guided(InfoAS(), Wrapper(direction="backward")), "check"),
    ],
    ids=str,
)
def test_parts_of_the_wrong_kind_are_refused(selection, option):
    with pytest.raises(ValueError, match=f"{option}="):
        BayesianNetworkClassifier(selection=selection).fit(*rows())


def test_small_values_and_negative_ones_in_the_text():
    lines = path_text([Step("a", -0.5, 3), Step("b", 2e-5, 4), Step("c", 1.0, None)]).splitlines()
    assert "2e-05" in lines[2]
    assert len({len(line) for line in lines}) == 1
