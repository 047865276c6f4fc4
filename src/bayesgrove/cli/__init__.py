"""The command line. Imports are lazy: ``--help`` answers at once."""

from __future__ import annotations

import typer

from bayesgrove.cli.doctor import doctor

app = typer.Typer(
    name="bayesgrove",
    help="Discrete Bayesian network classifiers you can read, trust and compare.",
    no_args_is_help=True,
    add_completion=False,
)


@app.callback()
def _root() -> None:
    """Commands are added one file each."""


app.command()(doctor)


def main() -> None:
    """Run the command line."""
    app()
