"""Models and discretisers as text, such as ``kdb:k=2,theta=0.03``."""

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
"""Class of each discretiser."""

_KINDS = {
    "None": "none",
    "bool": "true or false",
    "int": "a whole number",
    "float": "a number",
    "str": "a word",
}
"""Types that a text can have, in words."""


@dataclass(frozen=True)
class Spec:
    """A class and options of its constructor, parsed from text.

    Parameters
    ----------
    text : str
        The text, such as ``"kdb:k=2"``.
    name : str
        Short name of the class, such as ``"kdb"``.
    class_name : str
        Name of the public class, such as ``"KDBClassifier"``.
    options : dict of str to object
        Options of the constructor.
    """

    text: str
    name: str
    class_name: str
    options: dict[str, Any]

    def build(self, **more: Any) -> Any:
        """Return an instance. The options of the text override those in ``more``."""
        return _public(self.class_name)(**{**more, **self.options})

    def has_option(self, name: str) -> bool:
        """Return whether the constructor has an option of this name."""
        from bayesgrove.model_files.options import option_types

        return name in option_types(_public(self.class_name))


@cache
def models() -> dict[str, str]:
    """Return the short names of all models, each with the name of its public class."""
    from bayesgrove._utils.public_names import public_classes

    classes = public_classes("bayesgrove.estimators", has="short_name").values()
    return {owner.short_name: owner.__name__ for owner in classes}


def parse_model(text: str) -> Spec:
    """Parse a model such as ``tan`` or ``kdb:k=2``. Values must have the constructor's types.

    >>> parse_model("kdb:k=2,theta=0.03").options
    {'k': 2, 'theta': 0.03}
    """
    return _parse(text, "model", models())


def model_name(model: Any) -> str:
    """Return the short name of a model, or the name of its class if it has none.

    >>> from bayesgrove import TANClassifier
    >>> model_name(TANClassifier())
    'tan'
    """
    return getattr(model, "short_name", type(model).__name__)


def parse_models(text: str) -> list[Spec]:
    """Parse a list of models. A piece that is an option belongs to the model before it.

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
    """Parse a discretiser such as ``mdlp`` or ``equal-frequency:n_bins=5``."""
    return _parse(text, "discretizer", DISCRETIZERS)


def _parse(text: str, kind: str, known: dict[str, str]) -> Spec:
    """Parse a name with options; ``kind`` is the word for it in messages."""
    name, colon, rest = text.strip().partition(":")
    if name not in known:
        raise UsageError(f"There is no {kind} {name!r}; the {kind}s are {', '.join(known)}.")
    from bayesgrove._utils.renamed import new_name

    allowed = _allowed(known[name])
    options: dict[str, Any] = {}
    for piece in rest.split(",") if colon else []:
        key, equals, value = (part.strip() for part in piece.partition("="))
        new = new_name(_public(known[name]), key)
        if new in allowed:
            raise UsageError(f"{text}: {key} of {name} is now called {new}.")
        if not equals or key not in allowed or key in options:
            problem = (
                "is given twice" if key in options else "is not an option" if equals else "has no ="
            )
            raise UsageError(
                f"{text}: {piece!r} {problem}; {name} has the options "
                f"{', '.join(allowed) or 'none'}, as in {_example(name, allowed)}."
            )
        options[key] = _convert(value, allowed[key], f"{name}:{key}")
    return Spec(text.strip(), name, known[name], options)


def _public(name: str) -> Any:
    """Import and return a public class."""
    import bayesgrove

    return getattr(bayesgrove, name)


def _allowed(class_name: str) -> dict[str, list[str]]:
    """Return the options that a command line can hold, each with the names of its types."""
    from bayesgrove.model_files.options import option_types

    types = {
        name: [kind for kind in kinds if kind in _KINDS]
        for name, kinds in option_types(_public(class_name)).items()
    }
    return {name: kinds for name, kinds in types.items() if set(kinds) - {"None"}}


def _example(name: str, allowed: dict[str, list[str]]) -> str:
    """Return an example of a name with its first option."""
    return f"{name}:{next(iter(allowed))}=..." if allowed else name


def _convert(text: str, kinds: list[str], option: str) -> Any:
    """Return a text as a value of the first type that it fits."""
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
    """Return a text as a finite number, or None if it is something else."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
