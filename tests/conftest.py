"""Data sets; a test that wants one of the local folder is skipped where there is no folder."""

from functools import cache

import pytest

from bayesgrove.datasets import data_folder, load_dataset

SHIPPED = {"iris": "sklearn", "vote": "package", "credit-g": "package"}


@cache
def _load(name, source="folder"):
    return load_dataset(name, source=source)


def _need_folder():
    if data_folder() is None:
        pytest.skip("no data folder: set BAYESGROVE_DATA to a folder with a catalog.json")


@pytest.fixture
def folder_dataset():
    """A function from the name of a data set of the folder to its attributes and class."""
    _need_folder()
    return _load


@pytest.fixture
def any_dataset():
    """A function from a name to what `load_dataset` finds by it without the network.

    A data set that ships needs no folder.
    """

    def load(name):
        if name not in SHIPPED:
            _need_folder()
        return _load(name, SHIPPED.get(name, "folder"))

    return load
