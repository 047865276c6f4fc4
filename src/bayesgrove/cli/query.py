"""``bayesgrove query``: show probabilities in a network, given evidence."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bayesgrove.cli import options
from bayesgrove.cli.console import say, show
from bayesgrove.cli.errors import UsageError

if TYPE_CHECKING:
    from bayesgrove.cli.network_source import NetworkSource


def query(
    file: options.NetworkPath,
    node: Annotated[
        str | None, typer.Argument(metavar="NODE", help="Node to query; by default all nodes.")
    ] = None,
    evidence: Annotated[
        list[str] | None,
        typer.Option(
            "--evidence",
            "-e",
            metavar="NODE=STATE",
            help="Known state of a node, such as age=33.5; may be repeated.",
        ),
    ] = None,
    most_probable: Annotated[
        bool,
        typer.Option(
            "--most-probable",
            help="Show the most probable combination of states of all nodes instead.",
        ),
    ] = False,
) -> None:
    """Show the probabilities of the states of a node, given evidence about other nodes."""
    if node is not None and most_probable:
        raise UsageError("--most-probable is for all nodes: leave out the node.")

    from bayesgrove.cli.network_source import open_network, parse_evidence

    source = open_network(file)
    known = parse_evidence(evidence or [], source)
    source.note_beyond()
    if most_probable:
        _show_most_probable(source, known)
    elif node is None:
        marginals = source.network.marginals(known)
        show(
            ["node", "state", "probability"],
            [(n, _text(s), p) for n, states in marginals.items() for s, p in states.items()],
        )
    else:
        posterior = source.network.posterior(source.require_node(node), known)
        show(["state", "probability"], [(_text(state), p) for state, p in posterior.items()])


def _show_most_probable(source: "NetworkSource", evidence: dict[str, Any]) -> None:
    """Show the most probable states of all nodes together, and the logarithm of P."""
    explanation = source.network.most_probable(evidence)
    show(["node", "state"], [(node, _text(state)) for node, state in explanation.states.items()])
    say(f"ln P = {explanation.log_probability:.6g}")


def _text(state: Any) -> str:
    """Return a state as --evidence takes it. The state of missing values is empty."""
    return "" if state is None else str(state)
