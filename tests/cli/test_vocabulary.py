"""Options of the commands have the names of the Python options that they stand for."""

import dataclasses
import inspect
import re
from pathlib import Path

import pytest
import typer

import bayesgrove
from bayesgrove import BayesianNetwork, TANClassifier, cli
from bayesgrove._utils.public_names import public_classes
from bayesgrove.evaluation import Comparison, CrossValidation, TextTable
from bayesgrove.reproduce import draw, reproduce

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
SECTION = "Words of the shell"
COMMANDS = typer.main.get_command(cli.app).commands


def parameters(*functions):
    """Return the names of the parameters of functions and constructors."""
    return {name for function in functions for name in inspect.signature(function).parameters}


CLASSIFIERS = parameters(*public_classes("bayesgrove.estimators", has="short_name").values())
SETTINGS = {field.name for field in dataclasses.fields(bayesgrove.get_config())}
READING = parameters(bayesgrove.open_table)
COMPARING = parameters(bayesgrove.compare)

PYTHON = {
    "inspect": CLASSIFIERS | READING | SETTINGS,
    "fit": CLASSIFIERS | READING | SETTINGS,
    "predict": READING,
    "query": parameters(BayesianNetwork.posterior),
    "compare": COMPARING | parameters(Comparison.summary) | READING | CLASSIFIERS,
    # `reproduce` and `draw` pass further options on to `compare`.
    "reproduce": parameters(reproduce, draw) | COMPARING,
    "export": parameters(bayesgrove.write_network),
    "distill": parameters(bayesgrove.distill) | READING | CLASSIFIERS,
    "datasets": parameters(bayesgrove.load_dataset),
    "doctor": set(),
}
"""Names of the Python options that each command stands for."""

SHELL = {
    "--target": ("y", TANClassifier.fit),
    "--model": (None, None),
    "--proba": ("predict_proba", TANClassifier),
    "--output": ("path", bayesgrove.save_model),
    "--to": ("format", bayesgrove.write_network),
    "--seed": ("random_state", CrossValidation),
    "--jobs": ("n_jobs", bayesgrove.compare),
    "--style": ("to_text", TextTable),
    "--most-probable": ("most_probable", BayesianNetwork),
    "--drop": (None, None),
    "--keep": (None, None),
}
"""Words that only a shell needs: the Python word, and the owner of this parameter or method."""


def long_names(command):
    """Return the options of a command with two dashes."""
    return {
        name
        for parameter in COMMANDS[command].params
        if parameter.param_type_name == "option"
        for name in [*parameter.opts, *parameter.secondary_opts]
        if name.startswith("--")
    }


def documented_words():
    """Return the table of the section by option: the cells with the Python word and the meaning."""
    text = PAGE.read_text(encoding="utf-8")
    section = re.search(rf"^## {SECTION}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert section, f"{PAGE.name} has no section {SECTION!r}"
    rows = re.findall(r"^\| `(--[a-z-]+)[^`]*` \|([^|]*)\|([^|]*)\|$", section[1], re.MULTILINE)
    return {option: (word.strip(), meaning.strip()) for option, word, meaning in rows}


def test_every_command_stands_for_something_in_python():
    assert set(COMMANDS) == set(PYTHON)
    assert {"--missing", "--na-values", "--spill-folder"} <= long_names("fit")
    assert "--evidence" in long_names("query")


@pytest.mark.parametrize("command", PYTHON)
def test_options_have_the_names_of_python_options(command):
    python_names = {"--" + name.replace("_", "-") for name in PYTHON[command]}
    unknown = long_names(command) - python_names - set(SHELL)
    assert not unknown, f"{command}: {sorted(unknown)} are not options in Python"


def test_words_of_the_shell_are_in_use_and_not_python_options():
    for option in SHELL:
        name = option.removeprefix("--").replace("-", "_")
        commands = [command for command in PYTHON if option in long_names(command)]
        assert commands, f"{option} is not an option of any command"
        for command in commands:
            assert name not in PYTHON[command], f"{option} of {command} is a Python option"


@pytest.mark.parametrize("option", [option for option, (word, _) in SHELL.items() if word])
def test_the_python_words_exist(option):
    word, owner = SHELL[option]
    assert word in inspect.signature(owner).parameters or callable(getattr(owner, word, None))


def test_words_of_the_shell_are_documented():
    documented = documented_words()
    assert set(documented) == set(SHELL)
    for option, (word, _) in SHELL.items():
        python_cell, meaning = documented[option]
        assert f"`{word}`" in python_cell if word else "`" not in python_cell, option
        assert len(meaning.split()) > 2, option


@pytest.mark.parametrize("command", COMMANDS)
def test_help_texts_are_sentences(command):
    """A help text begins with a capital letter and ends with a full stop."""
    assert re.fullmatch(r"[A-Z].*\.", COMMANDS[command].help.strip(), re.DOTALL)
    for parameter in COMMANDS[command].params:
        assert re.fullmatch(r"[A-Z].*\.", parameter.help), f"{command} {parameter.name}"
