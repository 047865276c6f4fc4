"""Options that several commands share."""

from typing import TYPE_CHECKING, Annotated

import typer

from bayesgrove.cli.errors import UsageError

if TYPE_CHECKING:
    from bayesgrove.tables import ReadOptions

_READING = "Reading the table"
_DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}

TablePath = Annotated[
    str,
    typer.Argument(
        metavar="TABLE",
        help="CSV, Parquet, Feather or ARFF file, a folder or pattern of Parquet files; "
        "- is the standard input.",
    ),
]
ModelPath = Annotated[str, typer.Argument(metavar="MODEL", help="A model file, written by fit.")]
NetworkPath = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="A model file, or a network file (.bif, .xmlbif, .net, .xdsl)."
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option("--drop", metavar="COLUMN", help="Leave this column out; may be repeated."),
]
CategoricalFeatures = Annotated[
    list[str] | None,
    typer.Option(
        "--categorical-features",
        metavar="COLUMN",
        help="Take the values of this column as labels, also if they are numbers; repeatable.",
    ),
]
Model = Annotated[
    str,
    typer.Option("--model", "-m", metavar="NAME[:KEY=VALUE,...]", help="nb, tan, kdb:k=2, ..."),
]
Discretizer = Annotated[
    str | None,
    typer.Option(
        "--discretizer",
        metavar="NAME",
        help="How numbers are cut: mdlp (default) or equal-frequency:n_bins=5.",
    ),
]
Missing = Annotated[
    str | None,
    typer.Option(
        "--missing",
        metavar="value|ignore",
        help="Missing is a value of its own (default), or left out of the counts.",
    ),
]
NaValues = Annotated[
    list[str] | None,
    typer.Option(
        "--na-values",
        metavar="TEXT",
        help="This text stands for a missing value, as the empty field does; may be repeated.",
        rich_help_panel=_READING,
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(
        "--delimiter",
        metavar="CHARACTER",
        help="Between fields; found out by default among comma, semicolon, tab and pipe.",
        rich_help_panel=_READING,
    ),
]
Decimal = Annotated[
    str | None,
    typer.Option(
        "--decimal", metavar=".|,", help="Decimal sign of numbers.", rich_help_panel=_READING
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help="Of text; by default its mark, UTF-8, or Windows-1252 with a note.",
        rich_help_panel=_READING,
    ),
]
SpillFolder = Annotated[
    str | None,
    typer.Option(
        "--spill-folder",
        metavar="FOLDER",
        help="Where codes of rows go that exceed the memory limit; by default where the system "
        "keeps temporary files.",
        rich_help_panel=_READING,
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="csv|parquet|feather|arff",
        help="By default the file's ending says it.",
        rich_help_panel=_READING,
    ),
]


def read_options(
    na_values: list[str] | None,
    delimiter: str | None,
    decimal: str | None,
    encoding: str | None,
    form: str | None,
) -> "ReadOptions":
    """Options of reading, checked."""
    from bayesgrove.tables import FORMATS, ReadOptions

    sign = _DELIMITERS.get(delimiter, delimiter) if delimiter else delimiter
    if sign is not None and (len(sign) != 1 or sign in '"\r\n\0'):
        raise UsageError(f"--delimiter {delimiter!r} must be one character, or tab.")
    if decimal not in (None, ".", ","):
        raise UsageError(f"--decimal {decimal!r} must be a point or a comma.")
    if form not in (None, *FORMATS):
        raise UsageError(f"--format {form!r} must be one of {', '.join(FORMATS)}.")
    if encoding is not None:
        _require_encoding(encoding)
    return ReadOptions(form, sign, decimal, encoding, tuple(na_values or ()))


def _require_encoding(encoding: str) -> None:
    from bayesgrove.tables.read_options import is_encoding

    if not is_encoding(encoding):
        raise UsageError(
            f"--encoding {encoding!r} is unknown; common ones are utf-8, cp1252, utf-16, latin-1."
        )
