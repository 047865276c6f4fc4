"""Data sets of the local folder; a test that wants one is skipped where there is no folder."""

from functools import cache

import pytest

from bayesgrove.datasets import data_folder, load_dataset


@cache
def _load(name):
    return load_dataset(name, source="folder")


@pytest.fixture
def folder_dataset():
    """A function from the name of a data set of the folder to its attributes and class."""
    if data_folder() is None:
        pytest.skip("no data folder: set BAYESGROVE_DATA to a folder with a catalog.json")
    return _load
