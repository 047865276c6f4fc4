"""``bayesgrove datasets``: what there is, and each as a table."""

from typing import TYPE_CHECKING, Annotated

import typer

from bayesgrove.cli.check_output import require_writable
from bayesgrove.cli.console import printable, say, show
from bayesgrove.cli.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd


def datasets(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Write this data set as a table.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help=".csv, .parquet, ...; else stdout."),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--source", metavar="NAME", help="generated, sklearn, package, folder or openml."
        ),
    ] = None,
) -> None:
    """List the data sets at hand, or write one of them as CSV."""
    require_writable(output)

    from bayesgrove.tables import require_suffix, table_writer

    if output is not None:
        require_suffix(output)
    if name is None:
        _list()
        return
    frame = _load(name, source)
    with table_writer(output, printable) as writer:
        writer.write(frame)


def _list() -> None:
    from bayesgrove.datasets import list_datasets

    header = ["name", "source", "rows", "attributes", "nominal", "numeric", "classes", "missing"]
    described = [info.as_dict() for info in list_datasets()]
    show(header, [[info[key] for key in header] for info in described])


def _load(name: str, source: str | None) -> "pd.DataFrame":
    from bayesgrove.datasets import load_dataset

    try:
        dataset = load_dataset(name, source=source)
    except ValueError as error:  # the name is what the command line asks for
        raise UsageError(str(error)) from None
    say(str(dataset.info))
    return dataset.frame.apply(_whole)


def _whole(column: "pd.Series") -> "pd.Series":
    """Whole numbers without a decimal point."""
    import pandas as pd

    if not pd.api.types.is_float_dtype(column.dtype) or (column.dropna() % 1 != 0).any():
        return column
    return column.astype("Int64")
