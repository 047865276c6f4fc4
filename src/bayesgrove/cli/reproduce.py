"""``bayesgrove reproduce``: reproduce the tables and figures of a paper."""

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
            help="Paper to reproduce: singh-1995, dash-2003, hall-2006, sahami-1996 or "
            "drugan-2004; or its number, 000 to 004. Or modern, a comparison with other packages.",
        ),
    ],
    table: Annotated[
        str | None,
        typer.Option(
            "--table", metavar="NUMBER", help="Reproduce only this table, such as 2 or choices."
        ),
    ] = None,
    figure: Annotated[
        str | None,
        typer.Option(
            "--figure",
            metavar="NUMBER",
            help="Draw this figure instead of the tables; the plot and its numbers are written to "
            "--folder.",
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="Run only the first splits; the conclusions are then not checked."
        ),
    ] = False,
    folder: Annotated[
        str | None,
        typer.Option(
            "--folder",
            "-o",
            metavar="FOLDER",
            help="Folder to keep the results in; by default they are not kept.",
        ),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the run in --folder.")] = False,
    style: Annotated[
        str,
        typer.Option(
            "--style", metavar="NAME", help="Format of the tables: text, markdown, latex or csv."
        ),
    ] = "text",
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", help="Number of processes; -1 means one per processor.")
    ] = -1,
) -> None:
    """Run the experiments of a paper, and compare the results with the published ones.

    By default all tables of the paper are reproduced. Additional tables, such as
    choices of singh-1995, are run only with --table. A figure is drawn with
    --figure 1 --folder FOLDER.
    """
    from bayesgrove.cli.compare_views import STYLES, formatted, require_folder
    from bayesgrove.cli.console import emit
    from bayesgrove.datasets import data_folder
    from bayesgrove.reproduce import find_paper, has_paper, known_papers

    if style not in STYLES:
        raise UsageError(f"--style {style!r} must be one of {', '.join(STYLES)}.")
    if not has_paper(paper):
        raise UsageError(f"There is no paper {paper!r}; the papers are {known_papers()}.")
    if find_paper(paper).needs_folder and data_folder() is None:
        raise UsageError(
            f"The data sets of {paper} are not part of the package: set BAYESGROVE_DATA to a "
            "folder of data sets with a catalog.json."
        )
    if table is not None and figure is not None:
        raise UsageError("--table and --figure cannot both be given: run them one after the other.")
    require_folder(folder, resume)
    options = {"quick": quick, "resume": resume, "n_jobs": jobs}
    if figure is None:
        tables, failures = _tables(paper, table, folder, options)
    else:
        tables, failures = _figure(paper, figure, folder, options)
    emit("\n".join(f"{formatted(text_table, style)}\n" for text_table in tables))
    if failures:
        raise typer.Exit(PARTIAL)


def _tables(
    paper: str, table: str | None, folder: str | None, options: dict[str, Any]
) -> "tuple[list[TextTable], list[Result]]":
    """Reproduce the tables; return them as text tables, and the results that failed."""
    from bayesgrove.cli.compare_views import fraction
    from bayesgrove.reproduce import experiments_of, reproduce, tables_of

    runs = len(experiments_of(tables_of(paper, table)))
    with progress(f"Reproducing {paper}", runs) as advance:
        reproduction = reproduce(paper, table, folder=folder, progress=fraction(advance), **options)
    return reproduction.text_tables(), reproduction.results.failures


def _figure(
    paper: str, figure: str, folder: str | None, options: dict[str, Any]
) -> "tuple[list[TextTable], list[Result]]":
    """Draw a figure; return its numbers as a text table, and the results that failed."""
    from bayesgrove.cli.compare_views import fraction
    from bayesgrove.reproduce import draw, figure_of

    figure_of(paper, figure)
    if folder is None:
        raise UsageError("--figure needs --folder FOLDER: the plot is written there.")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise UsageError('--figure needs matplotlib: pip install "bayesgrove[plot]".') from None
    with progress(f"Drawing figure {figure} of {paper}", 1) as advance:
        drawing = draw(paper, figure, folder, progress=fraction(advance), **options)
    return [drawing.text_table()], drawing.results.failures
