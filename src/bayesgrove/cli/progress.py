"""Signs of life on a terminal, for work that takes more than a moment."""

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator

DELAY = 2.0
"""Seconds before anything shows."""


@contextlib.contextmanager
def progress(
    text: str, total: int | None = None, *, hidden: bool = False
) -> Iterator[Callable[[float], None]]:
    """A bar on stderr, or a spinner where the total is unknown; call the result with each advance.

    Nothing shows in less than two seconds, nor where stderr is no terminal.
    """
    if hidden or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import (
        BarColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from bayesgrove.cli.console import printable

    done = TextColumn("{task.percentage:>3.0f} %")
    left = [TextColumn("left"), TimeRemainingColumn()]
    known = [BarColumn(), done, TimeElapsedColumn(), *left]
    bar = Progress(
        TextColumn(escape(printable(text))),
        *([SpinnerColumn(), TimeElapsedColumn()] if total is None else known),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("", total=total)
    start = threading.Timer(DELAY, bar.start)
    start.daemon = True
    start.start()
    try:
        yield lambda advance: bar.advance(task, advance)
    finally:
        start.cancel()
        start.join()
        bar.stop()
