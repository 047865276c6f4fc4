"""Marginals of all nodes in one call, in published networks."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.kernels import kernels
from benchmarks.helpers import (
    ROOT,
    Row,
    best,
    is_installed,
    not_installed,
    show_ratio,
    show_seconds,
    versus,
)
from benchmarks.posterior import (
    draw_evidence,
    load,
    no_network,
    require_same,
    to_pyagrum,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bayesgrove.network import BayesianNetwork

NAME = "marginals"
PROMISE = "all nodes given 0-8 of them: at least level with pyAgrum; munin1 and link: none"

NETWORKS = ("alarm", "insurance", "win95pts")
LARGE = ("munin1", "link")
EVIDENCES = 50
LIMIT, FULL_LIMIT = 20.0, 600.0  # Seconds that a peer may take with a large network.


def run(limit: float = LIMIT) -> Iterator[Row]:
    for name in (*NETWORKS, *LARGE):
        network = load(name)
        if network is None:
            yield no_network(name)
        elif name in LARGE:
            yield _alone(name, network, limit)
        else:
            yield from _compare(name, network)


def run_full() -> Iterator[Row]:
    yield from run(limit=FULL_LIMIT)


def _compare(name: str, network: BayesianNetwork) -> Iterator[Row]:
    """Yield our seconds for all marginals, and those of the faster way to use pyAgrum."""
    evidences = draw_evidence(network, EVIDENCES)
    case = f"{name}, pyagrum"

    def ours() -> list[Any]:
        return [network.marginals(evidence) for evidence in evidences]

    if not is_installed("pyagrum"):
        (seconds,) = best(ours)
        yield not_installed(case, "pyagrum", seconds / EVIDENCES)
        return
    ways = pyagrum_ways(network)
    for ask in ways.values():
        for mine, its in zip(ours(), map(ask, evidences), strict=True):
            require_same(list(mine.values()), its)
    seconds, *others = best(
        ours, *(lambda ask=ask: [ask(evidence) for evidence in evidences] for ask in ways.values())
    )
    fastest = min(range(len(others)), key=others.__getitem__)
    note = f"{EVIDENCES} times; pyagrum: {list(ways)[fastest]}"
    yield versus(case, seconds / EVIDENCES, others[fastest] / EVIDENCES, 1.0, note)


def pyagrum_ways(network: BayesianNetwork) -> dict[str, Callable[[dict[str, Any]], list[Any]]]:
    gum, copy = to_pyagrum(network)
    lasting = gum.LazyPropagation(copy)

    def ask(engine: Any, evidence: dict[str, Any]) -> list[Any]:
        engine.setEvidence(
            {node: network.states(node).index(state) for node, state in evidence.items()}
        )
        engine.makeInference()
        return [engine.posterior(node).toarray() for node in network.nodes]

    return {
        "a new engine each time": lambda evidence: ask(gum.LazyPropagation(copy), evidence),
        "one engine for all": lambda evidence: ask(lasting, evidence),
    }


def _alone(name: str, network: BayesianNetwork, limit: float) -> Row:
    """Measure a large network without evidence once; pyAgrum runs in a process with a timeout."""
    (seconds,) = best(network.marginals, repeats=1)
    note = f"largest table {largest_table(network):.2g} cells"
    case = f"{name}, pyagrum"
    if not is_installed("pyagrum"):
        return not_installed(case, "pyagrum", seconds)
    peer = _pyagrum_alone(name, limit)
    if isinstance(peer, str):
        return Row(case, show_seconds(seconds), peer, note=note)
    return Row(
        case, show_seconds(seconds), show_seconds(peer), show_ratio(peer / seconds), note=note
    )


def largest_table(network: BayesianNetwork) -> float:
    """Return the number of cells of the largest clique of the chosen elimination order."""
    place = {node: v for v, node in enumerate(network.nodes)}
    scopes = [[place[v] for v in (*network.parents(node), node)] for node in network.nodes]
    _, cells = kernels.elimination_order(
        np.array([len(network.states(node)) for node in network.nodes], dtype=np.int32),
        np.cumsum([0, *map(len, scopes)], dtype=np.int32),
        np.concatenate(scopes).astype(np.int32),
        np.arange(len(scopes), dtype=np.int32),
        np.full(len(scopes), -1, dtype=np.int32),
        np.empty(0, dtype=np.int32),
    )
    return float(cells.max())


def _pyagrum_alone(name: str, limit: float) -> float | str:
    """Return the seconds of pyAgrum, or the reason why there are none."""
    command = [sys.executable, "-m", "benchmarks.marginals", name]
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=limit
        )
    except subprocess.TimeoutExpired:
        return f"more than {limit:.0f} s"
    if done.returncode:
        return "gave up" if done.returncode > 0 else f"ended by signal {-done.returncode}"
    return float(json.loads(done.stdout))


def main(name: str) -> None:
    network = load(name)
    assert network is not None
    ask = pyagrum_ways(network)["a new engine each time"]
    print(json.dumps(best(lambda: ask({}), repeats=1)[0]))


if __name__ == "__main__":
    main(*sys.argv[1:])
