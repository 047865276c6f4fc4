"""Errors of all commands become messages on stderr and exit codes, only in this module."""

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
"""Exit codes."""


_RENAMED: dict[str, dict[str, str]] = {
    "fit": {"--treat-missing": "--missing", "--categorical": "--categorical-features"},
    "inspect": {"--treat-missing": "--missing", "--categorical": "--categorical-features"},
    "predict": {"--missing": "--na-values"},
    "compare": {
        "--missing": "--na-values",
        "--categorical": "--categorical-features",
        "--out": "--folder",
    },
    "reproduce": {"--out": "--folder"},
    "query": {"--given": "--evidence", "-g": "-e"},
}
"""New names of renamed options, by command; for version 0.1 only."""


class UsageError(Exception):
    """The command line is wrong, not the data."""


class Commands(TyperGroup):
    """The group of all commands, which reports their errors."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command, and report its warnings and errors."""
        with reported():
            return super().invoke(ctx)


@contextlib.contextmanager
def reported() -> Iterator[None]:
    """Show warnings as notes, and end the program with a message and an exit code on errors."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", UserWarning)
            warnings.showwarning = _show_warning
            yield
            sys.stdout.flush()
    except BrokenPipeError:  # The reader of the pipe has stopped.
        _discard_output()
        raise typer.Exit(0) from None
    except KeyboardInterrupt:
        complain("Interrupted.")
        raise typer.Exit(INTERRUPTED) from None
    except Exception as error:
        error = _with_new_name(error)
        if _is_about_usage(error):
            raise
        raise typer.Exit(_report(error)) from None


def _with_new_name(error: Exception) -> Exception:
    """Return the error of an unknown option as one that gives its new name, if it has one."""
    option = getattr(error, "option_name", None)
    command = getattr(getattr(error, "ctx", None), "info_name", None)
    new = _RENAMED.get(str(command), {}).get(str(option))
    return error if new is None else UsageError(f"{option} is now called {new}.")


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Show a warning as a note, without its place in the code."""
    note(str(message))


def _is_about_usage(error: Exception) -> bool:
    """Return whether the parser of the command line handles an error itself (exit code 2)."""
    return isinstance(error, (typer.Exit, typer.Abort)) or hasattr(error, "format_message")


def _report(error: Exception) -> int:
    """Write the message of an error, and return its exit code."""
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
    """Return 2 for wrong usage, 3 for wrong data, 4 for a wrong model or network file, or 1.

    1 stands for a bug.
    """
    if isinstance(error, (UsageError, OSError)):
        return USAGE
    # These imports are slow, so the command line starts without them.
    from bayesgrove import ModelFileError, OptionError, ParseError
    from bayesgrove.evaluation import RunFolderError
    from bayesgrove.tables import MissingPackageError

    if isinstance(error, (OptionError, MissingPackageError, RunFolderError)):
        return USAGE
    if isinstance(error, (ModelFileError, ParseError)):
        return FILE
    return DATA if isinstance(error, (ValueError, MemoryError)) else BUG


def sentence(error: Exception) -> str:
    """Return the message of an error for the user."""
    if isinstance(error, OSError) and error.strerror:
        file = f"{error.filename}: " if error.filename else ""
        return f"{file}{error.strerror}."
    if isinstance(error, MemoryError) and not str(error):
        return "There is not enough memory for this."
    return str(error)


def _discard_output() -> None:
    """Discard the rest of the output buffer.

    It cannot be written, and Python would report this at exit.
    """
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
