"""``bayesgrove compare``: models against each other on tables, fairly."""

from typing import Annotated

import typer

from bayesgrove.cli import options
from bayesgrove.cli.errors import PARTIAL
from bayesgrove.cli.models import parse_models
from bayesgrove.cli.progress import progress


def compare(
    tables: Annotated[
        list[str],
        typer.Argument(metavar="TABLE...", help="Files, or names of data sets (see datasets)."),
    ],
    models: Annotated[
        str,
        typer.Option("--models", "-m", metavar="LIST", help="Such as nb,tan,kdb:k=2,theta=0.03."),
    ] = "nb,tan,kdb:k=2",
    target: Annotated[
        str | None,
        typer.Option("--target", "-t", metavar="COLUMN", help="The column to predict; of files."),
    ] = None,
    cv: Annotated[
        str,
        typer.Option(
            "--cv", metavar="PROTOCOL", help="10, 5x10, 30x200/235 (random splits), split:1084."
        ),
    ] = "10",
    folder: Annotated[
        str | None,
        typer.Option("--folder", "-o", metavar="FOLDER", help="Where results are kept."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in --folder.")
    ] = False,
    calibrate: Annotated[
        bool,
        typer.Option("--calibrate", help="Correct the probabilities of every model (10 folds)."),
    ] = False,
    metric: Annotated[
        str, typer.Option("--metric", metavar="NAME", help="What the table shows.")
    ] = "accuracy",
    base: Annotated[
        str | None,
        typer.Option(
            "--base", metavar="MODEL", help="Test the others against it; by default the first."
        ),
    ] = None,
    test: Annotated[
        str, typer.Option("--test", metavar="NAME", help="corrected, paired or wilcoxon.")
    ] = "corrected",
    style: Annotated[
        str, typer.Option("--style", metavar="NAME", help="text, markdown, latex or csv.")
    ] = "text",
    seed: Annotated[int, typer.Option("--seed", help="Of the splits.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Processes; -1 for all.")] = -1,
    time_limit: Annotated[
        float | None,
        typer.Option("--time-limit", metavar="SECONDS", help="For one model on one split."),
    ] = None,
    drop: options.Drop = None,
    categorical_features: options.CategoricalFeatures = None,
    na_values: options.NaValues = None,
    delimiter: options.Delimiter = None,
    decimal: options.Decimal = None,
    encoding: options.Encoding = None,
    form: options.Format = None,
) -> None:
    """Compare classifiers on the same splits, and say which differences are more than chance."""
    from bayesgrove.cli import compare_views
    from bayesgrove.evaluation import compare as run
    from bayesgrove.evaluation import parse_protocol

    compare_views.require_folder(folder, resume)
    reading = options.read_options(na_values, delimiter, decimal, encoding, form)
    chosen = {spec.text: spec.build() for spec in parse_models(models)}
    show = compare_views.Show(metric, base, test, style)
    show.require(list(chosen))
    data = compare_views.sources(tables, target, reading, drop or [], categorical_features or [])
    with progress("Comparing", 1) as advance:
        result = run(
            chosen,
            data,
            parse_protocol(cv, seed),
            folder=folder,
            resume=resume,
            n_jobs=jobs,
            time_limit=time_limit,
            progress=compare_views.fraction(advance),
            calibrate=calibrate,
        )
    show.show(result)
    if folder is not None:
        compare_views.draw(result, folder, metric)
    if result.failures:
        raise typer.Exit(PARTIAL)
