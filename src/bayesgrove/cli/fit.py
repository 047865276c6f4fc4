"""``bayesgrove fit``: learn a classifier from a table and write it to a model file."""

from typing import Annotated, Any

import typer

from bayesgrove._utils.wording import counted, listed
from bayesgrove.cli import options
from bayesgrove.cli.check_output import require_writable
from bayesgrove.cli.console import note, say
from bayesgrove.cli.errors import UsageError
from bayesgrove.cli.models import parse_discretizer, parse_model
from bayesgrove.cli.progress import progress

_OPTIONS = {"discretizer": "--discretizer", "missing": "--missing"}
"""Options of classifiers that are separate options of the command line, not part of --model."""
_MOST_IMPORTANT = 3
"""Number of columns of a grove that are named."""


def fit(
    table: options.TablePath,
    target: Annotated[
        str, typer.Option("--target", "-t", metavar="COLUMN", help="Column to predict.")
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Model file to write.")
    ],
    model: options.Model = options.DEFAULT_MODEL,
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
        # Use all processors unless --model sets n_jobs. Results do not depend on their number.
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
    if hasattr(estimator, "out_of_fold_loss_"):
        _say_grove(estimator)
    if hasattr(estimator, "selected_"):
        say(f"Selected: {listed(estimator.selected_) or 'no column'}.")
    if getattr(estimator, "choices_", []):
        say(f"Chosen from the rows: k={estimator.k_}, theta={estimator.theta_}.")
    joined = [" with ".join(group) for group in getattr(estimator, "groups_", []) if group[1:]]
    if hasattr(estimator, "groups_"):
        say(f"Joined: {listed(joined) or 'no columns'}.")


def _say_grove(grove: Any) -> None:
    """Write what a grove says about itself: its loss, its parts and its most important columns."""
    parts = [counted(len(grove.members_), "member")]
    parts += [counted(grove.n_rule_tables_, "rule table")] if grove.rules else []
    parts += [counted(grove.n_trees_, "tree")] if grove.trees else []
    say(f"{', '.join(parts)}. Out-of-fold log-loss: {grove.out_of_fold_loss_:.3f}.")
    shares = zip(grove.feature_names_in_, grove.feature_importances_, strict=True)
    ranked = sorted(shares, key=lambda column: column[1], reverse=True)
    columns = [name for name, share in ranked if share > 0]
    say(f"Most important: {', '.join(columns[:_MOST_IMPORTANT]) or 'no column'}.")


def build(model: str, discretizer: str | None, missing: str | None) -> Any:
    """Return the classifier of --model with the options of --discretizer and --missing."""
    spec, settings = parse_model(model), _settings(discretizer, missing)
    for name in settings:
        if not spec.has_option(name):
            raise UsageError(
                f"{_OPTIONS[name]} is not an option of {spec.name}: leave it out, or choose "
                "another model, such as --model tan."
            )
    return spec.build(**settings)


def _settings(discretizer: str | None, missing: str | None) -> dict[str, object]:
    """Return the given options of the classifier by name."""
    settings: dict[str, object] = {}
    if discretizer is not None:
        settings["discretizer"] = parse_discretizer(discretizer).build()
    if missing is not None:
        if missing not in ("value", "ignore", "em"):
            raise UsageError(
                f"--missing {missing!r} must be value, ignore or em. Use --na-values for a text "
                "that stands for a missing value."
            )
        settings["missing"] = missing
    return settings
