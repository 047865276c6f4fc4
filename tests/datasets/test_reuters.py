"""Three topics of Reuters-21578, recounted from the collection itself."""

import gzip
import json

import numpy as np
import pytest

import bayesgrove.datasets

LETTERS = set("abcdefghijklmnopqrstuvwxyz")


@pytest.fixture
def collection(data_folder):
    path = data_folder / "reuters" / "reuters21578.jsonl.gz"
    if not path.is_file():
        pytest.skip("no Reuters collection in the data folder")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def words(document):
    """Runs of letters, without regular expressions."""
    text = f"{document['title']} {document['body']}".lower()
    return set("".join(c if c in LETTERS else " " for c in text).split())


def topic(document):
    return next((t for t in document["topics"] if t in ("trade", "crude", "interest")), None)


def chosen(collection, split):
    return [
        document
        for document in collection
        if document["lewissplit"] == split and document["topics_attr"] == "YES" and topic(document)
    ]


def test_the_table_is_the_collection(collection):
    X, y = bayesgrove.datasets.load_dataset("reuters-3")
    train, test = chosen(collection, "TRAIN"), chosen(collection, "TEST")
    assert (len(train), len(test)) == (1091, 436)
    assert X.shape == (1527, 3440)
    assert X.columns.is_unique
    table = X.to_numpy()
    assert set(np.unique(table)) == {0, 1}
    assert y.tolist() == [topic(document) for document in [*train, *test]]
    assert set(y) == {"trade", "crude", "interest"}

    found = [words(document) for document in [*train, *test]]
    for word in (X.columns[0], X.columns[1], X.columns[1000], X.columns[-1], "oil", "bank"):
        assert X[word].tolist() == [int(word in own) for own in found]

    counts = table[:1091].sum(axis=0)
    assert (np.diff(counts.astype(int)) <= 0).all()
    same = np.diff(counts.astype(int)) == 0
    names = X.columns.to_numpy()
    assert (names[:-1][same] < names[1:][same]).all()  # ties in alphabetical order
    occurring = {}
    for own in found[:1091]:
        for word in own:
            occurring[word] = occurring.get(word, 0) + 1
    assert counts[0] == max(occurring.values())
    left = max(n for word, n in occurring.items() if word not in set(names))
    assert left <= counts[-1]


def test_it_is_described_and_listed(collection):
    (info,) = [d for d in bayesgrove.datasets.list_datasets() if d.name == "reuters-3"]
    assert (info.rows, info.attributes, info.classes, info.missing) == (1527, 3440, 3, 0)
    assert bayesgrove.datasets.load_dataset("reuters-3").info == info


def test_without_the_collection_it_is_not_listed(monkeypatch, tmp_path):
    (tmp_path / "catalog.json").write_text('{"datasets": []}')
    monkeypatch.setenv("BAYESGROVE_DATA", str(tmp_path))
    assert "reuters-3" not in {d.name for d in bayesgrove.datasets.list_datasets()}
