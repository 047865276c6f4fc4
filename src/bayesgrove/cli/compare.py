"""``bayesgrove compare``: compare models on the same splits of tables."""

from typing import Annotated

import typer

from bayesgrove.cli import options
from bayesgrove.cli.errors import PARTIAL
from bayesgrove.cli.models import parse_models
from bayesgrove.cli.progress import progress


def compare(
    tables: Annotated[
        list[str],
        typer.Argument(
            metavar="TABLE...",
            help="Files, or names of data sets (bayesgrove datasets lists them).",
        ),
    ],
    models: Annotated[
        str,
        typer.Option(
            "--models",
            "-m",
            metavar="LIST",
            help="Models to compare, such as grove,tan,kdb:k=2,theta=0.03.",
        ),
    ] = "grove,nb,tan,kdb:k=2",
    target: Annotated[
        str | None,
        typer.Option(
            "--target", "-t", metavar="COLUMN", help="Column to predict, required for files."
        ),
    ] = None,
    cv: Annotated[
        str,
        typer.Option(
            "--cv",
            metavar="PROTOCOL",
            help="Evaluation protocol: 10 (10-fold cross-validation), 5x10 (5 repeats of 10-fold "
            "cross-validation), 30x200/235 (30 random splits: 200 training and 235 test rows) or "
            "split:1084 (train on the first 1084 rows, test on the others).",
        ),
    ] = "10",
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
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate",
            help="Calibrate the probabilities of every model by a logistic regression on an inner "
            "10-fold cross-validation.",
        ),
    ] = False,
    metric: Annotated[
        str,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Metric that the table shows, such as accuracy, error, auc, log_loss or "
            "fit_seconds.",
        ),
    ] = "accuracy",
    base: Annotated[
        str | None,
        typer.Option(
            "--base",
            metavar="MODEL",
            help="Model against which the others are tested; by default the first one.",
        ),
    ] = None,
    test: Annotated[
        str,
        typer.Option(
            "--test", metavar="NAME", help="Significance test: corrected, paired or wilcoxon."
        ),
    ] = "corrected",
    style: Annotated[
        str,
        typer.Option(
            "--style", metavar="NAME", help="Format of the table: text, markdown, latex or csv."
        ),
    ] = "text",
    seed: Annotated[int, typer.Option("--seed", help="Seed of the splits.")] = 0,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", help="Number of processes; -1 means one per processor.")
    ] = -1,
    time_limit: Annotated[
        float | None,
        typer.Option(
            "--time-limit",
            metavar="SECONDS",
            help="Time limit for one model on one split; by default none.",
        ),
    ] = None,
    drop: options.Drop = None,
    categorical_features: options.CategoricalFeatures = None,
    na_values: options.NaValues = None,
    delimiter: options.Delimiter = None,
    decimal: options.Decimal = None,
    encoding: options.Encoding = None,
    form: options.Format = None,
) -> None:
    """Compare classifiers on the same splits, and test which differences are significant."""
    from bayesgrove.cli import compare_views
    from bayesgrove.evaluation import compare as run
    from bayesgrove.evaluation import parse_protocol

    compare_views.require_folder(folder, resume)
    reading = options.read_options(na_values, delimiter, decimal, encoding, form)
    estimators = {spec.text: spec.build() for spec in parse_models(models)}
    show = compare_views.Show(metric, base, test, style)
    show.require(list(estimators))
    data = compare_views.sources(tables, target, reading, drop or [], categorical_features or [])
    with progress("Comparing", 1) as advance:
        result = run(
            estimators,
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
