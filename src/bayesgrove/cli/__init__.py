"""The command line. Heavy imports are made inside the commands, so that ``--help`` is fast."""

from typing import Annotated

import typer

from bayesgrove.cli.compare import compare
from bayesgrove.cli.datasets import datasets
from bayesgrove.cli.distill import distill
from bayesgrove.cli.doctor import doctor
from bayesgrove.cli.errors import Commands
from bayesgrove.cli.export import export
from bayesgrove.cli.fit import fit
from bayesgrove.cli.inspect import inspect
from bayesgrove.cli.predict import predict
from bayesgrove.cli.query import query
from bayesgrove.cli.reproduce import reproduce

app = typer.Typer(
    name="bayesgrove",
    cls=Commands,
    help="Discrete Bayesian network classifiers you can read, trust and compare.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _version(requested: bool) -> None:
    """Print the version and end the program if the option is given."""
    if requested:
        from bayesgrove import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _root(
    _: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Define the options of the program itself. Each command is in a separate module."""


for command in (
    inspect,
    compare,
    fit,
    predict,
    query,
    export,
    distill,
    reproduce,
    datasets,
    doctor,
):
    app.command()(command)


def main() -> None:
    """Run the command line."""
    app()
