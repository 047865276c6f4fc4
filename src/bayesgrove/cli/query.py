"""``bayesgrove query``: probabilities in a network, given what is known."""

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
        str | None, typer.Argument(metavar="[NODE]", help="All nodes when it is left out.")
    ] = None,
    evidence: Annotated[
        list[str] | None,
        typer.Option(
            "--evidence", "-e", metavar="NODE=STATE", help="What is known; may be repeated."
        ),
    ] = None,
    most_probable: Annotated[
        bool, typer.Option("--most-probable", help="The most probable states of all nodes.")
    ] = False,
) -> None:
    """Say how probable the states of a node are, given the states of others."""
    if node is not None and most_probable:
        raise UsageError("--most-probable is about all nodes: leave out the node.")

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
            [(n, _text(s), p) for n, found in marginals.items() for s, p in found.items()],
        )
    else:
        posterior = source.network.posterior(source.require_node(node), known)
        show(["state", "probability"], [(_text(state), p) for state, p in posterior.items()])


def _show_most_probable(source: "NetworkSource", evidence: dict[str, Any]) -> None:
    found = source.network.most_probable(evidence)
    show(["node", "state"], [(node, _text(state)) for node, state in found.states.items()])
    say(f"ln P = {found.log_probability:.6g}")


def _text(state: Any) -> str:
    """A state as evidence spells it: the one of missing values is empty."""
    return "" if state is None else str(state)
