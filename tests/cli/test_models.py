"""Models by name: options with the constructor's types, and mistakes explained."""

import re
from pathlib import Path

import pytest

import bayesgrove
from bayesgrove import (
    BaggedTreesClassifier,
    BayesianNetworkClassifier,
    C45Classifier,
    EqualFrequencyDiscretizer,
    KDBClassifier,
    NaiveBayesClassifier,
    TANClassifier,
    ThickThinClassifier,
    WeightedNaiveBayesClassifier,
)
from bayesgrove.cli.errors import UsageError
from bayesgrove.cli.models import (
    model_name,
    models,
    parse_discretizer,
    parse_model,
    parse_models,
)


@pytest.mark.parametrize(
    ("text", "kind", "options"),
    [
        ("nb", NaiveBayesClassifier, {}),
        ("tan", TANClassifier, {}),
        ("kdb:k=2", KDBClassifier, {"k": 2}),
        (
            " kdb: k = 2 , theta=0.03,unit=bits",
            KDBClassifier,
            {"k": 2, "theta": 0.03, "unit": "bits"},
        ),
        ("kdb:theta=none,alpha=1e-3", KDBClassifier, {"theta": None, "alpha": 0.001}),
        ("kdb:theta=1", KDBClassifier, {"theta": 1.0}),
        ("nb:numeric=gaussian", NaiveBayesClassifier, {"numeric": "gaussian"}),
        (
            "thick-thin:criterion=bdeu,max_parents=3,equivalent_sample_size=10",
            ThickThinClassifier,
            {"criterion": "bdeu", "max_parents": 3, "equivalent_sample_size": 10.0},
        ),
        (
            "awnb:weights=gain_ratio,select_only=true",
            WeightedNaiveBayesClassifier,
            {"weights": "gain_ratio", "select_only": True},
        ),
        ("tan:root=3", TANClassifier, {"root": 3}),
        ("tan:root=age=x", TANClassifier, {"root": "age=x"}),
        ("c45:pruned=false,min_rows=5", C45Classifier, {"pruned": False, "min_rows": 5}),
        (
            "bagged-trees:n_trees=3,sample_fraction=0.5",
            BaggedTreesClassifier,
            {"n_trees": 3, "sample_fraction": 0.5},
        ),
        ("nb:n_jobs=-1,missing=ignore", NaiveBayesClassifier, {"n_jobs": -1, "missing": "ignore"}),
    ],
)
def test_a_model_and_its_options(text, kind, options):
    model = parse_model(text).build()
    assert type(model) is kind
    assert {name: model.get_params()[name] for name in options} == options


def test_every_public_classifier_has_a_name_of_its_own():
    public = {name for name in bayesgrove.__all__ if name.endswith("Classifier")}
    nameless = {"BayesianNetworkClassifier"}  # a composition of parts, which no command line tells
    assert sorted(models().values()) == sorted(public - nameless)
    for name, home in models().items():
        assert model_name(getattr(bayesgrove, home)()) == name


def test_the_page_lists_all_names_and_no_other():
    page = Path(__file__).parents[2] / "docs" / "command-line.md"
    listed = re.findall(r"^\| `([\w-]+)` \| `(\w+Classifier)` \|$", page.read_text(), re.MULTILINE)
    assert listed == list(models().items())


def test_what_has_no_name_goes_by_its_class():
    assert model_name(BayesianNetworkClassifier()) == "BayesianNetworkClassifier"


def test_options_of_the_model_come_before_others():
    assert parse_model("nb:missing=ignore").build(missing="value").missing == "ignore"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "svm",
            f"There is no model 'svm'; the models are nb, tan, kdb, {', '.join([*models()][3:])}.",
        ),
        ("", "There is no model ''"),
        ("KDB", "There is no model 'KDB'"),
        ("kdb:", "'' has no =; kdb has the options k, theta, unit"),
        ("kdb:k", "'k' has no ="),
        ("kdb:depth=2", "'depth=2' is not an option"),
        ("kdb:k=1,k=2", "'k=2' is given twice"),
        ("aode:min_rows=two", "aode:min_rows must be a whole number, not 'two'."),
        ("aode:min_rows=1.5", "must be a whole number"),
        ("kdb:k=", "must be a whole number or a word"),
        ("cb:max_order=x", "must be none or a whole number"),
        ("k2:alpha=inf", "must be a number"),
        ("kdb:alpha=nan", "must be a number"),
        ("nb:numeric=", "must be a word"),
        ("awnb:weights=", "awnb:weights must be a word, not ''."),
        ("naive-as:cv=", "must be a whole number or a word"),
        ("kdb:discretizer=mdlp", "is not an option"),
        ("kdb:categorical_features=all", "is not an option"),
    ],
)
def test_mistakes_are_explained(text, message):
    with pytest.raises(UsageError) as caught:
        parse_model(text)
    assert message in str(caught.value)


def test_lists_of_models():
    specs = parse_models("nb,tan,kdb:k=2,theta=0.03,kdb,nb:alpha=0.5")
    assert [spec.name for spec in specs] == ["nb", "tan", "kdb", "kdb", "nb"]
    assert [spec.options for spec in specs] == [
        {},
        {},
        {"k": 2, "theta": 0.03},
        {},
        {"alpha": 0.5},
    ]
    for text in ("nb,,tan", "k=2", "nb,tan,"):
        with pytest.raises(UsageError):
            parse_models(text)


def test_discretizers():
    built = parse_discretizer("equal-frequency:n_bins=3").build()
    assert isinstance(built, EqualFrequencyDiscretizer)
    assert built.n_bins == 3
    with pytest.raises(UsageError, match="has the options count_by, as in mdlp:count_by="):
        parse_discretizer("mdlp:n_bins=3")


def test_options_of_several_kinds_take_those_that_a_command_line_can_say():
    spec = parse_model("ama:order=opposite,n_orders=4,arc_prior=0.2")
    assert spec.options == {"order": "opposite", "n_orders": 4, "arc_prior": 0.2}
    judges = [parse_model(f"naive-as:cv={judge}").options["cv"] for judge in ("5", "halves")]
    assert judges == [5, "halves"]


def test_a_discretizer_with_its_option():
    assert parse_discretizer("mdlp:count_by=values").build().count_by == "values"
