"""``bayesgrove inspect``: how each column will be treated, and why."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

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
        typer.Option("--target", "-t", metavar="COLUMN", help="The column to predict."),
    ] = None,
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
) -> None:
    """Say how each column of a table would be treated by fit, and what looks odd."""
    if target is not None and target in (drop or ()):
        raise UsageError(f"--drop leaves out the target {target!r}.")
    estimator = build(model, discretizer, missing)
    reading = options.read_options(na_values, delimiter, decimal, encoding, form)

    from bayesgrove.cli.column_report import inspect_table
    from bayesgrove.cli.columns import read

    with progress(f"Inspecting {table}"):
        data = read(table, reading, drop)
        found = inspect_table(data, target, categorical_features or [], estimator)
    _show(found)
    given = {
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
    emit(f"\n{_suggestion(table, model, found, given)}\n")


def _show(found: "TableReport") -> None:
    emit(f"{found.rows:,} rows, {len(found.columns)} columns\n\n")
    header = ["column", "kind", "values", "missing", "what will be done"]
    show_aligned(header, [_line(column, found.rows) for column in found.columns])
    if found.target is None:
        return
    emit(f"\n{found.target}:\n")
    labelled = sum(found.classes.values())
    rows = [
        [f"  {label}", f"{count:,}", f"{count / labelled:.1%}"]
        for label, count in found.classes.items()
    ]
    show_aligned(None, rows)
    if found.unlabelled:
        emit(f"fit refuses the {found.unlabelled} rows without a class: leave these out.\n")


def _line(column: "ColumnReport", rows: int) -> list[str]:
    share = f"{column.missing:,} ({column.missing / rows:.1%})" if column.missing else ""
    notes = [column.treatment, *(odd.text for odd in column.odd)]
    return [column.name, column.kind, column.values, share, "; ".join(notes)]


def _suggestion(
    table: str, model: str, found: "TableReport", given: dict[str, list[str] | str | None]
) -> str:
    if found.target is None:
        return "With --target COLUMN the cut points show, too."
    words = ["bayesgrove", "fit", table, "--target", found.target, "--model", model]
    for option, value in given.items():
        for text in [value] if isinstance(value, str) else value or []:
            words += [option, text]
    helpful = [pair for column in found.columns for odd in column.odd for pair in odd.options]
    for pair in dict.fromkeys(helpful):
        words += pair
    stem = "model" if table == "-" else Path(table).name.split(".")[0] or "model"
    return f"Next: {shlex.join([*words, '-o', f'{stem}.json'])}"
