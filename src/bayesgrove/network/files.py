"""Networks in files: BIF, XMLBIF, Hugin NET and GeNIe XDSL, and pictures for Graphviz."""

from __future__ import annotations

import gzip
import os
from typing import TYPE_CHECKING, NamedTuple

from bayesgrove._utils.files import read_limited, replacing
from bayesgrove._utils.options import require_choice
from bayesgrove.network.formats import bif, dot, net, xdsl, xmlbif
from bayesgrove.network.formats.errors import ParseError
from bayesgrove.network.formats.limits import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bayesgrove.network.network import BayesianNetwork

__all__ = ["FORMATS", "ParseError", "format_network", "read_network", "write_network"]


class Format(NamedTuple):
    """How the names of its files end, and how they are written and read; some are not read."""

    extensions: tuple[str, ...]
    write: Callable[[BayesianNetwork], str]
    read: Callable[[str, bytes], BayesianNetwork] | None = None


FORMATS = {
    "bif": Format((".bif",), bif.write, bif.read),
    "xmlbif": Format((".xmlbif", ".bifxml", ".xml"), xmlbif.write, xmlbif.read),
    "net": Format((".net",), net.write, net.read),
    "xdsl": Format((".xdsl",), xdsl.write, xdsl.read),
    "dot": Format((".dot", ".gv"), dot.write),
}


def read_network(path: str | os.PathLike[str], format: str | None = None) -> BayesianNetwork:  # noqa: A002
    """A network from a file; the last node that the file declares is the class.

    Probabilities are taken as they are written. What is not a network in the format of the file
    is refused with a `ParseError`, which has the line and the column.

    Parameters
    ----------
    path : the file, packed with gzip or not
    format : ``"bif"``, ``"xmlbif"``, ``"net"`` or ``"xdsl"``; None: by the end of the file's name

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from bayesgrove.network import BayesianNetwork
    >>> network = BayesianNetwork.from_tables({"rain": ("yes", "no")}, {}, {"rain": [0.2, 0.8]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "rain.bif")
    ...     write_network(network, path)
    ...     read_network(path) == network
    True
    """
    readers = {name: known.read for name, known in FORMATS.items() if known.read}
    read = readers[_format(path, format, readers)]
    where = os.fspath(path)
    try:
        return read(where, _bytes(path))
    except MemoryError:
        raise ParseError(where, 1, 1, "there is not enough memory to read the file.") from None


def _bytes(path: str | os.PathLike[str]) -> bytes:
    try:
        return read_limited(path, MAX_BYTES)
    except ValueError as error:
        where = os.fspath(path)
        raise ParseError(where, 1, 1, f"the file {str(error).removeprefix(f'{where} ')}") from None


def write_network(
    network: BayesianNetwork,
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
) -> None:
    """Write a network to a file, so that `read_network` gives back the same network.

    The file appears whole or not at all. Names and labels that the format cannot carry are spelled
    otherwise, and given in full in a property of the node; labels may be strings, integers,
    numbers, truth values and None, all others are refused.

    Parameters
    ----------
    network : the network
    path : the file; packed with gzip where the name ends in ``.gz``
    format : ``"bif"``, ``"xmlbif"``, ``"net"``, ``"xdsl"`` or, only to look at, ``"dot"``; None: by
        the end of the file's name
    """
    data = format_network(network, _format(path, format, FORMATS)).encode()
    if os.fspath(path).lower().endswith(".gz"):
        data = gzip.compress(data, mtime=0)
    with replacing(path) as file:
        file.write(data)


def format_network(network: BayesianNetwork, format: str) -> str:  # noqa: A002
    """What `write_network` would write: the text itself.

    Parameters
    ----------
    network : the network
    format : ``"bif"``, ``"xmlbif"``, ``"net"``, ``"xdsl"`` or ``"dot"``

    Examples
    --------
    >>> from bayesgrove.network import BayesianNetwork
    >>> network = BayesianNetwork.from_tables({"rain": ("yes", "no")}, {}, {"rain": [0.2, 0.8]})
    >>> print(format_network(network, "bif"))
    network unknown {
    }
    variable rain {
      type discrete [ 2 ] { yes, no };
    }
    probability ( rain ) {
      table 0.2, 0.8;
    }
    """
    require_choice("format", format, tuple(FORMATS))
    text = FORMATS[format].write(network)
    size = len(text.encode())
    if size > MAX_BYTES:
        raise ValueError(
            f"The file would take {size / 1e6:,.0f} MB, and up to {MAX_BYTES / 1e6:,.0f} MB "
            "are read."
        )
    return text


def _format(path: str | os.PathLike[str], format: str | None, known: Iterable[str]) -> str:  # noqa: A002
    """The format that is said, or the one that the name of the file ends in."""
    known = tuple(known)
    if format is not None:
        require_choice("format", format, known)
        return format
    name = os.fspath(path)
    endings = {end: key for key in known for end in FORMATS[key].extensions}
    extension = os.path.splitext(name.lower().removesuffix(".gz"))[1]
    if extension not in endings:
        raise ValueError(
            f"{name} does not end in one of {', '.join(endings)} (or these and .gz): say the "
            f"format, one of {', '.join(known)}."
        )
    return endings[extension]
