"""Options that several commands share."""

from typing import TYPE_CHECKING, Annotated

import typer

from bayesgrove.cli.errors import UsageError

if TYPE_CHECKING:
    from bayesgrove.tables import ReadOptions

_READING = "Reading the table"
_DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
"""Names of delimiters that are hard to type in a shell."""

DEFAULT_MODEL = "grove"
"""Model of commands that fit one, or say how one would be fitted."""

TablePath = Annotated[
    str,
    typer.Argument(
        metavar="TABLE",
        help="CSV, Parquet, Feather or ARFF file, a folder of Parquet files, a pattern such as "
        "'data/*.parquet', or - for the standard input.",
    ),
]
ModelPath = Annotated[str, typer.Argument(metavar="MODEL", help="Model file that fit wrote.")]
NetworkPath = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="Model file, or network file (.bif, .xmlbif, .net or .xdsl)."
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option("--drop", metavar="COLUMN", help="Column to leave out; may be repeated."),
]
CategoricalFeatures = Annotated[
    list[str] | None,
    typer.Option(
        "--categorical-features",
        metavar="COLUMN",
        help="Nominal column: its values are labels, even if they are numbers; may be repeated.",
    ),
]
Model = Annotated[
    str,
    typer.Option(
        "--model",
        "-m",
        metavar="MODEL",
        help="Classifier and its options, such as grove, tan or kdb:k=2,theta=0.03. "
        "The grove has the best probabilities; tan and kdb are one network, which query and export "
        "need.",
    ),
]
Discretizer = Annotated[
    str | None,
    typer.Option(
        "--discretizer",
        metavar="NAME",
        help="How numeric columns are cut into intervals: mdlp (default) or "
        "equal-frequency:n_bins=5; not for grove and trees, and for awnb only with "
        "numeric=discretize.",
    ),
]
Missing = Annotated[
    str | None,
    typer.Option(
        "--missing",
        metavar="value|ignore|em",
        help="How training treats missing values: value makes them a separate state of their "
        "column, ignore leaves them out of the counts, em counts them with their probabilities; by "
        "default value, for awnb ignore; not for grove and trees.",
    ),
]
NaValues = Annotated[
    list[str] | None,
    typer.Option(
        "--na-values",
        metavar="TEXT",
        help="Text that stands for a missing value in the file, in addition to the empty field; "
        "may be repeated.",
        rich_help_panel=_READING,
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(
        "--delimiter",
        metavar="CHARACTER",
        help="Character between fields, or its name, such as tab; by default comma, semicolon, tab "
        "or pipe is detected.",
        rich_help_panel=_READING,
    ),
]
Decimal = Annotated[
    str | None,
    typer.Option(
        "--decimal",
        metavar=".|,",
        help="Decimal sign of numbers, a point or a comma; by default it is detected.",
        rich_help_panel=_READING,
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help="Encoding of the text; by default its byte order mark decides; without a mark it is "
        "UTF-8 or, if that is not possible, Windows-1252 with a note.",
        rich_help_panel=_READING,
    ),
]
SpillFolder = Annotated[
    str | None,
    typer.Option(
        "--spill-folder",
        metavar="FOLDER",
        help="Folder of the spill file, a temporary file for codes that exceed the memory limit; "
        "by default the system's folder for temporary files.",
        rich_help_panel=_READING,
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="Format of the file: csv, parquet, feather or arff; by default the ending of its name "
        "or its first bytes decide.",
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
    """Return the options of reading a table, after checks."""
    from bayesgrove.tables import FORMATS, ReadOptions

    character = _DELIMITERS.get(delimiter, delimiter) if delimiter else delimiter
    if character is not None and (len(character) != 1 or character in '"\r\n\0'):
        raise UsageError(f"--delimiter {delimiter!r} must be one character, or tab.")
    if decimal not in (None, ".", ","):
        raise UsageError(f"--decimal {decimal!r} must be a point or a comma.")
    if form not in (None, *FORMATS):
        raise UsageError(f"--format {form!r} must be one of {', '.join(FORMATS)}.")
    if encoding is not None:
        _require_encoding(encoding)
    return ReadOptions(form, character, decimal, encoding, tuple(na_values or ()))


def _require_encoding(encoding: str) -> None:
    """Raise unless Python knows the encoding."""
    from bayesgrove.tables.read_options import is_encoding

    if not is_encoding(encoding):
        raise UsageError(
            f"--encoding {encoding!r} is unknown; common encodings are utf-8, cp1252, utf-16 and "
            "latin-1."
        )
