"""Output: messages go to stderr, data to stdout. Neither can send control codes to a terminal."""

import sys
from collections.abc import Sequence
from typing import Any

import typer

_PIPE_WIDTH = 1 << 14
"""Width of lines in a pipe, large enough for all of them."""
_LONGEST = 1000
"""Largest number of characters of a message."""


def say(message: str) -> None:
    """Write a message to stderr. A very long message, such as one with a long label, is cut."""
    if len(message) > _LONGEST:
        message = f"{message[: _LONGEST // 2]} ... {message[-_LONGEST // 2 :]}"
    typer.echo(printable(message), err=True)


def note(message: str) -> None:
    """Write a note to stderr."""
    typer.secho("Note: ", fg="yellow", nl=False, err=True)
    say(message)


def complain(message: str) -> None:
    """Write an error message to stderr."""
    typer.secho("Error: ", fg="red", bold=True, nl=False, err=True)
    say(message)


def emit(text: str) -> None:
    """Write data to stdout."""
    _write(printable(text) if sys.stdout.isatty() else text)


def show(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Write data to stdout: a rounded table on a terminal, otherwise CSV with all digits."""
    if sys.stdout.isatty():
        show_aligned(header, [[_rounded(cell) for cell in row] for row in rows])
        return
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    emit(text.getvalue())


def show_aligned(header: Sequence[str] | None, rows: Sequence[Sequence[str]]) -> None:
    """Write aligned columns to stdout. Markup in cells is not interpreted."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=header is not None, pad_edge=False, header_style="bold")
    for name in header or rows[0]:
        table.add_column(Text(printable(name)), overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH)
    with console.capture() as capture:
        console.print(table)
    _write("".join(f"{line.rstrip()}\n" for line in capture.get().splitlines()))


def printable(text: str) -> str:
    r"""Return a text with all control characters escaped.

    >>> print(printable("a\x1b[31mb"))
    a\x1b[31mb
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode("ascii")
        for c in text
    )


def _write(text: str) -> None:
    """Write text to stdout in UTF-8, independent of the settings of the terminal."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def _rounded(cell: Any) -> str:
    """Return a cell as text, with 4 decimal places if it is a float."""
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)
