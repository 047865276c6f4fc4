"""``bayesgrove reproduce``: a paper's tables, ours beside theirs."""

from typing import Annotated

import typer

from bayesgrove.cli.errors import PARTIAL, UsageError
from bayesgrove.cli.progress import progress


def reproduce(
    paper: Annotated[str, typer.Argument(metavar="PAPER", help="Such as 003.")],
    table: Annotated[
        str | None, typer.Option("--table", metavar="NUMBER", help="Only this table.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Only the first splits: a look, not a reproduction.")
    ] = False,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FOLDER", help="Where finished pieces are kept."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in the folder.")
    ] = False,
    style: Annotated[
        str, typer.Option("--style", metavar="NAME", help="text, markdown, latex or csv.")
    ] = "text",
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Processes; -1 for all.")] = -1,
) -> None:
    """Run the experiments of a paper and hold the results against its own figures."""
    from bayesgrove.cli.comparing import STYLES, fraction, written
    from bayesgrove.cli.console import emit
    from bayesgrove.reproduce import PAPERS
    from bayesgrove.reproduce import reproduce as run

    if style not in STYLES:
        raise UsageError(f"--style {style!r} must be one of {', '.join(STYLES)}.")
    if paper not in PAPERS:
        raise UsageError(f"There is no paper {paper!r}; there are {', '.join(PAPERS)}.")
    with progress(f"Reproducing {paper}", 1) as advance:
        found = run(
            paper,
            table,
            quick=quick,
            folder=out,
            resume=resume,
            n_jobs=jobs,
            progress=fraction(advance),
        )
    for reproduction in found:
        emit(f"{written(reproduction.grid(), style)}\n")
    if any(reproduction.comparison.failures for reproduction in found):
        raise typer.Exit(PARTIAL)
