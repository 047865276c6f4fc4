"""Models by name on the command line: ``kdb:k=2,theta=0.03``."""

import math
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from bayesgrove.cli.errors import UsageError

DISCRETIZERS = {
    "mdlp": "MDLPDiscretizer",
    "equal-frequency": "EqualFrequencyDiscretizer",
}

_KINDS = {
    "None": "none",
    "bool": "true or false",
    "int": "a whole number",
    "float": "a number",
    "str": "a word",
}


@dataclass(frozen=True)
class Spec:
    """A class by its short name, options of its constructor, and the text that said so."""

    text: str
    name: str
    home: str
    options: dict[str, Any]

    def build(self, **more: Any) -> Any:
        """Make one; options of the specification come before ``more``."""
        return _public(self.home)(**{**more, **self.options})

    def has_option(self, name: str) -> bool:
        """Whether the constructor takes an option of this name."""
        from bayesgrove.model_files.options import option_types

        return name in option_types(_public(self.home))


@cache
def models() -> dict[str, str]:
    """Return the names of models, and the public classes that they stand for."""
    from bayesgrove._utils.public_names import public_classes

    classes = public_classes("bayesgrove.estimators", has="short_name").values()
    return {owner.short_name: owner.__name__ for owner in classes}


def parse_model(text: str) -> Spec:
    """A model such as ``tan`` or ``kdb:k=2``; option values must be of the constructor's types.

    >>> parse_model("kdb:k=2,theta=0.03").options
    {'k': 2, 'theta': 0.03}
    """
    return _parse(text, "model", models())


def model_name(model: Any) -> str:
    """What the command line calls a model; its class where it has no name there.

    >>> from bayesgrove import TANClassifier
    >>> model_name(TANClassifier())
    'tan'
    """
    return getattr(model, "short_name", type(model).__name__)


def parse_models(text: str) -> list[Spec]:
    """A list of models; a piece that begins with an option belongs to the model before it.

    >>> [spec.options for spec in parse_models("nb,kdb:k=2,theta=0.03,tan")]
    [{}, {'k': 2, 'theta': 0.03}, {}]
    """
    models: list[str] = []
    for piece in text.split(","):
        if models and "=" in piece.split(":")[0]:
            models[-1] += f",{piece}"
        else:
            models.append(piece)
    return [parse_model(model) for model in models]


def parse_discretizer(text: str) -> Spec:
    """A discretiser such as ``mdlp`` or ``equal-frequency:n_bins=5``."""
    return _parse(text, "discretizer", DISCRETIZERS)


def _parse(text: str, what: str, known: dict[str, str]) -> Spec:
    name, colon, rest = text.strip().partition(":")
    if name not in known:
        raise UsageError(f"There is no {what} {name!r}; there are {', '.join(known)}.")
    from bayesgrove._utils.renamed import new_name

    allowed = _allowed(known[name])
    options: dict[str, Any] = {}
    for piece in rest.split(",") if colon else []:
        key, equals, value = (part.strip() for part in piece.partition("="))
        new = new_name(_public(known[name]), key)
        if new is not None:
            raise UsageError(f"{text}: {key} of {name} is now called {new}.")
        if not equals or key not in allowed or key in options:
            problem = (
                "is given twice" if key in options else "is no option" if equals else "has no ="
            )
            raise UsageError(
                f"{text}: {piece!r} {problem}; {name} has the options "
                f"{', '.join(allowed) or 'none'}, as in {_example(name, allowed)}."
            )
        options[key] = _convert(value, allowed[key], f"{name}:{key}")
    return Spec(text.strip(), name, known[name], options)


def _public(name: str) -> Any:
    import bayesgrove

    return getattr(bayesgrove, name)


def _allowed(home: str) -> dict[str, list[str]]:
    """Options that can be written on a command line, and the types that each may have."""
    from bayesgrove.model_files.options import option_types

    found = {
        name: [kind for kind in kinds if kind in _KINDS]
        for name, kinds in option_types(_public(home)).items()
    }
    return {name: kinds for name, kinds in found.items() if set(kinds) - {"None"}}


def _example(name: str, allowed: dict[str, list[str]]) -> str:
    return f"{name}:{next(iter(allowed))}=..." if allowed else name


def _convert(text: str, kinds: list[str], option: str) -> Any:
    if "None" in kinds and text.lower() == "none":
        return None
    if "bool" in kinds and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if "int" in kinds and re.fullmatch("[+-]?[0-9]{1,18}", text):
        return int(text)
    if "float" in kinds and (number := _float(text)) is not None:
        return number
    if "str" in kinds and text:
        return text
    expected = " or ".join(_KINDS[kind] for kind in _KINDS if kind in kinds)
    raise UsageError(f"{option} must be {expected}, not {text!r}.")


def _float(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
