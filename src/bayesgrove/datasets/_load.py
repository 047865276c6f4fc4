"""Find data sets by name in all sources."""

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

_OPENML = "openml:"


def dataset_names() -> list[str]:
    """Return the names of the data sets that are available without the internet.

    No data set is generated or read.

    Returns
    -------
    list of str
        The names, in the order of the sources. A name in several sources is listed once.

    Examples
    --------
    >>> from bayesgrove.datasets import dataset_names
    >>> dataset_names()[:2]
    ['tic-tac-toe', 'balance-scale']
    """
    return list(dict.fromkeys(name for source in _SOURCES.values() for name in source.names()))


def has_dataset(name: str) -> bool:
    """Return whether ``load_dataset`` finds a name without the internet.

    No data set is generated or read.

    Parameters
    ----------
    name : str
        The name of the data set.

    Returns
    -------
    bool
        Whether a source other than OpenML has the data set.

    Examples
    --------
    >>> from bayesgrove.datasets import has_dataset
    >>> has_dataset("corral"), has_dataset("corall")
    (True, False)
    """
    return any(name in source.names() for source in _SOURCES.values())


def list_datasets() -> list[Description]:
    """Describe every data set that is available without the internet.

    A data set without a catalogue entry is generated or read, to count its rows. For names only,
    `dataset_names` is faster.

    Returns
    -------
    list of Description
        The descriptions, in the order of the sources. A name in several sources is listed once per
        source; ``load_dataset`` takes the first one unless ``source`` is set.

    Examples
    --------
    >>> from bayesgrove.datasets import list_datasets
    >>> info = list_datasets()[0]
    >>> info.name, info.source, info.rows
    ('tic-tac-toe', 'generated', 958)
    """
    return [info for source in _SOURCES.values() for info in source.descriptions()]


@renamed(seed="random_state")
def load_dataset(name: str, *, source: str | None = None, **options: int) -> Dataset:
    """Load a data set by name.

    The sources are tried in this order: ``"generated"``, ``"sklearn"``, ``"package"``, ``"folder"``
    (the folder that `data_folder` returns) and ``"reuters"`` (text, from the same folder). The web
    site OpenML is asked only on request: ``load_dataset("openml:adult")``. Nothing else needs a
    connection to the internet.

    Parameters
    ----------
    name : str
        The name of the data set. After ``openml:``, it is a name at OpenML.
    source : str or None, default=None
        The only source to try, one of those above or ``"openml"``. None means all sources above.
    **options : int
        Options of the data sets that are generated at random. ``led7`` has ``rows`` and
        ``random_state``. ``waveform`` also has ``noise_attributes``. Other data sets have no
        options.

    Returns
    -------
    Dataset
        The data set. It unpacks as ``X, y = load_dataset(name)``.

    Raises
    ------
    ValueError
        If no source has the data set. The error lists the names that are known.

    Examples
    --------
    >>> from bayesgrove import load_dataset
    >>> X, y = load_dataset("vote")
    >>> X.shape
    (435, 16)
    """
    if name.startswith(_OPENML) and source in (None, "openml"):
        name, source = name.removeprefix(_OPENML), "openml"
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
    """Return the one source that the user names, or all; raise if the name is unknown."""
    if source is None:
        return [key for key in _SOURCES if key != "openml"]
    if source not in _SOURCES:
        raise ValueError(f"There is no source {source!r}; the sources are {', '.join(_SOURCES)}.")
    return [source]


def _generate(name: str, holder: str | None, options: dict[str, int]) -> Dataset:
    """Return a generated data set with options; raise if the data set is not generated."""
    if holder != "generated":
        raise TypeError(
            f"The data set {name!r} is not generated, so it takes no options: leave out "
            f"{', '.join(options)}."
        )
    return _generated.load(name, **options)


def _not_found(name: str, tried: list[str]) -> str:
    """Return the message for an unknown name, with similar names and all known names."""
    if tried == ["openml"]:
        return f"OpenML gave no data set {name!r}: check the name and the connection."
    known = sorted({known for key in tried for known in _SOURCES[key].names()})
    closest = get_close_matches(name, known)
    hint = f" Did you mean {' or '.join(closest)}?" if closest else ""
    return (
        f"No data set {name!r} in {', '.join(tried)}.{hint} "
        f"Known names: {', '.join(known) or 'none'}. "
        f"For more, set BAYESGROVE_DATA to a folder of data sets with a catalog.json "
        f"({_folder.folder_in_words()}), or ask OpenML: {_OPENML}{name}."
    )
