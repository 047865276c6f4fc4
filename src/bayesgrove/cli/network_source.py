"""Networks of model files and network files, and evidence given as text."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from bayesgrove import load_model, read_network
from bayesgrove._utils.wording import listed
from bayesgrove.cli.console import note
from bayesgrove.cli.errors import UsageError
from bayesgrove.encoding import Coding, Continuous, Intervals, Schema, match_label
from bayesgrove.network import BayesianNetwork
from bayesgrove.network.files import FORMATS
from bayesgrove.tables import batch_of, is_number, to_float

_NETWORK_FILES = tuple(end for known in FORMATS.values() if known.read for end in known.extensions)
"""Endings of network files that can be read."""


class EvidenceError(ValueError):
    """A node or state does not exist, or evidence cannot be understood."""


@dataclass(frozen=True)
class NetworkSource:
    """A network, and the fitted classifier that it belongs to.

    Parameters
    ----------
    network : BayesianNetwork
        The network.
    model : classifier or None, default=None
        The classifier. None means that the network comes from a network file.
    """

    network: BayesianNetwork
    model: Any = None

    @cached_property
    def codings(self) -> dict[str, Coding]:
        """Codings of the columns that the model uses, by name."""
        codings = () if self.model is None else self.model.used_codings_
        return {coding.name: coding for coding in codings}

    def require_node(self, name: str) -> str:
        """Return a name; raise unless it is the name of a node."""
        if name in self.network.nodes:
            return name
        if isinstance(self.codings.get(name), Continuous):
            raise EvidenceError(
                f"{name!r} has a normal density in this model and is not a node of its network."
            )
        raise EvidenceError(
            f"There is no node {name!r}; the nodes are {_first(self.network.nodes)}."
        )

    def require_state(self, node: str, text: str) -> Any:
        """Return the state of a text: a label, an interval, or the state of missing values."""
        states = self.network.states(node)
        if text == "" and None in states:
            return None
        if text in states:
            return text
        known = {state: state for state in states if state is not None}
        match = {str(state): state for state in known}.get(text, match_label(text, known))
        if match in known:
            return match
        coding = self.codings.get(node)
        if isinstance(coding, Intervals) and is_number(text):
            return _interval(coding, to_float(text))
        raise EvidenceError(f"{node!r} has no state {text!r}; the states are {_first(states)}.")

    @property
    def densities(self) -> list[str]:
        """Columns of the model that have densities and are not nodes of the network."""
        return [name for name, coding in self.codings.items() if isinstance(coding, Continuous)]

    def note_beyond(self) -> None:
        """Write a note about the parts of the model that predictions use and the network lacks."""
        beyond = "" if self.model is None else self.model.beyond_network()
        if beyond:
            note(f"Predictions of the model use more than this network, which is without {beyond}.")


def open_network(path: str) -> NetworkSource:
    """Read the network in a network file or in a model file."""
    if not Path(path).exists():
        raise FileNotFoundError(f"There is no file {path}.")
    if path.lower().removesuffix(".gz").endswith(_NETWORK_FILES):
        return NetworkSource(read_network(path))
    model: Any = load_model(path)
    require_network(model, path)
    return NetworkSource(model.networks_[0], model)


def require_network(model: Any, path: str) -> None:
    """Raise unless a model has a network; the message says what to do instead."""
    if hasattr(model, "networks_"):
        return
    if hasattr(model, "to_text"):
        remedy = f"bayesgrove export {path} --to text shows the model as text"
    else:
        target = shlex.quote(model.class_name_)
        remedy = (
            "fit one with bayesgrove fit --model tan, or make one that comes near to the model "
            f"with bayesgrove distill {shlex.quote(path)} TABLE --target {target} -o network.json"
        )
    raise UsageError(f"The {type(model).__name__} in {path} has no network: {remedy}.")


def parse_evidence(texts: Sequence[str], source: NetworkSource) -> dict[str, Any]:
    """Parse evidence such as ``age=33.5``. The longest possible name before a = is the node."""
    evidence: dict[str, Any] = {}
    for text in texts:
        node, state = _split(text, source)
        value = source.require_state(node, state)
        if node in evidence and evidence[node] != value:
            raise EvidenceError(f"{node!r} is given twice, with different states.")
        evidence[node] = value
    return evidence


def _split(text: str, source: NetworkSource) -> tuple[str, str]:
    """Return the node and the state of a piece of evidence. Both may contain =."""
    pieces = text.split("=")
    if len(pieces) == 1:
        raise EvidenceError(f"--evidence {text!r} has no =: write NODE=STATE.")
    for cut in range(len(pieces) - 1, 0, -1):
        node = "=".join(pieces[:cut])
        if node in source.network.nodes:
            return node, "=".join(pieces[cut:])
    return source.require_node(pieces[0]), ""


def _interval(coding: Intervals, number: float) -> Any:
    """Return the interval that contains a number."""
    table = batch_of(pd.DataFrame({coding.name: [number]}))
    code = Schema((coding,), named=True).encode(table).columns[0][0]
    return coding.states[int(code)]


def _first(labels: Sequence[Any]) -> str:
    """Return the first labels in words."""
    return listed("(empty)" if label is None else label for label in labels)
