import dataclasses
import json
import os
import subprocess
import sys
from urllib.error import URLError

import pandas as pd
import pytest

from bayesgrove.datasets import (
    Description,
    _load,
    dataset_names,
    has_dataset,
    list_datasets,
    load_dataset,
)

IMPORT = """
import sys, bayesgrove
before = set(sys.modules)
import bayesgrove.datasets
assert not {"pandas", "sklearn"} & (set(sys.modules) - before)
"""


def test_unpacks_and_joins():
    dataset = load_dataset("vote")
    X, y = dataset
    assert X is dataset.X
    assert y is dataset.y
    assert dataset.frame.columns.to_list() == [*X.columns, "class"]
    pd.testing.assert_series_equal(dataset.frame["class"], y)


def test_description_reads_well_and_converts():
    info = load_dataset("vote").info
    assert str(info).startswith(
        "vote (package): 435 rows, 16 attributes (16 nominal, 0 numeric), "
        "2 classes, 392 missing cells\n  licence: CC BY 4.0"
    )
    assert Description(**info.as_dict()) == info
    with pytest.raises(dataclasses.FrozenInstanceError):
        info.rows = 1


def test_list_needs_no_network(offline):
    listed = {(info.source, info.name) for info in list_datasets()}
    assert {("generated", "led7"), ("sklearn", "iris"), ("package", "vote")} <= listed


def test_sources_have_an_order_and_can_be_forced(data_folder):
    assert load_dataset("monks-1").info.rows == 432
    assert load_dataset("monks-1", source="folder").info.rows == 556


def test_unknown_name_says_what_was_tried_and_what_is_near(offline):
    with pytest.raises(ValueError, match="No data set 'credit-q'") as caught:
        load_dataset("credit-q")
    message = str(caught.value)
    for part in ("generated, sklearn, package, folder, reuters.", "credit-g", "tic-tac-toe"):
        assert part in message
    for part in ("BAYESGROVE_DATA", "openml:credit-q"):
        assert part in message


def test_an_unknown_name_at_openml(offline):
    with pytest.raises(
        ValueError, match=r"check the name and the connection.*no network"
    ) as caught:
        load_dataset("openml:credit-q")
    assert isinstance(caught.value.__cause__, URLError)


def test_the_message_says_what_is_wrong_with_the_folder(monkeypatch, tmp_path):
    for folder, words in [
        (None, "BAYESGROVE_DATA is not set"),
        (str(tmp_path / "gone"), "gone', which is not a folder"),
        (str(tmp_path), "which has no catalog.json"),
    ]:
        if folder is None:
            monkeypatch.delenv("BAYESGROVE_DATA", raising=False)
        else:
            monkeypatch.setenv("BAYESGROVE_DATA", folder)
        with pytest.raises(ValueError, match=words):
            load_dataset("credit-q")


@pytest.mark.parametrize("path", ["../secret.csv", "/etc/passwd", "a/../../b.csv"])
def test_files_of_the_catalogue_are_in_the_folder(monkeypatch, tmp_path, path):
    entry = {"name": "x", "file": path}
    (tmp_path / "catalog.json").write_text(json.dumps({"datasets": [entry]}))
    monkeypatch.setenv("BAYESGROVE_DATA", str(tmp_path))
    with pytest.raises(ValueError, match="outside of the data folder"):
        load_dataset("x")


def test_unknown_name_in_a_forced_source(offline):
    with pytest.raises(ValueError, match=r"in package\. Known names: credit-g, vote\."):
        load_dataset("corral", source="package")


def test_unknown_source():
    with pytest.raises(ValueError, match="There is no source 'weka'; the sources are generated"):
        load_dataset("vote", source="weka")


def test_options_are_for_generators_only():
    with pytest.raises(TypeError, match=r"'vote' is not generated, .* no options: leave out rows"):
        load_dataset("vote", rows=10)


def test_import_is_cheap():
    subprocess.run([sys.executable, "-c", IMPORT], check=True, env=os.environ)


def test_names_are_those_that_are_listed(offline):
    assert dataset_names() == list(dict.fromkeys(info.name for info in list_datasets()))
    assert all(map(has_dataset, dataset_names()))
    assert not has_dataset("credit-q")


def test_names_are_known_without_data(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a data set is made or read")

    for source in _load._SOURCES.values():
        monkeypatch.setattr(source, "load", refuse)
    assert has_dataset("corral")
    assert has_dataset("vote")
    assert not has_dataset("no-such-set")
    assert {"corral", "iris", "vote"} <= set(dataset_names())
