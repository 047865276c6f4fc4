"""``bayesgrove predict``: predict the class of every row of a table with a model file."""

import sys
from typing import Annotated

import typer

from bayesgrove.cli import options
from bayesgrove.cli.check_output import require_writable
from bayesgrove.cli.console import printable
from bayesgrove.cli.progress import progress


def predict(
    model: options.ModelPath,
    table: options.TablePath,
    proba: Annotated[
        bool, typer.Option("--proba", help="Add the probabilities, one column per class.")
    ] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File to write: .csv, .tsv, .parquet or .feather; by default CSV on stdout.",
        ),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep", metavar="COLUMN", help="Column to copy into the output; may be repeated."
        ),
    ] = None,
    drop: options.Drop = None,
    na_values: options.NaValues = None,
    delimiter: options.Delimiter = None,
    decimal: options.Decimal = None,
    encoding: options.Encoding = None,
    form: options.Format = None,
) -> None:
    """Predict the class of every row of a table."""
    require_writable(output, model, table)
    reading = options.read_options(na_values, delimiter, decimal, encoding, form)

    from bayesgrove import load_model
    from bayesgrove.cli.batch_predict import Predictor
    from bayesgrove.cli.columns import read
    from bayesgrove.tables import require_suffix, table_writer

    if output is not None:
        require_suffix(output)
    predictor = Predictor(load_model(model), proba=proba)
    with progress(f"Reading {table}"):
        data = read(table, reading, drop)
    columns, kept = predictor.match(data, keep or [])
    rows = data.rows
    # Predictions on the terminal show the progress already.
    hidden = output is None and sys.stdout.isatty()
    with (
        table_writer(output, printable) as writer,
        progress(f"Predicting {rows:,} rows", rows, hidden=hidden) as advance,
    ):
        for part in predictor.predict(data, columns, kept):
            writer.write(part)
            advance(len(part))
    predictor.report_unseen()
