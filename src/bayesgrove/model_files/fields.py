"""Values of a model file, each with its place: every question about a value checks it."""

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


class ModelFileError(ValueError):
    """A file holds no model that can be read, or a model cannot be kept in a file."""


@dataclass(frozen=True)
class Field:
    """A value that was read from a file, and its place there, such as ``columns[2].cuts``."""

    value: Any
    file: str
    path: str = ""

    def error(self, problem: str) -> ModelFileError:
        """The complaint that this field has a problem."""
        where = f"{self.file}: {self.path}" if self.path else self.file
        return ModelFileError(f"{where} {problem}.")

    def replaced(self, value: Any) -> Field:
        """Another value in the same place."""
        return Field(value, self.file, self.path)

    def members(self, *required: str, optional: Sequence[str] = ()) -> dict[str, Field]:
        """The members of an object: every required one, and none that is not known."""
        found = self.any_members()
        for name in required:
            if name not in found:
                raise self.error(f"has no {name!r}")
        for name in found:
            if name not in required and name not in optional:
                raise self.error(f"has {short(name)}, which is not known here")
        return found

    def any_members(self) -> dict[str, Field]:
        """The members of an object, whatever they are called."""
        if not isinstance(self.value, dict):
            raise self.error(f"is {short(self.value)}, not an object")
        dot = f"{self.path}." if self.path else ""
        return {name: Field(value, self.file, dot + name) for name, value in self.value.items()}

    def items(self, count: int | None = None) -> list[Field]:
        """The items of a list: as many as there must be."""
        found = len(self.values())
        if count is not None and found != count:
            raise self.error(f"has {found} items, needs {count}")
        return [self.item(at) for at in range(found)]

    def item(self, at: int) -> Field:
        """One item of a list."""
        return Field(self.values()[at], self.file, f"{self.path}[{at}]")

    def values(self) -> list[Any]:
        """A list as it is, its items unchecked."""
        if not isinstance(self.value, list):
            raise self.error(f"is {short(self.value)}, not a list")
        return self.value

    def text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            raise self.error(f"is {short(self.value)}, not a string")
        if not is_exact_text(self.value):
            raise self.error(f"is {short(self.value)}, which holds halves of characters")
        return self.value

    def choice(self, *choices: str) -> str:
        """One of some strings."""
        if self.value not in choices:
            raise self.error(f"is {short(self.value)}, not {' or '.join(map(short, choices))}")
        return self.text()

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self.error(f"is {short(self.value)}, neither true nor false")
        return self.value

    def whole(self) -> int:
        """A whole number."""
        if type(self.value) is not int:
            raise self.error(f"is {short(self.value)}, not a whole number")
        return self.value

    def number(self) -> float:
        """A finite number."""
        return float(Field([self.value], self.file, self.path).floats(1)[0])

    def floats(self, count: int | None = None, lowest: float | None = None) -> Floats:
        """Finite numbers: as many as there must be, none below the lowest that is allowed."""
        numbers: Floats = self._numbers({int, float}, "number", count)
        if not np.isfinite(numbers).all():
            raise self.error("holds a number that is not finite")
        if lowest is not None and (numbers < lowest).any():
            raise self.error(f"holds {numbers.min():g}, less than {lowest:g}")
        return numbers

    def integers(self) -> NDArray[np.int64]:
        """Whole numbers."""
        return self._numbers({int}, "whole number")

    def _numbers(self, types: set[type], kind: str, count: int | None = None) -> NDArray[Any]:
        # Lengths before arrays: what is allocated is never more than the file holds already.
        numbers = self.values()
        if count is not None and len(numbers) != count:
            raise self.error(f"has {len(numbers)} numbers, needs {count}")
        if not set(map(type, numbers)) <= types:
            wrong = next(at for at, number in enumerate(numbers) if type(number) not in types)
            raise self.item(wrong).error(f"is {short(numbers[wrong])}, not a {kind}")
        try:
            return np.array(numbers, dtype=np.float64 if float in types else np.int64)
        except OverflowError:
            raise self.error("holds a number that is too large") from None


def short(value: Any) -> str:
    """A value as it is written, cut where it is long."""
    return reprlib.repr(value)


def is_exact_text(text: str) -> bool:
    """Whether JSON gives back just this string: two halves of a character become one whole."""
    return text.isascii() or json.loads(json.dumps(text)) == text


def repeated(values: Iterable[Any]) -> Any:
    """The first value that occurs for the second time; None where none does."""
    seen: set[Any] = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return None
