"""Networks and what is known of their nodes, as a command line tells it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from bayesgrove import load_model, read_network
from bayesgrove.cli.console import listed, note
from bayesgrove.cli.errors import UsageError
from bayesgrove.encoding import Coding, Continuous, Intervals, Schema, match_label
from bayesgrove.network import BayesianNetwork
from bayesgrove.network.files import FORMATS
from bayesgrove.tables import batch_of, is_number, to_float

_NETWORK_FILES = tuple(end for known in FORMATS.values() if known.read for end in known.extensions)


class EvidenceError(ValueError):
    """A node or state that there is not."""


@dataclass(frozen=True)
class NetworkSource:
    """A network, and the fitted classifier that has it, if any."""

    network: BayesianNetwork
    model: Any = None

    @cached_property
    def codings(self) -> dict[str, Coding]:
        """How the model cuts the columns that it has."""
        codings = () if self.model is None else self.model.used_codings_
        return {coding.name: coding for coding in codings}

    def require_node(self, name: str) -> str:
        """Refuse what is no node."""
        if name in self.network.nodes:
            return name
        if isinstance(self.codings.get(name), Continuous):
            raise EvidenceError(
                f"{name!r} has a normal density in this model and is no node of its network."
            )
        raise EvidenceError(f"There is no node {name!r}; nodes: {_first(self.network.nodes)}.")

    def require_state(self, node: str, text: str) -> Any:
        """The state that a text means: a label, the state of missing values, or an interval."""
        states = self.network.states(node)
        if text == "" and None in states:
            return None
        if text in states:
            return text
        known = {state: state for state in states if state is not None}
        found = {str(state): state for state in known}.get(text, match_label(text, known))
        if found in known:
            return found
        coding = self.codings.get(node)
        if isinstance(coding, Intervals) and is_number(text):
            return _interval(coding, to_float(text))
        raise EvidenceError(f"{node!r} has no state {text!r}; states: {_first(states)}.")

    @property
    def densities(self) -> list[str]:
        """Columns of the model that are no nodes."""
        return [name for name, coding in self.codings.items() if isinstance(coding, Continuous)]

    def note_beyond(self) -> None:
        """Tell the user what predictions of the model have and the network is without."""
        beyond = "" if self.model is None else self.model.beyond_network()
        if beyond:
            note(f"predict has more than this network, which is without {beyond}.")


def open_network(path: str) -> NetworkSource:
    """The network in a network file or in a model file."""
    if not Path(path).exists():
        raise FileNotFoundError(f"There is no file {path}.")
    if path.lower().removesuffix(".gz").endswith(_NETWORK_FILES):
        return NetworkSource(read_network(path))
    model: Any = load_model(path)
    if not hasattr(model, "networks_"):
        hint = f": bayesgrove export {path} --to text shows it" if hasattr(model, "to_text") else ""
        raise UsageError(f"The {type(model).__name__} in {path} has no network{hint}.")
    return NetworkSource(model.networks_[0], model)


def parse_evidence(texts: Sequence[str], source: NetworkSource) -> dict[str, Any]:
    """Evidence such as ``age=33.5``; the longest beginning that is a node is the node."""
    evidence: dict[str, Any] = {}
    for text in texts:
        node, state = _split(text, source)
        found = source.require_state(node, state)
        if node in evidence and evidence[node] != found:
            raise EvidenceError(f"{node!r} is given twice, with different states.")
        evidence[node] = found
    return evidence


def _split(text: str, source: NetworkSource) -> tuple[str, str]:
    pieces = text.split("=")
    if len(pieces) == 1:
        raise EvidenceError(f"--evidence {text!r} has no =: write NODE=STATE.")
    for cut in range(len(pieces) - 1, 0, -1):
        node = "=".join(pieces[:cut])
        if node in source.network.nodes:
            return node, "=".join(pieces[cut:])
    return source.require_node(pieces[0]), ""


def _interval(coding: Intervals, number: float) -> Any:
    table = batch_of(pd.DataFrame({coding.name: [number]}))
    code = Schema((coding,), named=True).encode(table).columns[0][0]
    return coding.states[int(code)]


def _first(labels: Sequence[Any]) -> str:
    return listed("(empty)" if label is None else label for label in labels)
