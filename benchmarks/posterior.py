"""Posterior of one node given a few others, in published networks."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.datasets import data_folder
from bayesgrove.network import read_network
from benchmarks.helpers import Row, best, is_installed, not_installed, versus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bayesgrove.network import BayesianNetwork

    Evidence = dict[str, Any]
    Query = tuple[str, Evidence]

NAME = "posterior"
PROMISE = "one node given 0-8 others: at least level with pyAgrum, 50x faster than pgmpy"

NETWORKS = ("alarm", "insurance", "hailfinder", "win95pts")
QUERIES = 200
FEW = 40  # Queries for pgmpy.
MAX_KNOWN = 8
# The files are rounded, and programs leave out different tables that sum to one.
TOLERANCE = 1e-6


def run() -> Iterator[Row]:
    for name in NETWORKS:
        network = load(name)
        if network is None:
            yield no_network(name)
            continue
        queries = draw_queries(network, QUERIES)
        yield from _compare(network, f"{name}, pyagrum", "pyagrum", pyagrum_ways, queries, 1.0)
        yield from _compare(network, f"{name}, pgmpy", "pgmpy", pgmpy_ways, queries[:FEW], 50.0)


def _compare(
    network: BayesianNetwork,
    case: str,
    package: str,
    ways: Callable[[BayesianNetwork], dict[str, Callable[[Query], Any]]],
    queries: Sequence[Query],
    at_least: float,
) -> Iterator[Row]:
    """Yield our seconds per query, and those of the fastest way to use the peer."""
    count, few = len(queries), len(queries) == FEW

    def ours() -> list[Any]:
        return [network.posterior(query, evidence) for query, evidence in queries]

    if not is_installed(package):
        (seconds,) = best(ours)
        yield not_installed(case, package, seconds / count)
        return
    peers = ways(network)
    for ask in peers.values():
        require_same(ours(), [ask(query) for query in queries])
    seconds, *others = best(
        ours,
        *(lambda ask=ask: [ask(query) for query in queries] for ask in peers.values()),
        repeats=2 if few else 5,
    )
    fastest = min(range(len(others)), key=others.__getitem__)
    note = f"{count} queries" + (f"; {package}: {list(peers)[fastest]}" if len(peers) > 1 else "")
    yield versus(case, seconds / count, others[fastest] / count, at_least, note)


# Shared by the benchmarks of inference.


def load(name: str) -> BayesianNetwork | None:
    """Return a network of the data folder, or None if there is no such file."""
    folder = data_folder()
    path = folder and folder / "networks" / f"{name}.bif.gz"
    return read_network(path) if path and path.is_file() else None


def no_network(name: str) -> Row:
    return Row(name, note="not run: BAYESGROVE_DATA does not name a folder with networks")


def draw_evidence(
    network: BayesianNetwork, count: int, largest: int = MAX_KNOWN, seed: int = 0
) -> list[Evidence]:
    """Return states of some nodes of rows drawn from the network, so that all are possible."""
    rng = np.random.default_rng(seed)
    rows = network.sample(count, random_state=seed).to_dict("records")
    return [
        {str(node): row[node] for node in rng.choice(network.nodes, size, replace=False)}
        for row, size in zip(rows, rng.integers(0, largest + 1, count), strict=True)
    ]


def draw_queries(network: BayesianNetwork, count: int) -> list[Query]:
    rng = np.random.default_rng(1)
    evidences = draw_evidence(network, count)
    return [
        (str(rng.choice([node for node in network.nodes if node not in evidence])), evidence)
        for evidence in evidences
    ]


def require_same(ours: Sequence[dict[Any, float]], theirs: Sequence[Any]) -> None:
    """Raise unless both give the same probabilities."""
    for mine, its in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(list(mine.values()), its, rtol=0, atol=TOLERANCE)


def pyagrum_ways(network: BayesianNetwork) -> dict[str, Callable[[Query], Any]]:
    """Return the ways to compute one posterior with pyAgrum, which takes states as numbers."""
    gum, copy = to_pyagrum(network)
    code = _codes(network)
    lasting = gum.LazyPropagation(copy)

    def ask(engine: Any, query: Query) -> Any:
        target, evidence = query
        engine.setEvidence({node: code[node][state] for node, state in evidence.items()})
        engine.setTargets({target})
        engine.makeInference()
        return engine.posterior(target).toarray()

    return {
        "a new engine per query": lambda query: ask(gum.LazyPropagation(copy), query),
        "one engine for all": lambda query: ask(lasting, query),
        "variable elimination": lambda query: ask(gum.VariableElimination(copy), query),
    }


def to_pyagrum(network: BayesianNetwork) -> tuple[Any, Any]:
    """Return pyAgrum with one thread and the network with our tables; its reader rounds them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pyagrum
    pyagrum.setNumberOfThreads(1)
    copy = pyagrum.BayesNet()
    for node in network.nodes:
        copy.add(pyagrum.LabelizedVariable(node, "", len(network.states(node))))
    for parent, child in network.arcs:
        copy.addArc(parent, child)
    for node in network.nodes:
        family = [*network.parents(node), node]
        axes = [family.index(name) for name in reversed(copy.cpt(node).names)]
        table = np.asarray(network.table(node)).transpose(axes)
        copy.cpt(node)[:] = np.ascontiguousarray(table)
    return pyagrum, copy


def pgmpy_ways(network: BayesianNetwork) -> dict[str, Callable[[Query], Any]]:
    engine = to_pgmpy(network)
    code = _codes(network)

    def ask(query: Query) -> Any:
        target, evidence = query
        known = {node: code[node][state] for node, state in evidence.items()}
        return engine.query([target], known, show_progress=False).values

    return {"variable elimination": ask}


def to_pgmpy(network: BayesianNetwork) -> Any:
    """Return an inference engine of pgmpy for the network: nodes by name, states by number."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.factors.discrete import TabularCPD
        from pgmpy.inference import VariableElimination
        from pgmpy.models import DiscreteBayesianNetwork
    copy = DiscreteBayesianNetwork(network.arcs)
    copy.add_nodes_from(network.nodes)
    for node in network.nodes:
        table = np.asarray(network.table(node))
        table = table / table.sum(axis=-1, keepdims=True)  # pgmpy rejects rounded tables.
        card = table.shape[-1]
        parents = list(network.parents(node))
        copy.add_cpds(
            TabularCPD(node, card, table.reshape(-1, card).T, parents, list(table.shape[:-1]))
        )
    return VariableElimination(copy)


def _codes(network: BayesianNetwork) -> dict[str, dict[Any, int]]:
    return {
        node: {state: code for code, state in enumerate(network.states(node))}
        for node in network.nodes
    }
