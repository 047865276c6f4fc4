"""Finding of data sets by name over all sources."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from bayesgrove._utils.renamed import renamed
from bayesgrove.datasets import _folder, _generated, _openml, _package, _reuters, _sklearn

if TYPE_CHECKING:
    from bayesgrove.datasets._dataset import Dataset, Description, Source

_SOURCES: dict[str, Source] = {
    "generated": _generated,
    "sklearn": _sklearn,
    "package": _package,
    "folder": _folder,
    "reuters": _reuters,
    "openml": _openml,
}


def dataset_names() -> list[str]:
    """Return the names of the data sets available without the network; none is made or read.

    >>> dataset_names()[:2]
    ['tic-tac-toe', 'balance-scale']
    """
    return list(dict.fromkeys(name for source in _SOURCES.values() for name in source.names()))


def has_dataset(name: str) -> bool:
    """Return whether ``load_dataset`` finds a name without the network; nothing is made or read.

    >>> has_dataset("corral"), has_dataset("corall")
    (True, False)
    """
    return any(name in source.names() for source in _SOURCES.values())


def list_datasets() -> list[Description]:
    """Describe every data set available now without the network, in the order of the sources.

    A name that several sources have is listed once for each; ``load_dataset`` takes the first
    unless told otherwise. The sizes of data sets that no catalogue describes are counted, so they
    are made or read: `dataset_names` is cheaper.
    """
    return [info for source in _SOURCES.values() for info in source.descriptions()]


@renamed(seed="random_state")
def load_dataset(name: str, *, source: str | None = None, **options: int) -> Dataset:
    """Load a data set by name.

    The sources are tried in this order: ``generated``, ``sklearn``, ``package``, ``folder``
    (see ``data_folder``), ``reuters`` (text, from the same folder) and ``openml``, the only one to
    use the network; ``source`` names the only one to try. Options go to a random generator:
    ``rows`` and ``random_state`` for ``led7`` and ``waveform``, ``noise_attributes`` for ``waveform``.

    >>> X, y = load_dataset("vote")
    >>> X.shape
    (435, 16)
    """
    tried = _sources_to_try(source)
    holder = next((key for key in tried if name in _SOURCES[key].names()), None)
    if options:
        return _generate(name, holder, options)
    if holder is not None:
        return _SOURCES[holder].load(name)
    if "openml" not in tried:
        raise ValueError(_not_found(name, tried))
    try:
        return _openml.load(name)
    except (OSError, ValueError) as error:
        raise ValueError(f"{_not_found(name, tried)} OpenML answered: {error}") from error


def _sources_to_try(source: str | None) -> list[str]:
    if source is None:
        return list(_SOURCES)
    if source not in _SOURCES:
        raise ValueError(f"unknown source {source!r}; the sources are {', '.join(_SOURCES)}")
    return [source]


def _generate(name: str, holder: str | None, options: dict[str, int]) -> Dataset:
    if holder != "generated":
        raise TypeError(f"{name!r} is not generated, so it takes no options: {', '.join(options)}")
    return _generated.load(name, **options)


def _not_found(name: str, tried: list[str]) -> str:
    known = sorted({known for key in tried for known in _SOURCES[key].names()})
    closest = get_close_matches(name, known)
    hint = f" Did you mean {' or '.join(closest)}?" if closest else ""
    return (
        f"No data set {name!r} in {', '.join(tried)}.{hint} "
        f"Names known without the network: {', '.join(known) or 'none'}. "
        f"Data folder: {_folder.data_folder() or 'none found'}. "
        "For more, set BAYESGROVE_DATA to a folder of data sets with a catalog.json, "
        "or check the connection to OpenML."
    )
