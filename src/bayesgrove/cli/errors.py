"""Whatever goes wrong becomes a sentence on stderr and an exit code, here and only here."""

import contextlib
import os
import sys
import traceback
import warnings
from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperGroup

from bayesgrove.cli.console import complain, note

BUG, USAGE, DATA, FILE, PARTIAL, INTERRUPTED = 1, 2, 3, 4, 5, 130


_RENAMED = {
    "--out": "--folder",
    "--given": "--evidence",
    "--treat-missing": "--missing",
    "--categorical": "--categorical-features",
}
"""Old names of options, for version 0.1 only."""


class UsageError(Exception):
    """What the command line asks for cannot be."""


class Commands(TyperGroup):
    """All commands, and what becomes of the errors in them."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        with reported():
            return super().invoke(ctx)


@contextlib.contextmanager
def reported() -> Iterator[None]:
    """Warnings become notes, and errors end the program with a sentence and a code."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", UserWarning)
            warnings.showwarning = _show_warning
            yield
            sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        _discard_output()
        raise typer.Exit(0) from None
    except KeyboardInterrupt:
        complain("Interrupted.")
        raise typer.Exit(INTERRUPTED) from None
    except Exception as error:
        old = getattr(error, "option_name", None)
        if old in _RENAMED:
            error = UsageError(f"{old} is now called {_RENAMED[old]}.")
        if _is_about_usage(error):
            raise
        raise typer.Exit(_report(error)) from None


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    note(str(message))


def _is_about_usage(error: Exception) -> bool:
    """Whether the parser of the command line reports this itself (exit code 2), or ends by it."""
    return isinstance(error, (typer.Exit, typer.Abort)) or hasattr(error, "format_message")


def _report(error: Exception) -> int:
    code = exit_code(error)
    if code == BUG:
        complain(
            f"This is a bug in bayesgrove: {type(error).__name__}: {error} "
            "(BAYESGROVE_DEBUG=1 shows where; please report it)."
        )
    else:
        complain(sentence(error))
    if os.environ.get("BAYESGROVE_DEBUG"):
        traceback.print_exception(error)
    if isinstance(error, OSError):
        _discard_output()
    return code


def exit_code(error: Exception) -> int:
    """2 for what was asked, 3 for the data, 4 for a model or network file, 1 for our mistakes."""
    if isinstance(error, (UsageError, OSError)):
        return USAGE
    # Only now: the command line starts without them.
    from bayesgrove import ModelFileError, OptionError, ParseError
    from bayesgrove.evaluation import RunFolderError
    from bayesgrove.tables import MissingPackageError

    if isinstance(error, (OptionError, MissingPackageError, RunFolderError)):
        return USAGE
    if isinstance(error, (ModelFileError, ParseError)):
        return FILE
    return DATA if isinstance(error, (ValueError, MemoryError)) else BUG


def sentence(error: Exception) -> str:
    """What to tell the user."""
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}."
    if isinstance(error, MemoryError) and not str(error):
        return "There is not enough memory for this."
    return str(error)


def _discard_output() -> None:
    """What is still in the buffer cannot be written: Python would say so at its end."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
