"""Progress bars on a terminal, for work that takes more than two seconds."""

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator

DELAY = 2.0
"""Seconds before a progress bar appears."""


@contextlib.contextmanager
def progress(
    text: str, total: int | None = None, *, hidden: bool = False
) -> Iterator[Callable[[float], None]]:
    """Show a progress bar on stderr, or a spinner if ``total`` is None.

    Yields a function that must be called with each advance. Nothing appears in the first two
    seconds, or if stderr is not a terminal.
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

    percentage = TextColumn("{task.percentage:>3.0f} %")
    remaining = [TextColumn("left"), TimeRemainingColumn()]
    with_total = [BarColumn(), percentage, TimeElapsedColumn(), *remaining]
    bar = Progress(
        TextColumn(escape(printable(text))),
        *([SpinnerColumn(), TimeElapsedColumn()] if total is None else with_total),
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
