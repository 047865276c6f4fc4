import socket
from collections import Counter
from urllib.error import URLError

import pytest
import sklearn.datasets

import bayesgrove.datasets


@pytest.fixture
def data_folder():
    folder = bayesgrove.datasets.data_folder()
    if folder is None:
        pytest.skip("no data folder: set BAYESGROVE_DATA to a folder with a catalog.json")
    return folder


@pytest.fixture
def offline(monkeypatch):
    def refuse(*args, **kwargs):
        raise URLError("no network in tests")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture
def multiset():
    """The rows of a frame as a multiset, whatever their order."""
    return lambda frame: Counter(frame.itertuples(index=False, name=None))
