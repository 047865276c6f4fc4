"""Lossless spelling of any name and any label in any file.

A string that a format and its usual readers can represent is written unchanged. Every other name or
label is replaced by a unique identifier that resembles it, and a property of the node holds the
original: ``bayesgrove_name`` the name, and ``bayesgrove_labels`` all labels of the node. The
property is JSON, so that 1, ``"1"``, 1.0, true and null differ. The JSON is percent-encoded, so
that it is one plain word in every format.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NAME = "bayesgrove_name"
LABELS = "bayesgrove_labels"
_SUFFIX = re.compile("_?(_[0-9]+)?")
_TYPES = (str, int, float, bool, type(None))
_MAX_LENGTH = 40


@dataclass(frozen=True)
class Spelling:
    """The strings that a format can represent unchanged.

    Parameters
    ----------
    carries_name : callable
        Whether a string can be written as the name of a node.
    carries_state : callable
        Whether a string can be written as a state.
    folds_case : bool, default=False
        Whether some reader treats names as equal that differ only in case.
    """

    carries_name: Callable[[str], bool]
    carries_state: Callable[[str], bool]
    folds_case: bool = False

    def names(self, names: Sequence[str]) -> list[str]:
        """Return the spellings of the names of nodes."""
        return _spelled(names, self.carries_name, str.lower if self.folds_case else str)

    def states(self, labels: Sequence[Any]) -> list[str]:
        """Return the spellings of the labels of one node."""
        return _spelled(labels, self.carries_state, str)


def pattern(regex: str, *reserved: str) -> Callable[[str], bool]:
    """Return a test whether a string matches an expression and is not a reserved word."""
    compiled = re.compile(regex, re.ASCII)
    return lambda text: compiled.fullmatch(text) is not None and text not in reserved


def printable(text: str) -> bool:
    """Return whether XML, and readers that merge white space, keep a string unchanged."""
    return text != "" and text.isprintable() and text == " ".join(text.split())


def identifier(text: str) -> str:
    """Return an identifier that resembles a text: letters, digits, underscores, a letter first."""
    plain = (
        unicodedata.normalize("NFKD", text[: 4 * _MAX_LENGTH]).encode("ascii", "ignore").decode()
    )
    word = re.sub("[^A-Za-z0-9]+", "_", plain).strip("_")[:_MAX_LENGTH]
    return word if word[:1].isalpha() else f"x{word}"


def _spelled(
    labels: Sequence[Any], carries: Callable[[str], bool], key: Callable[[str], str]
) -> list[str]:
    """Return unique spellings of labels, unchanged where possible."""
    spelled: dict[int, str] = {}
    used: set[str] = set()
    last: dict[str, int] = {}

    def take(place: int, text: str) -> bool:
        """Use a text as the spelling of a label, unless it is in use already."""
        if key(text) in used:
            return False
        used.add(key(text))
        spelled[place] = text
        return True

    # Strings come first, so that the string "1" and not the number 1 is written as 1.
    order = sorted(range(len(labels)), key=lambda k: not isinstance(labels[k], str))
    others = [k for k in order if not (carries(str(labels[k])) and take(k, str(labels[k])))]
    for k in others:
        base = identifier(str(labels[k]))
        base = base if carries(base) else f"{base}_"
        count = last.get(base, 0) + 1
        while not take(k, base if count == 1 else f"{base}_{count}"):
            count += 1
        last[base] = count
    return [spelled[k] for k in range(len(labels))]


def is_spelling(spelled: str, label: Any) -> bool:
    """Return whether a label may have this spelling."""
    text = str(label)
    base = identifier(text)
    suffixed = spelled.startswith(base) and _SUFFIX.fullmatch(spelled, len(base))
    return spelled == text or bool(suffixed)


def properties(
    name: str, spelled: str, labels: Sequence[Any], states: Sequence[str]
) -> dict[str, str]:
    """Return properties with the original name and labels of a node, where spellings differ."""
    originals = {}
    if spelled != name:
        originals[NAME] = encode(name)
    if list(labels) != list(states):
        originals[LABELS] = encode(list(labels))
    return originals


def encode(value: Any) -> str:
    """Return JSON as one word of letters, digits and ``%-._~``."""
    return quote(json.dumps(value), safe="")


def _decode(key: str, word: str) -> Any:
    """Return the value that `encode` made the word from."""
    try:
        value = json.loads(unquote(word, errors="strict"))
        if encode(value) == word:
            return value
    except (ValueError, RecursionError):
        pass
    raise _damaged(key, "is not percent-encoded JSON as bayesgrove writes it")


def _damaged(key: str, problem: str) -> ValueError:
    """Return the error for a damaged property."""
    return ValueError(f"the property {key} {problem}.")


def property_of(text: str) -> dict[str, str]:
    """Return a statement ``name = value`` as a dictionary, empty if the name is not one of ours."""
    key, _, value = text.strip().strip('"').partition("=")
    return {key.strip(): value.strip()} if key.strip() in (NAME, LABELS) else {}


def true_name(word: str, spelled: str) -> str:
    """Return the original name in a property; raise if it does not fit the spelling."""
    name = _decode(NAME, word)
    if not isinstance(name, str) or not is_spelling(spelled, name):
        raise _damaged(NAME, f"does not belong to a node that is written {spelled!r}")
    return name


def true_labels(word: str, spelled: Sequence[str]) -> list[Any]:
    """Return the original labels in a property; raise if they do not fit the spellings."""
    labels = _decode(LABELS, word)
    if not isinstance(labels, list) or not all(map(_is_label, labels)):
        raise _damaged(LABELS, "is not a list of labels")
    if len(labels) != len(spelled) or not all(map(is_spelling, spelled, labels)):
        raise _damaged(LABELS, "does not belong to the states that are written")
    return labels


def _is_label(label: Any) -> bool:
    """Return whether a file can hold a label."""
    return type(label) in _TYPES and label == label  # NaN is not equal to itself.


def require_labels(node: str, labels: Sequence[Any]) -> None:
    """Raise unless a file can hold all labels unchanged."""
    for label in labels:
        if not _is_label(label):
            raise ValueError(
                f"Node {node!r} has the state {label!r} of type {type(label).__name__}; only "
                "strings, integers, floats other than nan, booleans and None can be written."
            )
        try:
            str(label)
        except ValueError:
            raise ValueError(
                f"Node {node!r} has a state that is a number with too many digits."
            ) from None
