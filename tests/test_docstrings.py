"""Docstrings: numpydoc's sections, and every option with its type and its meaning."""

import inspect
import re

import make_reference
import pytest
from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate
from public_names import public_methods, public_objects

from bayesgrove import NaiveBayesClassifier

OBJECTS = public_objects()
CLASSES = {name: member for name, member in OBJECTS.items() if inspect.isclass(member)}
ERRORS = {name for name, owner in CLASSES.items() if issubclass(owner, BaseException)}
PROTOCOLS = {name for name, owner in CLASSES.items() if getattr(owner, "_is_protocol", False)}
METHODS = [
    f"{name}.{method}" for name, owner in CLASSES.items() for method in public_methods(owner)
]

SECTIONS = {"GL03", "GL05", "GL06", "GL07", "GL08"}
SUMMARY = {"SS01", "SS02", "SS03", "SS04", "SS06"}
PARAMETERS = {"PR01", "PR02", "PR03", "PR04", "PR05", "PR06", "PR07", "PR08", "PR09", "PR10"}
RETURNS = {"RT01", "RT03", "RT04", "RT05", "YD01"}
VERB_FIRST = {"SS05"}
EXAMPLES = {"EX01"}


def problems(name, codes):
    """Return what numpydoc's validator says about an object, of some kinds."""
    return [f"{code} {text}" for code, text in validate(name)["errors"] if code in codes]


def test_there_are_names_to_check():
    assert "bayesgrove.TANClassifier" in CLASSES
    assert "bayesgrove.TANClassifier.predict_proba" in METHODS
    assert "bayesgrove.compare" in OBJECTS


@pytest.mark.parametrize("name", OBJECTS)
def test_public_names(name):
    codes = SECTIONS | SUMMARY | RETURNS
    if name not in PROTOCOLS:  # which have no constructor
        codes = codes | PARAMETERS
    if name not in CLASSES:
        codes = codes | VERB_FIRST
    if re.fullmatch(r"bayesgrove\.\w+", name) and name not in ERRORS:
        codes = codes | EXAMPLES
    assert problems(name, codes) == []


@pytest.mark.parametrize("name", METHODS)
def test_public_methods(name):
    assert problems(name, SECTIONS | SUMMARY | PARAMETERS | RETURNS | VERB_FIRST) == []


@pytest.mark.parametrize("name", sorted(CLASSES.keys() - PROTOCOLS - ERRORS))
def test_every_option_has_a_type_a_default_and_a_meaning(name):
    """Types, defaults as in the signature, whole sentences; independent of the validator."""
    owner = CLASSES[name]
    constructor = inspect.signature(owner).parameters
    documented = {
        entry.name: entry for entry in NumpyDocString(inspect.getdoc(owner))["Parameters"]
    }
    for option, parameter in constructor.items():
        entry = documented.get(option)
        assert entry is not None, f"{option} is not documented"
        assert entry.type, f"{option} has no type"
        text = " ".join(entry.desc)
        assert len(text.split()) > 2, f"{option} has no meaning"
        assert not re.match(r"(see|as in|as for) ", text, re.IGNORECASE), f"{option}: {text}"
        if parameter.default is not inspect.Parameter.empty:
            assert "default=" in entry.type, f"{option} has a default: {entry.type}"
            shown = entry.type.split("default=")[1].strip("\"'")
            assert shown == str(parameter.default).strip("\"'"), f"{option}: {entry.type}"


@pytest.mark.parametrize(
    "name",
    [name for name, owner in CLASSES.items() if hasattr(owner, "fit") and name not in ERRORS],
)
def test_fitted_attributes_have_a_type_and_a_meaning(name):
    entries = NumpyDocString(inspect.getdoc(CLASSES[name]))["Attributes"]
    assert entries
    for entry in entries:
        assert entry.type, entry.name
        assert " ".join(entry.desc).rstrip().endswith("."), entry.name


def test_the_reference_is_what_the_docstrings_say():
    """``make reference`` writes it."""
    pages = {path.name: path.read_text("utf-8") for path in make_reference.FOLDER.glob("*.md")}
    assert pages == make_reference.pages(), "run make reference"


def test_docstrings_without_indentation_are_completed():
    """Python 3.13 and later store them so."""
    text = "Mine.\n\nParameters\n----------\nalpha, n_jobs\n\nAttributes\n----------\nclasses_\n"
    owner = type("Mine", (NaiveBayesClassifier,), {"__doc__": text})
    parameters = NumpyDocString(owner.__doc__)["Parameters"]
    assert [entry.name for entry in parameters] == ["alpha", "n_jobs"]
    assert parameters[0].type == "float, default=1.0"
    assert NumpyDocString(owner.__doc__)["Attributes"][0].type


def test_a_docstring_that_is_not_a_string_is_left_alone():
    owner = type("Mine", (NaiveBayesClassifier,), {"__doc__": property(lambda self: "text")})
    assert isinstance(vars(owner)["__doc__"], property)
