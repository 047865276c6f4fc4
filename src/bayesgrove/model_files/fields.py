"""Values of a model file with their places. Every method that returns a value checks it."""

from __future__ import annotations

import json
import reprlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from bayesgrove.kernels import Floats


ROUNDING = 1e-9
"""How far rounding may take a probability below 0 or above 1."""
MOST_CHOICES = 10
"""Largest number of choices that a message lists."""


class ModelFileError(ValueError):
    """A file does not hold a valid model, or a model cannot be saved in a file."""


@dataclass(frozen=True)
class Field:
    """A value that was read from a file, with its place in the file.

    Parameters
    ----------
    value : object
        The value, as the JSON parser returned it.
    file : str
        Name of the file, for messages.
    path : str, default=""
        Place of the value in the file, such as ``columns[2].cuts``.
    """

    value: Any
    file: str
    path: str = ""

    def error(self, problem: str) -> ModelFileError:
        """Return an error that names the file, the place and the problem."""
        where = f"{self.file}: {self.path}" if self.path else self.file
        return ModelFileError(f"{where} {problem}.")

    def replaced(self, value: Any) -> Field:
        """Return a field with another value at the same place."""
        return Field(value, self.file, self.path)

    def members(self, *required: str, optional: Sequence[str] = ()) -> dict[str, Field]:
        """Return the members of an object. All required ones must exist, and no unknown ones."""
        members = self.any_members()
        for name in required:
            if name not in members:
                raise self.error(f"has no {name!r}")
        for name in members:
            if name not in required and name not in optional:
                raise self.error(f"has {short(name)}, which is not known here")
        return members

    def any_members(self) -> dict[str, Field]:
        """Return the members of an object, with any names."""
        if not isinstance(self.value, dict):
            raise self.error(f"is {short(self.value)}, not an object")
        dot = f"{self.path}." if self.path else ""
        return {name: Field(value, self.file, dot + name) for name, value in self.value.items()}

    def items(self, count: int | None = None) -> list[Field]:
        """Return the items of a list. There must be ``count`` of them unless it is None."""
        length = len(self.values())
        if count is not None and length != count:
            raise self.error(f"has {length} items, needs {count}")
        return [self.item(index) for index in range(length)]

    def item(self, index: int) -> Field:
        """Return one item of a list."""
        return Field(self.values()[index], self.file, f"{self.path}[{index}]")

    def values(self) -> list[Any]:
        """Return a list without checks of its items."""
        if not isinstance(self.value, list):
            raise self.error(f"is {short(self.value)}, not a list")
        return self.value

    def text(self) -> str:
        """Return a string."""
        if not isinstance(self.value, str):
            raise self.error(f"is {short(self.value)}, not a string")
        if not is_exact_text(self.value):
            raise self.error(
                f"is {short(self.value)}, which holds half of a character (a surrogate code point)"
            )
        return self.value

    def choice(self, *choices: str) -> str:
        """Return a string that must be one of the choices."""
        if self.value not in choices:
            texts = [short(choice) for choice in choices[:MOST_CHOICES]]
            if len(choices) > MOST_CHOICES:
                texts.append(f"one of {len(choices) - MOST_CHOICES} more")
            raise self.error(f"is {short(self.value)}, not {' or '.join(texts)}")
        return self.text()

    def flag(self) -> bool:
        """Return a truth value."""
        if not isinstance(self.value, bool):
            raise self.error(f"is {short(self.value)}, neither true nor false")
        return self.value

    def whole(self) -> int:
        """Return a whole number."""
        if type(self.value) is not int:
            raise self.error(f"is {short(self.value)}, not a whole number")
        return self.value

    def number(self) -> float:
        """Return a finite number."""
        return float(Field([self.value], self.file, self.path).floats(1)[0])

    def probability(self) -> float:
        """Return a number from 0 to 1; rounding may take it a little beyond."""
        number = self.number()
        if not -ROUNDING <= number <= 1.0 + ROUNDING:
            raise self.error(f"is {number:g}, not a probability")
        return number

    def floats(self, count: int | None = None, lowest: float | None = None) -> Floats:
        """Return finite numbers: ``count`` of them unless it is None, and none below ``lowest``."""
        numbers: Floats = self._numbers({int, float}, "number", count)
        if not np.isfinite(numbers).all():
            raise self.error("holds a number that is not finite")
        if lowest is not None and (numbers < lowest).any():
            raise self.error(f"holds {numbers.min():g}, less than {lowest:g}")
        return numbers

    def integers(self) -> NDArray[np.int64]:
        """Return a list of whole numbers as an array."""
        return self._numbers({int}, "whole number")

    def _numbers(self, types: set[type], kind: str, count: int | None = None) -> NDArray[Any]:
        """Return a list of numbers as an array, after checks of its length and types."""
        # The length is checked first, so that an array is never larger than the list in the file.
        numbers = self.values()
        if count is not None and len(numbers) != count:
            raise self.error(f"has {len(numbers)} numbers, needs {count}")
        if not set(map(type, numbers)) <= types:
            wrong = next(index for index, number in enumerate(numbers) if type(number) not in types)
            raise self.item(wrong).error(f"is {short(numbers[wrong])}, not a {kind}")
        try:
            return np.array(numbers, dtype=np.float64 if float in types else np.int64)
        except OverflowError:
            raise self.error("holds a number that is too large") from None


def short(value: Any) -> str:
    """Return the repr of a value, shortened if it is long."""
    return reprlib.repr(value)


def is_exact_text(text: str) -> bool:
    """Return whether JSON keeps a string unchanged. It would join a pair of surrogates."""
    return text.isascii() or json.loads(json.dumps(text)) == text


def repeated(values: Iterable[Any]) -> Any:
    """Return the first value that occurs a second time; None if all values differ."""
    seen: set[Any] = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return None
