"""Errors for the old names of options, which name the new ones. For version 0.1 only."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeVar, cast

from bayesgrove._utils.options import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T", bound="Callable[..., Any]")


def renamed(**new_names: str) -> Callable[[T], T]:
    """Raise for the old names of options in calls of a function, a method or a constructor.

    Parameters
    ----------
    **new_names : str
        The new name of each old name.

    Returns
    -------
    callable
        A decorator of a function or of a class. In a class, it checks the calls of the constructor
        and, if there is one, of `set_params`.

    Examples
    --------
    >>> @renamed(seed="random_state")
    ... def draw(random_state=0):
    ...     return random_state
    >>> draw(seed=1)
    Traceback (most recent call last):
    ...
    bayesgrove._utils.options.OptionError: seed of draw is now called random_state.
    """

    def decorate(target: T) -> T:
        if isinstance(target, type):
            owner: Any = target
            owner._renamed_options = new_names
            for name in ("__init__", "set_params"):
                if hasattr(owner, name):
                    setattr(owner, name, _guarded(getattr(owner, name), target.__name__, new_names))
            return target
        return cast("T", _guarded(target, target.__name__, new_names))

    return decorate


def new_name(owner: Any, option: str) -> str | None:
    """Return the new name of an option of a class; None if it was not renamed."""
    names: dict[str, str] = getattr(owner, "_renamed_options", {})
    return names.get(option)


def _guarded(function: Any, owner: str, new_names: dict[str, str]) -> Any:
    """Return a function that raises for old names of options, and else calls the given one."""

    @functools.wraps(function)
    def guarded(*args: Any, **options: Any) -> Any:
        for old, new in new_names.items():
            if old in options and not _is_option(args, old):
                raise OptionError(f"{old} of {owner} is now called {new}.")
        return function(*args, **options)

    return guarded


def _is_option(args: tuple[Any, ...], name: str) -> bool:
    """Return whether a subclass has an option of this name again."""
    names = getattr(type(args[0]), "_get_param_names", None) if args else None
    try:
        return names is not None and name in names()
    except RuntimeError:  # A constructor with *args, which scikit-learn does not allow.
        return False
