"""``bayesgrove datasets``: list the data sets, or write one of them as a table."""

from typing import TYPE_CHECKING, Annotated

import typer

from bayesgrove.cli.check_output import require_writable
from bayesgrove.cli.console import printable, say, show
from bayesgrove.cli.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd


def datasets(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Data set to write; by default all are listed."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File to write: .csv, .tsv, .parquet or .feather; by default CSV on stdout.",
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--source",
            metavar="NAME",
            help="The only source in which NAME is searched: generated, sklearn, package, folder, "
            "reuters or openml; by default all but openml are searched, in this order.",
        ),
    ] = None,
) -> None:
    """List the data sets that are available offline, or write a data set as a table."""
    require_writable(output)

    from bayesgrove.tables import require_suffix, table_writer

    if output is not None:
        require_suffix(output)
    if name is None and source is not None:
        raise UsageError("--source is the source of one data set: give its name as well.")
    if name is None:
        _list()
        return
    frame = _load(name, source)
    with table_writer(output, printable) as writer:
        writer.write(frame)


def _list() -> None:
    """Show one line per data set."""
    from bayesgrove.datasets import list_datasets

    header = ["name", "source", "rows", "attributes", "nominal", "numeric", "classes", "missing"]
    descriptions = [info.as_dict() for info in list_datasets()]
    show(header, [[info[key] for key in header] for info in descriptions])


def _load(name: str, source: str | None) -> "pd.DataFrame":
    """Return a data set as a data frame."""
    from bayesgrove.datasets import load_dataset

    try:
        dataset = load_dataset(name, source=source)
    except ValueError as error:  # A wrong name is wrong usage, not wrong data.
        raise UsageError(str(error)) from None
    say(str(dataset.info))
    return dataset.frame.apply(_whole)


def _whole(column: "pd.Series") -> "pd.Series":
    """Return a column as integers if all its values are whole, so that no decimal point shows."""
    import pandas as pd

    if not pd.api.types.is_float_dtype(column.dtype) or (column.dropna() % 1 != 0).any():
        return column
    return column.astype("Int64")
