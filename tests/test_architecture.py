"""Packages that use models ask them: they read nothing private, and do not ask for types."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import bayesgrove
from bayesgrove._utils.public_names import HOMES

ROOT = Path(bayesgrove.__file__).parent
PACKAGES = ("cli", "evaluation", "report", "reproduce")
ESTIMATORS = "bayesgrove.estimators"
OURSELVES = {"self", "cls"}
PUBLIC = {"_asdict", "_fields", "_make", "_replace"}
"""Members of named tuples, which are public in spite of their names."""
QUESTIONS = {"isinstance", "issubclass"}
BY_NAME = {"getattr", "hasattr", "setattr"}


class Access(ast.NodeVisitor):
    """Collect what a module must not do, as (line, complaint)."""

    def __init__(self, tree):
        self.estimators = set(estimators_of(tree))
        self.complaints = []
        self.visit(tree)

    def visit_Attribute(self, node):
        if is_private(node.attr) and not is_own(node.value):
            self.complaints.append((node.lineno, f"reads the private member {node.attr}"))
        self.generic_visit(node)

    def visit_ImportFrom(self, node):
        for alias in node.names:
            if is_private(alias.name):
                self.complaints.append((node.lineno, f"imports the private name {alias.name}"))

    def visit_Call(self, node):
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in QUESTIONS:
            self.refuse(node.args[1])
        if name in BY_NAME and not is_own(node.args[0]):
            member = getattr(node.args[1], "value", None)
            if isinstance(member, str) and is_private(member):
                self.complaints.append((node.lineno, f"reads the private member {member}"))
        self.generic_visit(node)

    def visit_Compare(self, node):
        sides = [node.left, *node.comparators]
        if any(is_type(side) for side in sides):
            for side in sides:
                self.refuse(side)
        self.generic_visit(node)

    def visit_MatchClass(self, node):
        self.refuse(node.cls)
        self.generic_visit(node)

    def refuse(self, node):
        for name in names_in(node):
            if name in self.estimators:
                self.complaints.append((node.lineno, f"asks for the type {name}"))


def is_private(name):
    dunder = name.startswith("__") and name.endswith("__")
    return name.startswith("_") and not dunder and name not in PUBLIC


def is_own(node):
    """Whether an expression is the object itself: ``self``, ``cls`` or ``super()``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "super"
    return isinstance(node, ast.Name) and node.id in OURSELVES


def is_type(node):
    """Whether an expression is the class of an object: ``type(x)`` or ``x.__class__``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "type"
    return isinstance(node, ast.Attribute) and node.attr == "__class__"


def names_in(node):
    """Names that an expression mentions, and the last parts of dotted ones."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr


def estimators_of(tree):
    """Names of classes of estimators: all public ones, and what the module imports."""
    yield from (name for name, home in HOMES.items() if home.startswith(ESTIMATORS))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                home = HOMES.get(alias.name, "") if node.module == "bayesgrove" else node.module
                if home.startswith(ESTIMATORS):
                    yield alias.asname or alias.name


def complaints(source):
    return [text for _, text in sorted(Access(ast.parse(source)).complaints)]


@pytest.mark.parametrize("package", PACKAGES)
def test_models_are_asked(package):
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    complaints_of_all = [
        f"{path.relative_to(ROOT)}:{line} {text}"
        for path in files
        for line, text in Access(ast.parse(path.read_text(encoding="utf-8"))).complaints
    ]
    assert not complaints_of_all, "\n".join(complaints_of_all)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("model._used.codings", "reads the private member _used"),
        ("self.model._settings()", "reads the private member _settings"),
        ("models[0]._keep(1)", "reads the private member _keep"),
        ("model._trees = []", "reads the private member _trees"),
        ("getattr(model, '_used', None)", "reads the private member _used"),
        ("from bayesgrove.estimators.base.tree import _grown", "imports the private name _grown"),
        ("isinstance(model, TANClassifier)", "asks for the type TANClassifier"),
        ("isinstance(model, bayesgrove.TANClassifier)", "asks for the type TANClassifier"),
        ("isinstance(model, (int, C45Classifier))", "asks for the type C45Classifier"),
        ("issubclass(kind, C45Classifier)", "asks for the type C45Classifier"),
        ("type(model) is C45Classifier", "asks for the type C45Classifier"),
        ("C45Classifier == type(model)", "asks for the type C45Classifier"),
        ("model.__class__ is C45Classifier", "asks for the type C45Classifier"),
        ("type(model) in (C45Classifier, int)", "asks for the type C45Classifier"),
        (
            "match model:\n    case C45Classifier():\n        pass",
            "asks for the type C45Classifier",
        ),
        (
            "from bayesgrove.estimators.base.tree import TreeClassifier as Trees\n"
            "isinstance(model, Trees)",
            "asks for the type Trees",
        ),
        (
            "from bayesgrove import LogisticCalibration as Other\nisinstance(model, Other)",
            "asks for the type Other",
        ),
    ],
)
def test_what_is_not_allowed_is_found(source, complaint):
    assert complaints(source) == [complaint]


@pytest.mark.parametrize(
    "source",
    [
        "self._rows",
        "cls._rows()",
        "super()._rows()",
        "step._asdict()",
        "getattr(model, 'predicts_most_probable', False)",
        "model.__class__.__name__",
        "from bayesgrove._utils.files import replacing",
        "isinstance(coding, Nominal)",
        "type(model).__name__",
        "from bayesgrove.estimators.classifiers.tan import TANClassifier\nTANClassifier()",
    ],
)
def test_what_is_allowed_is_not_found(source):
    assert complaints(source) == []


def test_model_files_know_every_classifier_once_they_are_imported():
    """Loading a model imports nothing: `test_loading_runs_no_code` watches it."""
    homes = [home for name, home in HOMES.items() if name.endswith("Classifier")]
    code = (
        "import sys, bayesgrove.model_files\n"
        f"missing = set({homes!r}) - set(sys.modules)\n"
        "assert not missing, missing\n"
        "assert 'bayesgrove.evaluation' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
