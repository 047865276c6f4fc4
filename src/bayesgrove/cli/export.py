"""``bayesgrove export``: write networks in the formats of other programs, and trees as text."""

from typing import Annotated

import typer

from bayesgrove.cli import options
from bayesgrove.cli.check_output import require_writable
from bayesgrove.cli.console import emit
from bayesgrove.cli.errors import UsageError


def export(
    file: options.NetworkPath,
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="Format to write: bif, xmlbif, net, xdsl or dot; text for trees.",
        ),
    ],
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="File to write; by default stdout."),
    ] = None,
) -> None:
    """Write the network of a model or network file in another format, or trees as text."""
    require_writable(output, file)
    if to == "text":
        _export_trees(file, output)
        return

    from bayesgrove.cli.models import model_name
    from bayesgrove.cli.network_source import open_network
    from bayesgrove.network.files import FORMATS, format_network, write_network

    if to not in FORMATS:
        raise UsageError(f"--to {to!r} must be one of {', '.join(FORMATS)}, text.")
    source = open_network(file)
    if source.densities:
        raise UsageError(
            f"{file} gives {source.densities[0]!r} a normal density, which a network file "
            f"cannot hold: fit the model with {model_name(source.model)}:numeric=discretize."
        )
    source.note_beyond()
    if output is None:
        emit(format_network(source.network, to))
    else:
        write_network(source.network, output, to)


def _export_trees(file: str, output: str | None) -> None:
    """Write the trees of a model as text."""
    from bayesgrove import load_model
    from bayesgrove._utils.files import atomic_write
    from bayesgrove.cli.network_source import require_network

    model = load_model(file)
    if not hasattr(model, "to_text"):
        require_network(model, file)
        raise UsageError(
            f"The {type(model).__name__} in {file} is not a tree: --to text is only for trees."
        )
    text = f"{model.to_text()}\n"
    if output is None:
        emit(text)
        return
    with atomic_write(output) as out:
        out.write(text.encode("utf-8", "backslashreplace"))
