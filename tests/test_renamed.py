"""Old names of options are refused with the new ones: in Python, in the shell, in files."""

import json

import pytest
from sklearn.base import clone
from typer.testing import CliRunner

import bayesgrove
from bayesgrove import (
    CBClassifier,
    NaiveBayesClassifier,
    OptionError,
    TANClassifier,
    compare,
    load_dataset,
    load_model,
    open_table,
    random_network,
    save_model,
)
from bayesgrove.cli import app
from bayesgrove.cli.errors import UsageError
from bayesgrove.cli.models import parse_model
from bayesgrove.model_files import ModelFileError
from bayesgrove.parameters import BDeu
from bayesgrove.structures import CB
from bayesgrove.weighting import ReliefF

CLASSES = [
    member
    for name in bayesgrove.__all__
    if isinstance(member := getattr(bayesgrove, name), type) and hasattr(member, "_renamed_options")
]


def test_the_level_of_cb():
    with pytest.raises(OptionError, match=r"^alpha of CBClassifier is now called level\.$"):
        CBClassifier(alpha=0.01)
    assert CBClassifier(level=0.01).level == 0.01
    assert CBClassifier(0.01).level == 0.01


@pytest.mark.parametrize("owner", CLASSES)
def test_every_old_name_of_a_class(owner):
    for old, new in owner._renamed_options.items():
        assert old not in owner._get_param_names()
        assert new in owner._get_param_names()
        with pytest.raises(OptionError, match=f"{old} of {owner.__name__} is now called {new}"):
            owner(**{old: 1})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: CB(judge="score"), "judge of CB is now called stop_by"),
        (lambda: BDeu(alpha=5), "alpha of BDeu is now called equivalent_sample_size"),
        (lambda: ReliefF(seed=1), "seed of ReliefF is now called random_state"),
        (lambda: random_network(5, 2, seed=1), "seed of random_network is now called random_state"),
        (
            lambda: random_network(5, 2).sample(3, seed=1),
            "seed of sample is now called random_state",
        ),
        (
            lambda: open_table("x.csv", missing=["?"]),
            "missing of open_table is now called na_values",
        ),
        (lambda: compare([], {}, protocol="5"), "protocol of compare is now called cv"),
        (lambda: load_dataset("led7", seed=1), "seed of load_dataset is now called random_state"),
    ],
)
def test_parts_and_functions(call, message):
    with pytest.raises(OptionError, match=message):
        call()


def test_set_params_clones_and_pipelines():
    with pytest.raises(OptionError, match="alpha of CBClassifier is now called level"):
        CBClassifier().set_params(alpha=0.1)
    assert clone(CBClassifier(level=0.2)).set_params(level=0.3).level == 0.3


def test_a_subclass_may_have_the_old_name_as_an_option():
    class Mine(CBClassifier):
        def __init__(self, alpha=1.0, level=0.05):
            super().__init__(level)
            self.alpha = alpha

    assert Mine(alpha=2.0).set_params(alpha=3.0).alpha == 3.0


def test_commands_without_the_new_option_do_not_name_it():
    outcome = CliRunner().invoke(app, ["fit", "a.csv", "-t", "c", "--out", "m.json"])
    assert outcome.exit_code == 2
    assert "--folder" not in outcome.stderr


def test_options_that_kept_their_name():
    assert NaiveBayesClassifier(alpha=2.0).alpha == 2.0
    assert TANClassifier(alpha=2.0).get_params()["alpha"] == 2.0


def test_a_model_on_the_command_line():
    with pytest.raises(UsageError, match="alpha of cb is now called level"):
        parse_model("cb:alpha=0.1")
    with pytest.raises(UsageError, match="'network=tan' is not an option"):
        parse_model("info-as:network=tan")  # structures cannot be given in a shell


@pytest.mark.parametrize(
    ("words", "new"),
    [
        (["compare", "vote", "--out", "run"], "--folder"),
        (["reproduce", "sahami-1996", "--out", "run"], "--folder"),
        (["query", "model.json", "class", "--given", "a=1"], "--evidence"),
        (["query", "model.json", "class", "-g", "a=1"], "-e"),
        (["predict", "m.json", "a.csv", "--missing", "?"], "--na-values"),
        (["compare", "a.csv", "--missing", "?"], "--na-values"),
        (["fit", "a.csv", "-t", "c", "-o", "m.json", "--treat-missing", "value"], "--missing"),
        (
            ["fit", "a.csv", "-t", "c", "-o", "m.json", "--categorical", "a"],
            "--categorical-features",
        ),
    ],
)
def test_options_of_the_command_line(words, new):
    outcome = CliRunner().invoke(app, words)
    assert outcome.exit_code == 2
    assert f"is now called {new}." in outcome.stderr


def test_a_text_for_missing_values_on_the_command_line():
    outcome = CliRunner().invoke(app, ["fit", "a.csv", "-t", "c", "-o", "m.json", "--missing", "?"])
    assert outcome.exit_code == 2
    assert "--na-values" in outcome.stderr


def test_a_model_file(tmp_path):
    X, y = load_dataset("corral")
    save_model(CBClassifier().fit(X, y), tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text())
    document["options"]["alpha"] = document["options"].pop("level")
    (tmp_path / "old.json").write_text(json.dumps(document))
    with pytest.raises(ModelFileError, match=r"'alpha'.*now called 'level'"):
        load_model(tmp_path / "old.json")
