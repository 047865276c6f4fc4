"""``bayesgrove fit``: a table in, a model file out."""

from typing import Annotated, Any

import typer

from bayesgrove.cli import options
from bayesgrove.cli.check_output import require_writable
from bayesgrove.cli.console import listed, note, say
from bayesgrove.cli.errors import UsageError
from bayesgrove.cli.models import parse_discretizer, parse_model
from bayesgrove.cli.progress import progress

_PLACES = {"discretizer": "--discretizer", "missing": "--missing"}
"""Options of most classifiers that have a place of their own on the command line."""


def fit(
    table: options.TablePath,
    target: Annotated[
        str, typer.Option("--target", "-t", metavar="COLUMN", help="The column to predict.")
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="The model file to write.")
    ],
    model: options.Model = "tan",
    drop: options.Drop = None,
    categorical_features: options.CategoricalFeatures = None,
    discretizer: options.Discretizer = None,
    missing: options.Missing = None,
    na_values: options.NaValues = None,
    delimiter: options.Delimiter = None,
    decimal: options.Decimal = None,
    encoding: options.Encoding = None,
    form: options.Format = None,
    spill_folder: options.SpillFolder = None,
) -> None:
    """Learn a classifier from a table and write it to a model file."""
    require_writable(output, table)
    if target in (drop or ()):
        raise UsageError(f"--drop leaves out the target {target!r}.")
    estimator = build(model, discretizer, missing)
    reading = options.read_options(na_values, delimiter, decimal, encoding, form)

    from bayesgrove import config_context, save_model
    from bayesgrove.cli.columns import attributes, read, train

    settings = {} if spill_folder is None else {"spill_folder": spill_folder}
    with progress(f"Reading {table}"):
        data = read(table, reading, drop)
    threads = estimator.n_jobs
    with config_context(**settings), progress(f"Fitting {model} to {data.rows:,} rows"):
        # All processors, unless the model says otherwise: their number changes no result.
        estimator.set_params(n_jobs=-1 if threads is None else threads)
        train(estimator, data, target, categorical_features or [])
    estimator.set_params(n_jobs=threads)
    save_model(estimator, output)
    if len(estimator.classes_) == 1:
        note(f"{target} has only one value: there is nothing to learn.")
    say(
        f"{model} fitted to {data.rows:,} rows of {len(attributes(data, target))} columns; "
        f"{target}: {listed(estimator.classes_.tolist())}. Written to {output}."
    )
    if hasattr(estimator, "selected_"):
        say(f"Selected: {listed(estimator.selected_) or 'no column'}.")


def build(model: str, discretizer: str | None, missing: str | None) -> Any:
    """The classifier, with the options that are no part of its specification."""
    spec, chosen = parse_model(model), _settings(discretizer, missing)
    for name in chosen:
        if not spec.has_option(name):
            raise UsageError(f"{_PLACES[name]} does not go with {spec.name}: leave it out.")
    return spec.build(**chosen)


def _settings(discretizer: str | None, missing: str | None) -> dict[str, object]:
    chosen: dict[str, object] = {}
    if discretizer is not None:
        chosen["discretizer"] = parse_discretizer(discretizer).build()
    if missing is not None:
        if missing not in ("value", "ignore"):
            raise UsageError(
                f"--missing {missing!r} must be value or ignore. A text that stands for a missing "
                "value is given by --na-values."
            )
        chosen["missing"] = missing
    return chosen
