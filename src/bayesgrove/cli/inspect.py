"""``bayesgrove inspect``: show how fit would treat each column of a table."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bayesgrove._utils.wording import counted
from bayesgrove.cli import options
from bayesgrove.cli.console import emit, show_aligned
from bayesgrove.cli.errors import UsageError
from bayesgrove.cli.fit import build
from bayesgrove.cli.progress import progress

if TYPE_CHECKING:
    from bayesgrove.cli.column_report import ColumnReport, TableReport


def inspect(
    table: options.TablePath,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            metavar="COLUMN",
            help="Column to predict; cut points are shown only if it is given.",
        ),
    ] = None,
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
) -> None:
    """Show how fit would treat each column of a table, and what looks unusual."""
    if target is not None and target in (drop or ()):
        raise UsageError(f"--drop leaves out the target {target!r}.")
    estimator = build(model, discretizer, missing)
    reading = options.read_options(na_values, delimiter, decimal, encoding, form)

    from bayesgrove.cli.column_report import inspect_table
    from bayesgrove.cli.columns import read

    with progress(f"Inspecting {table}"):
        data = read(table, reading, drop)
        report = inspect_table(data, target, categorical_features or [], estimator)
    _show(report)
    options_of_fit = {
        "--drop": drop,
        "--categorical-features": categorical_features,
        "--na-values": na_values,
        "--delimiter": delimiter,
        "--decimal": decimal,
        "--encoding": encoding,
        "--format": form,
        "--discretizer": discretizer,
        "--missing": missing,
    }
    emit(f"\n{_suggestion(table, model, report, options_of_fit)}\n")


def _show(report: "TableReport") -> None:
    """Write the report on a table to stdout."""
    emit(f"{report.rows:,} rows, {len(report.columns)} columns\n\n")
    header = ["column", "kind", "values", "missing", "what will be done"]
    show_aligned(header, [_line(column, report.rows) for column in report.columns])
    if report.target is None:
        return
    emit(f"\n{report.target}:\n")
    labelled = sum(report.classes.values())
    rows = [
        [f"  {label}", f"{count:,}", f"{count / labelled:.1%}"]
        for label, count in report.classes.items()
    ]
    show_aligned(None, rows)
    if report.unlabelled:
        emit(
            f"fit would fail on {counted(report.unlabelled, 'row')} without a class: remove them.\n"
        )


def _line(column: "ColumnReport", rows: int) -> list[str]:
    """Return the cells of a column's line."""
    share = f"{column.missing:,} ({column.missing / rows:.1%})" if column.missing else ""
    notes = [column.treatment, *(warning.text for warning in column.warnings)]
    return [column.name, column.kind, column.values, share, "; ".join(notes)]


def _suggestion(
    table: str,
    model: str,
    report: "TableReport",
    options_of_fit: dict[str, list[str] | str | None],
) -> str:
    """Return the fit command to run next, with options that solve the problems in the report."""
    if report.target is None:
        return "Give --target COLUMN to see the cut points as well."
    words = ["bayesgrove", "fit", table, "--target", report.target, "--model", model]
    for option, value in options_of_fit.items():
        for text in [value] if isinstance(value, str) else value or []:
            words += [option, text]
    remedies = [
        pair for column in report.columns for warning in column.warnings for pair in warning.options
    ]
    for pair in dict.fromkeys(remedies):
        words += pair
    stem = "model" if table == "-" else Path(table).name.split(".")[0] or "model"
    return f"Next: {shlex.join([*words, '-o', f'{stem}.json'])}"
