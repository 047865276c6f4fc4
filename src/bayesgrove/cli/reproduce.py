"""``bayesgrove reproduce``: a paper's tables and figures, ours beside theirs."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bayesgrove.cli.errors import PARTIAL, UsageError
from bayesgrove.cli.progress import progress

if TYPE_CHECKING:
    from bayesgrove.evaluation import TextTable
    from bayesgrove.evaluation.results import Result


def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER",
            help="singh-1995, dash-2003, hall-2006, sahami-1996 or drugan-2004; "
            "or its number, 000 to 004.",
        ),
    ],
    table: Annotated[
        str | None, typer.Option("--table", metavar="NUMBER", help="Only this table.")
    ] = None,
    figure: Annotated[
        str | None,
        typer.Option(
            "--figure",
            metavar="NUMBER",
            help="This figure instead of the tables: a picture and its numbers, into --folder.",
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Only the first splits: a look, not a reproduction.")
    ] = False,
    folder: Annotated[
        str | None,
        typer.Option("--folder", "-o", metavar="FOLDER", help="Where finished results are kept."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in --folder.")
    ] = False,
    style: Annotated[
        str, typer.Option("--style", metavar="NAME", help="text, markdown, latex or csv.")
    ] = "text",
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Processes; -1 for all.")] = -1,
) -> None:
    """Run the experiments of a paper and hold the results against its own figures.

    All tables are run, or one (--table); figures are run one by one (--figure 1 --folder FOLDER).
    """
    from bayesgrove.cli.compare_views import STYLES, require_folder, written
    from bayesgrove.cli.console import emit
    from bayesgrove.reproduce import has_paper, known_papers

    if style not in STYLES:
        raise UsageError(f"--style {style!r} must be one of {', '.join(STYLES)}.")
    if not has_paper(paper):
        raise UsageError(f"There is no paper {paper!r}; there are {known_papers()}.")
    if table is not None and figure is not None:
        raise UsageError("--table and --figure cannot both be given: run them one after the other.")
    require_folder(folder, resume)
    options = {"quick": quick, "resume": resume, "n_jobs": jobs}
    if figure is None:
        shown, failures = _tables(paper, table, folder, options)
    else:
        shown, failures = _figure(paper, figure, folder, options)
    emit("\n".join(f"{written(one, style)}\n" for one in shown))
    if failures:
        raise typer.Exit(PARTIAL)


def _tables(
    paper: str, table: str | None, folder: str | None, options: dict[str, Any]
) -> "tuple[list[TextTable], list[Result]]":
    """Return the tables as text tables, and the results that failed."""
    from bayesgrove.cli.compare_views import fraction
    from bayesgrove.reproduce import experiments_of, reproduce, tables_of

    runs = len(experiments_of(tables_of(paper, table)))
    with progress(f"Reproducing {paper}", runs) as advance:
        reproduction = reproduce(paper, table, folder=folder, progress=fraction(advance), **options)
    return reproduction.text_tables(), reproduction.results.failures


def _figure(
    paper: str, figure: str, folder: str | None, options: dict[str, Any]
) -> "tuple[list[TextTable], list[Result]]":
    """Draw a figure; return its numbers, and the results that failed."""
    from bayesgrove.cli.compare_views import fraction
    from bayesgrove.reproduce import draw, figure_of

    figure_of(paper, figure)
    if folder is None:
        raise UsageError("--figure needs --folder FOLDER: the picture is written there.")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise UsageError('--figure needs matplotlib: pip install "bayesgrove[plot]".') from None
    with progress(f"Drawing figure {figure} of {paper}", 1) as advance:
        drawing = draw(paper, figure, folder, progress=fraction(advance), **options)
    return [drawing.text_table()], drawing.results.failures
