"""Any name and any label in any file, exactly.

A name or label that is a string, and one that a format and its usual readers carry as it is, is
written as it is. For all others there is an identifier made from it, unlike all others, and a
property of the node has the truth: ``bayesgrove_name`` the name, ``bayesgrove_labels`` all labels
of the node, as JSON (so that 1, ``"1"``, 1.0, true and null differ), percent-encoded (so that it is
one plain word in every format).
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
_LONGEST = 40


@dataclass(frozen=True)
class Spelling:
    """What a format carries as it is.

    Parameters
    ----------
    carries_name, carries_state : whether a string can stand for a node, and for a state
    folds_case : whether some reader takes names for the same that differ only in case
    """

    carries_name: Callable[[str], bool]
    carries_state: Callable[[str], bool]
    folds_case: bool = False

    def names(self, names: Sequence[str]) -> list[str]:
        """Names of nodes as they are written."""
        return _spelled(names, self.carries_name, str.lower if self.folds_case else str)

    def states(self, labels: Sequence[Any]) -> list[str]:
        """Labels of one node as they are written."""
        return _spelled(labels, self.carries_state, str)


def pattern(regex: str, *reserved: str) -> Callable[[str], bool]:
    """Whether a regular expression fits a string, and it is none of the reserved words."""
    compiled = re.compile(regex, re.ASCII)
    return lambda text: compiled.fullmatch(text) is not None and text not in reserved


def printable(text: str) -> bool:
    """Whether a string survives XML and readers that take all white space for one blank."""
    return text != "" and text.isprintable() and text == " ".join(text.split())


def identifier(text: str) -> str:
    """Letters, digits and underscores that remind of a text; the first one is a letter."""
    plain = unicodedata.normalize("NFKD", text[: 4 * _LONGEST]).encode("ascii", "ignore").decode()
    word = re.sub("[^A-Za-z0-9]+", "_", plain).strip("_")[:_LONGEST]
    return word if word[:1].isalpha() else f"x{word}"


def _spelled(
    labels: Sequence[Any], carries: Callable[[str], bool], key: Callable[[str], str]
) -> list[str]:
    """As they are where that can be, and never two alike."""
    spelled: dict[int, str] = {}
    taken: set[str] = set()
    last: dict[str, int] = {}

    def take(place: int, text: str) -> bool:
        if key(text) in taken:
            return False
        taken.add(key(text))
        spelled[place] = text
        return True

    # Strings come first, so that 1 gives way to "1".
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
    """Whether a label may have been written so."""
    text = str(label)
    base = identifier(text)
    suffixed = spelled.startswith(base) and _SUFFIX.fullmatch(spelled, len(base))
    return spelled == text or bool(suffixed)


def properties(
    name: str, spelled: str, labels: Sequence[Any], states: Sequence[str]
) -> dict[str, str]:
    """The properties that say what a node is really called, as far as it is not as written."""
    found = {}
    if spelled != name:
        found[NAME] = encode(name)
    if list(labels) != list(states):
        found[LABELS] = encode(list(labels))
    return found


def encode(value: Any) -> str:
    """JSON as one word of letters, digits and ``%-._~``."""
    return quote(json.dumps(value), safe="")


def _decode(key: str, word: str) -> Any:
    """What `encode` made a word of."""
    try:
        value = json.loads(unquote(word, errors="strict"))
        if encode(value) == word:
            return value
    except (ValueError, RecursionError):
        pass
    raise _damaged(key, "is not percent-encoded JSON as bayesgrove writes it")


def _damaged(key: str, how: str) -> ValueError:
    return ValueError(f"the property {key} {how}.")


def property_of(text: str) -> dict[str, str]:
    """A statement ``name = value``, if the name is one of ours."""
    key, _, value = text.strip().strip('"').partition("=")
    return {key.strip(): value.strip()} if key.strip() in (NAME, LABELS) else {}


def true_name(word: str, spelled: str) -> str:
    """The name that a property gives a node; a ValueError where it cannot be."""
    name = _decode(NAME, word)
    if not isinstance(name, str) or not is_spelling(spelled, name):
        raise _damaged(NAME, f"does not belong to a node that is written {spelled!r}")
    return name


def true_labels(word: str, spelled: Sequence[str]) -> list[Any]:
    """The labels that a property gives a node; a ValueError where they cannot be."""
    labels = _decode(LABELS, word)
    if not isinstance(labels, list) or not all(map(_is_label, labels)):
        raise _damaged(LABELS, "is not a list of labels")
    if len(labels) != len(spelled) or not all(map(is_spelling, spelled, labels)):
        raise _damaged(LABELS, "does not belong to the states that are written")
    return labels


def _is_label(label: Any) -> bool:
    return type(label) in _TYPES and label == label  # nan is unlike itself


def require_labels(node: str, labels: Sequence[Any]) -> None:
    """Refuse labels that no file can give back as they are."""
    for label in labels:
        if not _is_label(label):
            raise ValueError(
                f"Node {node!r} has the state {label!r} of type {type(label).__name__}; what can "
                "be written are strings, integers, numbers other than nan, truth values and None."
            )
        try:
            str(label)
        except ValueError:
            raise ValueError(f"Node {node!r} has a state that is too long a number.") from None
