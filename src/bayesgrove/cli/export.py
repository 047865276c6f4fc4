"""``bayesgrove export``: the network of a model in the formats of other programs."""

from typing import Annotated

import typer

from bayesgrove.cli import options
from bayesgrove.cli.console import emit
from bayesgrove.cli.errors import UsageError
from bayesgrove.cli.outputs import require_writable


def export(
    file: options.NetworkPath,
    to: Annotated[
        str, typer.Option("--to", metavar="FORMAT", help="bif, xmlbif, net, xdsl or dot.")
    ],
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="By default stdout.")
    ] = None,
) -> None:
    """Write the network of a model, or of a network file, in another format."""
    require_writable(output, file)

    from bayesgrove.cli.evidence import open_network
    from bayesgrove.network.files import FORMATS, format_network, write_network

    if to not in FORMATS:
        raise UsageError(f"--to {to!r} must be one of {', '.join(FORMATS)}.")
    source = open_network(file)
    if source.densities:
        raise UsageError(
            f"{file} gives {source.densities[0]!r} a normal density, which no network file can "
            "hold: fit the model with nb:numeric=discretize."
        )
    if output is None:
        emit(format_network(source.network, to))
    else:
        write_network(source.network, output, to)
