"""``bayesgrove distill``: write a readable student of a model, and tell what it loses."""

from typing import Annotated

import typer

from bayesgrove.cli import options
from bayesgrove.cli.check_output import require_writable
from bayesgrove.cli.console import emit, say
from bayesgrove.cli.progress import progress


def distill(
    model: options.ModelPath,
    table: options.TablePath,
    target: Annotated[
        str, typer.Option("--target", "-t", metavar="COLUMN", help="Column to predict.")
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Model file to write.")
    ],
    into: Annotated[
        str, typer.Option("--into", metavar="NAME", help="Student: network or scorecard.")
    ] = "network",
    cv: Annotated[
        str,
        typer.Option(
            "--cv", metavar="PROTOCOL", help="How losses are measured, such as 5 or 5x10."
        ),
    ] = "5",
    seed: Annotated[
        int, typer.Option("--seed", help="Seed of the splits and of the made rows.")
    ] = 0,
    drop: options.Drop = None,
    categorical_features: options.CategoricalFeatures = None,
    na_values: options.NaValues = None,
    delimiter: options.Delimiter = None,
    decimal: options.Decimal = None,
    encoding: options.Encoding = None,
    form: options.Format = None,
) -> None:
    """Learn one readable network or scorecard from a model, and tell what it loses."""
    require_writable(output, model, table)
    reading = options.read_options(na_values, delimiter, decimal, encoding, form)

    from bayesgrove import distill as run
    from bayesgrove import load_model, save_model
    from bayesgrove.cli.columns import attributes_and_class

    teacher = load_model(model)
    with progress(f"Reading {table}"):
        X, y = attributes_and_class(table, target, reading, drop or [], categorical_features or [])
    with progress(f"Distilling {model} with {len(X):,} rows"):
        distilled = run(teacher, X, y, into=into, cv=cv, random_state=seed)
    save_model(distilled.model, output)
    emit(f"{distilled.to_text()}\n")
    say(f"Written to {output}.")
