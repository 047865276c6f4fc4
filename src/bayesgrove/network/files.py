"""Network files: BIF, XMLBIF, Hugin NET and GeNIe XDSL, and graphs for Graphviz."""

from __future__ import annotations

import gzip
import os
from typing import TYPE_CHECKING, NamedTuple

from bayesgrove._utils.files import atomic_write, read_limited
from bayesgrove._utils.options import require_choice
from bayesgrove.network.formats import bif, dot, net, xdsl, xmlbif
from bayesgrove.network.formats.errors import ParseError
from bayesgrove.network.formats.limits import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bayesgrove.network.network import BayesianNetwork

__all__ = ["FORMATS", "ParseError", "format_network", "read_network", "write_network"]


class Format(NamedTuple):
    """File extensions, writer and reader of a format; the reader is None for write-only formats."""

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
    """Read a network from a file.

    The last node that the file declares is the class. An XDSL file may also list the nodes in the
    section that describes the drawing. If this section has all nodes, its last node is the class.
    Probabilities are not changed or normalised.

    Parameters
    ----------
    path : str or path-like
        The file. It may be compressed with gzip, under any name.
    format : {"bif", "xmlbif", "net", "xdsl"} or None, default=None
        Format of the file. ``"bif"`` is the Bayesian interchange format of the network
        repositories, ``"xmlbif"`` is XMLBIF 0.3, ``"net"`` is the format of Hugin and ``"xdsl"`` is
        the format of GeNIe and SMILE. None means that the extension of the file decides.

    Returns
    -------
    BayesianNetwork
        The network in the file.

    Raises
    ------
    ParseError
        If the file does not hold a network in its format. The error has the line and the column.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from bayesgrove import BayesianNetwork, read_network, write_network
    >>> network = BayesianNetwork.from_tables({"rain": ("yes", "no")}, {}, {"rain": [0.2, 0.8]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "rain.bif")
    ...     write_network(network, path)
    ...     read_network(path) == network
    True
    """
    readers = {name: entry.read for name, entry in FORMATS.items() if entry.read}
    read = readers[_format(path, format, readers)]
    name = os.fspath(path)
    try:
        return read(name, _bytes(path))
    except MemoryError:
        raise ParseError(name, 1, 1, "there is not enough memory to read the file.") from None


def _bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a file, uncompressed."""
    try:
        return read_limited(path, MAX_BYTES)
    except ValueError as error:
        name = os.fspath(path)
        raise ParseError(name, 1, 1, f"the file {str(error).removeprefix(f'{name} ')}") from None


def write_network(
    network: BayesianNetwork,
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
) -> None:
    """Write a network to a file.

    `read_network` returns the same network from this file, except for the format "dot". The file is
    written atomically: there is the old file or the new one, never a partial one. A name or label
    that the format cannot represent is replaced by an identifier, and a property of the node holds
    the original. Labels may be strings, integers, floats, booleans and None.

    Parameters
    ----------
    network : BayesianNetwork
        The network to write.
    path : str or path-like
        The file. It is compressed with gzip if the name ends in ``.gz``.
    format : {"bif", "xmlbif", "net", "xdsl", "dot"} or None, default=None
        Format of the file. ``"bif"`` is the Bayesian interchange format of the network
        repositories, ``"xmlbif"`` is XMLBIF 0.3, ``"net"`` is the format of Hugin and ``"xdsl"`` is
        the format of GeNIe and SMILE. ``"dot"`` is the graph alone, for Graphviz; it cannot be read
        back. None means that the extension of the file decides.

    Raises
    ------
    ValueError
        If a label has another type, or if the file would be too large to be read again.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from bayesgrove import BayesianNetwork, write_network
    >>> network = BayesianNetwork.from_tables({"rain": ("yes", "no")}, {}, {"rain": [0.2, 0.8]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "rain.net")
    ...     write_network(network, path)
    ...     print(path.read_text().splitlines()[3])
    node rain
    """
    data = format_network(network, _format(path, format, FORMATS)).encode()
    if os.fspath(path).lower().endswith(".gz"):
        data = gzip.compress(data, mtime=0)
    with atomic_write(path) as file:
        file.write(data)


def format_network(network: BayesianNetwork, format: str) -> str:  # noqa: A002
    """Return the text of a network file.

    Parameters
    ----------
    network : BayesianNetwork
        The network to write.
    format : {"bif", "xmlbif", "net", "xdsl", "dot"}
        Format of the text. ``"bif"`` is the Bayesian interchange format of the network
        repositories, ``"xmlbif"`` is XMLBIF 0.3, ``"net"`` is the format of Hugin and ``"xdsl"`` is
        the format of GeNIe and SMILE. ``"dot"`` is the graph alone, for Graphviz.

    Returns
    -------
    str
        The text that `write_network` writes.

    Examples
    --------
    >>> from bayesgrove.network import BayesianNetwork, format_network
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
            f"The file would take {size / 1e6:,.0f} MB; network files may have at most "
            f"{MAX_BYTES / 1e6:,.0f} MB."
        )
    return text


def _format(path: str | os.PathLike[str], format: str | None, formats: Iterable[str]) -> str:  # noqa: A002
    """Return the given format or, if it is None, the format of the extension of the file."""
    formats = tuple(formats)
    if format is not None:
        require_choice("format", format, formats)
        return format
    name = os.fspath(path)
    endings = {end: key for key in formats for end in FORMATS[key].extensions}
    extension = os.path.splitext(name.lower().removesuffix(".gz"))[1]
    if extension not in endings:
        raise ValueError(
            f"{name} does not end in one of {', '.join(endings)} (with or without .gz): give "
            f"the format, one of {', '.join(formats)}."
        )
    return endings[extension]
