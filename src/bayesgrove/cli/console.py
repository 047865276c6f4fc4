"""Words go to stderr, data to stdout; neither can steer the terminal."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import typer

_PIPE_WIDTH = 1 << 14
"""Lines in a pipe are as long as they need to be."""
_LONGEST = 1000


def say(message: str) -> None:
    """Tell the user something on stderr; what is very long (a label, say) is cut."""
    if len(message) > _LONGEST:
        message = f"{message[: _LONGEST // 2]} ... {message[-_LONGEST // 2 :]}"
    typer.echo(printable(message), err=True)


def note(message: str) -> None:
    """Tell the user something worth knowing on stderr."""
    typer.secho("Note: ", fg="yellow", nl=False, err=True)
    say(message)


def complain(message: str) -> None:
    """Tell the user what went wrong, on stderr."""
    typer.secho("Error: ", fg="red", bold=True, nl=False, err=True)
    say(message)


def listed(items: Iterable[Any], most: int = 10) -> str:
    """The first of some things in words.

    >>> listed("abc"), listed("abcd", most=2)
    ('a, b, c', 'a, b and 2 more')
    """
    texts = [str(item) for item in items]
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def emit(text: str) -> None:
    """Data on stdout."""
    _write(printable(text) if sys.stdout.isatty() else text)


def show(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Data on stdout: a table for people on a terminal, else CSV with all digits."""
    if sys.stdout.isatty():
        show_aligned(header, [[_rounded(cell) for cell in row] for row in rows])
        return
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    emit(text.getvalue())


def show_aligned(header: Sequence[str] | None, rows: Sequence[Sequence[str]]) -> None:
    """Aligned columns on stdout; cells are plain text, whatever they look like."""
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
    r"""The text with every character that could steer a terminal made visible.

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
    """In UTF-8, whatever the settings of the terminal are."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def _rounded(cell: Any) -> str:
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)
